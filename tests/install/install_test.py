#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the built tree, moves it, and builds and runs a program against it: by the CMake package and by
pkg-config, for the default MPI and for each by name. The program must be seen by the library.

Usage: install_test.py BUILD_FOLDER DEFAULT_MPI name=mpicc=mpirun..."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command, **environment):
    done = subprocess.run(command, env=os.environ | environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def check(holds, what):
    print(("ok      " if holds else "FAILED  ") + what)
    return 0 if holds else 1


def by_cmake(prefix, work, mpicc, target):
    build = os.path.join(work, "cmake")
    run(["cmake", "-S", os.path.join(HERE, "consumer"), "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
         f"-DCMAKE_C_COMPILER={mpicc}", f"-DCONSUMER_LINKS={target}"])
    run(["cmake", "--build", build])
    return os.path.join(build, "consumer")


def by_pkg_config(prefix, work, mpicc, package, folders):
    search = {"PKG_CONFIG_PATH": ":".join(os.path.join(prefix, lib, "pkgconfig") for lib in folders)}
    flags = run(["pkg-config", "--cflags", "--libs", package], **search).split()
    place = run(["pkg-config", "--variable=folder", package], **search).strip()
    program = os.path.join(work, "by_pkg_config")
    run([mpicc, os.path.join(HERE, "consumer/consumer.c"), "-o", program, *flags, f"-Wl,-rpath,{place}"])
    return program


def is_seen(program, work, mpirun):
    """Runs it; the report must know the one byte that it wrote by MPI-IO."""
    data, report = os.path.join(work, "data"), os.path.join(work, "report.json")
    run([mpirun, "-n", "1", program, data], TOTO_PFS_PATHS=work, TOTO_REPORT=report,
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if not os.path.exists(report):
        return False
    with open(report, encoding="utf-8") as file:
        return json.load(file)["layers"].get("mpiio", {}).get("bytes_written") == 1


def main():
    build, default, *mpis = sys.argv[1:]
    mpis = {name: (cc, launcher) for name, cc, launcher in (mpi.split("=") for mpi in mpis)}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="toto-install-") as top:
        first, prefix = os.path.join(top, "first"), os.path.join(top, "moved")
        run(["cmake", "--install", build, "--prefix", first])
        os.rename(first, prefix)
        folders = [lib for lib in ("lib", "lib64", f"lib/{os.uname().machine}-linux-gnu")
                   if os.path.exists(os.path.join(prefix, lib, "libtoto_pmpi.so"))]
        failed += check(bool(folders), "libtoto_pmpi.so is in the library folder")
        library = os.path.join(prefix, folders[0], "libtoto_pmpi.so")
        failed += check(os.path.realpath(library).endswith(f"/toto/{default}/libtoto_pmpi.so"),
                        f"and is that of {default}")
        shown = run([os.path.join(prefix, "bin/toto"), "run", "--mpi", default, "--print"])
        failed += check(f"LD_PRELOAD={prefix}/" in shown, "the installed toto finds the installed library")
        shown = run([os.path.join(prefix, "bin/toto"), "study", "--help"])
        failed += check("Usage: toto study" in shown, "the installed toto study finds its Python part")
        cases = [("toto::pmpi", "toto_pmpi", default)]
        cases += [(f"toto::pmpi_{name}", f"toto_pmpi-{name}", name) for name in mpis]
        for number, (target, package, name) in enumerate(cases):
            mpicc, mpirun = mpis[name]
            work = os.path.join(top, str(number))
            os.mkdir(work)
            failed += check(is_seen(by_cmake(prefix, work, mpicc, target), work, mpirun), f"{target} with {mpicc}")
            os.unlink(os.path.join(work, "report.json"))
            if shutil.which("pkg-config"):
                program = by_pkg_config(prefix, work, mpicc, package, folders)
                failed += check(is_seen(program, work, mpirun), f"pkg-config {package} with {mpicc}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
