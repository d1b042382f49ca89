# SPDX-License-Identifier: BSD-3-Clause
"""How the study speaks to its user: one message on standard error, and errors that end it."""

import difflib
import sys


class StudyError(Exception):
    """Ends the command with one message: what is wrong, where, and what is allowed."""


def say(text):
    print(f"toto study: {text}", file=sys.stderr, flush=True)


def did_you_mean(word, candidates):
    near = difflib.get_close_matches(str(word), [str(one) for one in candidates], n=1, cutoff=0.6)
    return f" (did you mean {near[0]}?)" if near else ""
