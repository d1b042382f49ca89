# SPDX-License-Identifier: BSD-3-Clause
"""Under a real Slurm: one report a job step with Slurm's job id, by an exported LD_PRELOAD and by toto run, of serial and MPI
programs; and jobs that are cancelled or out of time leave what recovery can read. usage: job_steps.py BED"""
import os
import re
import subprocess
import sys
import time

import harness
import on_hosts

hosts = on_hosts.hosts()
bed = harness.Bed(sys.argv[1])
check = harness.Check()
TOTO = harness.BUILT["toto"]
LIBRARY = bed.library if bed.is_open_mpi else f"{bed.library}:{on_hosts.MPICH_ENDS}"
KIND = "pmix" if bed.is_open_mpi else "pmi2"
if os.environ.get("SLURM_CONF") is None:
    harness.skip("for tests/cluster/run --slurm")
ENVIRONMENT = {**bed.launcher_environment(), "OMPI_MCA_btl": "self,vader,tcp",
               "OMPI_MCA_btl_tcp_if_include": os.environ["CLUSTER_NETWORK"],
               **({} if bed.is_open_mpi else {"LD_PRELOAD": on_hosts.MPICH_ENDS}),
               **({"OMPI_MCA_io": "^ompio"} if bed.io == "romio" else {}),
               "SLURM_CONF": os.environ["SLURM_CONF"]}  # harness takes what begins with SLURM_ for a launcher's


def how_to(settings):
    """The ways to bring the library into a job step: (name, environment, words before the program)."""
    settings = {name: str(value) for name, value in settings.items()}
    return [("LD_PRELOAD", {**settings, "LD_PRELOAD": LIBRARY}, []), ("toto run", settings, [TOTO, "run", "--"])]


def srun(options, words, env, **how):
    return harness.run(["srun", "--immediate=60", *options, *words], env={**ENVIRONMENT, **env}, **how)


def one_report(name, place, ranks, nodes):
    reports = place.all_reports()
    if not check.equal(1, len(reports), f"{name}: reports {harness.entries(place.reports)}"):
        return None
    job = reports[0]["job"]
    check.that(re.fullmatch(r"\d+\.\d+", job["id"]), f"{name}: the id is Slurm's", job["id"])
    if ranks:
        check.equal((ranks, nodes), (job["ranks"], job["nodes"]), f"{name}: ranks and nodes")
    check.equal(False, reports[0]["partial"], f"{name}: partial")
    return reports[0]


def nothing_is_left(name):
    check.equal({}, {host.name: host.segments() for host in hosts if host.segments()}, f"{name}: segments left")


# Serial programs: the two of a node, which run at once, are one job; Slurm's launcher, preloaded too, is not part of it.
SERIAL = 'exec 3>"$0/$SLURM_PROCID"; echo hello >&3; until [ -e "$0/0" ] && [ -e "$0/1" ]; do sleep 0.1; done; echo again >&3'
for index in range(2):
    with on_hosts.place() as place:
        name, env, before = how_to(place.settings)[index]
        name = f"serial, {name}"
        done = srun(["-N1", "-n2"], [*before, "sh", "-c", SERIAL, place.data], env)
        check.equal((0, "", ""), (done.code, done.out, done.err), f"{name}: exit code, output")
        report = one_report(name, place, 0, 0)
        if report:
            layers = [harness.layer(report, layer) for layer in ("posix", "stdio")]
            check.equal(24, sum(layer["bytes_written"] for layer in layers), f"{name}: bytes")
        nothing_is_left(name)

# MPI programs, over two hosts.
for index in range(2):
    with on_hosts.place() as place:
        name, env, before = how_to(place.settings)[index]
        name = f"MPI, {name}"
        done = srun([f"--mpi={KIND}", "-N2", "-n4"], [*before, bed.program("rounds"), "plain", place.data], env)
        check.equal(0, done.code, f"{name}: exit code ({done.err})")
        report = one_report(name, place, 4, 2)
        told = re.search(r"all posix (\d+) (\d+) mpi (\d+) (\d+)", done.out)
        if report and check.that(told, f"{name}: the program's word", done.out):
            check.equal(int(told[2]), on_hosts.bytes_reported([report]), f"{name}: bytes by POSIX")
            check.equal(int(told[4]), harness.layer(report, "mpiio")["bytes_written"], f"{name}: bytes by MPI-IO")
            check.that(report.get("rounds", {}).get("count", 0) > 0, f"{name}: rounds happened")
        nothing_is_left(name)

# A batch job of two steps, one after the other and at once.
for together in ("", " &"):
    with on_hosts.place() as place:
        name = f"batch job{together}"
        script = place.reports.parent / "job.sh"
        steps = "".join(f"srun --overlap --mpi={KIND} -n2 {bed.program('rounds')} plain {place.data}/{i}{together}\n" for i in (0, 1))
        for i in (0, 1):
            (place.data / str(i)).mkdir()
        script.write_text(f"#!/bin/sh\n{steps}wait\n")
        env = {**ENVIRONMENT, **{k: str(v) for k, v in place.settings.items()}, "LD_PRELOAD": LIBRARY}
        done = harness.run(["sbatch", "--wait", "-N1", "-n2", f"--output={script}.out", script], env=env)
        out = (script.parent / "job.sh.out").read_text()
        check.equal(0, done.code, f"{name}: exit code ({done.err} {out})")
        job = re.search(r"job (\d+)", done.out)[1]
        told = re.findall(r"all posix \d+ (\d+)", out)
        reports = place.all_reports()
        check.equal([f"{job}.0", f"{job}.1"], sorted(report["job"]["id"] for report in reports), f"{name}: a report a step")
        check.equal((2, sum(map(int, told))), (len(told), on_hosts.bytes_reported(reports)), f"{name}: bytes by POSIX")
        nothing_is_left(name)


def waits(place, options, env, before):
    """A job step that has written, and would wait for ever."""
    words = ["srun", "--immediate=60", f"--mpi={KIND}", "-N2", "-n4", *options, *before, bed.program("cut_off"), "barrier", place.data]
    step = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.STDOUT, env={**harness.clean_environment(), **ENVIRONMENT, **env})
    there = on_hosts.by_and_by(lambda: len(list(place.data.glob("ready.*"))) == 4)
    check.that(there, f"{options}: all ranks are ready")
    return step


def ends_recovered(name, place, step):
    """Its end, however it comes, leaves all that was written to be reported."""
    out = step.communicate(timeout=150)[0]
    check.that(step.returncode != 0, f"{name}: exit code", out)
    check.that(on_hosts.by_and_by(lambda: not on_hosts.marked(str(place.reports))), f"{name}: its processes have ended")
    runs = [on_hosts.recover(host) for host in hosts[:2]]
    reports = place.all_reports()
    written = sum(path.stat().st_size for path in place.data.glob("own.*"))
    check.equal(written, on_hosts.bytes_reported(reports), f"{name}: bytes in {len(reports)} reports ({[run.err for run in runs]})")
    check.equal({True}, {report["partial"] for report in reports}, f"{name}: partial")
    ids = {report["job"]["id"] for report in reports}
    check.equal(1, len(ids), f"{name}: one job id")
    left = [name for host in hosts for name in host.segments() if any(f"-{one}-" in name for one in ids)]  # the late one runs
    check.equal([], left, f"{name}: segments left")


with on_hosts.place() as late_place:
    # A minute is the least that Slurm allows: it runs while the others do.
    late = waits(late_place, ["--job-name=late", "--time=1"], how_to(late_place.settings)[0][1], [])
    for index in range(2):
        with on_hosts.place() as place:
            name, env, before = how_to(place.settings)[index]
            step = waits(place, [f"--job-name=cancelled{index}"], env, before)
            harness.run(["scancel", f"--name=cancelled{index}"], env={"SLURM_CONF": os.environ["SLURM_CONF"]})
            if before:
                step.wait(60)
                time.sleep(1)  # toto run has a watcher
            ends_recovered(f"scancel, {name}", place, step)
    ends_recovered("time limit", late_place, late)
nothing_is_left("at last")
check.end()
