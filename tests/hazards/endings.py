# SPDX-License-Identifier: BSD-3-Clause
"""However a program ends, what it did is in one report: written by itself, by `toto report --recover`, or by the
watcher of `toto run`; and nothing stays behind. usage: endings.py serial|BED"""
import os
import sys

import harness
import recovery

OWN_CHOICE = ["return", "exit", "_exit", "_Exit", "quick_exit", "exit_group", "exec"]
SUDDEN = ["abort", "SIGKILL", "SIGTERM"]
MPI_ONLY = ["MPI_Abort", "no_finalize", "some_finalize"]
RANKS = 2

check = harness.Check()
bed = harness.Bed(sys.argv[1]) if sys.argv[1] != "serial" else None


def run(place, how, by_toto_run, settings=None):
    settings = {**place.settings, **(settings or {})}
    library = bed.library if bed else harness.any_library()
    prefix = [harness.BUILT["toto"], "run", "--library", library, "--"] if by_toto_run else []
    env = {name: str(value) for name, value in settings.items()}
    if bed is None:
        program = [harness.BUILT["programs"]["endings"], how, place.data]
        if not by_toto_run:
            env["LD_PRELOAD"] = library
        return harness.run([*prefix, *program], env=env)
    words = [bed.program("endings"), how, place.data]
    if by_toto_run:
        return bed.run(RANKS, prefix[0], *prefix[1:], *words, env=env)
    return bed.run(RANKS, *words, toto=settings)


def counts(report):
    posix, mpiio = harness.layer(report, "posix"), harness.layer(report, "mpiio")
    return {"writes": posix["writes"] - posix["mpi_writes"], "bytes": posix["bytes_written"] - posix["mpi_bytes_written"],
            "mpi writes": mpiio["writes"], "mpi bytes": mpiio["bytes_written"], "mpi closes": mpiio["closes"]}


def expected(processes=1):
    if bed is None:
        return {"writes": 3 * processes, "bytes": 3000 * processes, "mpi writes": 0, "mpi bytes": 0, "mpi closes": 0}
    return {"writes": 3 * RANKS, "bytes": 3000 * RANKS, "mpi writes": RANKS, "mpi bytes": 500 * RANKS, "mpi closes": RANKS}


def one_report(place, name, partial, processes=1):
    reports = place.all_reports()
    if not check.equal(1, len(reports), f"{name}: reports ({os.listdir(place.reports)})"):
        return
    check.equal(expected(processes), counts(reports[0]), f"{name}: counts")
    check.equal(partial, reports[0]["partial"], f"{name}: marked partial")


def nothing_left(place, name):
    check.equal([], os.listdir(place.segments), f"{name}: segments left")
    check.equal(len(place.all_reports()), len(os.listdir(place.reports)), f"{name}: only reports among the reports")
    check.equal([], place.processes(), f"{name}: processes left")


def bare_codes(endings):
    """The exit code of each ending without us."""
    codes = {}
    for how in endings:
        with recovery.place() as place:
            if bed is None:
                codes[how] = harness.run([harness.BUILT["programs"]["endings"], how, place.data]).code
            else:
                codes[how] = bed.run(RANKS, bed.program("endings"), how, place.data).code
    return codes


def writes_itself(how):
    """The library is asked at such an end: by a destructor (of the program that comes after exec, too), or by MPI_Finalize."""
    return how in (["return", "exit", "_exit", "_Exit", "exec"] if bed is None else OWN_CHOICE)


endings = OWN_CHOICE + SUDDEN
if bed is not None:
    endings += MPI_ONLY
codes = bare_codes(endings)


def may_be(how):
    """MPICH's launcher may notice that a rank has left, or the others may be done before: bare runs end in each of these ways."""
    return {codes[how], 0, 1, 9} if how in ("some_finalize", "no_finalize") else {codes[how]}


for how in endings:
    with recovery.place() as place:
        done = run(place, how, False)
        check.that(done.code in may_be(how), f"{how}: exit code", f"{done.code}, not {may_be(how)} ({done.err})")
        written = bool(place.all_reports())
        if writes_itself(how):
            check.that(written, f"{how}: a report by the program itself")
        place.wait_until(lambda: not place.processes())  # a launcher may end before its ranks
        if os.listdir(place.segments):
            recovered = place.recover()
            check.equal(0, recovered.code, f"{how}: recovery ({recovered.err})")
        partial = not writes_itself(how)
        one_report(place, how, partial)
        nothing_left(place, how)
    with recovery.place() as place:
        name = f"{how} under toto run"
        done = run(place, how, True)
        check.that(done.code in may_be(how), f"{name}: exit code", f"{done.code}, not {may_be(how)} ({done.err})")
        check.that(place.wait_until(lambda: place.all_reports() and not os.listdir(place.segments) and not place.processes()),
                   f"{name}: a report by itself, and nothing left", f"{place.processes()} {os.listdir(place.segments)}")
        one_report(place, name, partial)
        nothing_left(place, name)

if bed is None:
    for by_toto_run in (False, True):
        name = "under toto run: " if by_toto_run else ""
        for how, code, processes in (("daemon", 0, 2), ("itself", 0, 4), ("wait", 0, 1), ("code", 42, 1)):
            with recovery.place() as place:
                done = run(place, how, by_toto_run)
                check.equal(code, done.code, f"{name}{how}: exit code ({done.err})")
                place.wait_until(lambda: place.all_reports() and not os.listdir(place.segments) and not place.processes())
                one_report(place, name + how, False, processes)
                nothing_left(place, name + how)

        # A program in the background that touches no file outlives the shell that started it, under its own number.
        with recovery.place() as place:
            words = ["bash", "-c", "sleep 1 & exec \"$0\" return \"$1\"", harness.BUILT["programs"]["endings"], place.data]
            env = {k: str(v) for k, v in place.settings.items()}
            if by_toto_run:
                words = [harness.BUILT["toto"], "run", "--library", harness.any_library(), "--", *words]
            else:
                env["LD_PRELOAD"] = harness.any_library()
            done = harness.run(words, env=env)
            check.equal(0, done.code, f"{name}background: exit code ({done.err})")
            place.wait_until(lambda: not place.processes())
            one_report(place, f"{name}background", False)
            nothing_left(place, f"{name}background")

        # Workers that are started by vfork and exec, eight at a time, by a parent that touches no watched file itself, or one.
        for touches in (True, False):
            with recovery.place() as place:
                pool = ("import subprocess, sys\n"
                        f"if {touches}: open({str(place.data / 'pool')!r}, 'w').close()\n"
                        "for _ in range(3):\n"
                        "    workers = [subprocess.Popen(sys.argv[1:]) for _ in range(8)]\n"
                        "    assert [worker.wait() for worker in workers] == [0] * 8\n")
                words = ["/usr/bin/python3", "-c", pool, harness.BUILT["programs"]["endings"], "return", place.data]
                env = {k: str(v) for k, v in place.settings.items()}
                if by_toto_run:
                    words = [harness.BUILT["toto"], "run", "--library", harness.any_library(), "--", *words]
                else:
                    env["LD_PRELOAD"] = harness.any_library()
                done = harness.run(words, env=env)
                check.equal(0, done.code, f"{name}pool: exit code ({done.err})")
                place.wait_until(lambda: not place.processes())
                one_report(place, f"{name}pool, parent touches {'one' if touches else 'no'} file", False, 24)
                nothing_left(place, f"{name}pool")
check.end()
