# SPDX-License-Identifier: BSD-3-Clause
"""The variants that are compared: the same program in the same folder, with another environment each."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import measure  # noqa: E402

VARIANTS = ("bare", "forwarder", "unwatched", "watched")
BESIDE = "beside"  # another library, where one is given
# Of MPI programs, under a launcher with a second rank to combine statistics with.
LAUNCHED = ("launched", "rounds")
THREADS = (2, 4, 8)  # and 1


Unable = measure.Unable
progress = measure.say("micro")


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
        self.beside = None

    def variants(self):
        return VARIANTS + ((BESIDE,) if self.beside else ())

    def has_ranks(self):
        return self.name != "posix"


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

    def put_beside(self, words):
        """Other libraries: [NAME=]PATH, of the program calls_NAME; without a name, of all that have none."""
        for word in words:
            name, equals, path = word.rpartition("=")
            if not os.path.exists(path):
                raise Unable(f"--beside {word}: {path} is not there")
            for program in self.programs:
                if program.name == name or not (equals or program.beside):
                    program.beside = path

    def use(self, scratch):
        """Files go to `folder`; nothing is ever in `elsewhere`."""
        self.folder = os.path.join(scratch, "files")
        self.elsewhere = os.path.join(scratch, "elsewhere")
        os.mkdir(self.folder)
        os.mkdir(self.elsewhere)

    def environment(self, program, variant):
        env = measure.clean_environment()
        if variant == "forwarder":
            env["LD_PRELOAD"] = self.forwarder
        elif variant == "unwatched":
            env |= {"LD_PRELOAD": program.preload, "TOTO_PFS_PATHS": self.elsewhere, "TOTO_LOG_LEVEL": "error"}
        elif variant == "watched":
            env |= {"LD_PRELOAD": program.preload, "TOTO_PFS_PATHS": self.folder}
        elif variant == BESIDE:
            env["LD_PRELOAD"] = program.beside
        elif variant == "rounds":
            env |= {"TOTO_PFS_PATHS": self.folder, "TOTO_RANKS_PER_NODE": "1", "TOTO_ANALYSIS_PERIOD": "50",
                    "TOTO_REPORT": os.devnull}
        return env

    def command(self, program, variant, words):
        """The launcher itself runs without the library: `env` gives it to the ranks."""
        command = [program.path, self.folder, *words]
        if variant not in LAUNCHED:
            return command
        preload = ["env", "LD_PRELOAD=" + program.preload] if variant == "rounds" else []
        return measure.launcher(program.name, 2) + preload + command
