# SPDX-License-Identifier: BSD-3-Clause
"""Files in a set-gid folder, in a sticky one, in one with a default access list, by an ordinary user, with every umask, and where
no more may be made: modes, owners, access lists and errors are those of a run without us. usage: creation_folders.py DIALECT"""
import os
import pathlib
import shutil
import sys

import harness
import stripes

RULE = {"TOTO_HINTS": "*.dat:striping_factor=2:striping_unit=1048576"}
USER, GROUP, OTHER_GROUP = 65534, 65534, 4242
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={GROUP}", "--clear-groups", "--"]

program = harness.BUILT["programs"]["create"]
check = harness.Check()


def access_list(path):
    try:
        return os.getxattr(path, "system.posix_acl_access").hex()
    except OSError:
        return "none"


def owners(folder):
    """Name -> all that says who may do what."""
    found = {}
    for entry in sorted(pathlib.Path(folder).rglob("*")):
        info = entry.lstat()
        found[str(entry.relative_to(folder))] = (oct(info.st_mode), info.st_uid, info.st_gid, access_list(entry))
    return found


def plain(folder):
    os.chmod(folder, 0o777)


def set_gid(folder):
    os.chown(folder, 0, OTHER_GROUP)
    os.chmod(folder, 0o2777)


def sticky(folder):
    os.chmod(folder, 0o1777)


def sticky_of_another(folder):
    """The program finds some of its files there already, another user's, whom the folder's sticky bit protects."""
    sticky(folder)
    for name in ("open.644.dat", "excl.600.dat", "creat.640.dat", "w.dat"):
        (folder / name).write_bytes(b"of another")
        os.chmod(folder / name, 0o666)


def default_list(folder):
    os.chmod(folder, 0o777)
    done = harness.run(["setfacl", "-d", "-m", "u::rwx,u:1234:rwx,g::r-x,g:4321:r--,m::rwx,o::---", folder])
    check.equal((0, ""), (done.code, done.err), "setfacl")


def run(bed, name, words, prepare, toto, *, as_user=True, umask=0o022):
    folder = bed.path / name
    folder.mkdir()
    prepare(folder)
    env = {}
    if toto is not None:
        env = {"LD_PRELOAD": harness.any_library(), **toto}
    who = AS_USER if as_user else []
    return harness.run([*who, "env", *(f"{k}={v}" for k, v in env.items()), program, *words], cwd=folder, umask=umask)


def compare_mpi(bed, mpi, prepare, umask):
    """Files that MPI_File_open makes, one rank beforehand where they get a layout."""
    left = []
    for how, toto in (("bare", None), ("ours", {"TOTO_HINTS": "*:striping_factor=2:striping_unit=1048576"})):
        folder = bed.path / f"{mpi.name}.{prepare.__name__}.{umask:o}.{how}"
        folder.mkdir()
        prepare(folder)
        done = mpi.run(2, mpi.program("mpi_calls"), "amode", folder / "file", toto=toto, umask=umask)
        check.equal(0, done.code, f"{folder.name}: exit code ({done.err})")
        left.append(owners(folder))
    check.equal(*left, f"{mpi.name}, {prepare.__name__}, umask {umask:o}: modes, owners, access lists")
    check.that(len(left[1]) >= 4, "files were made", left[1])


def compare(bed, name, words, prepare, *, messages=0, **how):
    bare = run(bed, f"{name}.bare", words, prepare, None, **how)
    ours = run(bed, f"{name}.ours", words, prepare, RULE, **how)
    check.equal((bare.code, bare.out), (ours.code, ours.out), f"{name}: exit code and each outcome")
    check.equal(bare.err, ours.err_without_toto, f"{name}: standard error")
    check.equal(messages, len(ours.toto_lines), f"{name}: messages: {ours.toto_lines}")
    left = owners(bed.path / f"{name}.bare")
    check.equal(left, owners(bed.path / f"{name}.ours"), f"{name}: modes, owners, access lists")
    return bare, left


if os.geteuid() != 0 or shutil.which("setpriv") is None:
    harness.skip("needs root, and setpriv to become another user")
with stripes.striped(sys.argv[1]) as bed:
    os.chmod(bed.path, 0o755)
    probe = harness.run([*AS_USER, "test", "-x", program, "-a", "-r", harness.any_library(), "-a", "-x", bed.path])
    if probe.code != 0:
        harness.skip("another user cannot reach the program, the library or the file system from here")
    for umask in (0, 0o027, 0o077):
        compare(bed, f"plain.{umask:o}", ["all"], plain, umask=umask)
    _, left = compare(bed, "setgid", ["all"], set_gid)
    check.equal((oct(0o100644), USER, OTHER_GROUP), left["open.644.dat"][:3], "a set-gid folder hands its group on")
    compare(bed, "setgid.root", ["all"], set_gid, as_user=False)
    compare(bed, "sticky", ["all"], sticky)
    compare(bed, "sticky.another", ["few"], sticky_of_another)
    if bed.on_ceph and shutil.which("setfacl"):
        for umask in (0, 0o077):
            _, left = compare(bed, f"list.{umask:o}", ["all"], default_list, umask=umask)
        check.that(left["open.644.dat"][3] != "none", "a default access list is handed on", left["open.644.dat"])
    for mpi in (harness.Bed(name) for name in harness.beds()):
        for prepare in [set_gid] + ([default_list] if bed.on_ceph and shutil.which("setfacl") else []):
            compare_mpi(bed, mpi, prepare, 0o077)
    if bed.on_ceph:
        def full(folder):
            plain(folder)
            harness.run(["setfattr", "-n", "ceph.quota.max_files", "-v", "1", folder])
        bare, _ = compare(bed, "quota", ["few"], full, messages=1)
        check.that("EDQUOT" in bare.out, "the quota is exceeded without us", bare.out)
    else:
        for fault in ("create", "setlayout", "link"):
            bed.fail(f"{fault}=EDQUOT")
            bare, _ = compare(bed, f"quota.{fault}", ["few"], plain, messages=1)
            bed.fail("")
            check.equal(fault == "create", "EDQUOT" in bare.out, f"{fault}: EDQUOT without us")
check.end()
