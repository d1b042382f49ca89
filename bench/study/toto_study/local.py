# SPDX-License-Identifier: BSD-3-Clause
"""Runs a script on this machine and waits for it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

from . import probes

MEASURED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "measured.py")
STAMP = "%Y-%m-%d %H:%M:%S"


def execute(study, run, script):
    """The run's metadata; executor_status is SUCCEEDED where the script ended with 0."""
    reading, writing = os.pipe()
    note = {"jobid": "local", "submission_time": time.strftime(STAMP), "job_start": time.strftime(STAMP)}
    sampler = (probes.LocalSampler(run.folder, study.probes.sampling_interval)
               if study.probes.resource_sampling else contextlib.nullcontext())
    with open(reading, encoding="ascii") as answer, sampler, \
            open(os.path.join(run.folder, "stdout"), "wb") as out, \
            open(os.path.join(run.folder, "stderr"), "wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-S", "-E", MEASURED, str(writing), "bash", script], cwd=run.folder,
            env={**os.environ, **run.env}, stdin=subprocess.DEVNULL, stdout=out, stderr=err, pass_fds=(writing,),
            start_new_session=True)
        os.close(writing)
        try:
            code = process.wait()
        except BaseException:  # we are interrupted: nothing of the run may stay
            _end(process)
            raise
        took = answer.read()
    note |= {"end": time.strftime(STAMP), "returncode": code, "cpu_cores": os.cpu_count()}
    note |= json.loads(took) if took else {}
    if code != 0:
        return note | {"executor_status": "FAILED", "error": f"the script ended with exit code {code}"}
    return note | {"executor_status": "SUCCEEDED"}


def _end(process):
    """Ends the run's process group, and first by the signal that lets a launcher end its ranks."""
    for sign, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            process.poll()
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return  # the group is empty
            time.sleep(0.02)


def plain(script, run):
    """A script of the study after the run; its exit code."""
    with open(os.path.join(run.folder, "post_stdout"), "wb") as out, \
            open(os.path.join(run.folder, "post_stderr"), "wb") as err:
        return subprocess.run(["bash", script], cwd=run.folder, env={**os.environ, **run.env}, stdout=out, stderr=err,
                              stdin=subprocess.DEVNULL, check=False).returncode
