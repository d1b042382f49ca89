#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every call that has to do with files is wrapped, or a reason says why not: against the symbols that this machine's
libc and MPI libraries export. Makes docs/coverage.md of the tables.

usage: coverage.py check [PROGRAM]  the classification is complete (of libc's symbols, or of PROGRAM's MPI library's)
       coverage.py document         docs/coverage.md is what the tables say
       coverage.py write            writes docs/coverage.md
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
DOCUMENT = SOURCE / "docs/coverage.md"
LINE = re.compile(r"TOTO_(CALL|MPI|MPI_LARGE|VARIADIC|FORMATTED|END|CHILD)\((?:\d+, )?(\w+)(?:, \((.*)\))?\)$")


class Group:
    def __init__(self, title, is_file):
        self.title, self.is_file, self.patterns = title, is_file, []
        self.used = set()

    def has(self, name):
        for pattern in self.patterns:
            if fnmatch.fnmatchcase(name, pattern):
                self.used.add(pattern)
                return True
        return False


def groups_of(file):
    groups = []
    for line in (HERE / file).read_text().splitlines():
        if line.startswith(("== ", "-- ")):
            groups.append(Group(line[3:], line.startswith("==")))
        elif line and not line.startswith("#"):
            groups[-1].patterns += line.split()
    return groups


def sections_of(file):
    """[(comment above, [(name, handler)])] of a table of calls."""
    sections, comment, fresh = [], "", True
    for line in (SOURCE / file).read_text().splitlines():
        if line.startswith("// "):
            comment = (comment + " " if not fresh else "") + line[3:]
            fresh = False
        elif match := LINE.match(line):
            if not sections or sections[-1][0] != comment:
                sections.append((comment, []))
            sections[-1][1].append((match[2], match[3] or ""))
            fresh = True
        else:
            fresh = True
    return sections


def exported(library):
    """Functions that a library defines. Each name once, whatever its versions."""
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = set()
    for line in out.splitlines():
        _, kind, name = line.split()[-3:]
        if kind in "TtWwi":
            names.add(name.partition("@")[0])
    return names


def libc():
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        if re.search(r"/libc[.-][^/]*so", line):
            return line.split(maxsplit=5)[5]
    sys.exit(77)  # no glibc: nothing to compare


def libmpi(program):
    shown = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return re.search(r"libmpi(?:ch)?\.so\S* => (\S+)", shown)[1]


def check(program):
    if program is None:
        library, file, table = libc(), "libc.txt", "posix/calls.def"
        names = exported(library)
    else:
        library, file, table = libmpi(program), "mpi.txt", "pmpi/calls.def"
        names = {name[4:] for name in exported(library) if re.match(r"MPI_(File|Register_datarep)", name)}
    wrapped = {name for _, calls in sections_of(table) for name, _ in calls}
    groups = groups_of(file)
    failures = [f"{name}: exported by {library}, in no group of tests/coverage/{file} and not wrapped"
                for name in sorted(names - wrapped) if not any(group.has(name) for group in groups)]
    for group in groups:
        failures += [f"{pattern}: wrapped, and yet listed in tests/coverage/{file}" for pattern in group.patterns
                     if pattern in wrapped]
    print("\n".join(failures))
    print(f"{len(names & wrapped)} functions of {library} are wrapped, {len(names - wrapped)} are not, "
          f"{len(failures)} failures")
    return bool(failures)


# What a handler counts, where its name does not say it.
COUNTED = [
    (r"Data<.*kRead|StreamLine|StreamDelimited|StreamScan|Items<Access::kRead|Character<Access::kRead", "reads, bytes_read"),
    (r"Data<.*kWrite|StreamText|StandardText|StandardCharacter|StreamFormat|Items<Access::kWrite|Character<Access::kWrite",
     "writes, bytes_written"),
    (r"Submit<Access::kRead", "reads, bytes_read: the size that was asked for"),
    (r"Submit<Access::kWrite", "writes, bytes_written: the size that was asked for"),
    (r"SubmitList|SubmitToKernel", "reads, writes and bytes: the sizes that were asked for"),
    (r"SubmitSync|SyncMap", "syncs"), (r"Between", "reads of the one, writes of the other"), (r"StreamWord", "reads, writes"),
    (r"Seek", "seeks"), (r"StreamFlush", "flushes"), (r"^Map$", "maps, bytes_mapped"), (r"StatPath|AskPath", "stats"),
    (r"MakeDirectory", "mkdirs"), (r"OpenFolder|ScanFolder", "listings"), (r"ReadFolder", "entries"),
    (r"Creat|Open2|OpenAt2|MakeTemporary|StreamOpen|StreamOfDescriptor|FileOpen", "opens, creates"), (r"StreamReopen", "closes, opens, creates"),
    (r"Close", "closes"), (r"FileDelete", "unlinks"), (r"FileEnd<kRead", "bytes_read"), (r"FileEnd<kWrite", "bytes_written"),
    (r"FileData<kRead", "reads, bytes_read"), (r"FileData<kWrite", "writes, bytes_written"),
]


BY_HAND = {"open": "opens, creates", "open64": "opens, creates", "openat": "opens, creates", "openat64": "opens, creates",
           "vfscanf": "reads, bytes_read", "fscanf": "reads, bytes_read", "__isoc99_fscanf": "reads, bytes_read",
           "__isoc23_fscanf": "reads, bytes_read"}


def counted(name, handler):
    if match := re.search(r"Counter::(\w+)", handler):
        return match[1]
    if not handler:
        return BY_HAND.get(name, "writes, bytes_written" if "print" in name else "")
    return next((text for pattern, text in COUNTED if re.search(pattern, handler)), "")


def table(sections, prefix=""):
    out = []
    for comment, calls in sections:
        what = re.split(r"(?<=[.:]) ", comment)[0].rstrip(".:")
        rows = {}
        for name, handler in calls:
            rows.setdefault(counted(name, handler), []).append(f"`{prefix}{name}`")
        out += [f"**{what}**", "", "| counted | calls |", "| --- | --- |"]
        out += [f"| {key or 'nothing by itself'} | {' '.join(names)} |" for key, names in rows.items()]
        out.append("")
    return out


def not_wrapped(file):
    rows = ["| why not | calls |", "| --- | --- |"]
    for group in groups_of(file):
        if group.is_file:
            rows.append(f"| {group.title} | {' '.join(f'`{name}`' for name in group.patterns)} |")
    return rows + [""]


def document():
    posix, mpi = sections_of("posix/calls.def"), sections_of("pmpi/calls.def")
    number = sum(len(calls) for _, calls in posix), sum(len(calls) for _, calls in mpi)
    return "\n".join([
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->",
        "<!-- Made by tests/coverage/coverage.py write: from posix/calls.def, pmpi/calls.def, tests/coverage/*.txt. -->",
        "# Which calls are seen",
        "",
        f"{number[0]} functions of libc (and libaio's `io_submit`) and {number[1]} of MPI are wrapped. A test compares the tables "
        "with what this machine's libc and MPI libraries export: a function that has to do with files is wrapped, or "
        "listed below with the reason. Counters: `core/counters.h`.",
        "",
        "Not seen by any wrapper: static and set-uid programs, `syscall(2)`, io_uring (its requests lie in memory that the "
        "program shares with the kernel), what is read and written through a mapping, files that libc opens by itself, "
        "`dlmopen` and `RTLD_DEEPBIND`, and descriptors that a program inherits or receives over a socket.",
        "",
        "## libc", "", *table(posix), "### Not wrapped", "", *not_wrapped("libc.txt"),
        "## MPI", "", "Each as `MPI_x` and `PMPI_x`.", "", *table(mpi, "MPI_"), "### Not wrapped", "", *not_wrapped("mpi.txt"),
    ])


def main():
    command, *rest = sys.argv[1:] or ["check"]
    if command == "write":
        DOCUMENT.write_text(document())
        return 0
    if command == "document":
        if DOCUMENT.read_text() == document():
            return 0
        print("docs/coverage.md is not what the tables say: tests/coverage/coverage.py write makes it anew")
        return 1
    return check(rest[0] if rest else None)


if __name__ == "__main__":
    sys.exit(main())
