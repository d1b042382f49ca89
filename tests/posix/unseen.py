# SPDX-License-Identifier: BSD-3-Clause
"""What no call of ours wrote is told: growth through a mapping and by a process without the library; none for a program
whose calls are all seen, with holes or not. And the kernel's own count is in the report. usage: unseen.py"""
import harness

check = harness.Check()
MIB = 1 << 20

PROGRAMS = {
    # name: program (sys.argv[1]: the file), bytes that nobody saw
    "seen": ("import os,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_WRONLY); [os.write(f,b'x'*4096) for _ in range(100)]", 0),
    "hole": ("import os,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_WRONLY); os.pwrite(f,b'x'*4096,64<<20)", 0),
    "gaps": ("import os,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_WRONLY); [os.pwrite(f,b'x'*4000,i*4096) for i in range(100)]", 0),
    "cut": ("import os,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_WRONLY); os.ftruncate(f,1<<20)", 0),
    "stdio": ("import sys; open(sys.argv[1],'w').write('x'*100000)", 0),
    "mapped": ("import mmap,os,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_RDWR); os.write(f,b'y'*4096); os.ftruncate(f,1<<20); "
               "m=mmap.mmap(f,1<<20); m[:]=b'x'*(1<<20); m.close(); os.close(f)", MIB - 4096),
    "other_process": ("import os,subprocess,sys; f=os.open(sys.argv[1],os.O_CREAT|os.O_RDWR); os.write(f,b'y'*4096); os.close(f); "
                      "subprocess.run(['env','-u','LD_PRELOAD','sh','-c','head -c 1048576 /dev/zero >>\"$0\"',sys.argv[1]])", MIB),
}

with harness.folder() as work:
    for name, (program, unseen) in PROGRAMS.items():
        file, report = work / name, work / f"{name}.json"
        done = harness.run_alone("/usr/bin/python3", "-c", program, file, toto={"TOTO_PFS_PATHS": file, "TOTO_REPORT": report})
        check.equal((0, ""), (done.code, done.err), f"{name}: exit code, messages")
        got = harness.report(report)
        check.equal(unseen, harness.file_of(got, file).get("unseen_bytes", 0), f"{name}: unseen bytes")
        kernel, posix = got["kernel_io"], harness.layer(got, "posix")
        check.that(kernel["bytes_written"] >= posix["bytes_written"], f"{name}: the kernel counts no less", kernel)
        check.that(kernel["processes"] >= 1, f"{name}: processes", kernel)
    # Nothing but these calls: then both counts are the same.
    file, report = work / "exact", work / "exact.json"
    harness.run_alone("/usr/bin/dd", "if=/dev/zero", f"of={file}", "bs=64k", "count=10", "status=none",
                      toto={"TOTO_PFS_PATHS": file, "TOTO_REPORT": report})
    check.equal(10 * 65536, harness.report(report)["kernel_io"]["bytes_written"], "dd: the kernel's count")
    # Children are their parent's, once it has waited for them: each byte counts once.
    file, report = work / "children", work / "children.json"
    harness.run_alone("/bin/sh", "-c", f"for i in 0 1 2; do dd if=/dev/zero of={file}.$i bs=64k count=10 status=none; done",
                      toto={"TOTO_PFS_PATHS": work, "TOTO_REPORT": report})
    check.equal(30 * 65536, harness.report(report)["kernel_io"]["bytes_written"], "children: the kernel's count")
    text = harness.run([harness.BUILT["toto"], "report", work / "mapped.json"])
    check.that("by no counted call" in text.out and "By the kernel's count" in text.out, "the text says both", text.out)
check.end()
