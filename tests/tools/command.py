# SPDX-License-Identifier: BSD-3-Clause
"""The toto command as a user meets it: what its tests share.

Environment: TOTO is the command, REPOSITORY the source tree. A copy of the command in a scratch tree with
empty libraries stands in for an installation, so that no test depends on what was built.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

TOTO = os.environ["TOTO"]
REPOSITORY = os.environ["REPOSITORY"]
SAMPLES = os.path.join(REPOSITORY, "tests", "tools", "samples")
CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not re.match(r"(TOTO|OMPI_|PMIX_|PMI_|HYDI_|SLURM_|PALS_|LD_PRELOAD)", name)
}


def have(program):
    return shutil.which(program) is not None


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="toto-command-")
        cls.toto = os.path.join(cls.folder, "bin", "toto")
        os.makedirs(os.path.dirname(cls.toto))
        shutil.copy(TOTO, cls.toto)
        os.makedirs(os.path.join(cls.folder, "share", "toto"))
        os.symlink(os.path.join(REPOSITORY, "bench", "study"), os.path.join(cls.folder, "share", "toto", "study"))
        cls.library = {}
        for mpi in ("openmpi", "mpich"):
            cls.library[mpi] = os.path.join(cls.folder, "lib", "toto", mpi, "libtoto_pmpi.so")
            os.makedirs(os.path.dirname(cls.library[mpi]))
        source = os.path.join(cls.folder, "empty.c")
        with open(source, "w") as out:
            out.write("extern int nothing;\nint nothing;\n")
        first = cls.library["openmpi"]
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", first, source], check=True)
        shutil.copy(first, cls.library["mpich"])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_toto(self, *words, env=None, text=None, command=None):
        return subprocess.run(
            [command or self.toto, *words], capture_output=True, text=True, input=text, errors="replace",
            env={**CLEAN, **(env or {})}, cwd=self.folder, timeout=60)

    def fails(self, code, message, *words, **more):
        """One line on standard error that holds `message`, nothing on standard output."""
        done = self.run_toto(*words, **more)
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("toto"), done.stderr)
        self.assertIn(message, done.stderr)

    def succeeds(self, *words, **more):
        done = self.run_toto(*words, **more)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def path(self, name, content=None, mode=0o644):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as out:
                out.write(content if isinstance(content, bytes) else content.encode())
            os.chmod(path, mode)
        return path
