#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of a study: kept, counted, gone on with after an end that nobody wanted, and handed to Slurm."""
import json
import os
import pathlib
import signal
import sqlite3
import time

import studies
from harness import Check, folder
from studies import tiny

check = Check()


def statuses(where, run="run_001"):
    return {path.parent.parent.name + "/" + path.parent.name: json.loads(path.read_text())["status"]
            for path in sorted((where / "w" / run / "runs").glob("*/*/__iops_status.json"))}


# A whole small study.
with folder() as where:
    studies.write(where, tiny(**{
        "benchmark.probes": {"resource_sampling": True, "sampling_interval": 0.02, "versions": {"shell": "echo 5.2"}},
        "scripts.0.script_template": "sleep 0.2\n{{ command.template }} > {{ execution_dir }}/out\n",
        "scripts.0.inputs": [{"name": "in.txt", "template": "n={{ double }}", "mode": "600"}],
        "scripts.0.post": {"script": "cat in.txt > copy"},
        "command.labels": {"operation": "write {{ period }}"}, "output.sink.exclude": ["metadata.stdout_path", "benchmark"]}))
    done = studies.toto_study(where, "study.yaml")
    check.equal(0, done.code, f"a study ends with 0: {done.err}")
    check.that("6 succeeded" in done.err, "and counts its runs", done.err)
    columns, rows = studies.rows(where)
    wanted = ["execution.execution_id", "execution.repetition", "execution.repetitions", "execution.workdir",
              "execution.execution_dir", "vars.with_it", "vars.period", "vars.double", "labels.operation",
              "metadata.executor_status", "metadata.jobid", "metadata.end", "metadata.returncode", "metrics.value",
              "metrics.twice", "version.shell"]
    check.equal([], [name for name in wanted if name not in columns], "the table has IOPS's columns")
    check.that(not [name for name in columns if name.startswith("benchmark.")], "less the excluded ones", columns)
    check.equal([("1", "0"), ("1", "0"), ("2", "2"), ("2", "2"), ("3", "4"), ("3", "4")],
                sorted((row["execution.execution_id"], row["metrics.value"]) for row in rows), "with every run's metrics")
    run = where / "w/run_001"
    check.equal([], [name for name in (
        "__iops_run_metadata.json", "__iops_config.yaml", "__iops_index.json", "__iops_status_rollup.json",
        "__iops_resource_summary.csv", "runs/exec_0003/__iops_params.json", "runs/exec_0003/repetition_002/__iops_sysinfo.json",
        "runs/exec_0003/repetition_002/stdout", "runs/exec_0003/repetition_002/parser_stdout",
        "runs/exec_0003/repetition_002/run_s.sh") if not (run / name).exists()], "the folder is laid out as IOPS's")
    last = run / "runs/exec_0003/repetition_002"
    check.equal(("n=4", "n=4", 0o600, "seen\n"), (
        (last / "in.txt").read_text(), (last / "copy").read_text(), (last / "in.txt").stat().st_mode & 0o777,
        (last / "parser_stdout").read_text()), "inputs, post script and the parser's output are there")
    trace = next(last.glob("__iops_trace_*.csv")).read_text().splitlines()
    check.equal("timestamp,hostname,core,cpu_user_pct,cpu_system_pct,cpu_idle_pct,mem_total_kb,mem_available_kb", trace[0],
                "the trace has IOPS's columns")
    sums = [sum(map(float, line.split(",")[3:6])) for line in trace[1:]]
    check.that(len(sums) >= 3 and all(99.9 < one < 100.1 for one in sums), "and shares that add up to 100", trace)
    row = rows[0]
    check.that(float(row["metadata.wall_s"]) >= 0.2 and float(row["metadata.cpu_user_s"]) < 10
               and 1000 < int(row["metadata.max_rss_kib"]) < 100000, "a run's own time and memory are in the table", row)
    check.equal({"double": 4, "period": 2, "with_it": True},
                json.loads((run / "runs/exec_0003/__iops_params.json").read_text()), "parameters of a point")
    again = studies.toto_study(where, "study.yaml")
    check.that(again.code == 0 and (where / "w/run_002").exists(), "a study that has ended is run anew", again.err)

# A failed run.
with folder() as where:
    studies.write(where, tiny(**{"scripts.0.script_template": "{{ command.template }} > {{ execution_dir }}/out\n"
                                                               "if [ {{ period }} = 1 ]; then echo no >&2; exit 3; fi\n"}))
    done = studies.toto_study(where, "study.yaml")
    check.equal(1, done.code, "a study with failed runs ends with 1")
    check.that("2 failed" in done.err and "exec_0002, repetition 1: failed: the script ended with exit code 3" in done.err,
               "failed runs are counted and named", done.err)
    check.equal({"exec_0002/repetition_001": "FAILED", "exec_0002/repetition_002": "FAILED"},
                {name: state for name, state in statuses(where).items() if state != "SUCCEEDED"}, "they are kept")
    check.equal("no\n", (where / "w/run_001/runs/exec_0002/repetition_001/stderr").read_text(), "with what they said")
    check.equal(2, sum(row["metadata.executor_status"] == "FAILED" for row in studies.rows(where)[1]), "and in the table")
    studies.write(where, tiny(**{"scripts.0.script_template": "exit 4"}), "all.yaml")
    done = studies.toto_study(where, "all.yaml", "--fail-fast")
    check.equal(1, len(statuses(where, "run_002")), "--fail-fast stops at the first")

# A parser that fails.
for script, said in (("def parse(path): return {'other': 1}", "no metric 'value'"),
                     ("def parse(path): return [1]", "must return a dict"),
                     ("def parse(path): raise KeyError('x')", "KeyError: 'x'"),
                     ("import os\ndef parse(path): os._exit(9)", "ended with exit code 9"),
                     ("parse = 3", "must define parse")):
    with folder() as where:
        studies.write(where, tiny(**{"scripts.0.parser.parser_script": script, "benchmark.repetitions": 1}))
        done = studies.toto_study(where, "study.yaml")
        check.that(done.code == 1 and said in done.err, f"a parser that fails fails its run: {said}", done.err)

# Killed in the middle, and gone on with.
with folder() as where:
    config = studies.write(where, tiny(**{
        "benchmark.repetitions": 4,
        "scripts.0.script_template": "echo x >> {{ workdir }}/../../count; sleep 0.3\n"
                                     "{{ command.template }} > {{ execution_dir }}/out\n"}))
    process = studies.start(where, config)
    deadline = time.monotonic() + 60
    while sum(state == "SUCCEEDED" for state in (statuses(where) if (where / "w/run_001/runs").exists() else {}).values()) < 3:
        if time.monotonic() > deadline or process.poll() is not None:
            break
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = statuses(where)
    succeeded = [name for name, state in before.items() if state == "SUCCEEDED"]
    check.that(3 <= len(succeeded) < 12, "some runs were done when it was killed", before)
    kept = {name: (where / "w/run_001/runs" / name / "toto_row.json").stat().st_mtime_ns for name in succeeded}
    done = studies.toto_study(where, config.name)
    check.that(done.code == 0 and f"of which {len(succeeded)} are there already" in done.err, "it goes on where it was", done.err)
    check.equal(({"run_001"}, 12), ({path.name for path in (where / "w").iterdir()},
                                    sum(state == "SUCCEEDED" for state in statuses(where).values())), "in the same folder")
    check.equal(kept, {name: (where / "w/run_001/runs" / name / "toto_row.json").stat().st_mtime_ns for name in succeeded},
                "what was done is not done again")
    rows = studies.rows(where)[1]
    check.equal((12, 12), (len(rows), len({(row["execution.execution_id"], row["execution.repetition"]) for row in rows})),
                "the table has each run once")

# Interrupted by its user: the run's processes end too.
with folder() as where:
    config = studies.write(where, tiny(**{"scripts.0.script_template": "sleep 60 & echo $! > {{ workdir }}/pid; wait\n"}))
    process = studies.start(where, config)
    pid_file = where / "w/run_001/pid"
    deadline = time.monotonic() + 60
    while not (pid_file.exists() and pid_file.read_text().strip()) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    check.equal(130, process.wait(30), "an interrupted study ends with 130")
    pid = int(pid_file.read_text())
    deadline = time.monotonic() + 10
    while pathlib.Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    stat = pathlib.Path(f"/proc/{pid}/stat")
    check.that(not stat.exists() or stat.read_text().split()[2] == "Z", "and nothing of its run stays", str(pid))

# The cache.
with folder() as where:
    config = studies.write(where, tiny(**{"benchmark.cache_file": "cache.db", "benchmark.cache_exclude_vars": ["place"],
                                          "vars.place": {"type": "str", "expr": "{{ execution_dir }}"},
                                          "scripts.0.script_template": "echo x >> {{ workdir }}/../../count\n"
                                                                       "{{ command.template }} > {{ execution_dir }}/out\n"}))
    studies.toto_study(where, config.name)
    with sqlite3.connect(where / "cache.db") as db:
        found = db.execute("SELECT params_json, repetition, metrics_json FROM cached_executions").fetchall()
    check.equal(6, len(found), "every run that succeeded is in the cache")
    check.that(({"double": 4, "period": 2, "with_it": True}, 2, 4) in [
        (json.loads(parameters), repetition, json.loads(metrics)["value"]) for parameters, repetition, metrics in found],
        "by its parameters, less what is excluded", found)
    done = studies.toto_study(where, config.name, "--use-cache")
    rows = studies.rows(where, "run_002")[1]
    check.equal((6, 6, {"True"}), (len((where / "count").read_text().split()), len(rows), {row["metadata.cached"] for row in rows}),
                "--use-cache runs nothing that is there")

# Slurm, played by three scripts: a job that ends well, and one that does not.
with folder() as where:
    tools = where / "tools"
    tools.mkdir()
    for name, text in (
            ("sbatch", f'n=$(cat {where}/n 2>/dev/null || echo 100); n=$((n+1)); echo $n > {where}/n\n'
                       f'bash "$1" > slurm.out 2>&1; echo $? > {where}/code.$n; echo 2 > {where}/left.$n\n'
                       'echo "Submitted batch job $n"'),
            ("squeue", f'left=$(cat {where}/left.$2); [ $left -gt 0 ] && echo RUNNING; echo $((left-1)) > {where}/left.$2; true'),
            ("scontrol", f'code=$(cat {where}/code.$3); state=COMPLETED; [ $code = 0 ] || state=FAILED\n'
                         'echo "JobId=$3 JobState=$state ExitCode=$code:0"')):
        (tools / name).write_text("#!/bin/bash\n" + text + "\n")
        (tools / name).chmod(0o755)
    studies.write(where, tiny(**{
        "benchmark.executor": "slurm", "benchmark.repetitions": 1, "benchmark.slurm_options": {"poll_interval": 0.1},
        "scripts.0.script_template": "#!/bin/bash\n#SBATCH --ntasks=1\n{{ command.template }} > {{ execution_dir }}/out\n"
                                     "exit {{ 5 if period == 2 else 0 }}\n"}))
    done = studies.toto_study(where, "study.yaml", env={"PATH": f"{tools}:{os.environ['PATH']}"})
    rows = {row["execution.execution_id"]: row for row in studies.rows(where)[1]}
    check.equal(["SUCCEEDED", "SUCCEEDED", "FAILED"], [rows[at]["metadata.executor_status"] for at in "123"],
                f"jobs are submitted, waited for and asked: {done.err}")
    check.that(all(101 <= int(row["metadata.jobid"]) <= 103 for row in rows.values()), "the table has the jobs' numbers", rows)
    check.equal(("2", "5"), (rows["2"]["metrics.value"], rows["3"]["metadata.returncode"]), "metrics and exit codes")
check.end()
