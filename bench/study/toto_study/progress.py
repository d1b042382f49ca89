# SPDX-License-Identifier: BSD-3-Clause
"""How far a study is and how long it will take: a bar on a terminal, a line now and then elsewhere."""

import sys
import time


def clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"


class Progress:
    EVERY = 30  # seconds between two lines where there is no terminal

    def __init__(self, total, done):
        self.total, self.done, self.failed = total, done, 0
        self.measured, self.spent = 0, 0.0  # runs that took time, for the time left
        self.terminal = sys.stderr.isatty()
        self.started = time.monotonic()
        self.shown = self.started
        self.show()

    def step(self, seconds, failed, cached):
        self.done += 1
        self.failed += failed
        if not cached:
            self.measured += 1
            self.spent += seconds
        self.show()

    def text(self):
        share = self.done / self.total if self.total else 1.0
        filled = int(30 * share)
        left = f", {clock((self.total - self.done) * self.spent / self.measured)} left" if self.measured else ""
        failed = f", {self.failed} failed" if self.failed else ""
        return f"[{'#' * filled}{'.' * (30 - filled)}] {self.done} of {self.total} runs{failed}{left}"

    def show(self):
        now = time.monotonic()
        if self.terminal:
            sys.stderr.write(f"\r{self.text()}\033[K" + ("\n" if self.done == self.total else ""))
            sys.stderr.flush()
        elif now - self.shown >= self.EVERY or self.done == self.total:
            self.shown = now
            print(f"toto study: {self.text()}", file=sys.stderr, flush=True)

    def note(self, text):
        """A message that the bar may not hide."""
        sys.stderr.write(("\r\033[K" if self.terminal else "") + f"toto study: {text}\n")
        self.show()
