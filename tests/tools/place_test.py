# SPDX-License-Identifier: BSD-3-Clause
"""toto check and toto layout: output, messages, exit codes; on the stripefs too."""

import json
import os
import re
import subprocess
import unittest

from command import Case, TOTO


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
