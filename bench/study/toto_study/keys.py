# SPDX-License-Identifier: BSD-3-Clause
"""Every key that IOPS 3.5 knows (its iops/config/loader.py), and what becomes of it here.

A key is DONE, or NO_EFFECT (read, one message says so, the study goes on: results do not depend on it), or
NOT_HERE (an error: without it the study would be another one). What is in no table is an error too.
"""

DONE, NO_EFFECT, NOT_HERE = "done", "without effect here", "not done here"


def _table(done, no_effect="", not_here=""):
    return ({key: DONE for key in done.split()} | {key: NO_EFFECT for key in no_effect.split()}
            | {key: NOT_HERE for key in not_here.split()})


TOP = _table("benchmark vars command scripts output constraints machines", "reporting")
BENCHMARK = _table(
    "name description workdir repetitions cache_file search_method executor slurm_options random_seed "
    "cache_exclude_vars max_core_hours cores_expr estimated_time_seconds random_config probes report_vars "
    # older names of some of these
    "executor_options sqlite_db collect_system_info track_executions trace_resources trace_interval",
    "exhaustive_vars create_folders_upfront parallel bayesian_config")
PROBES = _table("system_snapshot execution_index resource_sampling sampling_interval versions", "gpu_sampling")
SLURM = _table("commands poll_interval", "", "allocation")
SLURM_COMMANDS = _table("submit status info cancel")
VARIABLE = _table("type sweep expr when default", "", "adaptive")
SWEEP = _table("mode values start end step")
COMMAND = _table("template labels env", "metadata")
SCRIPT = _table("name script_template post parser inputs", "submit", "mpi")
PARSER = _table("file metrics parser_script")
METRIC = _table("name", "type path")
POST = _table("script")
INPUT = _table("name template file path mode")
CONSTRAINT = _table("name rule violation_policy description")
OUTPUT = _table("sink")
SINK = _table("type path exclude", "include table mode")
RANDOM = _table("n_samples percentage fallback_to_exhaustive")

# Known, but below a key that has no effect or is not done: IOPS checks these, so a typing error is one here too.
BAYESIAN = _table("", "objective_metric objective n_iterations n_initial_points acquisition_func base_estimator xi "
                  "kappa fallback_to_exhaustive early_stop_on_convergence convergence_patience xi_boost_factor "
                  "max_retries")
REPORTING = _table("", "enabled output_dir output_filename theme sections best_results metrics default_plots "
                   "plot_defaults gallery")

SECTIONS = {
    "(top)": TOP, "benchmark": BENCHMARK, "benchmark.probes": PROBES, "benchmark.slurm_options": SLURM,
    "benchmark.slurm_options.commands": SLURM_COMMANDS, "benchmark.random_config": RANDOM,
    "benchmark.bayesian_config": BAYESIAN, "vars.NAME": VARIABLE, "vars.NAME.sweep": SWEEP, "command": COMMAND,
    "scripts[]": SCRIPT, "scripts[].parser": PARSER, "scripts[].parser.metrics[]": METRIC, "scripts[].post": POST,
    "scripts[].inputs[]": INPUT, "constraints[]": CONSTRAINT, "output": OUTPUT, "output.sink": SINK,
    "reporting": REPORTING,
}

TYPES = ("int", "float", "str", "bool", "list")
SEARCHES = {"exhaustive": DONE, "random": DONE, "bayesian": NOT_HERE, "adaptive": NOT_HERE}
EXECUTORS = ("local", "slurm")
SINKS = {"csv": DONE, "parquet": NOT_HERE, "sqlite": NOT_HERE}
POLICIES = ("skip", "error", "warn")



def document():
    """The tables as docs/study.md shows them."""
    lines = ["| section | done | without effect | not done: an error |", "| --- | --- | --- | --- |"]
    for name, table in SECTIONS.items():
        cells = (", ".join(f"`{key}`" for key, state in table.items() if state == wanted)
                 for wanted in (DONE, NO_EFFECT, NOT_HERE))
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# Older names that IOPS still reads: (section, old) -> new, as a path from the benchmark section.
OLD_NAMES = {
    "executor_options": ("slurm_options",),
    "sqlite_db": ("cache_file",),
    "collect_system_info": ("probes", "system_snapshot"),
    "track_executions": ("probes", "execution_index"),
    "trace_resources": ("probes", "resource_sampling"),
    "trace_interval": ("probes", "sampling_interval"),
}
