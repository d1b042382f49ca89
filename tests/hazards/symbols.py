# SPDX-License-Identifier: BSD-3-Clause
"""The shared libraries need libc alone, export the wrapped names and nothing else, and wrap what there is to wrap.
usage: symbols.py MPI"""
import re
import sys

import harness

check = harness.Check()
mpi = harness.BUILT["mpis"][sys.argv[1]]
libc_calls, mpi_calls, large_calls = harness.wrapped_calls()
wrapped_mpi = mpi_calls + (large_calls if mpi["large_counts"] else []) + ["Finalize"]


def dynamic_symbols(path, *words):
    lines = harness.run(["nm", "-D", *words, path]).out.splitlines()
    return {(fields[-2], fields[-1].split("@")[0]) for fields in (line.split() for line in lines)}


needed = re.findall(r"\(NEEDED\).*\[(.*)\]", harness.run(["readelf", "-d", mpi["library"]]).out)
check.equal(["libc.so.6"], needed, "shared libraries needed")

# Each pointer that the dynamic linker fills in, and each page of them, is paid at every start of every program: texts
# of tables are in the tables (core/table_text.h). The pointers to the wrapped calls' next definitions are most; each
# backend of hints/layout has a table of some 12 functions.
filled = re.search(r"\(RELACOUNT\)\s+(\d+)", harness.run(["readelf", "-d", mpi["library"]]).out)
check.that(filled and int(filled.group(1)) < len(libc_calls) + 120, "few pointers to be filled in at start", filled and filled.group(1))

exported = {name for _, name in dynamic_symbols(mpi["library"], "--defined-only")}
expected = set(libc_calls) | {p + name for name in wrapped_mpi for p in ("MPI_", "PMPI_")}
expected.add("PMIx_Commit")  # pmpi/present.h
check.equal(set(), expected - exported, "wrapped calls that are not exported")
check.equal(set(), exported - expected, "exported names that are no wrapped call")

undefined = dynamic_symbols(mpi["library"], "--undefined-only")
foreign = {name for _, name in undefined if re.match(r"P?MPI|ompi|opal|MPIR|mpi|PMIx", name)}
check.equal(set(), foreign, "undefined symbols of an MPI library")
# A weak one may be absent at run time; only the tool chain's own are like that.
weak = {name for kind, name in undefined if kind in "wv"}
check.equal(set(), weak - {"__gmon_start__", "__cxa_finalize", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"},
            "weak undefined symbols")

# Everything that the MPI library calls MPI_File_... is in the table.
program = next(iter(mpi["programs"].values()))
linked = re.findall(r"(libmpi\S*|libmpich\S*) => (\S+)", harness.run(["ldd", program]).out)
exported_by_mpi = set()
for _, path in linked:
    exported_by_mpi |= {name for _, name in dynamic_symbols(path, "--defined-only")}
files = {name for name in exported_by_mpi if re.fullmatch(r"MPI_File_[a-z0-9_]+", name) and not name.endswith(("_f", "_f08"))}
check.that(len(files) >= 61, "the MPI library's MPI_File functions are found", sorted(files))
check.equal(set(), files - expected, "MPI_File functions that are not wrapped")

# Where a call is wrapped, so are the other names by which compilers and headers reach it.
libc = re.search(r"libc\.so\.6 => (\S+)", harness.run(["ldd", mpi["library"]]).out).group(1)
libc_exports = {name for _, name in dynamic_symbols(libc, "--defined-only")}
relatives = {relative for name in libc_calls
             for relative in (name + "64", f"__{name}_chk", name + "_unlocked", f"__{name}_2", f"__{name}64_chk",
                              f"__{name}_unlocked_chk")}
check.equal(set(), (relatives & libc_exports) - set(libc_calls), "other names of wrapped calls")
# Of a newer glibc, and of libaio: a program that calls them brings them along.
others = {"__isoc23_fscanf", "__isoc23_vfscanf", "io_submit"}
check.equal(set(), set(libc_calls) - libc_exports - others, "wrapped names that this libc does not have")
check.end()
