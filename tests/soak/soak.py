# SPDX-License-Identifier: BSD-3-Clause
"""Jobs for a while: serial ones that do random things, MPI jobs on each bed, some of them killed in the middle. No growth of
memory or descriptors in a job, no segment or temporary file left behind. usage: soak.py [MINUTES]"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import harness

seconds = float(sys.argv[1] if len(sys.argv) > 1 else 1) * 60
check = harness.Check()
seed = random.randrange(1 << 30)
print(f"seed {seed}")
random.seed(seed)
beds = [harness.Bed(mpi + io) for mpi, built in harness.BUILT["mpis"].items()
        for io in ((".ompio", ".romio") if built["kind"] == "openmpi" else ("",))]
GROWTH_KIB = 1024  # between a quarter of the time and the end

with harness.folder() as work:
    segments = tempfile.mkdtemp(prefix="toto-soak-", dir="/dev/shm")
    toto = {"TOTO_PFS_PATHS": work, "TOTO_SEGMENT_DIR": segments, "TOTO_REPORT": work / "serial.json"}
    (work / "serial").mkdir()
    serial = subprocess.Popen(
        [harness.BUILT["programs"]["soak"], work / "serial", str(int(seconds)), str(seed)], stdout=subprocess.PIPE, text=True,
        env={**harness.clean_environment(), "LD_PRELOAD": harness.any_library(), **{k: str(v) for k, v in toto.items()}})
    end, jobs, killed = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        bed = random.choice(beds)
        here = work / f"job{jobs}"
        here.mkdir()
        settings = {**toto, "TOTO_REPORT": here / "report.json", "TOTO_JOB_ID": f"soak-{jobs}"}
        command = [*bed.launcher(2), "env", f"LD_PRELOAD={bed.library}", *(f"{k}={v}" for k, v in settings.items()),
                   bed.program("mpi_files")]
        job = subprocess.Popen([str(word) for word in command], start_new_session=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               env={**harness.clean_environment(), **bed.launcher_environment(),
                                    "MPI_FILES_FOLDER": str(here), "MPI_FILES_TRUTH": str(here / "truth")})
        if random.random() < 0.3:
            time.sleep(random.random() * 3)
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
                killed += 1
            job.wait()
        else:
            check.equal(0, job.wait(timeout=300), f"{bed.name}, job {jobs}")
            check.that((here / "report.json").exists(), f"{bed.name}, job {jobs}: a report")
        jobs += 1
    out, _ = serial.communicate(timeout=120)
    check.equal(0, serial.returncode, "the serial job")
    early, late = ([int(word) for word in line.split()] for line in out.splitlines()[:2])
    check.that(late[0] <= early[0] + GROWTH_KIB, "no growth of memory", f"{early[0]} KiB, then {late[0]} KiB")
    check.equal(early[1], late[1], "descriptors")
    check.that((work / "serial.json").exists(), "a report of the serial job")
    # Killed launchers leave their ranks to end by themselves.
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        harness.run([harness.BUILT["toto"], "report", "--recover"], env={"TOTO_SEGMENT_DIR": segments})
        if not os.listdir(segments):
            break
        time.sleep(1)
    check.equal([], os.listdir(segments), "segments left behind after recovery")
    left = [name for name in harness.entries(work) if ".part" in name or "toto" in name.rpartition("/")[2]]
    check.equal([], left, "files of ours left behind")
    print(f"{jobs} MPI jobs, {killed} of them killed; serial job: {early[0]} KiB, then {late[0]} KiB")
    harness.shutil.rmtree(segments)
check.end()
