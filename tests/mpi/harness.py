# SPDX-License-Identifier: BSD-3-Clause
"""What the MPI, hazard and POSIX tests share: the beds, running a program with the library, checking.

CMake writes a JSON file with the paths of everything built and gives its name in TOTO_TEST_BEDS. A test is a
script that makes a Check, says what it expects, and ends by check.end(). Only the standard library is used.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

BUILT = json.loads(pathlib.Path(os.environ["TOTO_TEST_BEDS"]).read_text())
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # CTest's SKIP_RETURN_CODE


class Check:
    """Collects what does not hold, so that one run tells all of it."""

    def __init__(self):
        self.failures = 0
        self.passed = 0
        self.kinds = {"bare": [0, 0], "truth": [0, 0]}  # [hold, fail]: with us as without us; counters as they should be

    def that(self, holds, what, details=""):
        if holds:
            self.passed += 1
            return True
        self.failures += 1
        print(f"FAILED: {what}" + (f"\n    {details}" if details else ""))
        return False

    def bare(self, bare, ours, what):
        """Something of the bare run and the same of the run with us."""
        return self._tally("bare", self.equal(bare, ours, what))

    def truth(self, expected, got, what):
        """What happened and what the report says of it."""
        return self._tally("truth", self.equal(expected, got, what))

    def _tally(self, kind, holds):
        self.kinds[kind][0 if holds else 1] += 1
        return holds

    def equal(self, expected, got, what):
        if isinstance(expected, dict) and isinstance(got, dict):  # only what differs
            differing = {k for k in {*expected, *got} if expected.get(k) != got.get(k)}
            expected, got = ({k: v for k, v in some.items() if k in differing} for some in (expected, got))
        if isinstance(expected, str) and isinstance(got, str) and "\n" in expected:  # only the lines that differ
            old, new = expected.splitlines(), got.splitlines()
            if expected != got and old != new:
                expected = [line for line in old if line not in new]
                got = [line for line in new if line not in old] or new
        return self.that(expected == got, what, f"expected {expected!r}\n    got      {got!r}")

    def same_run(self, bare, preloaded, what):
        """The program did with us what it did without us."""
        self.bare(bare.code, preloaded.code, f"{what}: exit code")
        self.bare(bare.out, preloaded.out, f"{what}: standard output")
        self.bare(bare.err, preloaded.err, f"{what}: standard error")

    def end(self):
        for kind, (hold, fail) in self.kinds.items():  # tests/hazards/table.py reads it
            if hold + fail:
                print(f"tally {kind} {hold} of {hold + fail}")
        print(f"{self.passed} checks hold, {self.failures} fail")
        sys.exit(1 if self.failures else 0)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


class Run:
    """A program that has ended."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def toto_lines(self):
        return [line for line in self.err.splitlines() if line.startswith("toto: ")]

    @property
    def warnings(self):
        return [line for line in self.toto_lines if line.startswith(("toto: warning: ", "toto: error: "))]

    @property
    def err_without_toto(self):
        return "".join(line + "\n" for line in self.err.splitlines() if not line.startswith("toto: "))


def clean_environment():
    """This process's environment without any setting of ours, of a tool or of a launcher around us."""
    gone = ("TOTO_", "LD_", "OMPI_", "PMIX_", "PMI_", "HYDRA_", "MPI_", "SLURM_", "ROMIO_")
    return {k: v for k, v in os.environ.items() if not k.startswith(gone)}


def run(command, *, env=None, cwd=None, timeout=120, umask=-1, stdin=subprocess.DEVNULL):
    """Runs to its end; on a timeout ends the whole process group and says so."""
    process = subprocess.Popen(
        [str(word) for word in command], env={**clean_environment(), **(env or {})}, cwd=cwd, stdin=stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
        umask=umask)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        print(f"FAILED: no end within {timeout} s: {' '.join(map(str, command))}\n{out}\n{err}")
        sys.exit(1)
    return Run(subprocess.CompletedProcess(command, process.returncode, out, err))


class Bed:
    """One MPI library with one MPI-IO implementation: openmpi.ompio, openmpi.romio, mpich."""

    def __init__(self, name):
        self.name = name
        self.mpi, _, self.io = name.partition(".")
        self.built = BUILT["mpis"][self.mpi]
        self.is_open_mpi = self.built["kind"] == "openmpi"
        self.library = self.built["library"]

    def program(self, name):
        return self.built["programs"][name]

    def launcher(self, ranks):
        if not self.is_open_mpi:
            return [self.built["run"], "-n", ranks]
        words = [self.built["run"], "-n", ranks, "--oversubscribe"]
        return words + ["--mca", "io", "^ompio"] if self.io == "romio" else words

    def launcher_environment(self):
        return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                # Ranks outnumber the processors here; and no warnings about the network of a test machine.
                "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_base_warn_component_unused": "0",
                "OMPI_MCA_btl": "^tcp,openib", "OMPI_MCA_rmaps_base_oversubscribe": "1"}

    def run(self, ranks, program, *arguments, toto=None, by="preload", env=None, launcher_words=(), library=None,
            **how):
        """mpirun ... program. `toto`: settings (a dict, may be empty) for a run with us; None: a bare run.
        by: "preload" into the program only; "launcher": into mpirun and all that it starts; "link": it is linked."""
        words = [*self.launcher(ranks), *launcher_words]
        if toto is not None and by != "preload":
            env = {**(env or {}), **{k: str(v) for k, v in toto.items()}}
            if by == "launcher":
                env["LD_PRELOAD"] = library or self.library
        elif toto is not None:
            words += ["env", f"LD_PRELOAD={library or self.library}", *(f"{k}={v}" for k, v in toto.items())]
        return run([*words, program, *arguments], env={**self.launcher_environment(), **(env or {})}, **how)


def beds():
    """The names of all beds that are there."""
    return [f"{name}.{io}" if built["kind"] == "openmpi" else name for name, built in BUILT["mpis"].items()
            for io in (("ompio", "romio") if built["kind"] == "openmpi" else ("",))]


@contextlib.contextmanager
def folder():
    """A new folder, removed afterwards."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="toto-test-")).resolve()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def stripefs(dialect="lustre", targets=8, *words):
    """A mounted stripefs, with further options; skips the test where FUSE is not to be had."""
    program = BUILT.get("stripefs")
    if not program or not os.path.exists(program):
        skip("stripefs is not built")
    with folder() as where:
        mounted = run([program, "--dialect", dialect, "--rate", "0", "--targets", str(targets), *words, where])
        if mounted.code == SKIPPED:
            skip(mounted.err)
        if mounted.code != 0:
            print(f"FAILED: stripefs does not mount: {mounted.err}")
            sys.exit(1)
        try:
            yield where
        finally:
            if run(["umount", where]).code != 0:
                run(["fusermount3", "-u", "-z", where])


def run_alone(program, *arguments, toto=None, library=None, env=None, **how):
    """A program without MPI, with us when `toto` is not None."""
    env = dict(env or {})
    if toto is not None:
        env |= {"LD_PRELOAD": library or any_library(), **{k: str(v) for k, v in toto.items()}}
    return run([program, *arguments], env=env, **how)


def contents(path):
    """Names below a folder, with modes, sizes and bytes (of those that are not large)."""
    found = {}
    for entry in pathlib.Path(path).rglob("*"):
        name = str(entry.relative_to(path))
        if entry.is_symlink():
            found[name] = os.readlink(entry)
        elif not name.startswith("temporary."):
            info = entry.stat()
            small = entry.is_file() and info.st_size < 1 << 20
            found[name] = (oct(info.st_mode), info.st_size if entry.is_file() else 0, entry.read_bytes() if small else b"")
    return found


def against_truth(check, program, *, env=None, toto=None, library=None, before=(), arguments=(), timeout=120):
    """A program (of FOLDER TRUTH ARGUMENTS) bare and with us: the same results, and the report says what the program says.
    `env` may be a function of the folder; `before`: words in front of the program."""
    env = env or (lambda where: {})
    with folder() as work:
        segments = pathlib.Path(tempfile.mkdtemp(prefix="toto-test-", dir="/dev/shm"))
        runs, found = [], []
        for how in ("bare", "ours"):
            (work / how / "here").mkdir(parents=True)  # relative names, the same for both: so are messages with them
            settings = None
            if how == "ours":
                settings = {"TOTO_PFS_PATHS": work / "ours", "TOTO_REPORT": work / "report.json",
                            "TOTO_SEGMENT_DIR": segments, **(toto or {})}
            runs.append(run_alone(*before, program, work / how / "here", work / f"{how}.truth", *arguments, toto=settings,
                                  library=library, env=env(work / how / "here"), timeout=timeout))
            found.append(contents(work / how / "here"))
        bare, ours = runs
        check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
        check.same_run(bare, ours, "with the library")
        check.bare(*found, "files, their modes and contents")
        check.bare([], entries(segments), "left behind in shared memory")
        shutil.rmtree(segments)
        if not check.that((work / "report.json").exists(), "there is a report"):
            return None
        truth, made = json.loads((work / "ours.truth").read_text()), report(work / "report.json")
        for name in ("posix", "stdio"):
            got = layer(made, name)
            for counter, expected in truth[name].items():
                if counter != "end":
                    check.truth(expected, got[counter], f"{name}.{counter}")
        check.equal([], made["warnings"], "warnings")
        return made


def any_library():
    return next(iter(BUILT["mpis"].values()))["library"]


def report(path):
    return json.loads(pathlib.Path(path).read_text())


def layer(report_, name):
    """A layer's counters; those that are absent are 0."""
    return Counters(report_["layers"].get(name, {}))


def file_of(report_, path):
    found = [one for one in report_["files"] if one["path"] == str(path)]
    return found[0] if len(found) == 1 else None


class Counters(dict):
    def __missing__(self, key):
        return 0


def entries(path):
    """Every name below a folder, for 'nothing new appeared'."""
    return sorted(str(p.relative_to(path)) for p in pathlib.Path(path).rglob("*"))


def wrapped_calls():
    """Names of the tables: (libc's, MPI's, MPI's with large counts, without the prefix MPI_)."""
    def names(file, macro):
        lines = (SOURCE / file).read_text().splitlines()
        found = []
        for line in lines:
            if line.startswith(macro + "("):
                inside = line[len(macro) + 1:]
                parts = [part.strip(" )") for part in inside.split(",")]
                found.append(parts[1] if len(parts) > 1 else parts[0])
        return found
    libc = [name for macro in ("TOTO_CALL", "TOTO_VARIADIC", "TOTO_FORMATTED", "TOTO_END", "TOTO_CHILD")
            for name in names("posix/calls.def", macro)]
    return libc, names("pmpi/calls.def", "TOTO_MPI"), names("pmpi/calls.def", "TOTO_MPI_LARGE")
