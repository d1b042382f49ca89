# SPDX-License-Identifier: BSD-3-Clause
"""fio's own count of its calls and bytes is ours: sequential and random, small and large, one process and several.
usage: fio_counts.py"""
import itertools
import json
import shutil

import harness

if not shutil.which("fio"):
    harness.skip("fio is not installed (./dev deps test)")

SIZE = 8 << 20
check = harness.Check()


def fio(work, kind, block, jobs, toto=None):
    output = work / "fio.json"
    output.unlink(missing_ok=True)
    done = harness.run_alone(
        shutil.which("fio"), "--name=job", "--ioengine=psync", f"--rw={kind}", f"--bs={block}", f"--size={SIZE}",
        f"--numjobs={jobs}", f"--directory={work / 'data'}", "--output-format=json", f"--output={output}",
        toto=toto, cwd=work)
    check.equal(0, done.code, f"fio's exit code ({done.err})")
    return json.loads(output.read_text())["jobs"]


for kind, block, jobs in itertools.product(("read", "write", "randread", "randwrite"), (4 << 10, 4 << 20), (1, 3)):
    what = f"{kind}, {block} bytes, {jobs} jobs"
    with harness.folder() as work:
        (work / "data").mkdir()
        fio(work, "write", 4 << 20, jobs)  # what is read is there before
        told = fio(work, kind, block, jobs, toto={"TOTO_PFS_PATHS": work / "data", "TOTO_REPORT": work / "r.json"})
        ours = harness.layer(harness.report(work / "r.json"), "posix")
        for way, calls, moved in (("read", "reads", "bytes_read"), ("write", "writes", "bytes_written")):
            check.equal(sum(job[way]["total_ios"] for job in told), ours[calls], f"{what}: {calls}")
            check.equal(sum(job[way]["io_bytes"] for job in told), ours[moved], f"{what}: {moved}")
        check.equal(jobs * SIZE, ours["bytes_read"] + ours["bytes_written"], f"{what}: all bytes")
        check.equal(jobs * SIZE // block, ours["reads"] + ours["writes"], f"{what}: all calls")
check.end()
