# SPDX-License-Identifier: BSD-3-Clause
"""What children write is in the job's one report, once, however they end. usage: fork_child.py"""
import harness

program = harness.BUILT["programs"]["fork_child"]
check = harness.Check()
with harness.folder() as work:
    (work / "data").mkdir()
    (work / "logs").mkdir()
    run = harness.run_alone(program, work / "data",
                            toto={"TOTO_PFS_PATHS": work / "data", "TOTO_LOGS_FOLDER": work / "logs"})
    check.equal((0, "done\n", ""), (run.code, run.out, run.err), "exit code and output")
    check.equal(2100, (work / "data" / "file").stat().st_size, "size of the file")
    reports = harness.entries(work / "logs")
    if check.equal(1, len(reports), f"reports: {reports}"):
        posix = harness.layer(harness.report(work / "logs" / reports[0]), "posix")
        check.equal((4, 2100), (posix["writes"], posix["bytes_written"]), "writes and bytes of parent and children")
        check.equal((1, 1), (posix["opens"], posix["closes"]), "opens and closes")
check.end()
