# SPDX-License-Identifier: BSD-3-Clause
"""What users gave the MPI library itself counts as that library has it: MPICH_MPIIO_HINTS over the program (MPICH and its kin),
ROMIO_HINTS under it (ROMIO), neither for OMPIO; nothing of it is overruled by the built-in rules. And TOTO_HINTS_DISPLAY.
usage: hint_sources.py BED RANKS"""
import re
import sys

import harness
import stripes

UNIT = 2097152
PROGRAM = ("striping_factor=4", f"striping_unit={UNIT}", "cb_buffer_size=4194304")

bed, ranks = harness.Bed(sys.argv[1]), int(sys.argv[2])
check = harness.Check()
reads_file = bed.io != "ompio"
reads_cray = not bed.is_open_mpi


def run(on, name, own, env=None, **toto):
    """The file's layout, its outcome in the report, and the run."""
    path = on.path / name
    toto = {"TOTO_REPORT": f"{path}.json", **toto}
    done = bed.run(ranks, bed.program("hints"), path, *own, env={k: str(v) for k, v in (env or {}).items()}, toto=toto)
    check.equal((0, []), (done.code, done.toto_lines), f"{name}: exit code, messages ({done.err})")
    return stripes.layout(path), harness.file_of(harness.report(f"{path}.json"), path)["outcome"], done


def hint(outcome, key):
    found = [(one["value"], one["origin"], one["status"]) for one in outcome["hints"] if one["key"] == key]
    return found[0] if found else None


with stripes.striped() as on:
    file = on.path / "romio-hints"
    file.write_text(f"# a comment\nstriping_factor 2\nstriping_factor 6\nstriping_unit {UNIT}\nromio_ds_write disable\n"
                    "three words here\ncb_buffer_size 8388608\n")
    romio = {"ROMIO_HINTS": file}

    # Nobody else has a say: the file's values, over the built-in rules.
    layout, outcome, _ = run(on, "file", (), romio)
    if reads_file:
        check.equal((2, UNIT), layout, "ROMIO_HINTS: layout; of a key that comes twice the first line counts")
        check.equal("romio-file", outcome["origin"], "ROMIO_HINTS: origin of the layout")
        told = "requested" if bed.is_open_mpi else "applied"
        check.equal(("disable", "romio-file", told), hint(outcome, "romio_ds_write"), "ROMIO_HINTS: romio_ds_write")
        check.equal(("8388608", "romio-file", told), hint(outcome, "cb_buffer_size"), "ROMIO_HINTS: cb_buffer_size")
    else:
        check.that("romio-file" not in str(outcome), "OMPIO does not read ROMIO_HINTS", outcome)

    # The program wins over the file, as in ROMIO itself.
    layout, outcome, done = run(on, "program", PROGRAM, romio)
    check.equal(((4, UNIT), "program"), (layout, outcome["origin"]), "the program over ROMIO_HINTS: layout")
    check.equal(("4194304", "program", "kept"), hint(outcome, "cb_buffer_size"), "the program over ROMIO_HINTS")
    if reads_cray:
        check.that("file cb_buffer_size=4194304" in done.out, "the program over ROMIO_HINTS: what MPICH uses", done.out)
        check.that("file romio_ds_write=disable" in done.out, "what only ROMIO_HINTS has: what MPICH uses", done.out)

    # A rule of the user in fill mode fills before the file does.
    layout, outcome, _ = run(on, "fill", (), romio, TOTO_HINTS="*:striping_factor=6:romio_ds_write=enable")
    check.equal(6, layout[0], "TOTO_HINTS over ROMIO_HINTS: stripes")
    if reads_file:
        check.equal(("enable", "user-fill"), hint(outcome, "romio_ds_write")[:2], "TOTO_HINTS over ROMIO_HINTS")
        check.equal(UNIT, layout[1], "what only ROMIO_HINTS has, beside TOTO_HINTS")

    # Cray's variable wins over the program, as with Cray; and over the file. TOTO_HINTS in override mode over both.
    cray = {"MPICH_MPIIO_HINTS": "*.other:striping_factor=1,*cray*:striping_factor=3:cb_buffer_size=1048576", **romio}
    layout, outcome, done = run(on, "cray", PROGRAM, cray)
    if reads_cray:
        check.equal(((3, UNIT), "cray-environment"), (layout, outcome["origin"]), "MPICH_MPIIO_HINTS over the program: layout")
        check.equal(("1048576", "cray-environment", "applied"), hint(outcome, "cb_buffer_size"),
                    "MPICH_MPIIO_HINTS over the program")
        check.that("program cb_buffer_size=4194304" in done.out, "the program's own MPI_Info is as it was", done.out)
    else:
        check.equal(((4, UNIT), "program"), (layout, outcome["origin"]), "Open MPI: MPICH_MPIIO_HINTS is another library's")
    layout, outcome, _ = run(on, "cray.override", PROGRAM, cray, TOTO_HINTS="*:striping_factor=5", TOTO_HINTS_MODE="override")
    check.equal((5, "user-override"), (layout[0], outcome["origin"]), "TOTO_HINTS in override mode over all")

    # The display: Cray's form, once an open, by one rank.
    bare = bed.run(ranks, bed.program("hints"), on.path / "display", *PROGRAM)
    for made in ("display", "display.second"):
        (on.path / made).unlink()
    layout, _, done = run(on, "display", PROGRAM, TOTO_HINTS_DISPLAY="1")
    heads = [line for line in done.err.splitlines() if line.startswith("PE ")]
    head = r"PE 0: MPIIO hints for {}{}:"
    tail = re.escape(f" (as given: {'OMPIO before 4.1.6' if bed.io == 'ompio' else 'ROMIO in Open MPI'} does not tell what it uses)")
    for got, name in zip(heads, ("display", "display.second", "display.second")):
        tails = tail if bed.is_open_mpi else ""
        check.that(re.fullmatch(head.format(re.escape(str(on.path / name)), tails), got), "display: first line", got)
    check.equal(3, len(heads), f"display: one for each open ({done.err})")
    lines = [line for line in done.err.splitlines() if not line.startswith("PE ")]
    check.that(all(re.fullmatch(r" {10}(?=.{25}= )\S+ *= \S.*", line) for line in lines), "display: form of the lines", lines)
    for line in (f"          striping_factor          = {layout[0]}", f"          striping_unit            = {layout[1]}",
                 "          cb_buffer_size           = 4194304"):
        check.that(line in lines, f"display: {line.strip()}", done.err)
    check.equal(bare.out.replace("striping_factor", ""), done.out.replace("striping_factor", ""), "display: the program's output")
check.end()
