# SPDX-License-Identifier: BSD-3-Clause
"""The table, the goals, and the lines for scripts."""

DATA = {"ns": 40, "instructions": 120, "unwatched_instructions": 25}
MPI = {"ns": 100, "instructions": 400, "unwatched_instructions": None}
STREAM = {"ns": 20, "instructions": None, "unwatched_instructions": 25}
# The most that the library may add: to a call on a watched file, and to one on a file that is not watched.
GOALS = {
    "write": DATA, "pwrite": DATA, "read": DATA, "pread": DATA,
    "writev": DATA, "pwritev": DATA, "readv": DATA, "preadv": DATA,
    "fwrite": STREAM, "fread": STREAM,
    "mpi_write": MPI, "mpi_read": MPI, "mpi_iwrite": MPI,
}
START_MS = 0.2


def goal(call, what):
    for start, goals in GOALS.items():
        if call.startswith(start + "_"):
            return goals[what]
    return None


class Results:
    """calls[call][unit][variant]: what the variant adds; for "bare" the call's own."""

    def __init__(self):
        self.calls = {}
        self.start = {}

    def set(self, call, unit, variant, value):
        self.calls.setdefault(call, {}).setdefault(unit, {})[variant] = value

    def get(self, call, unit, variant):
        return self.calls[call].get(unit, {}).get(variant)

    def as_dict(self):
        return {"calls": self.calls, "start": self.start}


def cell(value, limit=None, digits=0, sign="+"):
    if value is None:
        return "-"
    return f"{value:{sign}.{digits}f}" + ("!" if limit is not None and value > limit else "")


def row_of(results, call):
    """What the tables show of a call, as texts, with a mark at each goal that is missed."""
    ins = {v: results.get(call, "instructions", v)
           for v in ("bare", "forwarder", "unwatched", "watched", "own", "beside")}
    ns = {v: results.get(call, "ns", v) for v in ("bare", "forwarder", "unwatched", "watched", "watched_paired_median",
                                                  "rounds", "beside")}
    limits = {what: goal(call, what) for what in ("ns", "instructions", "unwatched_instructions")}
    # The difference of two runs has the MPI library's own ups and downs in it, and what is spent in us for the program
    # also what MPI-IO's own calls of wrapped functions are: of MPI calls the smaller number is ours.
    ours = call.startswith("mpi_") and ins["own"] is not None and ins["own"] < ins["watched"]
    instructions = [cell(ins["bare"], sign=""), cell(ins["forwarder"]),
                    cell(ins["unwatched"], limits["unwatched_instructions"]),
                    cell(ins["watched"], None if ours else limits["instructions"]),
                    cell(ins["own"], limits["instructions"] if ours else None), cell(ins["beside"])]
    times = [cell(ns["bare"], digits=1, sign=""), cell(ns["forwarder"]), cell(ns["unwatched"]),
             cell(ns["watched"], limits["ns"]), cell(ns["watched_paired_median"]), cell(ns["rounds"], limits["ns"]),
             cell(ns["beside"])]
    return instructions, times


def show(results):
    """Prints the tables; the number of goals for instructions that are missed."""
    missed = 0
    if results.calls:
        print(f"{'':28}{'instructions':^53}   {'nanoseconds (quietest)':^65}")
        print(f"{'call':28}{'bare':>8}{'forward':>9}{'unwatch':>9}{'watched':>9}{'own':>9}{'beside':>9}"
              f"   {'bare':>8}{'forward':>9}{'unwatch':>9}{'watched':>9}{'pairs':>9}{'rounds':>9}{'beside':>9}")
    for call in results.calls:
        instructions, times = row_of(results, call)
        missed += sum(text.endswith("!") for text in instructions)
        print(f"{call:28}{instructions[0]:>8}" + "".join(f"{text:>9}" for text in instructions[1:])
              + f"   {times[0]:>8}" + "".join(f"{text:>9}" for text in times[1:]))
    if results.start:
        print(f"\n{'start of /bin/true':28}{'least ms':>10}{'median':>10}{'added':>10}{'pairs':>10}"
              f"{'page faults':>13}{'instructions':>14}")
    for name, one in results.start.items():
        limit = START_MS if name == "toto" else None
        print(f"{name:28}{cell(one.get('minimum_ms'), digits=3, sign=''):>10}"
              f"{cell(one.get('median_ms'), digits=3, sign=''):>10}{cell(one.get('added_ms'), limit, 3):>10}"
              f"{cell(one.get('added_ms_paired_median'), digits=3):>10}"
              f"{cell(one.get('page_faults'), sign=''):>13}{cell(one.get('added_instructions')):>14}")
    print("\n+: added to bare; pairs: median over the rounds of watched less bare; own: in the library\n"
          "and in MPI functions that it calls for itself; rounds: watched, with rounds every 50 ms, less the same\n"
          "launch without; beside: another library (--beside); !: above the goal")
    return missed


def markdown(results, beside):
    """The same as a document has it."""
    other = any(beside)
    title = ["call", "bare", "forwarder", "unwatched", "watched", "own"] + (["beside"] if other else [])
    title_ns = ["bare", "forwarder", "unwatched", "watched", "with rounds"] + (["beside"] if other else [])
    lines = ["| " + " | ".join(title + [name + ", ns" for name in title_ns]) + " |",
             "|" + " --- |" * (len(title) + len(title_ns))]
    for call in results.calls:
        instructions, times = row_of(results, call)
        del times[4]  # the median of pairs says how quiet the machine was
        if not other:
            del instructions[-1], times[-1]
        lines.append("| " + " | ".join([f"`{call}`", *instructions, *times]) + " |")
    for name, one in results.start.items():
        lines += ["", f"`/bin/true`, {name}: {cell(one.get('minimum_ms'), digits=3, sign='')} ms at least, "
                  f"{cell(one.get('added_ms'), digits=3)} ms added; median of pairs "
                  f"{cell(one.get('added_ms_paired_median'), digits=3)} ms; page faults "
                  f"{cell(one.get('page_faults'), sign='')}; instructions {cell(one.get('added_instructions'))}"]
    return "\n".join(lines)


def figures(results):
    def line(name, value, digits):
        if value is not None:
            print(f"figure micro.{name} {value:.{digits}f}")

    for call in results.calls:
        for unit in ("ns", "instructions"):
            line(f"{call}.bare_{unit}", results.get(call, unit, "bare"), 1)
            line(f"{call}.added_{unit}", results.get(call, unit, "watched"), 1)
            line(f"{call}.unwatched_{unit}", results.get(call, unit, "unwatched"), 1)
            line(f"{call}.forwarder_{unit}", results.get(call, unit, "forwarder"), 1)
            line(f"{call}.beside_{unit}", results.get(call, unit, "beside"), 1)
        line(f"{call}.rounds_ns", results.get(call, "ns", "rounds"), 1)
        line(f"{call}.own_instructions", results.get(call, "instructions", "own"), 1)
    ours = results.start.get("toto", {})
    line("start.added_ms", ours.get("added_ms"), 4)
    line("start.added_ms_median", ours.get("added_ms_paired_median"), 4)
    line("start.added_instructions", ours.get("added_instructions"), 0)
