# SPDX-License-Identifier: BSD-3-Clause
"""Files on a real CephFS get the layout that was decided, and their bytes lie in the objects and on the OSDs that it tells:
written by POSIX, by each MPI-IO, by parallel h5py. usage: run spread.py"""
import os
import pathlib
import subprocess

import harness
import objects

SIZE = 20 << 20
RULE = "*:striping_factor=4:striping_unit=65536"
WANTED = (65536, 4, 4 << 20)  # the object size is CephFS's own
FALLBACK = (4 << 20, 1, 4 << 20)
OSDS = 4

check = harness.Check()
mounted = pathlib.Path(os.environ["CEPHFS"])
storage = objects.Storage()
every_osd = set()


def posix(path, toto):
    source = mounted / "source"
    if not source.exists():
        source.write_bytes(os.urandom(SIZE))
    return harness.run_alone("dd", f"if={source}", f"of={path}", "bs=1M", "status=none", "conv=fsync", toto=toto)


def mpi(bed):
    return lambda path, toto: bed.run(2, bed.program("blocks"), path, SIZE // 2, toto=toto)


def h5py(bed):
    script = harness.SOURCE / "tests" / "mpi" / "fields_h5py.py"
    return lambda path, toto: bed.run(2, "/usr/bin/python3", script, path, toto=toto)


def writers():
    """(kind, name, how): those of a kind write the same bytes."""
    yield "posix", "posix", posix
    for name in harness.beds():
        yield "mpi", name, mpi(harness.Bed(name))
    there = subprocess.run(["/usr/bin/python3", "-c", "import mpi4py, h5py"], capture_output=True, check=False)
    if there.returncode != 0:
        print("h5py or mpi4py is not installed (packages python3-h5py-mpi, python3-mpi4py): left out")
        return
    for name in harness.beds():
        if harness.Bed(name).is_open_mpi:  # the distribution's mpi4py is Open MPI's
            yield "h5py", f"{name}.h5py", h5py(harness.Bed(name))


def look(name, path, wanted):
    """The file's layout, objects and contents."""
    layout = objects.Layout(path)
    check.equal(wanted, (layout.unit, layout.count, layout.object_size), f"{name}: layout")
    size = path.stat().st_size
    found = storage.objects(path)
    sizes = layout.object_sizes(size)
    check.that(size > 2 * layout.unit or wanted == FALLBACK, f"{name}: large enough to have stripes", size)
    check.equal(sizes, {index: len(data) for index, data in found.items()}, f"{name}: objects and their sizes")
    if found.keys() >= sizes.keys():
        check.that(objects.put_together(layout, found, size) == path.read_bytes(), f"{name}: objects hold the contents")
    osds = {storage.osd_of(path.stat().st_ino, index) for index in found}
    check.that(osds <= set(range(OSDS)), f"{name}: OSDs", osds)
    every_osd.update(osds)
    return path.read_bytes()


def run(name, how, write, toto, wanted):
    path = mounted / f"{name}.{how}"
    done = write(path, toto)
    check.equal((0, []), (done.code, done.toto_lines), f"{path.name}: exit code, messages ({done.err})")
    return path, look(path.name, path, wanted)


bare = {}  # of each kind
for kind, name, write in writers():
    if kind not in bare:
        _, bare[kind] = run(name, "bare", write, None, FALLBACK)
    report = mounted / f"{name}.json"
    path, contents = run(name, "ours", write, {"TOTO_HINTS": RULE, "TOTO_REPORT": report}, WANTED)
    check.that(bare[kind] == contents, f"{name}: the same contents without and with us")
    outcome = (harness.file_of(harness.report(report), path) or {}).get("outcome", {})
    got = outcome.get("obtained", {})
    check.equal(("verified", WANTED[1], WANTED[0]),
                (outcome.get("status"), got.get("stripe_count"), got.get("stripe_size")), f"{name}: in the report")
# Each file's objects go by a hash; some 50 objects leave no OSD out.
check.equal(set(range(OSDS)), every_osd, "OSDs that have got objects")
check.end()
