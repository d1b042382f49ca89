# SPDX-License-Identifier: BSD-3-Clause
"""The striped file system of the demo: mounted in a temporary folder, asked, emptied, and taken away again."""

import ctypes
import hashlib
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time

SKIPPED = 77  # exit code of tests that cannot run here
LOV_V1, LOV_V3 = 0x0BD10BD0, 0x0BD30BD0
LOV_HEAD = struct.Struct("=IIQQIHH")  # lov_user_md_v1: magic, pattern, object id, size, count, first target


class Skip(Exception):
    """Something that the demo needs is not on this machine."""


def die_with_parent():
    """Run in a child before it becomes its program: it gets SIGTERM when we are gone, however that came."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Bed:
    """A mounted stripefs, for `with`. Its files lie in memory."""

    def __init__(self, program, targets, rate, default_count=1):
        self.program, self.targets, self.rate, self.default_count = program, targets, rate, default_count
        self.folder = self.mount = self.daemon = None

    def __enter__(self):
        if not os.path.exists("/dev/fuse"):
            raise Skip("/dev/fuse is missing: modprobe fuse (a container: --device /dev/fuse --cap-add SYS_ADMIN)")
        self.folder = tempfile.mkdtemp(prefix="toto-demo-")
        self.mount = os.path.join(self.folder, "scratch")
        os.mkdir(self.mount)
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        self.daemon = subprocess.Popen(
            [self.program, "--foreground", "--targets", str(self.targets), "--rate", str(self.rate),
             "--dialect", "lustre", "--default-count", str(self.default_count), self.mount],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=die_with_parent)
        end = time.monotonic() + 30
        while not os.path.ismount(self.mount):
            if self.daemon.poll() is not None:
                said = self.daemon.stderr.read().strip()
                if self.daemon.returncode == SKIPPED:
                    raise Skip(f"stripefs cannot be mounted here: {said}")
                raise RuntimeError(f"stripefs ended with {self.daemon.returncode}: {said}")
            if time.monotonic() > end:
                raise RuntimeError("stripefs was not mounted within 30 s")
            time.sleep(0.02)

    def __exit__(self, *_):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.terminate()  # it unmounts
            try:
                self.daemon.wait(10)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        for command in (["fusermount3", "-u", "-z"], ["umount", "-l"]):
            if self.mount and os.path.ismount(self.mount) and shutil.which(command[0]):
                subprocess.run([*command, self.mount], check=False, stderr=subprocess.DEVNULL)
        if self.folder and not os.path.ismount(self.mount):
            shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.mount, *parts)

    def own_path(self, *parts):
        """A place beside the mounted file system: for reports and outputs."""
        return os.path.join(self.folder, *parts)

    def reset_counters(self):
        os.setxattr(self.mount, "stripefs.reset", b"1")

    def set_rates(self, rates):
        """MiB/s, one a target."""
        os.setxattr(self.mount, "stripefs.rate", ",".join(map(str, rates)).encode())

    def bytes_per_target(self):
        stats = json.loads(os.getxattr(self.mount, "stripefs.stats"))
        return [target["written"] for target in stats["targets"]]

    def stripes(self, path):
        """(count, size) as the file system itself says, without the library's help."""
        magic, _, _, _, size, count, _ = LOV_HEAD.unpack_from(os.getxattr(path, "lustre.lov"))
        if magic not in (LOV_V1, LOV_V3):
            raise RuntimeError(f"{path}: layout of unknown kind {magic:#x}")
        return count, size

    def digests(self, folder):
        """{name: (size, SHA-256)} of the files in a folder; reading takes no modelled time."""
        os.setxattr(self.mount, "stripefs.rate", b"0")
        try:
            found = {}
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                digest = hashlib.sha256()
                with open(path, "rb") as file:
                    while piece := file.read(1 << 20):
                        digest.update(piece)
                found[name] = os.path.getsize(path), digest.hexdigest()
            return found
        finally:
            os.setxattr(self.mount, "stripefs.rate", str(self.rate).encode())
