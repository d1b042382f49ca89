# SPDX-License-Identifier: BSD-3-Clause
"""A striped file system to test on, the layout of a file as that tells it, and what a folder holds, for comparing runs."""
import contextlib
import errno
import hashlib
import os
import pathlib
import stat
import re
import struct
import tempfile

import harness


class Striped:
    """A folder on a striped file system; new files there get the layout `fallback`, (count, size), unless told."""

    def __init__(self, path, on_ceph):
        self.path, self.on_ceph = pathlib.Path(path), on_ceph
        self.faults = not on_ceph  # stripefs refuses what it is told to refuse
        untouched = self.path / "untouched"
        untouched.touch()
        if not on_ceph:  # Lustre's layout comes with the first open for writing
            untouched.write_bytes(b"")
        self.fallback = layout(untouched)
        untouched.unlink()

    def fail(self, what):
        os.setxattr(self.path, "stripefs.fail", what.encode())


@contextlib.contextmanager
def striped(dialect="lustre"):
    """The CephFS that tests/cephfs/run has mounted, where that started us; else a stripefs of this dialect."""
    if "CEPHFS" in os.environ:
        yield Striped(tempfile.mkdtemp(dir=os.environ["CEPHFS"]), True)
        return
    with harness.stripefs(dialect, 8) as mounted:
        yield Striped(mounted, False)


def layout(path):
    """(stripe count, stripe size); None: the file has none yet."""
    try:  # in this order: CephFS knows no such attribute as Lustre's, and a file without a layout has none either
        fields = dict(field.split("=", 1) for field in os.getxattr(path, "ceph.file.layout").decode().split())
        return int(fields["stripe_count"]), int(fields["stripe_unit"])
    except OSError as why:
        if why.errno != errno.EOPNOTSUPP:
            raise
    try:
        return lustre_layout(path)
    except OSError as why:
        if why.errno == errno.ENODATA:
            return None
        if why.errno != errno.EOPNOTSUPP:
            raise
    return told_layout(path)


def lustre_layout(path):
    """(stripe count, stripe size) from lustre.lov."""
    blob = os.getxattr(path, "lustre.lov")
    magic, _, _, _, size, count = struct.unpack_from("<IIQQIH", blob)
    assert magic in (0x0BD10BD0, 0x0BD30BD0), hex(magic)
    return count, size


def told_layout(path):
    """(stripe count, stripe size) as stripefs itself says, whatever its dialect."""
    text = os.getxattr(path, "stripefs.layout").decode()
    unit, count = re.search(r"unit=(\d+) count=(\d+)", text).groups()
    return int(count), int(unit)


def set_folder_stripes(path, count, size):
    """The default of a folder of a stripefs that speaks (also) Lustre's language."""
    os.setxattr(path, "lustre.lov", struct.pack("<IIQQIHH", 0x0BD10BD0, 1, 0, 0, size, count, 0xffff))


def listing(path):
    """Name -> (mode, size, contents) of every file below a folder."""
    found = {}
    for entry in sorted(pathlib.Path(path).rglob("*")):
        info = entry.lstat()
        if stat.S_ISREG(info.st_mode):
            found[str(entry.relative_to(path))] = (oct(info.st_mode & 0o7777), info.st_size,
                                                   hashlib.sha1(entry.read_bytes()).hexdigest()[:12])
    return found
