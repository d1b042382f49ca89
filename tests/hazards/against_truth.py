# SPDX-License-Identifier: BSD-3-Clause
"""A program that writes down what it did: the same with us as without us, and counted as it says.
usage: against_truth.py PROGRAM [ARGUMENT...]"""
import sys

import harness

check = harness.Check()
harness.against_truth(check, harness.BUILT["programs"][sys.argv[1]], arguments=sys.argv[2:])
check.end()
