# SPDX-License-Identifier: BSD-3-Clause
"""Processes that reach one file by different names (linked folders, hard links) share it; files of the same base name in
different folders are not shared. usage: links.py"""
import os

import harness

check = harness.Check()
# Three processes at once: each writes its part, and lives until all have.
WRITE = """i=0
for file in {}; do
  /usr/bin/python3 -c "import os, sys, time
f = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
os.pwrite(f, b'x' * 4096, 4096 * int(sys.argv[2]))
open(sys.argv[3] + sys.argv[2], 'w').close()
while not all(os.path.exists(sys.argv[3] + str(i)) for i in range(3)): time.sleep(0.01)" "$file" $i {} &
  i=$((i + 1))
done
wait"""

with harness.folder() as work:
    data = work / "data"
    (data / "real").mkdir(parents=True)
    for i in range(3):
        os.symlink("real", data / f"link{i}")
        (data / f"own{i}").mkdir()
    (data / "real" / "hard0").touch()
    for i in range(1, 3):
        os.link(data / "real" / "hard0", data / "real" / f"hard{i}")
    for name, pattern, sharing in (("linked", "link{}/f", "shared"), ("hard", "real/hard{}", "shared"),
                                   ("apart", "own{}/f", "file-per-process")):
        report = work / f"{name}.json"
        files = " ".join(str(data / pattern.format(i)) for i in range(3))
        done = harness.run_alone("/bin/sh", "-c", WRITE.format(files, work / f"{name}.ready"),
                                 toto={"TOTO_PFS_PATHS": data, "TOTO_REPORT": report})
        check.equal((0, ""), (done.code, done.err), f"{name}: exit code, messages")
        families = harness.report(report)["families"]
        if check.equal(1, len(families), f"{name}: families"):
            check.equal((3, sharing), (families[0]["writers"], families[0]["sharing"]), f"{name}: writers, sharing")
check.end()
