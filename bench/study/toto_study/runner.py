# SPDX-License-Identifier: BSD-3-Clause
"""Runs a study: every run in its order, each kept with its outcome, until all are done or somebody interrupts."""

import os
import time
from dataclasses import dataclass

from . import execution, local, parse, probes, slurm, template
from .cache import Cache
from .errors import StudyError, say
from .expand import interleaved
from .files import read_json, write_text
from .progress import Progress, clock
from .rundir import ENDS, RunDir
from .sink import Sink, whole_row

EXECUTORS = {"local": local.execute, "slurm": slurm.execute}


@dataclass
class Wishes:
    """What the command line asks for."""
    use_cache: bool = False
    cache_only: bool = False
    fail_fast: bool = False
    fresh: bool = False
    retry_failed: bool = False
    machine: str = None


def plan(study):
    """(points to run, points left out, runs in their order)."""
    kept, left_out = execution.executions(study)
    samples = study.samples
    if study.percentage is not None:
        samples = max(1, int(len(kept) * study.percentage))
    return kept, left_out, interleaved(kept, study.repetitions, study.seed, samples)


def run_study(study, wishes):
    """(folder, {status: runs}); Ctrl-C keeps what is done and goes up."""
    kept, left_out, order = plan(study)
    if not order:
        raise StudyError("no point is left to run")
    where, goes_on = RunDir.open(study, wishes.machine, wishes.fresh)
    work = _Work(study, wishes, where)
    where.index(kept, left_out, lambda one: execution.all_values(
        study, one, execution.base_context(study, one, 1, where.path, where.folder(one, 1))))
    done = [(one, repetition) for one, repetition in order if work.is_done(where.folder(one, repetition))]
    say(f"{where.path}: {len(kept)} points x {study.repetitions} = {len(order)} runs"
        + (f", of which {len(done)} are there already" if goes_on else ""))
    sink_path = template.render(study.sink, execution.base_context(study, order[0][0], 1, where.path, where.path),
                                "output.sink.path")
    work.begin(sink_path, done, len(order))
    started, ended = time.monotonic(), False
    try:
        for one, repetition in order:
            if (one.number, repetition) not in work.there and not work.one(one, repetition):
                break
        else:
            ended = True
    finally:
        if work.cache:
            work.cache.close()
        counts = where.close(order, ended, work.summaries(order))
        if not ended:
            say(f"not at its end; the same command goes on in {where.path}")
    say(f"{', '.join(f'{number} {state.lower()}' for state, number in sorted(counts.items()))} "
        f"in {clock(time.monotonic() - started)}; results in {sink_path}")
    return where.path, counts


class _Work:
    def __init__(self, study, wishes, where):
        self.study, self.wishes, self.where = study, wishes, where
        self.cache = None
        if study.cache_file:  # filled in any case, asked only on wish: as with IOPS
            self.cache = Cache(os.path.expandvars(os.path.expanduser(study.cache_file)), study.cache_exclude)
        elif wishes.use_cache or wishes.cache_only:
            raise StudyError("the study names no benchmark.cache_file")
        self.core_hours = 0.0
        self.sink = self.progress = None
        self.there = set()

    def is_done(self, folder):
        state = self.where.status(folder)
        if state not in ENDS or self.where.row(folder) is None:
            return False
        return state == "SUCCEEDED" or not self.wishes.retry_failed

    def begin(self, sink_path, done, total):
        rows = [self.where.row(self.where.folder(one, repetition)) for one, repetition in done]
        self.sink = Sink(sink_path, self.where.path, self.study.sink_exclude, rows)
        self.there = {(one.number, repetition) for one, repetition in done}
        self.progress = Progress(total, len(done))

    def one(self, one, repetition):
        """False: the study is to stop here."""
        study, where = self.study, self.where
        folder = where.folder(one, repetition)
        run = execution.rendered(study, one, repetition, where.path, folder)
        cached = self._cached(run)
        if cached is None and self.wishes.cache_only:
            return True
        cores = self._cores(run)
        if study.max_core_hours is not None and self.core_hours >= study.max_core_hours and cached is None:
            self.progress.note(f"benchmark.max_core_hours: {study.max_core_hours} are used up")
            return False
        where.start(folder)
        started = time.monotonic()
        if cached is not None:
            metrics, metadata = cached
            metadata = {**metadata, "executor_status": "SUCCEEDED", "cached": True}
        else:
            metrics, metadata = self._execute(run)
        took = time.monotonic() - started
        self.core_hours += 0 if cached else cores * took / 3600
        failed = metadata["executor_status"] != "SUCCEEDED"
        if self.cache and not failed and cached is None:
            self.cache.put(run.values, repetition, metrics, metadata)
        versions = read_json(os.path.join(folder, "__iops_versions.json")) or {}
        result = whole_row(study, run, where.path, metrics, metadata, versions)
        where.end(folder, result, {
            "status": metadata["executor_status"], "error": metadata.get("error"), "end_time": metadata.get("end"),
            "cached": cached is not None, "duration_seconds": round(took, 6)})
        self.sink.add(result)
        if failed:
            self.progress.note(f"{one.name}, repetition {repetition}: {metadata['executor_status'].lower()}: "
                               f"{metadata.get('error')} ({folder})")
        self.progress.step(took, failed, cached is not None)
        return not (failed and self.wishes.fail_fast)

    def _cached(self, run):
        if self.cache and (self.wishes.use_cache or self.wishes.cache_only):
            return self.cache.get(run.values, run.repetition)
        return None

    def _cores(self, run):
        if not self.study.cores_expr:
            return 1
        return template.derived(self.study.cores_expr, "int", run.values, "benchmark.cores_expr")

    def _execute(self, run):
        """(metrics, metadata)"""
        study, folder = self.study, run.folder
        for path, content, mode in run.inputs:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_text(path, content)
            if mode:
                os.chmod(path, int(mode, 8))
        text = run.script
        if study.probes.resource_sampling and study.executor == "slurm":
            text = slurm.with_sampler(text, folder, study.probes.sampling_interval)
        script = os.path.join(folder, f"run_{run.execution.script.name}.sh")
        write_text(script, text)
        started = time.monotonic()
        metadata = EXECUTORS[study.executor](study, run, script)
        probes.note(study.probes, folder, round(time.monotonic() - started, 3), study.executor == "local")
        if metadata["executor_status"] == "SUCCEEDED" and run.post:
            self._post(run, metadata)
        metrics = {}
        if metadata["executor_status"] == "SUCCEEDED" and run.parser_file is not None:
            try:
                metrics = self._parse(run)
            except parse.ParserFailed as why:
                metadata |= {"executor_status": "FAILED", "error": str(why)}
        return metrics, metadata

    def _post(self, run, metadata):
        script = os.path.join(run.folder, f"post_{run.execution.script.name}.sh")
        write_text(script, run.post)
        done = local.plain(script, run)
        metadata["post_returncode"] = done
        if done != 0:
            metadata |= {"executor_status": "FAILED", "error": f"the post script ended with exit code {done}"}

    def _parse(self, run):
        parser = run.execution.script.parser
        context = {"vars": run.values, "env": run.env, "execution_id": run.execution.number,
                   "execution_dir": run.folder, "workdir": self.where.path,
                   "log_dir": os.path.join(self.where.path, "logs"), "repetition": run.repetition,
                   "repetitions": self.study.repetitions, "metrics": parser.metrics}
        file = os.path.join(run.folder, run.parser_file)
        return parse.chosen(parse.parse(parser.script, file, context, run.folder), parser.metrics)

    def summaries(self, order):
        if not self.study.probes.resource_sampling:
            return []
        found = []
        for one, repetition in order:
            summary = probes.trace_summary(self.where.folder(one, repetition))
            if summary:
                found.append({"execution_id": one.number, "repetition": repetition} | summary)
        return sorted(found, key=lambda each: (each["execution_id"], each["repetition"]))
