# SPDX-License-Identifier: BSD-3-Clause
"""A watched file is known by whatever name it is opened, and a file that is not is known for that by its name alone:
no system call of ours is made for it. usage: names.py"""
import re
import shutil

import harness

program = harness.BUILT["programs"]["names"]
check = harness.Check()

with harness.folder() as work:
    work = work.resolve()
    for name in ("lus/sub", "lustre", "other"):
        (work / name).mkdir(parents=True)
    for name in ("lus/file", "lus/sub/file", "lustre/file", "other/file"):
        (work / name).write_text("text")
    (work / "link").symlink_to(work / "lus")
    toto = {"TOTO_PFS_PATHS": work / "lus"}

    def counted(name, *files, cwd=work):
        report = work / f"{name}.json"
        done = harness.run_alone(program, *files, toto={**toto, "TOTO_REPORT": report}, cwd=cwd)
        check.equal(0, done.code, f"{name}: exit code ({done.err})")
        if not report.exists():
            return 0, 0
        posix = harness.layer(harness.report(report), "posix")
        return posix["opens"], posix["stats"]

    plain = f"{work}/lus/file"
    watched = {
        "plain": plain, "below": f"{work}/lus/sub/file", "doubled": f"{work}//lus///file", "front": f"/{plain}",
        "dot": f"{work}/./lus/./file", "dots": f"{work}/other/../lus/file", "end": f"{work}/lus/sub/../file",
        "relative": "lus/file", "relative_dots": "other/../lus/file",
    }
    for name, file in watched.items():
        check.equal((1, 1), counted(name, file), f"{name}: opens and stats of {file}")
    check.equal((1, 1), counted("inside", "file", cwd=work / "lus"), "opens and stats by a name in the working folder")
    others = [f"{work}/other/file", f"{work}/lustre/file", f"{work}/lus/../other/file", "other/file", "/etc/passwd"]
    check.equal((0, 0), counted("others", *others), "opens and stats of what is not watched")
    # By a link: once the file system is known from a file that was seen there.
    check.equal((2, 1), counted("link", plain, f"{work}/link/file"), "opens and stats, one of two by a link")
    check.equal((1, 1), counted("mixed", others[0], plain, others[0]), "opens and stats of one of three")

    if shutil.which("strace") is not None:
        def calls(toto):
            trace = work / "trace"
            done = harness.run(["strace", "-o", trace, "-E", f"LD_PRELOAD={harness.any_library()}",
                                *(word for k, v in toto.items() for word in ("-E", f"{k}={v}")),
                                program, others[0], others[1]])
            return re.findall(r"^(\w+)\(", trace.read_text(), re.MULTILINE) if done.code == 0 else None

        traced, disabled = calls(toto), calls({"TOTO_DISABLE": "1"})
        if traced and disabled:  # not where tracing is forbidden
            ours = [call for call in ("statx", "getcwd", "readlinkat", "fstatfs", "newfstatat", "openat")
                    if traced.count(call) != disabled.count(call)]
            check.equal([], ours, "system calls of ours for files that are not watched")
check.end()
