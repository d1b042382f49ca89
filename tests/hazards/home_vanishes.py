# SPDX-License-Identifier: BSD-3-Clause
"""The user's home goes away while a program runs that the tuner learns from: the program does what it does without us, with a
warning at most, and no home is made anew. usage: home_vanishes.py BED"""
import subprocess
import sys
import time

import harness

bed = harness.Bed(sys.argv[1])
check = harness.Check()
FILES = 8

with harness.stripefs() as where, harness.folder() as work:
    home = work / "home"
    home.mkdir()
    (where / "out").mkdir()
    # The history's folder is asked for by HOME where nothing else is set.
    words = [*bed.launcher(2), "env", "-u", "XDG_STATE_HOME", f"LD_PRELOAD={bed.library}", f"HOME={home}", f"TOTO_PFS_PATHS={where}=lustre",
             f"TOTO_REPORT={work / 'r.json'}", bed.program("series"), where / "out", FILES, 4 << 20, 1 << 20, "contiguous", "shared"]
    program = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**harness.clean_environment(), **bed.launcher_environment()})
    while not (where / "out" / "step.0001").exists() and program.poll() is None:
        time.sleep(0.005)
    home.rename(work / "elsewhere")
    out, err = program.communicate(timeout=100)
    check.equal(0, program.returncode, f"exit code ({err})")
    others = [line for line in err.splitlines() if not line.startswith("toto: warning: ")]
    check.equal([], others, "messages that are no warnings of ours")
    check.equal(FILES, len(list((where / "out").iterdir())), "files")
    check.equal({8 << 20}, {path.stat().st_size for path in (where / "out").iterdir()}, "sizes of files")
    check.that((work / "r.json").exists(), "there is a report")
    check.that(not home.exists(), "no home is made anew", list(home.rglob("*")) if home.exists() else "")
check.end()
