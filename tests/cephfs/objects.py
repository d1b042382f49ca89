# SPDX-License-Identifier: BSD-3-Clause
"""Where the bytes of a CephFS file really are, asked of the OSDs and the monitor, not of the file system.

A file of inode INO is cut into objects named INO.INDEX (hexadecimal). Layout: stripe units go round `count` objects until these
are `object_size` long, then round the next `count` (docs.ceph.com/en/latest/cephfs/file-layouts)."""
import json
import os

import rados  # Debian: python3-rados, comes with ceph-common


class Layout:
    def __init__(self, path):
        """As the file system tells it."""
        text = os.getxattr(path, "ceph.file.layout").decode()
        fields = dict(field.split("=", 1) for field in text.split())
        self.unit, self.count, self.object_size = (
            int(fields[key]) for key in ("stripe_unit", "stripe_count", "object_size"))

    def place(self, offset):
        """(index of the object, offset in it) of a file's byte."""
        stripe, column = divmod(offset // self.unit, self.count)
        units = self.object_size // self.unit
        return stripe // units * self.count + column, stripe % units * self.unit + offset % self.unit

    def object_sizes(self, size):
        """{index: bytes} of a file of this size that has no holes."""
        sizes = {}
        for offset in range(0, size, self.unit):
            index, start = self.place(offset)
            sizes[index] = start + min(self.unit, size - offset)
        return sizes


class Storage:
    """The data pool, by librados."""

    def __init__(self):
        self.cluster = rados.Rados(conffile=os.environ["CEPH_CONF"])
        self.cluster.connect(timeout=20)
        self.pool = self.cluster.open_ioctx("data")

    def objects(self, path):
        """{index: contents} of every object that a file has."""
        prefix = f"{os.stat(path).st_ino:x}."
        found = {}
        for name in (one.key for one in self.pool.list_objects()):
            if name.startswith(prefix):
                size, _ = self.pool.stat(name)
                found[int(name[len(prefix):], 16)] = self.pool.read(name, size) if size else b""
        return found

    def osd_of(self, inode, index):
        """Also of a file that is not there yet."""
        command = {"prefix": "osd map", "pool": "data", "object": f"{inode:x}.{index:08x}", "format": "json"}
        code, out, why = self.cluster.mon_command(json.dumps(command), b"")
        if code != 0:
            raise OSError(-code, why)
        return json.loads(out)["acting_primary"]


def put_together(layout, objects, size):
    """A file's contents out of its objects."""
    parts = []
    for offset in range(0, size, layout.unit):
        index, start = layout.place(offset)
        parts.append(objects[index][start:start + min(layout.unit, size - offset)])
    return b"".join(parts)
