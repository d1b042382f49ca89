# SPDX-License-Identifier: BSD-3-Clause
"""A host that is cut off from the others: the program ends as it would without us, all ranks go on writing meanwhile, and what
was counted is in the reports that recovery makes. usage: cut_off.py BED"""
import contextlib
import os
import signal
import subprocess
import sys
import time

import harness
import on_hosts

hosts = on_hosts.hosts()
bed = on_hosts.Bed(sys.argv[1], [host.name for host in hosts], 2)
check = harness.Check()
lost = hosts[-1]

# A launcher finds out by keep-alive messages, or does not, and has a limit.
WORDS = (["--mca", "oob_tcp_keepalive_time", "2", "--mca", "oob_tcp_keepalive_intvl", "1", "--mca", "oob_tcp_keepalive_probes", "3"]
         if bed.is_open_mpi else [])
LIMIT = {"MPIEXEC_TIMEOUT": "20"}
LONGEST = 40  # seconds until the launcher has ended


def marks(place, name):
    return sorted(int(path.suffix[1:]) for path in place.data.glob(f"{name}.*"))


def run(place, mode, toto):
    """What became of it: (exit code, ranks that wrote on when the host was cut off, whether all ended by themselves)."""
    everybody = list(range(bed.ranks))
    preload = [] if toto is None else [f"LD_PRELOAD={bed.library}", *(f"{k}={v}" for k, v in toto.items())]
    words = [*bed.launcher(bed.ranks), *WORDS, "env", f"CUT_OFF={place.data}", *preload, bed.program("cut_off"), mode, place.data]
    name, mark, output = f"{mode}, {'bare' if toto is None else 'with us'}", f"CUT_OFF={place.data}", place.reports.parent / "output"
    with open(output, "wb") as out:
        launched = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
                                    env={**harness.clean_environment(), **bed.launcher_environment(), **LIMIT})
    there = on_hosts.by_and_by(lambda: marks(place, "ready") == everybody, 60)
    if not check.that(there, f"{name}: all ranks are ready", output.read_text(errors="replace")):
        check.end()
    lost.link("down")
    started = time.monotonic()
    (place.data / "cut").touch()
    on_hosts.by_and_by(lambda: marks(place, "alone") == everybody)
    wrote_on = marks(place, "alone")
    ended = on_hosts.by_and_by(lambda: launched.poll() is not None, LONGEST)
    took = time.monotonic() - started
    lost.link("up")
    rest = on_hosts.by_and_by(lambda: not on_hosts.marked(mark), 10)
    for pid in [*on_hosts.marked(mark), *([] if ended else [launched.pid])]:  # what the user and the operator do at last
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    launched.wait()
    on_hosts.by_and_by(lambda: not on_hosts.marked(mark))
    print(f"{name}: {f'exit code {launched.returncode}' if ended else 'no end'} after {took:.1f} s, "
          f"{'no process left' if rest else 'processes left'} when the link was up again", flush=True)
    outcome = {"exit code": launched.returncode if ended else None, "wrote on": wrote_on, "no process left": rest}
    return outcome, output.read_text(errors="replace")


for mode in ("barrier", "finalize"):
    with on_hosts.place() as place:
        bare, _ = run(place, mode, None)
    check.equal(list(range(bed.ranks)), bare["wrote on"], f"{mode}: ranks that write on, bare")
    with on_hosts.place() as place:
        ours, out = run(place, mode, {**place.settings, "TOTO_FINALIZE_LIMIT": "2"})
        if not check.bare(bare, ours, f"{mode}: how it ended"):
            print(out)
        for host in hosts:
            on_hosts.recover(host)
        reports = place.all_reports()
        written = sum(path.stat().st_size for path in place.data.glob("own.*"))
        check.truth(written, on_hosts.bytes_reported(reports), f"{mode}: bytes in {len(reports)} reports")
        check.equal({True}, {report["partial"] for report in reports}, f"{mode}: partial")
        check.equal({}, {host.name: host.segments() for host in hosts if host.segments()}, f"{mode}: segments left")
check.end()
