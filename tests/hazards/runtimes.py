# SPDX-License-Identifier: BSD-3-Clause
"""C++, Fortran and Python do their input and output each in their own way: the same files, and the bytes counted are those
of the files. usage: runtimes.py [FORTRAN PROGRAM]"""
import shutil
import sys

import harness

PYTHON = """
import os, sys, shutil, mmap
folder = sys.argv[1]
with open(folder + '/text', 'w') as f:
    for i in range(1000): print(i, file=f)
with open(folder + '/binary', 'wb', buffering=0) as f:
    for i in range(10): f.write(b'x' * 10000)
    other = os.dup(f.fileno())
    os.write(other, b'y' * 100)
    os.close(other)
with open(folder + '/binary', 'rb') as f: print(len(f.read()))
shutil.copyfile(folder + '/binary', folder + '/copy')
fd = os.open(folder + '/raw', os.O_RDWR | os.O_CREAT)
os.posix_fallocate(fd, 0, 100)
os.pwritev(fd, [b'a' * 50, b'b' * 50], 0)
os.close(fd)
print(sorted(os.listdir(folder)), sorted(e.name for e in os.scandir(folder)))
"""
# What was written and is not in a file's size: cut off, overwritten, deleted.
MORE = {"C++": 500000, "Fortran": 6, "Python": 0}
# Descriptors that were closed, too.
DUPLICATES = {"C++": 0, "Fortran": 0, "Python": 1}

check = harness.Check()
programs = {"C++": [harness.BUILT["programs"]["runtimes"]]}
if len(sys.argv) > 1:
    programs["Fortran"] = [sys.argv[1]]
if shutil.which("python3"):
    programs["Python"] = ["python3", "-c", PYTHON]
for name, program in programs.items():
    with harness.folder() as work:
        runs, found = [], []
        for how in ("bare", "ours"):
            here = work / "here"
            here.mkdir()
            toto = None if how == "bare" else {"TOTO_PFS_PATHS": here, "TOTO_REPORT": work / "report.json"}
            runs.append(harness.run_alone(*program, here, toto=toto))
            found.append(harness.contents(here))
            here.rename(work / how)
        check.equal(0, runs[0].code, f"{name}: the bare run ({runs[0].err})")
        check.same_run(*runs, name)
        check.bare(*found, f"{name}: files")
        report = harness.report(work / "report.json")
        posix, stdio = harness.layer(report, "posix"), harness.layer(report, "stdio")
        sizes = sum(size for _, size, _ in found[0].values())
        check.truth(sizes + MORE[name], posix["bytes_written"] + stdio["bytes_written"], f"{name}: bytes written")
        check.truth(posix["opens"] + stdio["opens"] + DUPLICATES[name], posix["closes"] + stdio["closes"], f"{name}: all that was opened was closed")
check.end()
