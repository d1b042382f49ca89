# SPDX-License-Identifier: BSD-3-Clause
"""Every POSIX and stdio call is counted to the byte, however the program was built.
usage: data_calls.py PROGRAM"""
import sys

import harness

check = harness.Check()
harness.against_truth(check, harness.BUILT["programs"][sys.argv[1]])
check.end()
