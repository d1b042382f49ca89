# SPDX-License-Identifier: BSD-3-Clause
"""Calls before the library is ready, at the program's end and after the library's own work as without it; what lies between
is counted. usage: before_and_after.py"""
import harness

check = harness.Check()
harness.against_truth(check, harness.BUILT["programs"]["before_and_after"], env=lambda folder: {"BEFORE_FOLDER": str(folder)})
check.end()
