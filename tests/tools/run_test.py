# SPDX-License-Identifier: BSD-3-Clause
"""The toto command itself, toto run and toto study: output, messages, exit codes."""

import os
import re
import shutil
import stat
import subprocess
import sys
import unittest

from command import CLEAN, Case, REPOSITORY, TOTO, have


class Main(Case):
    def test_version_and_help(self):
        self.assertRegex(self.succeeds("--version"), r"^toto \d+\.\d+\.\d+\n$")
        for words in (["--help"], ["help"], ["-h"]):
            self.assertIn("Usage: toto", self.succeeds(*words))
        for command in ("run", "report", "check", "layout", "study"):
            text = self.succeeds("help", command)
            self.assertIn("Usage: toto " + command, text)
            self.assertEqual(text, self.succeeds(command, "--help"))

    def test_bad_commands(self):
        self.fails(2, "no command given")
        self.fails(2, "(did you mean report?)", "reprot")
        self.fails(2, 'unknown command "xyzzy"', "xyzzy")
        self.fails(2, "unknown command", "help", "xyzzy")
        self.fails(2, "unknown option --verison", "--verison")
        self.fails(2, "unknown command", "")

    def test_full_output(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([self.toto, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, env=CLEAN)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


class Run(Case):
    def printed(self, *words, **more):
        lines = self.succeeds("run", "--print", *words, **more).splitlines()
        return dict(line.split("=", 1) for line in lines if not line.startswith("#")), lines[0]

    def test_becomes_the_program(self):
        done = self.run_toto("run", "--summary", "--hints=*.h5:a=b c", "--", "sh", "-c",
                             "echo $LD_PRELOAD; echo $TOTO_SUMMARY; echo \"$TOTO_HINTS\"; echo oops >&2; exit 7",
                             env={"TOTO_SUMMARY": "0"})
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stdout.splitlines(), [self.library["openmpi"], "1", "*.h5:a=b c"])
        self.assertEqual(done.stderr, "oops\n")
        pid = subprocess.Popen([self.toto, "run", "sh", "-c", "echo $$"], stdout=subprocess.PIPE, text=True, env=CLEAN)
        self.assertEqual(pid.communicate()[0].strip(), str(pid.pid))
        # Killed by a signal, the launcher sees just that.
        self.assertEqual(self.run_toto("run", "sh", "-c", "kill -9 $$").returncode, -9)

    def test_print(self):
        values, _ = self.printed("--pfs-paths", "/a=lustre:/b", "--stripe-count-tuning", "0", "--log-level=debug")
        self.assertEqual(values, {"LD_PRELOAD": self.library["openmpi"], "TOTO_PFS_PATHS": "/a=lustre:/b",
                                  "TOTO_STRIPE_COUNT_TUNING": "0", "TOTO_LOG_LEVEL": "debug"})
        values, _ = self.printed("--hints", "*:a=it's")
        shell = subprocess.run(["sh", "-c", "printf %s " + values["TOTO_HINTS"]], capture_output=True, text=True)
        self.assertEqual(shell.stdout, "*:a=it's")

    def test_every_setting_is_an_option(self):
        with open(os.path.join(REPOSITORY, "core", "config.h")) as header:
            names = re.findall(r'X\(\w+, k\w+, "TOTO_(\w+)"', header.read())
        self.assertGreater(len(names), 5)
        text = self.succeeds("run", "--help")
        for name in names:
            self.assertIn("--" + name.lower().replace("_", "-") + " ", text)

    def test_other_preloads_stay_behind_ours(self):
        for before in ("/x/a.so /y/libtoto_pmpi.so", "/y/libtoto_pmpi.so:/x/a.so:"):
            done = self.run_toto("run", "--print", env={"LD_PRELOAD": before})
            self.assertIn("LD_PRELOAD=" + self.library["openmpi"] + ":/x/a.so\n", done.stdout)

    def test_bad_values_start_nothing(self):
        mark = self.path("mark")
        for words, message in (
            (["--hints-mode=always"], '--hints-mode: "always" is not allowed; allowed: fill or override'),
            (["--summary=maybe"], "0 or 1"),
            (["--memory-kib", "lots"], "a whole number from"),
            (["--log-level="], "off, error, warning, info or debug"),
            (["--sumary"], "(did you mean --summary?)"),
            (["--mpi", "lam"], 'no build of the library for "lam" (there: mpich, openmpi)'),
            (["--mpi", "../openmpi"], "no build of the library"),
            (["--library", "/no/such.so"], "No such file"),
            (["--library", "/etc/passwd"], "no shared library"),
            (["--library", self.folder], "is no file"),
        ):
            self.fails(2, message, "run", *words, "--", "touch", mark)
        self.fails(2, "no program given", "run")
        self.fails(2, "no program given", "run", "--summary", "--")
        self.assertFalse(os.path.exists(mark))

    def test_library_with_a_space(self):
        path = self.path("a b.so")
        shutil.copy(self.library["openmpi"], path)
        self.fails(2, "LD_PRELOAD cannot hold a path with a space", "run", "--library", path, "true")

    def test_program_that_cannot_run(self):
        self.fails(127, "not found on PATH", "run", "no-such-program")
        self.fails(127, "not found on PATH", "run", "")
        self.fails(127, "No such file", "run", "./no-such-program")
        self.fails(126, "Permission denied", "run", self.path("plain", "echo hi\n"))
        self.fails(126, "Permission denied", "run", self.folder)
        self.fails(127, "No such file", "run", self.path("orphan", "#!/no/such/interpreter\n", 0o755))

    def test_script_without_a_first_line(self):
        self.assertEqual(self.succeeds("run", self.path("bare", "echo hi\n", 0o755)), "hi\n")

    def test_mpi_by_launcher(self):
        for env, mpi in (({"OMPI_COMM_WORLD_SIZE": "4"}, "openmpi"), ({"PMI_RANK": "0", "PMI_SIZE": "4"}, "mpich"),
                         ({"PMIX_RANK": "0"}, "openmpi"), ({"HYDI_CONTROL_FD": "7"}, "mpich")):
            for program in (["/bin/true"], ["sh"], [sys.executable], []):
                values, comment = self.printed(*program, env=env)
                self.assertEqual(values["LD_PRELOAD"], self.library[mpi], (env, program))
                self.assertIn(mpi, comment)

    def test_mpi_by_option(self):
        values, _ = self.printed("--mpi", "mpich", "sh", env={"OMPI_COMM_WORLD_SIZE": "4"})
        self.assertEqual(values["LD_PRELOAD"], self.library["mpich"])
        values, _ = self.printed("--library", self.library["mpich"], "sh")
        self.assertEqual(values["LD_PRELOAD"], self.library["mpich"])

    def test_program_without_mpi(self):
        values, comment = self.printed("/bin/true")
        self.assertEqual(values["LD_PRELOAD"], self.library["openmpi"])
        self.assertIn("not known", comment)

    @unittest.skipUnless(have("lmp"), "needs an MPI program of the system")
    def test_installed_mpi_program(self):
        values, comment = self.printed("lmp", env={"PMI_RANK": "0"})
        self.assertEqual(values["LD_PRELOAD"], self.library["openmpi"], comment)

    def compiled(self, mpi, source, *flags):
        path = self.path("prog-" + mpi + ("-static" if "-static" in flags else ""))
        code = self.path("prog.c", source)
        subprocess.run([mpi if mpi == "cc" else "mpicc." + mpi, "-o", path, code, *flags], check=True)
        return path

    def test_compiled_mpi_programs(self):
        source = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Finalize(); return 0; }\n"
        seen = 0
        for mpi, wrong in (("openmpi", {"PMI_RANK": "0"}), ("mpich", {"OMPI_COMM_WORLD_SIZE": "2"})):
            if not have("mpicc." + mpi):
                continue
            seen += 1
            program = self.compiled(mpi, source)
            values, comment = self.printed(program, env=wrong)  # the program counts, not the launcher
            self.assertEqual(values["LD_PRELOAD"], self.library[mpi], comment)
            # MPI behind a library of the program's own, found by $ORIGIN.
            part = self.path("part.c", "#include <mpi.h>\nint part(void) { return MPI_Initialized(&(int){0}); }\n")
            subprocess.run(["mpicc." + mpi, "-shared", "-fPIC", "-o", self.path("libpart.so"), part], check=True)
            main = self.path("main.c", "int part(void);\nint main(void) { return part(); }\n")
            indirect = self.path("indirect-" + mpi)
            subprocess.run(["cc", "-o", indirect, main, "-L" + self.folder, "-lpart", "-Wl,-rpath,$ORIGIN",
                            "-Wl,--as-needed", "-Wl,-rpath-link,/usr/lib"], check=True)
            values, comment = self.printed(indirect, env=wrong)
            self.assertEqual(values["LD_PRELOAD"], self.library[mpi], comment)
        if seen == 0:
            self.skipTest("no MPI compiler")

    def test_mpi_without_a_build(self):
        if not have("mpicc.mpich"):
            self.skipTest("needs mpicc.mpich")
        source = "#include <mpi.h>\nint main(void) { return MPI_Wtime == 0; }\n"
        program = self.compiled("mpich", source)
        moved = self.library["mpich"] + ".away"
        os.rename(self.library["mpich"], moved)
        try:
            done = self.run_toto("run", program)
            self.assertEqual(done.returncode, 0)
            self.assertIn("no build of the library for mpich", done.stderr)
            self.assertEqual(self.run_toto("run", program, env={"PMI_RANK": "3"}).stderr, "")  # one rank speaks
            self.assertNotIn("LD_PRELOAD", self.run_toto("run", "--print", program).stdout)
        finally:
            os.rename(moved, self.library["mpich"])

    def test_static_program(self):
        try:
            program = self.compiled("cc", "int main(void) { return 5; }\n", "-static")
        except subprocess.CalledProcessError:
            self.skipTest("no static libc")
        done = self.run_toto("run", program)
        self.assertEqual(done.returncode, 5)
        self.assertIn("it is statically linked: the library cannot see", done.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs another user's program")
    def test_set_user_id_program(self):
        program = self.path("suid")
        shutil.copy("/bin/true", program)
        os.chown(program, 65534, 65534)
        os.chmod(program, 0o4755)
        if os.statvfs(program).f_flag & os.ST_NOSUID:
            self.skipTest("mounted nosuid")
        self.assertTrue(os.stat(program).st_mode & stat.S_ISUID)
        os.chmod(self.folder, 0o755)
        done = self.run_toto("run", program)
        self.assertEqual(done.returncode, 0)
        self.assertIn("set-user-id program", done.stderr)

    def test_nothing_installed(self):
        lonely = os.path.join(self.folder, "lonely", "bin", "toto")
        os.makedirs(os.path.dirname(lonely))
        shutil.copy(TOTO, lonely)
        done = self.run_toto("run", "sh", "-c", "exit 3", command=lonely)
        self.assertEqual(done.returncode, 3)
        self.assertIn("the library is not there", done.stderr)


class Study(Case):
    def test_published_study(self):
        done = self.run_toto("study", os.path.join(REPOSITORY, "bench/study/overhead.yaml"), "--dry-run")
        self.assertIn(done.returncode, (0, 1), done)
        if done.returncode == 1:
            self.assertRegex(done.stderr, "has no .*jinja2.* apt install python3-jinja2")
        else:
            self.assertIn("180 points x 6 = 1080 runs", done.stdout)

    def test_parts_missing(self):
        lonely = os.path.join(self.folder, "alone", "bin", "toto")
        os.makedirs(os.path.dirname(lonely))
        shutil.copy(TOTO, lonely)
        self.fails(1, "its Python part is not there", "study", "x.yaml", command=lonely)
        self.fails(127, "python3 cannot be started", "study", "x.yaml", env={"PATH": "/nowhere"})

if __name__ == "__main__":
    unittest.main()
