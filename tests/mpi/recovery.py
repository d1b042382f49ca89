# SPDX-License-Identifier: BSD-3-Clause
"""What tests of jobs that end badly share: a place of their own for segments and reports, recovery, and looking
for what stays behind."""
import contextlib
import os
import pathlib
import shutil
import tempfile
import time

import harness

PATIENCE = 20  # seconds for what happens by itself


class Place:
    """Folders of one job: data/, reports/, segments/ (in memory, as /dev/shm is)."""

    def __init__(self, work, segments):
        self.data, self.reports, self.segments = work / "data", work / "reports", segments
        self.data.mkdir()
        self.reports.mkdir()
        self.settings = {"TOTO_PFS_PATHS": self.data, "TOTO_LOGS_FOLDER": self.reports, "TOTO_SEGMENT_DIR": self.segments}

    def recover(self, *words, **env):
        """toto report --recover: the run."""
        return harness.run([harness.BUILT["toto"], "report", "--recover", *words],
                           env={"TOTO_SEGMENT_DIR": str(self.segments), **env})

    def all_reports(self):
        return [harness.report(path) for path in sorted(self.reports.glob("*.json"))]

    def processes(self):
        """Numbers of the processes that have our folder in their environment."""
        mark, found = f"TOTO_SEGMENT_DIR={self.segments}".encode(), []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

    def wait_until(self, holds):
        """Whether it holds, by and by."""
        end = time.monotonic() + PATIENCE
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)
        return holds()


@contextlib.contextmanager
def place():
    segments = pathlib.Path(tempfile.mkdtemp(prefix="toto-test-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    try:
        with harness.folder() as work:
            yield Place(work, segments)
    finally:
        shutil.rmtree(segments, ignore_errors=True)
