#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The model of bench/scale_sim does the arithmetic that it claims: trees of known size, by hand."""
import math
import re
import sys

from harness import SOURCE, Check

sys.path.insert(0, str(SOURCE / "bench" / "scale_sim"))
import model

check = Check()
c = model.Constants(o=2.0, L=10.0, G=0.5)  # easy numbers

one = model.reduction(2, 4, 100.0, c)
check.equal((2 + 10 + 2 + 2 + 100, 1, 4, 1), (one.seconds, one.messages, one.bytes, one.busiest), "one message, and one merge")
# Rank 0 hears of 1 at 14 + 2 and merges until 116; of 2, which heard of 3, by 116 + 14 and merges 102 more.
check.equal((116 + 14 + 102, 3, 12, 2), tuple(vars(model.reduction(4, 4, 100.0, c)).values()), "two levels of a reduction")
# 0 sends to 2 until 4; it has it at 4 + 10 + 2; 0 then to 1: 8 + 12; 2 to 3: 16 + 4 + 12.
check.equal((32, 3, 12, 2), tuple(vars(model.broadcast(4, 4, c)).values()), "two levels of a broadcast")
check.equal((2 * 2 + 10 + 8 * 0.5, 2, 16, 1), tuple(vars(model.all_gathering(2, 8, c)).values()), "an all-gather of two")
for ranks in (3, 5, 100, 1000):
    for cost in (model.reduction(ranks, 4, 0.0, c), model.broadcast(ranks, 4, c)):
        check.equal((ranks - 1, math.ceil(math.log2(ranks))), (cost.messages, cost.busiest), f"{ranks} ranks: a message each, a tree's depth")
    gathered = model.all_gathering(ranks, 8, c)
    check.equal(ranks * (ranks - 1) * 8, gathered.bytes, f"{ranks} ranks: everybody gets everything once")
sizes = {"decision": 1024, "family": 3000, "sketch": 1600, "summary": 90000, "merge_ns": {"family": 1}}
for name in model.STEPS:
    check.equal(0, model.step(name, 1, 64, sizes, c).messages, f"{name}: a rank alone sends nothing")
    few, many = (model.step(name, ranks, 64, sizes, model.Constants(1e-6, 1e-6, 1e-10)) for ranks in (1024, 100000))
    check.that(few.seconds < many.seconds < 20 * few.seconds, f"{name}: grows, and much less than the ranks", f"{few} {many}")
check.equal((16, 1000, 1), (model.parties(model.LEADERS, 1000, 64), model.parties(model.SEVERAL, 1000, 64),
                            model.parties(model.SEVERAL, 64, 64)), "leaders of nodes; nobody talks on a single one")

# The spy sees every call by which the library could send something: what pmpi/real.h names and is not local.
LOCAL = {"Test", "Group_size", "Group_translate_ranks", "Comm_group", "Comm_rank", "Comm_set_errhandler", "Comm_size",
         "Comm_test_inter", "Get_elements_x", "Get_library_version", "Group_free", "Info_create", "Info_dup", "Info_free",
         "Info_get", "Info_get_nkeys", "Info_get_nthkey", "Info_set", "Op_create", "Op_free", "Query_thread",
         "Type_commit", "Type_contiguous", "Type_free", "Type_size_x"}
FREES = {"Comm_free"}  # collective by the standard, local in the libraries at hand
used = set(re.findall(r"^  X\((\w+)\)", (SOURCE / "pmpi/real.h").read_text(), re.M))
spied = set(re.findall(r"^int PMPI_(\w+)\(", (SOURCE / "bench/scale_sim/spy.c").read_text(), re.M))
check.that(len(used) > 20, "the list of calls in pmpi/real.h is found", str(used))
check.equal(set(), used - LOCAL - FREES - spied, "calls that may send and that the spy does not see")
modelled = {kind for calls in model.STEPS.values() for kind, _, _ in calls}
check.equal(set(), modelled - spied, "calls of the model that the spy does not see")
check.end()
