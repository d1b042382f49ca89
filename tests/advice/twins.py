# SPDX-License-Identifier: BSD-3-Clause
"""Bad programs get the advice that they deserve, with the exact counts, and their good twins none, in C++ and in
Python. usage: twins.py"""
import pathlib
import sys

import harness

LANGUAGES = {"C++": [harness.BUILT["programs"]["twins"]],
             "Python": [sys.executable, pathlib.Path(__file__).with_name("twins_program.py")]}
LINES = 5000

# program, N, languages, rule and counts (None: no advice)
TWINS = [
    ("open_in_loop", LINES, "C++ Python", "open-in-loop", {"opens": LINES, "closes": LINES, "reads": 0, "writes": LINES}),
    ("open_once", LINES, "C++ Python", None, {}),
    ("endl_each_line", 20000, "C++", "write-per-line", {"writes": 20000}),
    ("flush_each_line", 20000, "C++", "flush-per-line", {"flushes": 20000, "writes": 20000}),
    ("flush_each_line", 20000, "Python", "write-per-line", {"writes": 20000}),
    ("print_lines", 20000, "C++", None, {}),
    ("open_once", 20000, "C++ Python", None, {}),
    ("many_files", 1200, "C++ Python", "many-small-files", {"files": 1200, "creates": 1200}),
    ("many_files", 200, "C++ Python", None, {}),
    ("read_at_random", 20000, "C++ Python", "random-small",
     {"accesses": 20000, "reads": 20000, "writes": 0, "bytes": 20000 * 4096}),
    ("read_whole", 20000, "C++ Python", None, {}),
    ("scratch_file", 40, "C++", "scratch-on-network",
     {"creates": 1, "unlinks": 1, "bytes_written": 40 << 20, "bytes_read": 40 << 20}),
    ("result_file", 40, "C++", None, {}),
]

check = harness.Check()


def advice_of(command, which, n, folder):
    data = folder / "data"
    data.mkdir()
    (data / "table").write_bytes(bytes(4099 * 4096))
    done = harness.run_alone(*command, which, data, n, toto={"TOTO_PFS_PATHS": data, "TOTO_REPORT": folder / "r.json"})
    check.equal((0, []), (done.code, done.warnings), f"{which}: exit code and warnings ({done.err})")
    return harness.report(folder / "r.json")["advice"], data


for which, n, languages, rule, counts in TWINS:
    for language in languages.split():
        what = f"{language}, {which}, {n} times"
        with harness.folder() as folder:
            advice, data = advice_of(LANGUAGES[language], which, n, folder)
            if not check.equal([rule] if rule else [], [one["rule"] for one in advice], f"{what}: rules") or not rule:
                continue
            one = advice[0]
            check.equal(counts, {name: one["counts"].get(name) for name in counts}, f"{what}: counts")
            check.that(one["severity"] in ("high", "medium", "low"), f"{what}: severity {one['severity']}")
            check.that(one["seconds"] > 0, f"{what}: it cost time")
            check.that(str(n) in one["remedy"] or which == "scratch_file", f"{what}: remedy has the number", one["remedy"])
            folders = one["family"].rsplit("/", 1)[0]
            check.that(len(folders.split("/")) == len(str(data).split("/")), f"{what}: its file", one["family"])
check.end()
