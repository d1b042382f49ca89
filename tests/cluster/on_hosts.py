# SPDX-License-Identifier: BSD-3-Clause
"""Beds whose ranks run on the hosts of the cluster around this (`run`), and what tests want to know of these hosts."""
import contextlib
import os
import pathlib
import subprocess
import time

import harness

MPICH_ENDS = os.environ.get("TOTO_TEST_MPICH_ENDS", "")  # mpich_ends.c, built
PATIENCE = 30  # seconds for what happens by itself


class Host:
    def __init__(self, name):
        self.name = name
        pid = (pathlib.Path(os.environ["CLUSTER"]) / "pids" / name).read_text().strip()
        self.memory = pathlib.Path(f"/proc/{pid}/root/dev/shm")

    def segments(self):
        return sorted(entry.name for entry in self.memory.iterdir() if entry.name.startswith("toto-"))

    def command(self, *words):
        return [os.environ["CLUSTER_AGENT"], self.name, *words]

    def link(self, state):
        """up, or down: nobody reaches it, and its own end notices nothing, as with a cable that is drawn at the switch."""
        subprocess.run(["ip", "link", "set", self.name, state], check=True)


def hosts():
    names = os.environ.get("CLUSTER_HOSTS", "").split()
    if not names:
        harness.skip("for tests/cluster/run")
    return [Host(name) for name in names]


class Bed(harness.Bed):
    """The same, over hosts of these names, so many ranks on each."""

    def __init__(self, name, names, each):
        super().__init__(name)
        self.ranks = len(names) * each
        separator = " slots=" if self.is_open_mpi else ":"
        self.file = pathlib.Path(os.environ["CLUSTER"]) / f"hostfile.{'.'.join(names)}"
        self.file.write_text("".join(f"{host}{separator}{each}\n" for host in names))

    def launcher(self, ranks):
        agent, network = os.environ["CLUSTER_AGENT"], os.environ["CLUSTER_NETWORK"]
        if not self.is_open_mpi:
            return [self.built["run"], "-launcher", "rsh", "-launcher-exec", agent, "-f", self.file, "-n", ranks]
        words = [self.built["run"], "-n", ranks, "--hostfile", self.file, "--mca", "plm_rsh_agent", agent,
                 "--mca", "oob_tcp_if_include", network, "--mca", "btl_tcp_if_include", network]
        return words + ["--mca", "io", "^ompio"] if self.io == "romio" else words

    def launcher_environment(self):
        environment = {**super().launcher_environment(), "OMPI_MCA_btl": "self,vader,tcp"}
        return environment if self.is_open_mpi else {**environment, "LD_PRELOAD": MPICH_ENDS}


    @property
    def library(self):
        return f"{self._library}:{MPICH_ENDS}" if MPICH_ENDS and not self.is_open_mpi else self._library

    @library.setter
    def library(self, path):
        self._library = path


def marked(mark):
    """Processes, on whatever host, that have this text in their environment."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def by_and_by(holds, patience=PATIENCE):
    end = time.monotonic() + patience
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def bytes_reported(reports):
    """What the program itself wrote by POSIX calls."""
    layers = [harness.layer(report, "posix") for report in reports]
    return sum(layer["bytes_written"] - layer["mpi_bytes_written"] for layer in layers)


def recover(host, *words):
    """toto report --recover, on that host."""
    return harness.run(host.command(harness.BUILT["toto"], "report", "--recover", *words))


class Place:
    """Folders of a job that all hosts share; its segments are in each host's own /dev/shm."""

    def __init__(self, work):
        self.data, self.reports = work / "data", work / "reports"
        self.data.mkdir()
        self.reports.mkdir()
        self.settings = {"TOTO_PFS_PATHS": self.data, "TOTO_LOGS_FOLDER": self.reports, "TOTO_ANALYSIS_PERIOD": "20"}

    def all_reports(self):
        return [harness.report(path) for path in sorted(self.reports.glob("*.json"))]


@contextlib.contextmanager
def place():
    with harness.folder() as work:
        yield Place(work)
