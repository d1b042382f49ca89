# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are none of our business behave the same with the library in their environment.
usage: transparency.py"""
import os
import shutil

import harness

check = harness.Check()
WATCHED = {"TOTO_PFS_PATHS": "/tmp:/dev/shm"}

FIO = ["fio", "--name=small", "--rw=write", "--bs=4k", "--size=64k", "--filename=fio.data", "--output=fio.log",
       "--output-format=json", "--minimal"]
COMMANDS = {
    "ls": ["ls", "-l", "--time-style=+", "."],
    "ls_missing": ["ls", "missing"],
    "bash": ["bash", "-c", "echo out; echo err >&2; exec 3>file; echo text >&3; exec 3>&-; cat file | tr a-z A-Z; exit 7"],
    "bash_redirect": ["bash", "-c", "for i in 1 2 3; do echo $i >> list; done; (echo sub; cat list) 2>&1 > sub; wc -c < sub"],
    "python": ["python3", "-c", "import json, os, sys; print(json.dumps(sorted(os.environ.get('HOME', '')))); "
               "open('py.txt', 'w').write('x' * 10000); print(os.stat('py.txt').st_size); sys.exit(5)"],
    "python_subprocess": ["python3", "-c", "import subprocess; print(subprocess.run(['wc', '-c'], input=b'abc', "
                          "capture_output=True).stdout)"],
    "git": ["git", "status", "--short", "--branch"],
    "git_add": ["bash", "-c", "git add tracked && git status --short"],
    "sort": ["bash", "-c", "seq 1000 | sort -R --random-source=/dev/zero | sort -n | tail -1"],
    "killed": ["bash", "-c", "echo before; kill -9 $$"],
}


def prepare(folder):
    folder.mkdir()
    (folder / "tracked").write_text("tracked\n")
    harness.run(["git", "init", "-q", "-b", "main", "."], cwd=folder)
    return folder


def same(name, command, make, toto, library=None, ordered=True):
    runs, listings = [], []
    for how in ("bare", "ours"):
        folder = make(how)
        env = {}
        if how == "ours":
            env |= {"LD_PRELOAD": library or harness.any_library(), **toto}
        runs.append(harness.run(command, cwd=folder, env={**ENVIRONMENT, **env}))
        listings.append([entry for entry in harness.entries(folder) if not entry.startswith(".git/")])
    bare, ours = runs
    if not ordered:
        bare.out, ours.out = ("\n".join(sorted(run.out.splitlines())) for run in runs)
    check.same_run(bare, ours, name)
    check.equal(*listings, f"{name}: files in the working folder")


ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
for label, toto in (("no setting", {}), ("watched", WATCHED)):
    with harness.folder() as work:
        for name, command in COMMANDS.items():
            if shutil.which(command[0]):
                # The folders have one name, so that what prints it prints the same.
                def make(how):
                    parent = work / f"{name}.{how}"
                    parent.mkdir()
                    return prepare(parent / "here")
                same(f"{name}, {label}", command, make, toto)
        for mpi, built in harness.BUILT["mpis"].items():
            def make(how):
                return prepare(work / f"{mpi}.{how}")
            command = [built["run"], "-n", "2"] + (["--oversubscribe"] if built["kind"] == "openmpi" else [])
            same(f"mpirun of {mpi}, {label}", [*command, "hostname"], make, toto, built["library"], ordered=False)

# fio tells times: only what it leaves behind is compared. On a file system in memory.
if shutil.which("fio") and os.path.isdir("/dev/shm"):
    for label, toto in (("no setting", {}), ("watched", WATCHED)):
        results = []
        for how in ("bare", "ours"):
            folder = harness.pathlib.Path(harness.tempfile.mkdtemp(dir="/dev/shm", prefix="toto-test-"))
            try:
                done = harness.run_alone(*FIO, toto=toto if how == "ours" else None, cwd=folder)
                results.append((done.code, done.out, done.err, harness.entries(folder),
                                (folder / "fio.data").stat().st_size))
            finally:
                shutil.rmtree(folder)
        check.equal(*results, f"fio, {label}")
check.end()
