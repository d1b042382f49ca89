# SPDX-License-Identifier: BSD-3-Clause
"""The variants that are compared: the same program in the same folder, with another environment each."""

import os
import re
import subprocess
import sys

VARIANTS = ("bare", "forwarder", "unwatched", "watched")


class Unable(Exception):
    """Something that must have been built or installed is not there, or a measured program fails."""


def scratch_root():
    """A folder in memory, so that no disk is measured."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def progress(text):
    print(f"bench micro: {text}", file=sys.stderr, flush=True)


def run_quietly(command, env):
    """Standard output; what a failing command said goes into the message."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        shown = {name: env[name] for name in ("LD_PRELOAD", "TOTO_PFS_PATHS") if name in env}
        raise Unable(f"exit code {done.returncode} of {' '.join(command)} with {shown}:\n{done.stderr[-2000:]}")
    return done.stdout


class Program:
    """One program of calls, and the build of the library that belongs to it."""

    def __init__(self, path, library):
        self.path, self.preload = path, library
        self.name = os.path.basename(path).removeprefix("calls_")


class Bench:
    def __init__(self, build):
        build = os.path.abspath(build)
        folder = os.path.join(build, "bench", "micro")
        self.start = os.path.join(folder, "start")
        self.forwarder = os.path.join(folder, "forwarder.so")
        libraries = os.path.join(build, "lib")
        self.preload = os.path.realpath(os.path.join(libraries, "libtoto_pmpi.so"))
        for path in (self.start, self.forwarder, self.preload):
            if not os.path.exists(path):
                raise Unable(f"{path} is not there: build first")
        posix = os.path.join(folder, "calls_posix")
        if not os.path.exists(posix):
            raise Unable("the benchmark programs were not built: install libbenchmark-dev, configure and build again")
        self.programs = [Program(posix, self.preload)]
        for name in sorted(os.listdir(folder)):
            library = os.path.join(libraries, "toto", name.removeprefix("calls_"), "libtoto_pmpi.so")
            if name.startswith("calls_") and os.path.exists(library):
                self.programs.append(Program(os.path.join(folder, name), library))
        self.folder = None

    def use(self, scratch):
        """Files go to `folder`; nothing is ever in `elsewhere`."""
        self.folder = os.path.join(scratch, "files")
        self.elsewhere = os.path.join(scratch, "elsewhere")
        os.mkdir(self.folder)
        os.mkdir(self.elsewhere)

    def clean(self):
        """The caller's environment without any preload, setting of ours or launcher around us."""
        env = {k: v for k, v in os.environ.items() if not re.match("TOTO_|LD_PRELOAD$|PMI|OMPI_COMM_|SLURM_", k)}
        if os.geteuid() == 0:
            env |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return env

    def environment(self, program, variant):
        env = self.clean()
        if variant == "forwarder":
            env["LD_PRELOAD"] = self.forwarder
        elif variant == "unwatched":
            env |= {"LD_PRELOAD": program.preload, "TOTO_PFS_PATHS": self.elsewhere, "TOTO_LOG_LEVEL": "error"}
        elif variant == "watched":
            env |= {"LD_PRELOAD": program.preload, "TOTO_PFS_PATHS": self.folder}
        return env
