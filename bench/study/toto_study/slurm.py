# SPDX-License-Identifier: BSD-3-Clause
"""Submits a script to Slurm, waits until its job has left the queue, and asks how it ended."""

import os
import re
import shlex
import subprocess
import time

from . import probes

STAMP = "%Y-%m-%d %H:%M:%S"
GONE = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "BOOT_FAIL",
        "DEADLINE")
LOST_AFTER = 5  # questions without an answer


def with_sampler(text, folder, interval):
    """The script with the sampler's lines behind #! and #SBATCH, which sbatch wants first."""
    lines = text.splitlines(keepends=True)
    at = 0
    while at < len(lines) and (lines[at].startswith("#") or not lines[at].strip()):
        at += 1
    return "".join(lines[:at]) + probes.slurm_lines(folder, interval) + "".join(lines[at:])


def _ask(command, job):
    return subprocess.run(shlex.split(command.replace("{job_id}", job)), capture_output=True, text=True, check=False)


def execute(study, run, script):
    slurm = study.slurm
    note = {"submission_time": time.strftime(STAMP)}
    try:
        done = subprocess.run([*shlex.split(slurm.submit), script], cwd=run.folder, env={**os.environ, **run.env},
                              capture_output=True, text=True, check=False)
    except OSError as why:
        return note | {"executor_status": "ERROR", "error": f"{slurm.submit}: {why.strerror}"}
    job = re.search(r"\d+", done.stdout)
    if done.returncode != 0 or not job:
        said = " ".join((done.stderr or done.stdout).split())
        return note | {"executor_status": "ERROR", "error": f"{slurm.submit} ended with {done.returncode}: {said}"}
    note["jobid"] = job = job.group()
    try:
        state, failed = "", 0
        while failed < LOST_AFTER:
            done = _ask(slurm.status, job)
            state = done.stdout.strip().split("\n")[0]
            if state in GONE or (done.returncode == 0 and not state) or "Invalid job id" in done.stderr:
                break
            failed = failed + 1 if done.returncode != 0 else 0
            if state == "RUNNING":
                note.setdefault("job_start", time.strftime(STAMP))
            time.sleep(slurm.poll_interval)
    except BaseException:
        _ask(slurm.cancel, job)
        raise
    note["end"] = time.strftime(STAMP)
    info = dict(re.findall(r"\b(JobState|ExitCode)=(\S+)", _ask(slurm.info, job).stdout))
    state, code = info.get("JobState", state), info.get("ExitCode")
    note |= {"slurm_state": state, "slurm_exitcode": code}
    if code is not None:
        note["returncode"] = int(code.split(":")[0])
    if state in ("COMPLETED", "") and code in ("0:0", None):  # forgotten by Slurm: the parser will tell
        return note | {"executor_status": "SUCCEEDED"}
    return note | {"executor_status": "FAILED", "error": f"job {job} ended as {state or 'unknown'}, exit code {code}"}
