# SPDX-License-Identifier: BSD-3-Clause
"""MPI_File_open makes files with the decided layout and changes nothing else; on stripefs or CephFS.
usage: layout.py BED RANKS [DIALECT]"""
import os
import sys

import harness
import stripes

RULE = {"TOTO_HINTS": "*:striping_factor=4:striping_unit=2097152"}
OURS = (4, 2097152)

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
dialect = sys.argv[3] if len(sys.argv) > 3 else "lustre"
check = harness.Check()


def run(where, name, scenarios, toto, umask=0o022, cwd=None):
    """All scenarios in one job; files get their folder's name in front, or are relative to `cwd`."""
    folder = where / name
    words = [f"{scenario}:{file if cwd else folder / file}" for scenario, file in scenarios]
    if toto is not None:
        toto = {"TOTO_REPORT": f"{folder}.json", **toto}
    return bed.run(ranks, bed.program("layout"), *words, toto=toto, umask=umask, cwd=folder if cwd else None)


def prepared(where, name):
    """A folder with one file that is there already."""
    folder = where / name
    folder.mkdir()
    (folder / "present").write_bytes(b"here before")
    os.chmod(folder / "present", 0o640)
    return folder


def outcome(where, name, file):
    found = harness.file_of(harness.report(where / f"{name}.json"), where / name / file)
    return found["outcome"] if found and "outcome" in found else {"status": "not in the report", "obtained": {}}


def has_layout(where, name, file, layout, status):
    check.equal(layout, stripes.layout(where / name / file), f"{name}: layout of {file}")
    got = outcome(where, name, file)
    check.equal(status, got["status"], f"{name}: status of {file}")
    if status == "verified":
        check.equal(layout, (got["obtained"]["stripe_count"], got["obtained"]["stripe_size"]),
                    f"{name}: layout of {file} in the report")


def compare(where, bare, ours, bare_run, our_run):
    check.equal(0, bare_run.code, f"{bare}: exit code ({bare_run.err})")
    check.equal(bare_run.code, our_run.code, f"{ours}: exit code ({our_run.err})")
    check.equal(bare_run.out, our_run.out, f"{ours}: error classes")
    check.equal(stripes.listing(where / bare), stripes.listing(where / ours), f"{ours}: files, their modes and contents")


SCENARIOS = [("create", "created"), ("exclusive", "exclusive"), ("exclusive", "present"), ("create", "present"),
             ("again", "again"), ("self", "self"), ("subset", "subset"), ("freed", "freed"), ("temporary", "temporary"),
             ("read_only", "missing"), ("create", "no/folder"), ("two_modes", "two_modes"),
             ("read_only_create", "read_only_create"), ("create", "created")]
if not bed.is_open_mpi:
    SCENARIOS.append(("no_mode", "no_mode"))  # OMPIO 4.1 takes it for "read only" and hangs on the way out

with stripes.striped(dialect) as on:
    mounted = on.path
    for umask in (0o022, 0o027):
        names = f"bare.{umask:o}", f"ours.{umask:o}"
        runs = []
        for name, toto in zip(names, (None, RULE)):
            prepared(mounted, name)
            runs.append(run(mounted, name, SCENARIOS, toto, umask))
        compare(mounted, *names, *runs)
        check.equal([], runs[1].toto_lines, "messages")
        for file in ("created", "exclusive", "again", "freed", "subset", *(f"self.{r}" for r in range(ranks))):
            check.equal(OURS, stripes.layout(mounted / names[1] / file), f"{names[1]}: layout of {file}")
        for file in ("exclusive", "freed"):
            has_layout(mounted, names[1], file, OURS, "verified")
        # A later open of a file that we made takes nothing back of what is known about it.
        for file in ("created", "again"):
            has_layout(mounted, names[1], file, OURS, "verified")
        has_layout(mounted, names[1], "present", on.fallback, "existing")

    # A relative path is the same file.
    prepared(mounted, "relative")
    relative = run(mounted, "relative", [("create", "one"), ("exclusive", "two")], RULE, cwd=True)
    check.equal("create 0 0\nexclusive 0 0\n", relative.out, f"relative: error classes ({relative.err})")
    for file in ("one", "two"):
        has_layout(mounted, "relative", file, OURS, "verified")

    # Without rules the prior decides: what the report says is on the file.
    prepared(mounted, "prior")
    prior = run(mounted, "prior", [("create", "shared")], {})
    check.equal("create 0 0\n", prior.out, f"prior: error classes ({prior.err})")
    got = outcome(mounted, "prior", "shared")
    if check.that(got["status"] in ("verified", "none"), "prior: status", got["status"]) and got["status"] == "verified":
        check.equal(stripes.layout(mounted / "prior" / "shared"),
                    (got["obtained"]["stripe_count"], got["obtained"]["stripe_size"]), "prior: layout in the report")

    # A file system that says no: as without us, and said once.
    scenarios = [("create", "one"), ("exclusive", "two"), ("create", "one")]
    prepared(mounted, "bare.fail")
    bare = run(mounted, "bare.fail", scenarios, None)
    for error in ("EACCES", "EINVAL", "ENOSPC") if on.faults else ():
        name = f"fail.{error}"
        prepared(mounted, name)
        on.fail(f"setlayout={error}")
        ours = run(mounted, name, scenarios, RULE)
        on.fail("")
        compare(mounted, "bare.fail", name, bare, ours)
        check.equal(1, len(ours.warnings), f"{name}: warnings: {ours.toto_lines}")
        check.equal("refused", outcome(mounted, name, "two")["status"], f"{name}: status")
        check.equal(on.fallback, stripes.layout(mounted / name / "two"), f"{name}: layout")
        warned = harness.report(mounted / f"{name}.json")["warnings"]
        check.equal([2], [w["count"] for w in warned], f"{name}: refusals counted in the report: {warned}")
check.end()
