# SPDX-License-Identifier: BSD-3-Clause
"""toto history as a user meets it: list, show, forget, export, import, and files that are not understood.

Environment: TOTO is the command."""

import json
import os
import re
import subprocess
import tempfile
import unittest

TOTO = os.environ["TOTO"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("TOTO_")}
SHARED, OWN = "/scratch/me/run#/dump.#", "/scratch/me/run#/part.#.#"


def family(name, best=8, when=1_800_000_000, sharing="shared", counts=((4, 3, 100), (8, 5, 180))):
    return {"family": name, "program": "model", "file_system": "lustre", "place": 0, "targets": 8, "ranks": 64, "nodes": 4,
            "bytes": 1 << 30, "request": 1 << 20, "call_bytes": 0, "writers": 64, "best": best, "when": when,
            "sharing": sharing, "spatiality": "contiguous", "calls": "independent",
            "arms": [{"stripes": count, "files": files, "bytes_per_s": speed << 20, "deviation_e6": 0, "gain_e6": 0,
                      "compared_e3": 1000} for count, files, speed in counts]}


class History(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="toto-history-")
        self.addCleanup(self.scratch.cleanup)
        self.file = self.path("history.json")
        self.write(self.file, [family(SHARED), family(OWN, sharing="file-per-process")])

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def write(self, path, families):
        with open(path, "w", encoding="utf-8") as out:
            json.dump({"toto_history": 1, "families": families}, out)

    def families(self, path):
        with open(path, encoding="utf-8") as file:
            return {one["family"]: one for one in json.load(file)["families"]}

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def toto(self, *words, code=0, env=None):
        done = subprocess.run([TOTO, "history", *words], capture_output=True, text=True, timeout=60,
                              env={**CLEAN, "TOTO_HISTORY": self.file, **(env or {})}, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code != 0:
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_list_has_each_family_with_its_setting_and_its_best(self):
        for words in ((), ("list",)):
            shown = self.toto(*words)
            self.assertIn(SHARED, shown)
            self.assertIn("64 ranks on 4 nodes; 1 GiB a file, file-per-process", shown.replace("1.00", "1").replace("1.0 ", "1 "))
            self.assertEqual(shown.count("best: 8 stripes, of 2 counts in 8 files"), 2)
            self.assertNotIn("MiB/s", shown)

    def test_show_has_each_count_that_was_tried(self):
        shown = self.toto("show", SHARED)
        self.assertNotIn(OWN, shown)
        self.assertRegex(shown, r"\b4 stripes +100 MiB/s +3 files\n")
        self.assertRegex(shown, r"\b8 stripes +180 MiB/s +5 files\n")
        self.assertIn(OWN, self.toto("show", "/scratch/me/*"))
        self.assertIn("no family", self.toto("show", "/nowhere/*", code=1))

    def test_forget_takes_what_is_meant_and_nothing_else(self):
        self.assertEqual(self.toto("forget", SHARED), "1 forgotten\n")
        self.assertEqual(list(self.families(self.file)), [OWN])
        self.assertIn("no family", self.toto("forget", SHARED, code=1))
        self.assertEqual(self.toto("forget", "*"), "1 forgotten\n")
        self.assertEqual(self.families(self.file), {})
        self.assertIn("nothing was learned yet", self.toto())

    def test_export_writes_all_of_it(self):
        copy = self.path("copy.json")
        self.assertIn("2 written to", self.toto("export", copy))
        self.assertEqual(self.families(copy), self.families(self.file))
        self.assertIn("onto itself", self.toto("export", self.file, code=2))

    def test_import_takes_what_is_new_or_newer(self):
        other = self.path("other.json")
        self.write(other, [family(SHARED, best=4, when=1_900_000_000), family(OWN, best=4, when=1_700_000_000,
                                                                             sharing="file-per-process"),
                           family("/scratch/me/new.#", best=2)])
        self.assertIn("3 taken from", self.toto("import", other))
        self.assertEqual({name: one["best"] for name, one in self.families(self.file).items()},
                         {SHARED: 4, OWN: 8, "/scratch/me/new.#": 2})
        self.assertIn("missing", self.toto("import", self.path("none.json"), code=1))

    def test_import_makes_a_history_where_there_is_none(self):
        new = self.path("state/toto/history.json")
        self.toto("import", self.file, env={"TOTO_HISTORY": new})
        self.assertEqual(self.families(new), self.families(self.file))

    def test_a_damaged_or_later_file_is_said_and_left_alone(self):
        for text, why in (('{"toto_history": 1, "families": [', "damaged, or no history"), ("", "damaged, or no history"),
                          ('{"toto_history": 2, "families": []}', "of a later version")):
            with open(self.file, "w", encoding="utf-8") as out:
                out.write(text)
            for words in ((), ("forget", "*"), ("export", self.path("copy.json"))):
                self.assertIn(why, self.toto(*words, code=1))
            good = self.path("good.json")
            self.write(good, [family(SHARED)])
            self.assertIn("left as it is", self.toto("import", good, code=1))
            self.assertEqual(self.text(self.file), text)

    def test_without_a_history(self):
        for env in ({"TOTO_HISTORY": self.path("none.json")}, {"TOTO_HISTORY": "", "XDG_STATE_HOME": self.scratch.name}):
            self.assertIn("nothing was learned yet", self.toto(env=env))
            self.assertIn("missing", self.toto("forget", "*", code=1, env=env))
        self.assertEqual(sorted(os.listdir(self.scratch.name)), ["history.json"])

    def test_wrong_words_are_one_line(self):
        for words in (("show",), ("rename", "a"), ("list", "a")):
            self.assertRegex(self.toto(*words, code=2), re.compile("toto history list, show FAMILY"))


if __name__ == "__main__":
    unittest.main()
