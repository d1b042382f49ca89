# SPDX-License-Identifier: BSD-3-Clause
"""What is noted beside the results: the node, the versions of programs, and samples of processors and memory."""

import csv
import glob
import os
import platform
import shlex
import socket
import subprocess
import sys

import psutil

from .files import write_json

SAMPLER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sampler.py")


class LocalSampler:
    """Samples this node while the run is on, for `with`. A process of its own: it may not wait for the run's waiter."""

    def __init__(self, folder, interval):
        self.command = [sys.executable, "-S", "-E", SAMPLER, folder, str(interval), str(os.getpid())]
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # its sign to take a last sample
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def slurm_lines(folder, interval):
    """Shell lines for a job: a sampler on each of its nodes, until the script ends."""
    sign = shlex.quote(os.path.join(folder, "__iops_trace_running"))
    words = " ".join(shlex.quote(word) for word in (SAMPLER, folder, str(interval)))
    return (f"touch {sign}.$SLURM_JOB_ID; trap 'rm -f {sign}.'$SLURM_JOB_ID EXIT\n"
            f"srun --overlap --ntasks-per-node=1 --ntasks=$SLURM_JOB_NUM_NODES python3 {words} $SLURM_JOB_ID "
            f"{sign}.$SLURM_JOB_ID >/dev/null 2>&1 &\n")


def local_system():
    kinds = {"lustre", "gpfs", "beegfs", "ceph", "cephfs", "panfs", "fuse.lustre", "fuse.ceph-fuse", "fuse.beegfs"}
    with open("/proc/self/mounts", encoding="utf-8", errors="replace") as file:  # read, and no mount is asked
        mounts = [line.split()[1:3] for line in file]
    model = ""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    try:
        system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        system = platform.system()
    return {"hostname": socket.gethostname(), "cpu_model": model, "cpu_cores": psutil.cpu_count(),
            "memory_kb": psutil.virtual_memory().total // 1024, "kernel": platform.release(), "os": system,
            "filesystems": ",".join(f"{kind}:{where}" for where, kind in mounts if kind in kinds)}


def versions(commands):
    found = {}
    for name, command in commands.items():
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, errors="replace", timeout=60,
                              check=False)
        found[name] = (done.stdout.strip() or done.stderr.strip()).split("\n")[0]
    return found


def note(probes, folder, duration, local):
    if probes.system_snapshot and local:
        write_json(os.path.join(folder, "__iops_sysinfo.json"), local_system() | {"duration_seconds": duration})
    if probes.versions:
        write_json(os.path.join(folder, "__iops_versions.json"), versions(probes.versions))


def trace_summary(folder):
    """IOPS's summary of a run's traces; {} where there are none."""
    busy, used, stamps, nodes, cores = [], [], [], {}, {}
    for path in glob.glob(os.path.join(glob.escape(folder), "__iops_trace_*.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                try:
                    load = float(row["cpu_user_pct"]) + float(row["cpu_system_pct"])
                    memory = int(row["mem_total_kb"]) - int(row["mem_available_kb"])
                    stamps.append(float(row["timestamp"]))
                except (TypeError, ValueError, KeyError):
                    continue  # a line that was cut off
                host = row["hostname"]
                core = host, row["core"]
                busy.append(load)
                used.append(memory)
                nodes[host] = max(nodes.get(host, 0), memory)
                cores[core] = max(cores.get(core, 0.0), load)
    if not busy:
        return {}
    gb = 1024 * 1024
    return {"mem_peak_gb": round(max(used) / gb, 6), "mem_avg_gb": round(sum(used) / len(used) / gb, 6),
            "mem_peak_per_node_gb": round(max(nodes.values()) / gb, 6),
            "cpu_avg_pct": round(sum(busy) / len(busy), 3), "cpu_max_pct": round(max(busy), 3),
            "cpu_imbalance_pct": round(max(cores.values()) - min(cores.values()), 3), "nodes_traced": len(nodes),
            "samples_collected": len(busy), "trace_duration_s": round(max(stamps) - min(stamps), 3)}
