# SPDX-License-Identifier: BSD-3-Clause
"""What the library sends, and how long that takes in the LogGP model: a message of k bytes costs its sender o, is
L + k G on its way, and costs its receiver o; nobody sends or receives two at once.

STEPS lists the collective calls as pmpi/ makes them (life.cc, nodes.cc, open.cc, rounds.cc, reduce.cc); `run` compares
the list with what a spy sees in real runs. Trees are binomial: so MPICH and Open MPI do it for operations of one's
own on one element, which cannot be cut into pieces. An all-reduce is a reduction and a broadcast. All messages cost the
same, within a node or not.
"""

import math
from dataclasses import dataclass

WORLD, LEADERS, SEVERAL = "world", "leaders", "world, where there are several nodes"
INT = 4
FACTS, PAIR, NUMBERS = 11 * INT, 2 * INT, 3 * INT  # pmpi/life.cc: Facts; nodes.cc: `mine`; reduce.h: Numbers

# step: [(call, who takes part, what is sent)]; a name is a size of sizes.cc
STEPS = {
    "init": [("Iallreduce", WORLD, FACTS)],
    "init, with a report": [("Comm_split", SEVERAL, 0), ("Iallreduce", SEVERAL, PAIR)],
    "open, first of a communicator": [("Comm_create", WORLD, 0), ("Bcast", WORLD, "decision")],
    "open": [("Bcast", WORLD, "decision")],
    "close": [("Reduce", WORLD, "family")],
    "round": [("Iallreduce", LEADERS, "sketch")],
    "end, with a report": [("Iallreduce", SEVERAL, NUMBERS), ("Iallreduce", LEADERS, "sketch"),
                           ("Iallreduce", SEVERAL, NUMBERS), ("Ireduce", LEADERS, "summary")],
}
# Calls that make communicators, as MPI does them within: an agreement on a context (MPICH: a mask of 2048 bits), and for
# a split the color and key of every rank to every rank.
CONTEXT, COLOR_AND_KEY = 256, 8


@dataclass
class Cost:
    seconds: float = 0.0   # until the last rank has what it waits for
    messages: int = 0      # of all ranks together
    bytes: int = 0
    busiest: int = 0       # messages of the rank that has most

    def __add__(self, other):
        return Cost(self.seconds + other.seconds, self.messages + other.messages, self.bytes + other.bytes,
                    self.busiest + other.busiest)


@dataclass
class Constants:
    o: float
    L: float
    G: float


def levels(ranks):
    return max(0, (ranks - 1).bit_length())


def reduction(ranks, size, merge, c):
    """To rank 0: r sends to r without its lowest bit, once its own children have sent."""
    ready = [0.0] * ranks
    for rank in range(ranks - 1, -1, -1):  # a child has a higher number than its parent
        at, bit = 0.0, 1
        while rank & bit == 0 and rank + bit < ranks:
            at = max(at, ready[rank + bit] + c.o + c.L + size * c.G) + c.o + merge
            bit *= 2
        ready[rank] = at
    return Cost(ready[0], ranks - 1, (ranks - 1) * size, levels(ranks))


def broadcast(ranks, size, c):
    """From rank 0, to the farthest child first."""
    ready = [0.0] * ranks
    for rank in range(ranks):
        bit = 1
        while rank & bit == 0 and bit < ranks:
            bit *= 2
        at = ready[rank]
        while bit > 1:
            bit //= 2
            if rank + bit < ranks:
                at += c.o + size * c.G
                ready[rank + bit] = at + c.L + c.o
    return Cost(max(ready), ranks - 1, (ranks - 1) * size, levels(ranks))


def all_reduction(ranks, size, merge, c):
    return reduction(ranks, size, merge, c) + broadcast(ranks, size, c)


def all_gathering(ranks, size, c):
    """Bruck's: in step k everybody sends all that it has, 2^k pieces."""
    cost = Cost()
    have = 1
    while have < ranks:
        piece = min(have, ranks - have) * size
        cost += Cost(2 * c.o + c.L + piece * c.G, ranks, ranks * piece, 1)
        have *= 2
    return cost


def call(kind, ranks, size, merge, c):
    if ranks < 2:
        return Cost()
    if kind in ("Allreduce", "Iallreduce"):
        return all_reduction(ranks, size, merge, c)
    if kind in ("Reduce", "Ireduce"):
        return reduction(ranks, size, merge, c)
    if kind == "Bcast":
        return broadcast(ranks, size, c)
    made = all_reduction(ranks, CONTEXT, 0.0, c)
    return made if kind == "Comm_create" else made + all_gathering(ranks, COLOR_AND_KEY, c)


def parties(who, ranks, per_node):
    leaders = math.ceil(ranks / per_node)
    return {WORLD: ranks, LEADERS: leaders, SEVERAL: ranks if leaders > 1 else 1}[who]


def step(name, ranks, per_node, sizes, c):
    cost = Cost()
    for kind, who, what in STEPS[name]:
        size = sizes[what] if isinstance(what, str) else what
        merge = sizes["merge_ns"].get(what, 0) * 1e-9
        cost += call(kind, parties(who, ranks, per_node), size, merge, c)
    return cost


def expected(name, ranks, per_node, sizes):
    """[(call, communicator size, bytes)] that rank 0 makes; nothing is asked where there is one node."""
    return [(kind, parties(who, ranks, per_node), sizes[what] if isinstance(what, str) else what)
            for kind, who, what in STEPS[name] if who == WORLD or parties(who, ranks, per_node) > 1]
