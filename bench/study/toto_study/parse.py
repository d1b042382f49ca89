# SPDX-License-Identifier: BSD-3-Clause
"""Runs a study's parser_script in a process of its own, so that what it does to its process stays there.

The script defines parse(file_path), which returns a dict; it finds vars, env, os_env, execution_id, execution_dir,
workdir, log_dir, repetition, repetitions and metrics as globals, as with IOPS. What it prints goes to the run's
folder. This file is also what runs in that process: the task comes as JSON on standard input, the result goes to
the descriptor of that number.
"""

import json
import os
import subprocess
import sys
import traceback

LIMIT = 300  # seconds


class ParserFailed(Exception):
    pass


def parse(script, file, context, folder):
    """The dict that the script returns. ParserFailed, with one line, where it does not."""
    task = json.dumps({"script": script, "file": file, "context": context}, default=str)
    reading, writing = os.pipe()
    try:
        with open(reading, encoding="utf-8") as answer:
            out, err = (open(os.path.join(folder, name), "w", encoding="utf-8")
                        for name in ("parser_stdout", "parser_stderr"))
            with out, err, subprocess.Popen(
                    [sys.executable, "-B", os.path.abspath(__file__), str(writing)], pass_fds=(writing,),
                    stdin=subprocess.PIPE, stdout=out, stderr=err, text=True, cwd=folder) as process:
                os.close(writing)
                writing = None
                try:
                    process.communicate(task, timeout=LIMIT)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise ParserFailed(f"the parser did not end within {LIMIT} s") from None
            said = answer.read()
    finally:
        if writing is not None:
            os.close(writing)
    for name in ("parser_stdout", "parser_stderr"):
        path = os.path.join(folder, name)
        if os.path.getsize(path) == 0:
            os.remove(path)
    if not said:
        raise ParserFailed(f"the parser ended with exit code {process.returncode} and no result (parser_stderr)")
    result = json.loads(said)
    if "error" in result:
        raise ParserFailed(result["error"])
    return result["metrics"]


def chosen(metrics, wanted):
    """All that the parser returned; what the study names must be there."""
    if not isinstance(metrics, dict):
        raise ParserFailed(f"parse() must return a dict, not {type(metrics).__name__}")
    for name in wanted:
        if name not in metrics:
            raise ParserFailed(f"parse() returned no metric {name!r}")
    return metrics


def _main():
    task = json.load(sys.stdin)
    names = dict(task["context"], os_env=dict(os.environ), __name__="parser_script")
    try:
        exec(compile(task["script"], "<parser_script>", "exec"), names)  # pylint: disable=exec-used
        if not callable(names.get("parse")):
            raise TypeError("parser_script must define parse(file_path)")
        answer = json.dumps({"metrics": names["parse"](task["file"])}, default=str)
    except Exception as why:  # whatever a user's script raises
        traceback.print_exc()
        answer = json.dumps({"error": f"parser: {type(why).__name__}: {why}"})
    with open(int(sys.argv[1]), "w", encoding="utf-8") as out:
        out.write(answer)


if __name__ == "__main__":
    _main()
