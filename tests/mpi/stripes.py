# SPDX-License-Identifier: BSD-3-Clause
"""The layout of a file as the file system tells it, and what a folder holds, for comparing runs."""
import hashlib
import os
import pathlib
import stat
import re
import struct


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
