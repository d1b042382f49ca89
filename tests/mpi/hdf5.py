# SPDX-License-Identifier: BSD-3-Clause
"""Parallel HDF5 programs, from C and from Python: the bytes and calls that the report has are those that the kernel saw, as
strace tells. usage: hdf5.py BED RANKS"""
import os
import re
import shutil
import subprocess
import sys

import harness

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
HERE = os.path.dirname(os.path.abspath(__file__))
CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(write|writev|pwrite64|pwritev|read|readv|pread64|preadv)\(\d+<([^>]*)>.* = (\d+)$", re.M)


def seen_by_kernel(traces, data):
    """[calls, bytes] written and read below `data`."""
    totals = {"write": [0, 0], "read": [0, 0]}
    for name in os.listdir(traces):
        with open(os.path.join(traces, name), encoding="utf-8", errors="replace") as file:
            for call, path, result in CALL.findall(file.read()):
                if path.startswith(data + "/") and not re.search(r"/\.|\.sm$|locktest", path):
                    kind = totals["write" if "write" in call else "read"]
                    kind[0] += 1
                    kind[1] += int(result)
    return totals["write"], totals["read"]


def program_words(data):
    if bed.name.startswith("openmpi"):
        python = "/usr/bin/python3"
        if subprocess.run([python, "-c", "import mpi4py, h5py"], capture_output=True, check=False).returncode != 0:
            harness.skip("h5py or mpi4py is not installed (packages python3-h5py-mpi, python3-mpi4py)")
        return [python, os.path.join(HERE, "fields_h5py.py"), os.path.join(data, "fields.h5")]
    program = bed.built["programs"].get("checkpoint")
    if program is None:
        harness.skip("no parallel HDF5 for MPICH (package libhdf5-mpich-dev)")
    return [program, data, "2", "3"]


if shutil.which("strace") is None:
    harness.skip("strace is not installed")
with harness.folder() as folder:
    data, traces = os.path.join(folder, "data"), os.path.join(folder, "traces")
    os.mkdir(data)
    os.mkdir(traces)
    report_path = os.path.join(folder, "report.json")
    program, *arguments = program_words(data)
    done = bed.run(ranks, program, *arguments, toto={"TOTO_PFS_PATHS": data, "TOTO_REPORT": report_path},
                   launcher_words=["strace", "-ff", "-y", "-o", os.path.join(traces, "t"), "-e", "trace=read,write,readv,writev,pread64,pwrite64,preadv,pwritev"])
    check.equal(0, done.code, f"exit code ({done.err})")
    posix = harness.layer(harness.report(report_path), "posix")
    written, read = seen_by_kernel(traces, data)
    check.that(written[1] > 0, "something was written")
    check.equal(written, [posix["writes"], posix["bytes_written"]], "calls and bytes written")
    check.equal(read, [posix["reads"], posix["bytes_read"]], "calls and bytes read")
check.end()
