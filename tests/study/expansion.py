#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A study's points and runs are those that IOPS makes of the same file."""
import studies
from harness import Check, folder
from studies import STUDY, tiny

from toto_study import execution, expand, runner
from toto_study.errors import StudyError
from toto_study.load import load

check = Check()

published = load(str(STUDY / "overhead.yaml"))
kept, left_out, order = runner.plan(published)
check.equal((180, 0, 1080), (len(kept), len(left_out), len(order)), "the published study has 180 points and 1080 runs")
check.equal(36, sum(not one.base["with_toto"] for one in kept), "36 of them are the baseline")
check.equal({0}, {one.base["analysis_period"] for one in kept if not one.base["with_toto"]},
            "whose period is the default")
check.equal(1080, len({(one.number, repetition) for one, repetition in order}), "every run stands once in the order")
first = execution.rendered(published, kept[-1], 2, "/w", "/w/x")
check.that("-z" in first.command and "-F" in first.command and "-b 128mb" in first.command and "\n" not in first.command,
           "the command is rendered in one line", first.command)
check.that("export TOTO_ANALYSIS_PERIOD=2000" in first.script and "env LD_PRELOAD=/home/user/toto/toto.so" in first.script,
           "with the library, the script sets it up", first.script)
check.that("TOTO_" not in execution.rendered(published, kept[0], 1, "/w", "/w/x").script, "and without it, does not")
check.equal("/w/x/summary_180_2.json", first.parser_file, "the parser's file is rendered")

local = load(str(STUDY / "overhead-local.yaml"))
kept, left_out, order = runner.plan(local)
on_stripefs = [one for one in kept if one.base["place"] == "stripefs"]
check.equal((144, 24, 1008), (len(on_stripefs), len(kept) - len(on_stripefs), len(order)),
            "the local study: 144 points on stripefs, 24 in memory, 6 runs of each")

with folder() as where:
    def points(**changes):
        return expand.points(load(str(studies.write(where, tiny(**changes)))))

    check.equal([{"with_it": False, "period": 0}, {"with_it": True, "period": 1}, {"with_it": True, "period": 2}], points(),
                "a conditional variable has its default elsewhere, once")
    check.equal([2, 4, 6], [one["period"] for one in points(**{
        "vars.period": {"type": "int", "sweep": {"mode": "range", "start": 2, "end": 6, "step": 2}},
        "vars.with_it.sweep.values": [1]})], "the end of a range is part of it")
    check.equal([3, 2, 1], [one["period"] for one in points(**{
        "vars.period": {"type": "int", "sweep": {"mode": "range", "start": 3, "end": 1, "step": -1}},
        "vars.with_it.sweep.values": [1]})], "a range can go down")
    check.equal([{"with_it": False, "period": 5}], points(**{
        "vars.with_it.sweep.values": ["no", 0, "false"], "vars.period.default": 5})[:1], "texts become bools")
    check.equal(1, len(points(**{"vars.with_it.sweep.values": [0, "no"]})), "equal points are one")
    # Two conditions that stand before what they look at.
    chain = points(vars={
        "c": {"type": "int", "sweep": {"values": [1, 2]}, "when": "b == 1", "default": 0},
        "b": {"type": "int", "sweep": {"values": [1, 2]}, "when": "a", "default": 0},
        "a": {"type": "bool", "sweep": {"values": [0, 1]}}})
    check.equal([(False, 0, 0), (True, 1, 1), (True, 1, 2), (True, 2, 0)], [(one["a"], one["b"], one["c"]) for one in chain],
                "conditions are looked at in the order of what they need")

    def fails(what, **changes):
        try:
            runner.plan(load(str(studies.write(where, tiny(**changes)))))
        except StudyError as why:
            return check.that(what in str(why), f"an error says {what}", str(why))
        return check.that(False, f"an error says {what}")

    fails("wait for each other", vars={"a": {"type": "int", "sweep": {"values": [1]}, "when": "b", "default": 0},
                                       "b": {"type": "int", "sweep": {"values": [1]}, "when": "a", "default": 0}})
    fails("did you mean with_it?", **{"vars.period.when": "with_ti"})
    fails("is undefined", **{"vars.double.expr": "{{ perod }}"})
    fails("'x' is no int", **{"vars.period.sweep.values": ["x"]})
    fails("no int (Jinja's /", **{"vars.double.expr": "{{ 3 / 2 }}"})
    fails("does not hold", constraints=[{"name": "c", "rule": "double < 4", "violation_policy": "error"}])

    def count(**rule):
        kept_, left, _ = runner.plan(load(str(studies.write(where, tiny(constraints=[{"name": "c"} | rule])))))
        return len(kept_), len(left)
    check.equal((2, 0), count(rule="period < 2"), "a constraint on swept variables leaves points out, before they have a number")
    check.equal((2, 1), count(rule="double < 4"), "one on derived variables does too, and they keep their number")
    check.equal((3, 0), count(rule="double < 4", violation_policy="warn"), "a warning leaves them in")

    values = [execution.all_values(study, one, execution.base_context(study, one, 1, "/w", "/x"))
              for study in [load(str(studies.write(where, tiny(**{
                  "vars.text": {"type": "str", "expr": "{{ 'p' ~ period if with_it else 'none' }}"},
                  "vars.low": {"type": "int", "expr": "min(ceil(period / 3), 5) + abs(-2)"},
                  "vars.share": {"type": "float", "expr": "{{ period / 4 }}"}}))))]
              for one in execution.executions(study)[0]]
    check.equal([("none", 2, 0.0), ("p1", 3, 0.25), ("p2", 3, 0.5)], [(one["text"], one["low"], one["share"]) for one in values],
                "derived variables: templates and Python")

# random.Random(42) as IOPS's planner draws from it: a sample of all points, then a choice for each run. CPython keeps its
# generator's sequence.
by_hand = [('b', 1), ('a', 1), ('c', 1), ('c', 2), ('a', 2), ('b', 2)]
check.equal(by_hand, expand.interleaved(list("abc"), 2, 42), "the order is that of IOPS's planner")
check.that(expand.interleaved(list("abcdef"), 6, 1) != expand.interleaved(list("abcdef"), 6, 2), "another seed, another order")
check.equal(4, len({one for one, _ in expand.interleaved(list("abcdef"), 2, 1, samples=4)}), "random search takes a sample")
check.end()
