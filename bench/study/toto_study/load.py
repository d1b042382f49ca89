# SPDX-License-Identifier: BSD-3-Clause
"""Reads a study's YAML file. All that is wrong with it is said at once, with the place and what is allowed."""

import copy
import os

import yaml

from . import keys
from .errors import StudyError, did_you_mean, say
from .model import Constraint, Parser, Probes, Script, Slurm, Study, Variable
from .template import check_expression, check_template, is_template


class _Loader(yaml.SafeLoader):
    """SafeLoader, but a key that stands twice is an error rather than forgotten."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, str) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key \"{key}\" stands twice", key_node.start_mark)
            if isinstance(key, str):
                seen.add(key)
        return super().construct_mapping(node, deep)


def load(path, machine=None):
    try:
        with open(path, encoding="utf-8") as file:
            data = yaml.load(file, _Loader)  # a SafeLoader
    except OSError as why:
        raise StudyError(f"{path}: {why.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as why:
        raise StudyError(f"{path}: {' '.join(str(why).split())}") from None
    if not isinstance(data, dict):
        raise StudyError(f"{path}: this is no study: a map with benchmark, vars, command and scripts is expected")
    return _Reader(os.path.abspath(path)).study(data, machine or os.environ.get("IOPS_MACHINE"))


def _merged(base, over):
    """A machine's changes laid over the study: maps key by key, lists of named things by their names."""
    if isinstance(base, dict) and isinstance(over, dict):
        out = dict(base)
        for key, value in over.items():
            out[key] = _merged(base[key], value) if key in base else copy.deepcopy(value)
        return out
    if isinstance(base, list) and isinstance(over, list) and all(
            isinstance(one, dict) and "name" in one for one in base + over):
        out = list(base)
        names = [one["name"] for one in out]
        for one in over:
            if one["name"] in names:
                at = names.index(one["name"])
                out[at] = _merged(out[at], one)
            else:
                out.append(one)
        return out
    return copy.deepcopy(over)


class _Reader:
    def __init__(self, path):
        self.path = path
        self.wrong = []
        self.idle = []

    # --- what all sections need ---------------------------------------------------------------------------

    def complain(self, text):
        self.wrong.append(text)

    def section(self, data, table, where):
        """`data` as a map that holds known keys only."""
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.complain(f"{where}: a map is expected, not {data!r}")
            return {}
        for key in data:
            state = table.get(key)
            place = f"{where}.{key}" if where else str(key)
            if state is None:
                self.complain(f"{place}: unknown key{did_you_mean(key, table)}; known: {', '.join(sorted(table))}")
            elif state == keys.NOT_HERE:
                self.complain(f"{place}: known to IOPS, but {keys.NOT_HERE}")
            elif state == keys.NO_EFFECT:
                self.idle.append(place)
        return data

    def text(self, data, key, where, default=None, needed=False):
        value = data.get(key)
        if value is None:
            if needed:
                self.complain(f"{where}.{key}: missing")
            return default
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            self.complain(f"{where}.{key}: a text is expected, not {value!r}")
            return default
        return str(value)

    def number(self, data, key, where, default, least, whole=False):
        value = data.get(key)
        if value is None:
            return default
        good = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool) and value >= least
        if not good:
            self.complain(f"{where}.{key}: a {'whole ' if whole else ''}number of at least {least} is expected, "
                          f"not {value!r}")
            return default
        return value

    def boolean(self, data, key, where, default):
        value = data.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.complain(f"{where}.{key}: true or false is expected, not {value!r}")
            return default
        return value

    def word(self, data, key, where, allowed, default):
        value = data.get(key, default)
        if value not in allowed:
            self.complain(f"{where}.{key}: {value!r} is not allowed{did_you_mean(value, allowed)}; "
                          f"allowed: {', '.join(allowed)}")
            return default
        if isinstance(allowed, dict) and allowed[value] == keys.NOT_HERE:
            self.complain(f"{where}.{key}: {value!r} is known to IOPS, but {keys.NOT_HERE}; "
                          f"here: {', '.join(one for one, state in allowed.items() if state == keys.DONE)}")
        return value

    def words(self, data, key, where):
        value = data.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.complain(f"{where}.{key}: a list of names is expected, not {value!r}")
            return []
        return value

    def items(self, data, where):
        if data is None:
            return []
        if not isinstance(data, list):
            self.complain(f"{where}: a list is expected, not {data!r}")
            return []
        return data

    def checked(self, check, text, where):
        try:
            if isinstance(text, str):
                check(text, where)
        except StudyError as why:
            self.complain(str(why))

    def file_or_text(self, text, where):
        """A template that is the name of a file is read from there; relative to the study's file."""
        if text is None or "\n" in text or is_template(text):
            return text
        path = os.path.join(os.path.dirname(self.path), os.path.expanduser(text))
        if not os.path.isfile(path):
            return text
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError) as why:
            self.complain(f"{where}: {path}: {why}")
            return text

    # --- the sections -------------------------------------------------------------------------------------

    def study(self, data, machine):
        data = self.for_machine(data, machine)
        self.section(data, keys.TOP, "")
        benchmark = self.benchmark(data.get("benchmark"))
        self.section(benchmark.get("bayesian_config"), keys.BAYESIAN, "benchmark.bayesian_config")
        self.section(data.get("reporting"), keys.REPORTING, "reporting")
        self.idle = [one for one in self.idle  # the sections themselves are told, not each of their keys
                     if not one.startswith(("reporting.", "benchmark.bayesian_config."))]
        command = self.section(data.get("command"), keys.COMMAND, "command")
        template = self.text(command, "template", "command", "", needed=True)
        self.checked(check_template, template, "command.template")
        sink = self.section(self.section(data.get("output"), keys.OUTPUT, "output").get("sink"), keys.SINK,
                            "output.sink")
        self.word(sink, "type", "output.sink", keys.SINKS, "csv")
        sampling = self.section(benchmark.get("random_config"), keys.RANDOM, "benchmark.random_config")
        search = self.word(benchmark, "search_method", "benchmark", keys.SEARCHES, "exhaustive")
        if search == "random" and not ({"n_samples", "percentage"} & set(sampling)):
            self.complain("benchmark.random_config: n_samples or percentage is needed for search_method: random")
        variables = self.variables(data.get("vars"))
        study = Study(
            source=self.path,
            name=self.text(benchmark, "name", "benchmark", "study", needed=True),
            description=self.text(benchmark, "description", "benchmark", ""),
            workdir=os.path.expandvars(os.path.expanduser(
                self.text(benchmark, "workdir", "benchmark", "./workdir", needed=True))),
            repetitions=self.number(benchmark, "repetitions", "benchmark", 1, 1, whole=True),
            seed=self.number(benchmark, "random_seed", "benchmark", 42, 0, whole=True),
            executor=self.word(benchmark, "executor", "benchmark", keys.EXECUTORS, "slurm"),
            variables=variables, constraints=self.constraints(data.get("constraints"), variables),
            command=template, labels=self.texts(command, "labels"), env=self.texts(command, "env"),
            scripts=self.scripts(data.get("scripts")),
            sink=self.text(sink, "path", "output.sink", "{{ workdir }}/results.csv"),
            sink_exclude=self.words(sink, "exclude", "output.sink"),
            probes=self.probes(benchmark.get("probes")), slurm=self.slurm(benchmark.get("slurm_options")),
            cache_file=self.text(benchmark, "cache_file", "benchmark"),
            cache_exclude=self.words(benchmark, "cache_exclude_vars", "benchmark"),
            cores_expr=self.text(benchmark, "cores_expr", "benchmark"),
            max_core_hours=self.number(benchmark, "max_core_hours", "benchmark", None, 0),
            estimated_seconds=self.number(benchmark, "estimated_time_seconds", "benchmark", None, 0),
            samples=self.number(sampling, "n_samples", "benchmark.random_config", None, 1, whole=True)
            if search == "random" else None,
            percentage=self.number(sampling, "percentage", "benchmark.random_config", None, 0)
            if search == "random" else None)
        for name in study.cache_exclude:
            if name not in variables:
                self.complain(f"benchmark.cache_exclude_vars: no variable {name!r}{did_you_mean(name, variables)}")
        self.checked(check_template, study.sink, "output.sink.path")
        if self.wrong:
            raise StudyError(f"{self.path}: " + "\n  ".join(self.wrong))
        for place in self.idle:
            say(f"{place}: {keys.NO_EFFECT}")
        return study

    def for_machine(self, data, machine):
        machines = data.get("machines")
        if machines is not None and not isinstance(machines, dict):
            self.complain(f"machines: a map is expected, not {machines!r}")
            return data
        for name, changes in (machines or {}).items():
            self.section(changes, {key: state for key, state in keys.TOP.items() if key != "machines"},
                         f"machines.{name}")
        if machine is None:
            return data
        if machine not in (machines or {}):
            raise StudyError(f"{self.path}: no machine {machine!r}{did_you_mean(machine, machines or {})}; "
                             f"there: {', '.join(machines or {}) or 'none'}")
        return _merged({key: value for key, value in data.items() if key != "machines"}, machines[machine])

    def benchmark(self, data):
        data = dict(self.section(data, keys.BENCHMARK, "benchmark"))
        for old, path in keys.OLD_NAMES.items():
            if old not in data:
                continue
            new = "benchmark." + ".".join(path)
            value = data.pop(old)
            target = data
            for part in path[:-1]:
                target[part] = dict(target.get(part) or {})
                target = target[part]
            if path[-1] in target:
                self.complain(f"benchmark.{old}: the older name of {new}, which is there too")
            target[path[-1]] = value
            say(f"benchmark.{old}: older name of {new}")
        return data

    def probes(self, data):
        where = "benchmark.probes"
        data = self.section(data, keys.PROBES, where)
        versions = data.get("versions") or {}
        if not isinstance(versions, dict):
            self.complain(f"{where}.versions: a map of names and commands is expected, not {versions!r}")
            versions = {}
        return Probes(self.boolean(data, "system_snapshot", where, True),
                      self.boolean(data, "execution_index", where, True),
                      self.boolean(data, "resource_sampling", where, False),
                      float(self.number(data, "sampling_interval", where, 1.0, 0.001)), versions)

    def slurm(self, data):
        where = "benchmark.slurm_options"
        data = self.section(data, keys.SLURM, where)
        commands = self.section(data.get("commands"), keys.SLURM_COMMANDS, where + ".commands")
        slurm = Slurm(poll_interval=float(self.number(data, "poll_interval", where, 30.0, 0.05)))
        for key in keys.SLURM_COMMANDS:
            setattr(slurm, key, self.text(commands, key, where + ".commands", getattr(slurm, key)))
        return slurm

    def texts(self, command, key):
        data = command.get(key) or {}
        if not isinstance(data, dict):
            self.complain(f"command.{key}: a map is expected, not {data!r}")
            return {}
        return data

    def variables(self, data):
        if not isinstance(data, dict) or not data:
            self.complain("vars: a map of variables is expected")
            return {}
        found = {}
        for name, one in data.items():
            where = f"vars.{name}"
            if not isinstance(name, str) or not name.isidentifier():
                self.complain(f"{where}: no name for a variable (letters, digits, _; YAML takes on, off, yes and no "
                              "for true and false)")
                continue
            one = self.section(one, keys.VARIABLE, where)
            kind = self.word(one, "type", where, keys.TYPES, "str") if "type" in one else "str"
            if "type" not in one:
                self.complain(f"{where}.type: missing; allowed: {', '.join(keys.TYPES)}")
            variable = Variable(name, kind, expr=self.text(one, "expr", where), when=self.text(one, "when", where),
                                default=one.get("default"))
            if ("sweep" in one) == (variable.expr is not None) and "adaptive" not in one:
                self.complain(f"{where}: either sweep or expr is needed")
            elif "sweep" in one:
                variable.values = self.sweep(one["sweep"], kind, where + ".sweep")
            if variable.when is not None:
                self.checked(check_expression, variable.when, where + ".when")
                if variable.expr is not None:
                    self.complain(f"{where}.when: goes with sweep only")
                if "default" not in one:
                    self.complain(f"{where}.default: missing; needed where `when` does not hold")
            if variable.expr is not None and not is_template(variable.expr) and kind != "str":
                self.checked(check_expression, variable.expr, where + ".expr")
            elif variable.expr is not None:
                self.checked(check_template, variable.expr, where + ".expr")
            found[name] = variable
        return found

    def sweep(self, data, kind, where):
        data = self.section(data, keys.SWEEP, where)
        mode = self.word(data, "mode", where, ("list", "range"), "list")
        if mode == "list":
            values = data.get("values")
            if not isinstance(values, list) or not values:
                self.complain(f"{where}.values: a list with at least one value is expected, not {values!r}")
                return []
            return values
        numbers = [data.get(key, 1 if key == "step" else None) for key in ("start", "end", "step")]
        if not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers) or numbers[2] == 0:
            self.complain(f"{where}: whole numbers start, end and step (not 0) are expected")
            return []
        start, end, step = numbers
        values = list(range(start, end + (1 if step > 0 else -1), step))
        if not values:
            self.complain(f"{where}: no value between {start} and {end} by steps of {step}")
        return values

    def constraints(self, data, variables):
        found = []
        for at, one in enumerate(self.items(data, "constraints")):
            where = f"constraints[{at}]"
            one = self.section(one, keys.CONSTRAINT, where)
            rule = self.text(one, "rule", where, "True", needed=True)
            self.checked(check_expression, rule, where + ".rule")
            found.append(Constraint(self.text(one, "name", where, where), rule,
                                    self.word(one, "violation_policy", where, keys.POLICIES, "skip")))
        return found

    def scripts(self, data):
        found = []
        for at, one in enumerate(self.items(data, "scripts")):
            where = f"scripts[{at}]"
            one = self.section(one, keys.SCRIPT, where)
            template = self.file_or_text(self.text(one, "script_template", where, "", needed=True), where)
            self.checked(check_template, template, where + ".script_template")
            name = self.text(one, "name", where, "script")
            if "/" in name:
                self.complain(f"{where}.name: {name!r} becomes part of a file's name")
            post = self.section(one.get("post"), keys.POST, where + ".post")
            found.append(Script(name, template,
                                self.file_or_text(self.text(post, "script", where + ".post"), where + ".post"),
                                self.parser(one.get("parser"), where + ".parser"),
                                self.inputs(one.get("inputs"), where + ".inputs")))
        if not found:
            self.complain("scripts: at least one is needed")
        return found

    def parser(self, data, where):
        if data is None:
            return None
        data = self.section(data, keys.PARSER, where)
        metrics = []
        for at, one in enumerate(self.items(data.get("metrics"), where + ".metrics")):
            one = self.section(one, keys.METRIC, f"{where}.metrics[{at}]")
            metrics.append(self.text(one, "name", f"{where}.metrics[{at}]", "", needed=True))
        script = self.file_or_text(self.text(data, "parser_script", where, "", needed=True), where)
        if script:
            try:
                compile(script, where, "exec")
            except (SyntaxError, ValueError) as why:
                self.complain(f"{where}.parser_script: {why}")
        return Parser(self.text(data, "file", where, "", needed=True), metrics, script)

    def inputs(self, data, where):
        found = []
        for at, one in enumerate(self.items(data, where)):
            place = f"{where}[{at}]"
            one = self.section(one, keys.INPUT, place)
            if ("template" in one) == ("file" in one):
                self.complain(f"{place}: either template or file is needed")
                continue
            name = self.text(one, "name", place, "", needed=True)
            template = self.text(one, "template", place)
            if template is None:
                given = self.text(one, "file", place, "")
                template = self.file_or_text(given, place)
                if template == given:
                    self.complain(f"{place}.file: no file {given!r}")
            found.append({"name": name, "template": template, "path": self.text(one, "path", place),
                          "mode": self.text(one, "mode", place)})
        return found
