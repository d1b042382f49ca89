# SPDX-License-Identifier: BSD-3-Clause
"""Templates and expressions of a study, with the meaning that IOPS gives them: templates are Jinja2, `expr` is
Jinja2 where it has braces (or makes a text) and Python otherwise, `when` and `rule` are Python.

Expressions come from the study's own file, which also holds shell scripts: they are trusted as much as these.
Without builtins they are kept simple, not safe.
"""

import ast
import math
import os

import jinja2

from .errors import StudyError

FUNCTIONS = {"min": min, "max": max, "abs": abs, "round": round, "floor": math.floor, "ceil": math.ceil,
             "int": int, "float": float}

_jinja = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True,
                            lstrip_blocks=True)
_jinja.filters["basename"] = lambda path: os.path.basename(str(path))


def is_template(text):
    return isinstance(text, str) and ("{{" in text or "{%" in text)


def render(text, context, where):
    try:
        return _jinja.from_string(text).render(**context)
    except (jinja2.TemplateError, ArithmeticError, TypeError, ValueError) as why:
        raise StudyError(f"{where}: {why}") from None


def check_template(text, where):
    try:
        _jinja.parse(text)
    except jinja2.TemplateSyntaxError as why:
        raise StudyError(f"{where}, line {why.lineno}: {why.message}") from None


def evaluate(expression, context, where):
    try:
        return eval(expression.strip(), {"__builtins__": {}}, {**FUNCTIONS, **context})  # pylint: disable=eval-used
    except Exception as why:  # whatever the expression raises
        raise StudyError(f"{where}: {expression.strip()!r}: {why}") from None


def check_expression(expression, where):
    try:
        ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError) as why:
        raise StudyError(f"{where}: {expression.strip()!r}: {why}") from None


def names_in(expression):
    """The names that a Python expression uses."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(FUNCTIONS)


def cast(kind, value, where):
    if value is None:
        return None
    try:
        if kind == "bool" and isinstance(value, str):
            word = value.strip().lower()
            if word in ("true", "yes", "1"):
                return True
            if word in ("false", "no", "0"):
                return False
        return {"int": int, "float": float, "str": str, "bool": bool, "list": list}[kind](value)
    except (TypeError, ValueError):
        hint = ""
        if kind == "int" and isinstance(value, str) and "." in value:
            hint = " (Jinja's / divides to a fraction; // does not)"
        raise StudyError(f"{where}: {value!r} is no {kind}{hint}") from None


def derived(expression, kind, context, where):
    """The value of a variable that is given by `expr`."""
    expression = expression.strip()
    if is_template(expression) or kind == "str":
        return cast(kind, render(expression, context, where).strip(), where)
    return cast(kind, evaluate(expression, context, where), where)
