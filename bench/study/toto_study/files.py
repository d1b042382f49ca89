# SPDX-License-Identifier: BSD-3-Clause
"""Files that are whole or not there: written beside their place and renamed."""

import json
import os


def write_text(path, text):
    temporary = f"{path}.{os.getpid()}.part"
    with open(temporary, "w", encoding="utf-8") as out:
        out.write(text)
    os.replace(temporary, path)


def write_json(path, data):
    write_text(path, json.dumps(data, indent=2, default=str) + "\n")


def read_json(path):
    """None where there is none, or it was cut off."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None
