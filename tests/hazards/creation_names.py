# SPDX-License-Identifier: BSD-3-Clause
"""A creating open by "link/../name", with a slash at the end, with O_PATH or O_DIRECTORY, is the kernel's business: the
same outcome and the same files as without us, with layouts to be set; on stripefs. usage: creation_names.py"""
import harness
import stripes

RULE = {"TOTO_HINTS": "*:striping_factor=2:striping_unit=1048576"}

program = harness.BUILT["programs"]["creation_names"]
check = harness.Check()

with harness.stripefs("lustre", 8) as mounted:
    def run(name, toto):
        folder = mounted / name
        folder.mkdir()
        return harness.run_alone(program, toto=toto, cwd=folder)

    bare = run("bare", None)
    ours = run("ours", {"TOTO_REPORT": mounted / "ours.json", **RULE})
    check.equal(0, bare.code, f"the bare run's exit code ({bare.err})")
    check.same_run(bare, ours, "preloaded")
    check.equal(harness.entries(mounted / "bare"), harness.entries(mounted / "ours"), "names")
    check.equal(stripes.listing(mounted / "bare"), stripes.listing(mounted / "ours"), "files, their modes and contents")
    check.equal(b"precious", (mounted / "ours" / "b" / "old").read_bytes(), "contents of the file behind the link")
    # Nothing was kept from the kernel by giving no layouts at all.
    check.equal((2, 1048576), stripes.lustre_layout(mounted / "ours" / "full"), "layout of a file by a plain name")
check.end()
