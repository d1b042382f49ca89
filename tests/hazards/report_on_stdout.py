# SPDX-License-Identifier: BSD-3-Clause
"""A report to where the program's own output goes follows that output; one to a pipe that nobody reads keeps nobody
waiting. usage: report_on_stdout.py"""
import json
import os
import stat

import harness

program = harness.BUILT["programs"]["report_on_stdout"]
check = harness.Check()
OUTPUT = "first line of the result\nsecond line of the result\nlast line of the result\n"

with harness.folder() as work:
    def run(name, redirection, report):
        """By a shell, which redirects; its library is the program's only."""
        (work / name).mkdir()
        preload = f"LD_PRELOAD={harness.any_library()} TOTO_PFS_PATHS={work} TOTO_REPORT={report}" if report else ""
        done = harness.run(["sh", "-c", f"exec env {preload} '{program}' file {redirection}"], cwd=work / name, timeout=20)
        check.equal(0, done.code, f"{name}: exit code ({done.err})")
        return done

    check.equal(OUTPUT, run("bare", "", None).out, "the bare run's output")
    for name, redirection in (("to_file", "> out"), ("appended", ">> out")):
        for device in ("/dev/stdout", "/proc/self/fd/1"):
            case = f"{name}{device.replace('/', '.')}"
            done = run(case, redirection, device)
            text = (work / case / "out").read_text()
            check.that(text.startswith(OUTPUT), f"{case}: the program's output is there", text)
            told = text[len(OUTPUT):]
            try:
                check.equal(str(work / case / "file"), json.loads(told)["files"][0]["path"], f"{case}: file reported")
            except (ValueError, LookupError) as error:
                check.that(False, f"{case}: the report follows the output", f"{error}: {told}")
            check.equal([], done.warnings, f"{case}: warnings")
            check.equal(["file", "out"], harness.entries(work / case), f"{case}: files")
    # Into a pipe, as our own run has it.
    piped = run("piped", "", "/dev/stdout").out
    check.that(piped.startswith(OUTPUT) and piped[len(OUTPUT):].startswith("{"), "piped: output, then report", piped)

    os.mkfifo(work / "fifo")
    done = run("fifo.run", "", work / "fifo")
    check.equal(OUTPUT, done.out, "a fifo without reader: output")
    if check.equal(1, len(done.toto_lines), f"a fifo without reader: messages: {done.toto_lines}"):
        check.that(str(work / "fifo") in done.toto_lines[0], "a fifo without reader: the message names it",
                   done.toto_lines[0])
    check.that(stat.S_ISFIFO((work / "fifo").lstat().st_mode), "a fifo without reader: still a fifo")
check.end()
