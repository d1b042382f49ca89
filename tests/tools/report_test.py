# SPDX-License-Identifier: BSD-3-Clause
"""toto report: output, messages, exit codes; reports against their schema."""

import json
import os
import re
import unittest

from command import Case, REPOSITORY, SAMPLES


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

if __name__ == "__main__":
    unittest.main()
