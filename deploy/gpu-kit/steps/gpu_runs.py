"""What the steps of gpu_check share: rows of the table, the time that is left,
and programs that are ended when they run too long."""

import dataclasses
import json
import os
import signal
import subprocess
import tempfile
import time

PASSED, MISSED, FAILED, SKIPPED = "passed", "missed", "failed", "skipped"
# Kept for stopping a program and writing the results.
RESERVE_SECONDS = 5


@dataclasses.dataclass
class Row:
    """A line of the table. `mark` is what was wanted, `found` what was measured;
    both are empty for a row that only passes or fails. `figures` go to the JSON
    alone."""
    name: str
    status: str
    note: str = ""
    mark: str = ""
    found: str = ""
    figures: dict = dataclasses.field(default_factory=dict)


def passed(name, note="", **more):
    return Row(name, PASSED, note, **more)


def failed(name, note, **more):
    return Row(name, FAILED, note, **more)


def skipped(name, note, **more):
    return Row(name, SKIPPED, note, **more)


def last_line(text):
    """A program that fails says why in its last line."""
    lines = [line.strip() for line in str(text).splitlines()]
    return next((line for line in reversed(lines) if line), "no output")


@dataclasses.dataclass
class Ran:
    """How a program ended. `status` is None when it had to be ended; `cut` says
    that this was because the time for everything was over."""
    status: int
    output: str
    seconds: float
    cut: bool = False

    def row_if_ended(self, name):
        """A row when the program was ended, else None."""
        if self.status is not None:
            return None
        if self.cut:
            return skipped(name, f"cut after {self.seconds:.0f} s: no more "
                           "time was left for it (--limit)")
        return failed(name, f"did not end within its {self.seconds:.0f} s")

    def last_line(self):
        return last_line(self.output)


class Kit:
    """The unpacked archive. kit.json says what it was made of."""

    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "kit.json"), encoding="utf-8") as file:
            self.facts = json.load(file)

    def program(self, name):
        return os.path.join(self.root, "bin", name)

    def library(self, name):
        return os.path.join(self.root, "lib", "slice", name)

    def bundle(self, name):
        return os.path.join(self.root, "bundles", name)


class Check:
    """One run of gpu_check."""

    def __init__(self, root, options):
        self.kit = Kit(root)
        self.options = options
        self.host = None
        self.begin = time.monotonic()
        self.out = os.path.abspath(options.out)
        os.makedirs(os.path.join(self.out, "logs"), exist_ok=True)
        # Not in the results, because the servers write their graphs there.
        self._data = tempfile.TemporaryDirectory(prefix="gpu_check.")

    def close(self):
        self._data.cleanup()

    def data(self, name):
        return os.path.join(self._data.name, name)

    def path(self, *parts):
        return os.path.join(self.out, *parts)

    def seconds(self):
        return time.monotonic() - self.begin

    def left(self):
        return self.options.limit - self.seconds() - RESERVE_SECONDS

    def say(self, text):
        print(f"[{self.seconds():5.0f} s] {text}", flush=True)

    def show(self, row):
        found = f", {row.found}" if row.found else ""
        mark = f" (mark {row.mark})" if row.mark else ""
        note = f": {row.note}" if row.note else ""
        self.say(f"{row.name}: {row.status}{found}{mark}{note}")

    def no_time(self, name, least=1):
        """A row when less than `least` seconds are left, else None."""
        if self.left() >= least:
            return None
        return skipped(name, f"no time left: {max(0, self.left()):.0f} of "
                       f"{self.options.limit:g} s")

    def run(self, name, command, limit, sharers=1, **variables):
        """Runs a program for at most `limit` seconds, and at most its share of
        the time that is left for it and what follows it. Its output goes to
        logs/NAME.log. Variables are added to its environment."""
        limit_now = min(limit, max(self.left() / sharers, 0.1))
        self.say(f"{name} runs, at most {limit_now:.0f} s")
        log = self.path("logs", name.replace(" ", "_") + ".log")
        begin = time.monotonic()
        with open(log, "w+", encoding="utf-8", errors="replace") as file:
            file.write("$ " + " ".join(command) + "\n")
            file.flush()
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                start_new_session=True, env={**os.environ, **variables})
            status = wait(process, limit_now)
            file.seek(0)
            output = file.read().split("\n", 1)[1]
        return Ran(status, output, time.monotonic() - begin,
                   cut=status is None and limit_now < limit)


def wait(process, limit):
    """The exit status, or None after the process and its children had to be
    ended. The process leads a session of its own."""
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


