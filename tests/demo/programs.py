# SPDX-License-Identifier: BSD-3-Clause
"""The programs of the demo: how each is started, and how it says what its output took."""

import json
import os
import re
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))

# What Open MPI wants before it starts anything for root, and one message less.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_btl_base_warn_component_unused": "0"}


def launcher(mpi):
    for name in (f"mpirun.{mpi}", "mpirun"):
        if path := shutil.which(name):
            return path
    return None


class Lammps:
    """LAMMPS of the distribution: a melt on 4 ranks, Open MPI, a dump each step by MPI-IO."""

    name, figure = "LAMMPS", "demo.lammps.output_ratio"
    title = "LAMMPS, Open MPI, 4 ranks: dumps by MPI-IO"
    time_is = 'its own "Output" time'
    environment = OPEN_MPI

    def __init__(self, quick):
        self.cells, self.steps = (20, 2) if quick else (48, 4)

    def missing(self):
        if not shutil.which("lmp"):
            return "lmp is not installed (package lammps)"
        return None if launcher("openmpi") else "mpirun of Open MPI is not installed (package openmpi-bin)"

    def command(self, folder, before):
        return [launcher("openmpi"), "--oversubscribe", "-n", "4", *before, "lmp", "-log", "none",
                "-in", os.path.join(HERE, "melt.lmp"), "-var", "n", str(self.cells),
                "-var", "steps", str(self.steps), "-var", "out", folder]

    def seconds(self, output):
        # Output  | min | avg | max | ...: the first dump, of step 0, comes before LAMMPS's clock starts.
        return float(re.search(r"^Output\s*\|[^|]*\|\s*([\d.e+-]+)", output, re.M).group(1))

    def timed_bytes(self, files):
        return sum(size for name, (size, _) in files.items() if not name.startswith("dump.0."))


class Checkpoint:
    """A small HDF5 program on MPICH: all ranks write one file, collectively, several times."""

    name, figure = "HDF5", "demo.hdf5.time_ratio"
    title = "parallel HDF5, MPICH, 2 ranks: checkpoints"
    time_is = "create to close"
    environment = {}

    def __init__(self, quick, build):
        self.files, self.mebibytes = (2, 8) if quick else (3, 64)
        self.program = os.path.join(build, "tests/demo/demo_checkpoint")

    def missing(self):
        if not os.path.exists(self.program):
            return "its program was not built (packages mpich, libmpich-dev, libhdf5-mpich-dev)"
        return None if launcher("mpich") else "mpirun of MPICH is not installed (package mpich)"

    def command(self, folder, before):
        return [launcher("mpich"), "-n", "2", *before, self.program, folder, str(self.files), str(self.mebibytes)]

    def seconds(self, output):
        return float(re.search(r"files in ([\d.]+) s", output).group(1))

    def timed_bytes(self, files):
        return sum(size for size, _ in files.values())


class Fio:
    """fio: one process, one file, one request after the other. There is nothing to gain, and nothing to lose."""

    name, figure = "fio", "demo.fio.time_ratio"
    title = "fio, no MPI, 1 process: one serial file"
    time_is = "its own run time"
    environment = {}

    def __init__(self, quick):
        self.mebibytes = 8 if quick else 64

    def missing(self):
        return None if shutil.which("fio") else "fio is not installed (package fio)"

    def command(self, folder, before):
        return [*before, "fio", "--name=serial", f"--filename={folder}/serial.dat", f"--size={self.mebibytes}m",
                "--rw=write", "--bs=1m", "--ioengine=psync", "--end_fsync=1", "--fallocate=none", "--thread",
                "--buffer_pattern=0x70743073", "--output-format=json"]

    def seconds(self, output):
        return json.loads(output[output.index("{"):])["jobs"][0]["write"]["runtime"] / 1e3

    def timed_bytes(self, files):
        return sum(size for size, _ in files.values())
