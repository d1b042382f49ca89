# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML page that needs no network, and as text. Both show the same tables."""

import base64
import math

import jinja2

PAGE = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string("""\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222 }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0 }
th, td { padding: .2em .7em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
th { background: #f4f4f4 } tr.worst td { background: #fff3d6 } img { max-width: 100% }
</style></head><body>
<h1>{{ title }}</h1>
<p>{{ subtitle }}</p>
{% for section in sections %}
<h2>{{ section.title }}</h2>
{% for line in section.text %}<p>{{ line }}</p>
{% endfor %}
{% if section.image %}<img alt="{{ section.title }}" src="data:image/svg+xml;base64,{{ section.image }}">
{% endif %}
{% if section.rows %}
<table><thead><tr>{% for head in section.head %}<th>{{ head }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in section.rows %}
<tr{% if loop.index0 == section.worst %} class="worst"{% endif %}>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</tbody></table>
{% endif %}
{% endfor %}
</body></html>
""")


def section(title, text=(), head=(), rows=(), image=None, worst=None):
    return {"title": title, "text": [text] if isinstance(text, str) else list(text), "head": list(head),
            "rows": [list(row) for row in rows], "worst": worst,
            "image": base64.b64encode(image).decode() if image else None}


def html(title, subtitle, sections):
    return PAGE.render(title=title, subtitle=subtitle, sections=sections)


def text(sections):
    lines = []
    for one in sections:
        if one["image"] and not one["rows"]:
            continue
        lines += ["", one["title"], *(f"  {line}" for line in one["text"])]
        if one["rows"]:
            table = [one["head"], *one["rows"]]
            widths = [max(len(str(row[at])) for row in table) for at in range(len(one["head"]))]
            for row in table:
                cells = [str(cell).ljust(width) if at == 0 else str(cell).rjust(width)
                         for at, (cell, width) in enumerate(zip(row, widths))]
                lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def fixed(value, places=2, sign=False):
    if value is None or math.isnan(value):
        return "-"
    return f"{value:{'+' if sign else ''}.{places}f}"


def span(low, high, places=2):
    return "-" if math.isnan(low) or math.isnan(high) else f"{low:+.{places}f} to {high:+.{places}f}"


def chance(p):
    return "-" if math.isnan(p) else "<0.0001" if p < 0.0001 else f"{p:.4f}"
