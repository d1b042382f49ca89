# SPDX-License-Identifier: BSD-3-Clause
"""For scripts that run a command beside servers of their own: name spaces (network, mounts, processes, host name) in which
these live and with which they end, and a folder in memory for their files. When the first process there ends, also by a
kill, the kernel ends the others, and nothing is left."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

SKIPPED = 77
INSIDE = "TOTO_TEST_INSIDE_NAME_SPACES"  # the parent's, to tell that they were made


def unable(why):
    """Ends the script: what it makes is not possible on this machine."""
    print(f"not possible here: {why}")
    sys.exit(SKIPPED)


def are_made():
    return INSIDE in os.environ


def require(programs, group):
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        unable(f"not installed: {', '.join(missing)} (./dev deps {group})")


def enter():
    """Makes them and runs the script again in them. There, gives the folder: empty, with TMPDIR in it."""
    if not are_made():
        words = _words()
        os.environ[INSIDE] = _place()
        os.execvp(words[0], [*words, "--", sys.executable, *sys.argv])
    # The terminal's interrupt is for the command, whose end is ours.
    signal.signal(signal.SIGINT, lambda *_: None)
    root = os.environ.pop(INSIDE)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for folder, mode in ((root, "0755"), ("/dev/shm", "1777")):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode={mode}", "toto-test", folder], check=True)
    os.environ["TMPDIR"] = os.path.join(root, "tmp")
    os.mkdir(os.environ["TMPDIR"])
    os.chmod(os.environ["TMPDIR"], 0o1777)
    return root


def run(command):
    """The command, to its end: its exit code as a shell gives it."""
    result = subprocess.run(command, check=False).returncode
    return 128 - result if result < 0 else result


def _words():
    """The words that start a command in name spaces of its own, where it is process 1. Whoever ends unshare ends them."""
    words = ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    tried = subprocess.run([*words, "ip", "link", "set", "lo", "up"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        unable(f"no name spaces: {tried.stderr.strip()}")
    return words


def _place():
    """A folder to put a file system in memory over, for us alone: one that has nothing the command needs."""
    used = [pathlib.Path(word).resolve() for word in (__file__, os.getcwd(), os.environ.get("TOTO_TEST_BEDS", "/"))]
    for folder in ("/mnt", "/media", "/srv"):
        if os.path.isdir(folder) and not any(path.is_relative_to(folder) for path in used):
            return folder
    unable("none of /mnt, /media, /srv is free to be mounted over")
