# SPDX-License-Identifier: BSD-3-Clause
"""A parallel h5py program that knows nothing of TOTO: all ranks write one file, some of it collectively, and read it back.
usage: fields_h5py.py FILE"""
import sys

from mpi4py import MPI
import h5py

world = MPI.COMM_WORLD
mine = 5000
with h5py.File(sys.argv[1], "w", driver="mpio", comm=world) as file:
    for name in ("density", "pressure"):
        data = file.create_dataset(name, (mine * world.size,), dtype="f8")
        start = mine * world.rank
        if name == "density":
            with data.collective:
                data[start:start + mine] = float(world.rank)
        else:
            data[start:start + mine] = float(world.rank)
with h5py.File(sys.argv[1], "r", driver="mpio", comm=world) as file:
    other = (world.rank + 1) % world.size
    assert (file["density"][mine * other:mine * (other + 1)] == other).all()
