#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A study's file is read, or all that is wrong with it is said: the place, the value, what is allowed."""
import studies
from harness import SOURCE, Check, folder
from studies import tiny

from toto_study import keys
from toto_study.errors import StudyError
from toto_study.load import load

check = Check()


def message(where, study):
    try:
        load(str(studies.write(where, study)))
    except StudyError as why:
        return str(why)
    return ""


with folder() as where:
    good = load(str(studies.write(where, tiny())))
    check.equal(("tiny", 2, 7, "local"), (good.name, good.repetitions, good.seed, good.executor), "what stands there is read")

    for changes, words in (
            ({"benchmark.repetition": 3}, ("benchmark.repetition: unknown key", "did you mean repetitions?")),
            ({"vars.period.sweep.valeus": [1]}, ("vars.period.sweep.valeus", "did you mean values?")),
            ({"scripts.0.parser.metrics": [{"nmae": "x"}]}, ("scripts[0].parser.metrics[0].nmae", "did you mean name?")),
            ({"outputs": {}}, ("outputs: unknown key", "did you mean output?")),
            ({"benchmark.search_method": "bayesian"}, ("'bayesian' is known to IOPS, but not done here", "exhaustive")),
            ({"benchmark.search_method": "bayes"}, ("'bayes' is not allowed", "did you mean bayesian?")),
            ({"output.sink.type": "parquet"}, ("output.sink.type", "not done here")),
            ({"benchmark.slurm_options": {"allocation": {}}}, ("slurm_options.allocation", "not done here")),
            ({"vars.period.adaptive": {}}, ("vars.period.adaptive", "not done here")),
            ({"vars.period.default": None}, ("vars.period.default: missing",)),
            ({"vars.period.type": "integer"}, ("'integer' is not allowed", "did you mean int?")),
            ({"vars.double.expr": "period *"}, ("vars.double.expr",)),
            ({"vars.double.sweep": {"values": [1]}}, ("either sweep or expr",)),
            ({"vars.period.sweep": {"mode": "range", "start": 1, "end": 4, "step": 0}}, ("step (not 0)",)),
            ({"vars.period.sweep": {"values": []}}, ("at least one value",)),
            ({"command.template": "{{ double"}, ("command.template, line 1",)),
            ({"command.template": None}, ("command.template: missing",)),
            ({"scripts": []}, ("scripts: at least one",)),
            ({"scripts.0.parser.parser_script": "def parse(:"}, ("parser_script",)),
            ({"benchmark.repetitions": 0}, ("benchmark.repetitions", "at least 1", "not 0")),
            ({"benchmark.repetitions": "six"}, ("not 'six'",)),
            ({"benchmark.cache_exclude_vars": ["doubel"]}, ("no variable 'doubel'", "did you mean double?")),
            ({"constraints": [{"name": "c", "rule": "1", "violation_policy": "stop"}]}, ("'stop' is not allowed",)),
            ({"benchmark.probes": {"resource_sampling": 1}}, ("true or false is expected, not 1",))):
        said = message(where, tiny(**changes))
        check.that(all(word in said for word in words), f"{changes} is an error that says {words}", said)

    said = message(where, tiny(**{"benchmark.repetition": 3, "vars.period.when": "with_it and"}))
    check.that("benchmark.repetition" in said and "vars.period.when" in said, "all that is wrong is said at once", said)
    said = message(where, "benchmark: {name: a}\nbenchmark: {name: b}\n")
    check.that('"benchmark" stands twice' in said, "a key that stands twice is an error", said)
    check.that("no study" in message(where, "- 1\n"), "a list is no study")
    check.that("vars.True" in message(where, "vars: {on: {type: int, expr: '1'}}\n"), "`on` is told apart from a name")

    done = studies.toto_study(where, "study.yaml")
    check.that(done.code == 2 and done.err.startswith("toto study: ") and not done.out, "the command says it and ends with 2",
               done.err)
    done = studies.toto_study(where, "missing.yaml")
    check.that(done.code == 2 and "missing.yaml: No such file" in done.err, "a file that is not there", done.err)

    # What is without effect is told, and the study is read.
    studies.write(where, tiny(**{"command.metadata": {"a": 1}, "reporting": {"enabled": True}}))
    done = studies.toto_study(where, "check", "study.yaml")
    check.that(done.code == 0 and "command.metadata: without effect here" in done.err
               and "reporting: without effect here" in done.err, "keys without effect are told", done.err)

    # Older names.
    old = load(str(studies.write(where, tiny(**{"benchmark.trace_resources": True, "benchmark.trace_interval": 0.1,
                                                "benchmark.sqlite_db": "c.db"}))))
    check.equal((True, 0.1, "c.db"), (old.probes.resource_sampling, old.probes.sampling_interval, old.cache_file),
                "older names are read")

    machine = tiny(machines={"big": {"benchmark": {"repetitions": 5},
                                     "scripts": [{"name": "s", "script_template": "true"}]}})
    there = load(str(studies.write(where, machine)), "big")
    check.equal((5, "true", True), (there.repetitions, there.scripts[0].template, there.scripts[0].parser is not None),
                "a machine's changes are laid over the study")
    try:
        load(str(where / "study.yaml"), "bgi")
        check.that(False, "an unknown machine is an error")
    except StudyError as why:
        check.that("did you mean big?" in str(why), "an unknown machine is an error with a suggestion", str(why))

tables = [value for name, value in vars(keys).items() if name.isupper() and isinstance(value, dict) and name not in ("OLD_NAMES", "SECTIONS")]
check.that(all(state in (keys.DONE, keys.NO_EFFECT, keys.NOT_HERE) for table in tables for state in table.values()),
           "every key has one of the three states")
check.equal([], [name for name, table in vars(keys).items() if isinstance(table, dict) and name.isupper()
                 and name not in ("SECTIONS", "OLD_NAMES", "SEARCHES", "SINKS")
                 and not any(table is one for one in keys.SECTIONS.values())], "every table is a section of the document")
check.that(keys.document() in (SOURCE / "docs/study.md").read_text(), "docs/study.md has these tables",
           "it should have:\n" + keys.document())
check.end()
