# SPDX-License-Identifier: BSD-3-Clause
"""A parallel mpi4py program that knows nothing of TOTO: a two-dimensional field written through a view, collectively; logs by
the shared pointer, in order; pieces that are posted and waited for; reads of another rank's part. usage: fields_mpi4py.py FOLDER"""
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
ROWS, COLUMNS = 64, 50  # of each rank: it has columns of its own
folder = sys.argv[1]


def part(rank):
    return bytearray((rank * 31 + row * 7 + column) % 251 for row in range(ROWS) for column in range(COLUMNS))


def columns(rank):
    return MPI.BYTE.Create_subarray([ROWS, COLUMNS * world.size], [ROWS, COLUMNS], [0, COLUMNS * rank]).Commit()


info = MPI.Info.Create()
info.Set("cb_buffer_size", "524288")
info.Set("romio_cb_write", "enable")
file = MPI.File.Open(world, f"{folder}/field", MPI.MODE_CREATE | MPI.MODE_RDWR, info)
info.Free()
view = columns(world.rank)
file.Set_view(0, MPI.BYTE, view, "native")
file.Write_all(part(world.rank))
file.Sync()
world.Barrier()
other = (world.rank + 1) % world.size
other_view = columns(other)
file.Set_view(0, MPI.BYTE, other_view, "native")
got = bytearray(ROWS * COLUMNS)
file.Read_all(got)
assert got == part(other)
file.Close()
view.Free()
other_view.Free()

log = MPI.File.Open(world, f"{folder}/log", MPI.MODE_CREATE | MPI.MODE_WRONLY)
for step in range(3):
    log.Write_ordered(f"rank {world.rank} step {step}\n".encode())
log.Close()

pieces = MPI.File.Open(world, f"{folder}/pieces", MPI.MODE_CREATE | MPI.MODE_RDWR)
mine = [part(world.rank + step) for step in range(4)]
MPI.Request.Waitall([pieces.Iwrite_at((step * world.size + world.rank) * len(data), data) for step, data in enumerate(mine)])
pieces.Write_at_all_begin(4 * world.size * len(mine[0]) + world.rank, bytes([65 + world.rank]))
pieces.Write_at_all_end(bytes([65 + world.rank]))
pieces.Close()
own = MPI.File.Open(MPI.COMM_SELF, f"{folder}/own.{world.rank}", MPI.MODE_CREATE | MPI.MODE_WRONLY | MPI.MODE_EXCL)
own.Write(b"of one rank")
own.Close()
if world.rank == 0:
    print("fields: all there")
