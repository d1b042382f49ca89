# SPDX-License-Identifier: BSD-3-Clause
"""The toto command as a user meets it: output, messages, exit codes.

Environment: TOTO is the command, REPOSITORY the source tree. A copy of the command in a scratch tree with
empty libraries stands in for an installation, so that no test depends on what was built.
"""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
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


class Report(Case):
    def sample(self):
        with open(os.path.join(SAMPLES, "mpi.json")) as file:
            return file.read()

    def test_text_and_json(self):
        path = self.path("r.json", self.sample())
        self.assertIn("/scratch/dump.#.bin", self.succeeds("report", path))
        self.assertEqual(self.succeeds("report", "-", text=self.sample()), self.succeeds("report", path))
        self.assertEqual(json.loads(self.succeeds("report", "--json", path)), json.loads(self.sample()))
        self.assertIn("1 of 3", self.succeeds("report", "--files", "1", path))
        self.assertNotIn("--all", self.succeeds("report", "--all", path))

    def test_bad_options(self):
        path = self.path("r.json", self.sample())
        self.fails(2, "one report, please", "report")
        self.fails(2, "one report, please", "report", path, path)
        self.fails(2, "only one of", "report", "--json", "--all", path)
        self.fails(2, '--files: "-1" is not allowed', "report", "--files=-1", path)
        self.fails(2, '--files: "x" is not allowed', "report", "--files", "x", path)

    def test_bad_files(self):
        sample = self.sample()
        for content, message in (
            (None, "No such file"),
            ("", "the file is empty"),
            ("  \n", "the file is empty"),
            ("hello", "does not hold a JSON object"),
            ("[1]", "does not hold a JSON object"),
            (b"\x7fELF\x00\x00", "does not hold a JSON object"),
            ("{}", "report_version is missing"),
            ("{]", "no valid JSON at line 1"),
            (sample + "}", "no valid JSON at line"),
            (sample.replace("4711", "\udcff", 1).encode(errors="surrogateescape"), "no valid JSON at line"),
            (sample.replace(": 12.3", ": 1e999", 1), "a number is too large"),
            (sample.replace(": 12.3", ": " + "9" * 400, 1), "a number is too large"),
            (sample.replace('"report_version": 1', '"report_version": 7'), "a report of version 7"),
            (sample.replace('"ranks": 4', '"ranks": "4"', 1), "job.ranks: expected a whole number"),
            ('{"a":' + "[" * 1000000, "nested more than"),
            ('{"report_version":1,"x":' + '{"a":' * 100000 + "1" + "}" * 100000 + "}", "nested more than"),
        ):
            name = "missing.json" if content is None else "bad.json"
            path = self.path(name, content)
            self.fails(1, message, "report", path)
            self.fails(1, name, "report", path)
        self.fails(1, "is a folder", "report", self.folder)
        self.fails(1, "does not hold a JSON object", "report", "/dev/zero")
        self.fails(1, "the file is empty", "report", "-", text="")

    def test_cut_anywhere(self):
        sample = self.sample()
        for size in range(1, len(sample.rstrip()), 97):
            self.fails(1, "it was cut off", "report", self.path("cut.json", sample[:size]))


class Schema(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(REPOSITORY, "docs", "report.schema.json")) as file:
            self.schema = json.load(file)

    def test_counters_are_those_of_the_library(self):
        with open(os.path.join(REPOSITORY, "core", "counters.h")) as file:
            text = file.read()
        block = text[text.index("#define TOTO_COUNTERS"):text.index("enum class Counter")]
        names = set()
        for name in re.findall(r"X\((\w+), k\w+\)", block):
            if name.endswith("_ticks"):
                name = name[:-len("ticks")] + "seconds"
            elif name.startswith(("first_", "last_")):
                name += "_seconds"
            names.add(name)
        counters = set(self.schema["$defs"]["counters"]["properties"])
        self.assertEqual(counters - {"read_sizes", "write_sizes"}, names)

    def test_words_are_those_of_the_library(self):
        with open(os.path.join(REPOSITORY, "core", "outcome.h")) as file:
            text = file.read()
        lists = [set(re.findall(r'"([a-z-]+)"', words)) for words in re.findall(r"kNames\{(.*?)\}", text, re.S)]
        defs = self.schema["$defs"]
        for words in (defs["origin"], defs["outcome"]["properties"]["status"],
                      defs["outcome"]["properties"]["hints"]["items"]["properties"]["status"]):
            self.assertIn(set(words["enum"]), lists)

    def test_patterns_are_those_of_the_library(self):
        with open(os.path.join(REPOSITORY, "hints", "pattern.cc")) as file:
            text = file.read()
        lists = {name.lower(): set(re.findall(r'"([a-z-]+)"', words)) for name, words in
                 re.findall(r"name\((\w+) \w+\) \{\s+constexpr std::array<.*?kNames\{(.*?)\}", text, re.S)}
        family = self.schema["$defs"]["family"]["properties"]
        self.assertEqual(len(lists), 8)
        for name, words in lists.items():
            self.assertEqual(words, set(family[name]["enum"]), name)

    def test_samples(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs the jsonschema module")
        validator = jsonschema.Draft202012Validator(self.schema)
        validator.check_schema(self.schema)
        for name in ("mpi.json", "posix.json"):
            with open(os.path.join(SAMPLES, name)) as file:
                document = json.load(file)
            self.assertEqual([error.message for error in validator.iter_errors(document)], [], name)
        document["job"]["ranks"] = -1
        document["surplus"] = 1
        self.assertEqual(len(list(validator.iter_errors(document))), 2)


class Check(Case):
    def test_plain_folder(self):
        text = self.succeeds("check", self.folder)
        self.assertIn("no layout control here", text)
        self.assertRegex(text, r"watched +no, not a parallel file system")
        self.assertNotIn("What would be chosen", text)

    def test_path_that_is_not_there_yet(self):
        text = self.succeeds("check", os.path.join(self.folder, "a", "b"))
        self.assertIn("(not there yet; seen from " + self.folder + ")", text)

    def test_what_can_be_done_where_nobody_can_choose(self):
        for name, words in (("gpfs", "write whole blocks"), ("daos", "romio_daos_obj_class"), ("panfs", "panfs_layout"),
                            ("orangefs", "user.pvfs2.num_dfiles"), ("nfs", "the server's affair")):
            text = self.succeeds("check", self.folder, env={"TOTO_PFS_PATHS": f"{self.folder}={name}"})
            self.assertRegex(text, r"instead +.*" + re.escape(words))
            self.assertRegex(text, r"block size +\d")
            self.assertRegex(text, r"16 +1 +16 MiB +- +- +-")
            # GPFS's files are aligned to its blocks.
            block = os.statvfs(self.folder).f_bsize
            (self.assertIn if name == "gpfs" else self.assertNotIn)(f"striping_unit={block}", text)

    def test_types_of_pfs_paths(self):
        env = {"TOTO_PFS_PATHS": self.folder + "=lustre"}
        text = self.succeeds("check", self.folder, env=env)
        self.assertRegex(text, r"file system +lustre, mounted on")
        self.assertRegex(text, r"recognised +by TOTO_PFS_PATHS")
        self.assertRegex(text, r"can be set +stripe count")
        for ranks, nodes in ((1, 1), (16, 1), (256, 4), (8192, 128)):
            self.assertRegex(text, r"(one|per) process +%d +%d +16 MiB" % (ranks, nodes))
        self.assertRegex(text, r"shared, collective +8192 +128 +100 GiB")
        text = self.succeeds("check", "--ranks", "48", "--nodes=3", self.folder, env=env)
        self.assertRegex(text, r"shared, collective +48 +3 +1 GiB")
        self.assertNotIn("8192", text)
        text = self.succeeds("check", "--ranks", "1", self.folder, env=env)
        self.assertNotIn("shared, collective", text)

    def test_settings_count(self):
        env = {"TOTO_PFS_PATHS": self.folder + "=lustre", "TOTO_HINTS": "*:striping_factor=3"}
        self.assertRegex(self.succeeds("check", self.folder, env=env), r" 3 +\S+( \S+)? +user-fill")
        env["TOTO_DISABLE"] = "1"
        self.assertIn("TOTO_DISABLE is set", self.succeeds("check", self.folder, env=env))
        del env["TOTO_DISABLE"]
        env["TOTO_HINTS"] = "@/no/such/file"
        done = self.run_toto("check", self.folder, env=env)
        self.assertEqual(done.returncode, 0)
        self.assertIn("/no/such/file", done.stderr)

    def test_what_the_mpi_library_was_given_counts_and_is_named(self):
        env = {"TOTO_PFS_PATHS": self.folder + "=lustre"}
        self.assertNotIn("hints also from", self.succeeds("check", "--ranks=4", self.folder, env=env))
        hints = os.path.join(self.folder, "romio-hints")
        with open(hints, "w", encoding="utf-8") as out:
            out.write("cb_nodes 3\n")
        text = self.succeeds("check", "--ranks=4", self.folder,
                             env=env | {"ROMIO_HINTS": hints, "MPICH_MPIIO_HINTS": "*:striping_factor=5"})
        self.assertRegex(text, r"hints also from +MPICH_MPIIO_HINTS")
        self.assertIn(hints, text)
        self.assertRegex(text, r"shared, collective +4 .* 5 .*cray")
        self.assertIn("cb_nodes=3", text)

    def test_bad_options(self):
        self.fails(2, "one path, please", "check")
        self.fails(2, "an empty path", "check", "")
        for value in ("0", "-1", "x", "99999999999999999999", ""):
            self.fails(2, "--ranks: ", "check", "--ranks=" + value, "/")
        self.fails(2, "--nodes: 5 nodes for 4 ranks", "check", "--ranks=4", "--nodes=5", "/")
        self.fails(1, "a path of 5001 bytes", "check", "/" + "a" * 5000)

    def test_odd_paths(self):
        for path in ("/", "//", "/proc", "/dev/null", ".", self.folder + "/", self.folder + "/x/../y"):
            self.succeeds("check", path)
        name = os.path.join(self.folder, "a\x1b[2Jb")
        self.assertNotIn("\x1b", self.succeeds("check", name))


class Layout(Case):
    def test_no_layout_here(self):
        path = self.path("file", "x")
        self.assertIn("does not tell where", self.succeeds("layout", path))
        self.assertEqual(json.loads(self.succeeds("layout", "--json", path))["stripe_count"], 0)
        self.fails(1, "No such file", "layout", self.path("none"))
        self.fails(1, "a folder", "layout", self.folder)
        self.fails(2, "one file, please", "layout")
        self.fails(1, "lustre does not tell the layout", "layout", path, env={"TOTO_PFS_PATHS": self.folder + "=lustre"})

@unittest.skipUnless(os.environ.get("STRIPEFS"), "needs stripefs")
class OnStripefs(Case):
    """The test bed's file system, which answers as Lustre does, or as another."""

    DIALECT = "lustre"

    def setUp(self):
        self.mount = os.path.join(self.folder, "mount")
        os.makedirs(self.mount, exist_ok=True)
        done = subprocess.run([os.environ["STRIPEFS"], "--targets", "4", "--rate", "0", "--dialect", self.DIALECT,
                               "--default-count", "2", self.mount], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest("no FUSE here")
        self.assertEqual(done.returncode, 0, done)
        self.addCleanup(subprocess.run, ["fusermount3", "-u", self.mount], check=True)

    def test_layout(self):
        path = os.path.join(self.mount, "f")
        with open(path, "w") as file:
            file.write("x")
        text = self.succeeds("layout", path)
        self.assertRegex(text, r"file system +lustre")
        self.assertRegex(text, r"stripe count +2")
        told = json.loads(self.succeeds("layout", "--json", path))
        targets = told["parts"][0].pop("targets")
        self.assertEqual(len(set(targets)), 2)
        self.assertEqual({key: told[key] for key in ("path", "file_system", "file_size", "stripe_count", "stripe_size",
                                                     "object_size", "pool", "components", "overstriped", "parts")},
                         {"path": path, "file_system": "lustre", "file_size": 1, "stripe_count": 2,
                          "stripe_size": 1048576, "object_size": 0, "pool": "", "components": "",
                          "overstriped": False,
                          "parts": [{"start": 0, "end": None, "stripe_count": 2, "stripe_size": 1048576}]})
        self.assertEqual(told["places"], [{"OST": targets[0], "bytes": 1}])

    def test_check(self):
        text = self.succeeds("check", os.path.join(self.mount, "new", "file"))
        self.assertRegex(text, r"file system +lustre, mounted on " + re.escape(self.mount))
        self.assertRegex(text, r"recognised +by the mount table")
        self.assertRegex(text, r"watched +yes")
        self.assertRegex(text, r"targets +4")
        self.assertRegex(text, r"folder default +none of its own")
        self.assertIn("shared, collective", text)
        self.assertRegex(text, r"by +any user who may write to the folder, unless")
        self.assertRegex(text, r"tried +yes, by uid %d; read back" % os.geteuid())
        self.assertEqual(os.listdir(self.mount), [])

    def written(self):
        """Bytes on each target, as the file system counts them."""
        stats = json.loads(os.getxattr(self.mount, "stripefs.stats"))
        return {one["target"]: one["written"] for one in stats["targets"] if one["written"]}

    def test_places_are_those_that_the_file_system_wrote_to(self):
        path = os.path.join(self.mount, "f")
        with open(path, "wb") as file:
            file.write(b"x" * (5 * 1048576 + 1000))
        told = json.loads(self.succeeds("layout", "--json", path))
        self.assertEqual({one["OST"]: one["bytes"] for one in told["places"]}, self.written())
        text = self.succeeds("layout", path)
        self.assertRegex(text, r"6 blocks of 1 MiB, a letter for each OST")
        self.assertRegex(text, r"0 B  ababab\n")
        self.assertRegex(text, r"OST +bytes")
        self.assertRegex(text, r"a +3 MiB +#{40}\n")

    def test_a_layout_that_changes_with_the_size(self):
        path = os.path.join(self.mount, "f")
        self.preloaded_creation(path, "*:components=1@2M+4@eof")
        with open(path, "r+b") as file:
            file.write(b"x" * (6 * 1048576))
        told = json.loads(self.succeeds("layout", "--json", path))
        self.assertEqual(told["components"], "1x1M@2M+4x1M@eof")
        self.assertEqual([(one["start"], one["end"], one["stripe_count"]) for one in told["parts"]],
                         [(0, 2097152, 1), (2097152, None, 4)])
        self.assertEqual({one["OST"]: one["bytes"] for one in told["places"]}, self.written())
        self.assertRegex(self.succeeds("layout", path), r"components +1x1M@2M\+4x1M@eof")

    def preloaded_creation(self, path, rules):
        done = subprocess.run([os.environ["TOTO"], "run", "--hints", rules, "--", "touch", path], text=True,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class OnBeegfs(OnStripefs):
    DIALECT = "beegfs"

    def test_layout(self):
        path = os.path.join(self.mount, "f")
        with open(path, "wb") as file:
            file.write(b"x" * 3145728)
        told = json.loads(self.succeeds("layout", "--json", path))
        self.assertEqual((told["file_system"], told["stripe_count"], told["stripe_size"]), ("beegfs", 2, 1048576))
        # BeeGFS counts its targets from 1.
        self.assertEqual({one["target"] - 1: one["bytes"] for one in told["places"]}, self.written())
        self.assertRegex(self.succeeds("layout", path), r"3 blocks of 1 MiB, a letter for each target")

    def test_check(self):
        text = self.succeeds("check", self.mount)
        self.assertRegex(text, r"file system +beegfs, mounted on " + re.escape(self.mount))
        self.assertRegex(text, r"can be set +stripe count \(at most 256\), stripe size \(powers of two from 64 KiB\)")
        self.assertRegex(text, r"tried +yes, by uid %d; read back" % os.geteuid())
        self.assertRegex(text, r"targets +4")
        self.assertRegex(text, r"folder default +2 stripes of 1 MiB")
        self.assertEqual(os.listdir(self.mount), [])
        text = self.succeeds("check", "--look-only", self.mount)
        self.assertNotIn("tried", text)
        self.assertRegex(text, r"targets +not known")
        os.setxattr(self.mount, "stripefs.fail", b"setlayout=EACCES")
        self.assertRegex(self.succeeds("check", self.mount), r"tried +no, by uid %d: Permission denied" % os.geteuid())

    test_places_are_those_that_the_file_system_wrote_to = None
    test_a_layout_that_changes_with_the_size = None


class OnCeph(OnStripefs):
    DIALECT = "ceph"

    def test_layout(self):
        path = os.path.join(self.mount, "f")
        with open(path, "wb") as file:
            file.write(b"x" * (9 * 1048576))
        told = json.loads(self.succeeds("layout", "--json", path))
        self.assertEqual((told["file_system"], told["stripe_count"], told["object_size"]), ("ceph", 2, 4194304))
        # Two objects side by side of 4 MiB each, and the rest in the third.
        self.assertEqual([one["bytes"] for one in told["places"]], [4194304, 4194304, 1048576])
        text = self.succeeds("layout", path)
        self.assertRegex(text, r"objects +%x\." % os.stat(path).st_ino)

    def test_check(self):
        text = self.succeeds("check", self.mount)
        self.assertRegex(text, r"file system +ceph")
        self.assertRegex(text, r"by +users whose key has the flag")
        self.assertRegex(text, r"tried +yes")

    test_places_are_those_that_the_file_system_wrote_to = None
    test_a_layout_that_changes_with_the_size = None


if __name__ == "__main__":
    unittest.main()
