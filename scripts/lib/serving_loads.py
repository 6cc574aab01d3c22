"""Servers, and loads on them by `slice-client bench`, for serving_benchmark.py."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from typing import Self

from instruction_sets import environment

START_SECONDS = 120


class LoadError(Exception):
    """A program failed; the text says which and how."""


class Server:
    """A server program that says "listening on HOST:PORT"; it is stopped at the
    end of a `with` block. `variables` are added to its environment."""

    def __init__(self, *command: object, instruction_set: str | None = None,
                 start_seconds: float = START_SECONDS,
                 variables: Iterable[tuple[str, str]] = ()) -> None:
        self._start_seconds = start_seconds
        self._command = [str(part) for part in command]
        self._environment = {
            **(environment(instruction_set) if instruction_set else os.environ),
            **dict(variables)}

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=self._log,
            stderr=self._log, env=self._environment)
        try:
            self.address = self.said("listening on")
        except LoadError:
            self._log.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._log.close()

    def output(self) -> str:
        """What the server has printed so far."""
        return os.pread(self._log.fileno(), 1 << 20, 0).decode(
            "utf-8", "replace")

    def said(self, words: str) -> str:
        """The word that stands behind `words` on a line of the log. Waits until
        the server has written such a line."""
        deadline = time.monotonic() + self._start_seconds
        while True:
            # Asked before the log is read, so that the last words are in it.
            over = (self.process.poll() is not None or
                    time.monotonic() > deadline)
            text = self.output()
            found = re.search(rf"^{words} (\S+)$", text, re.M)
            if found:
                return found[1]
            if over:
                self.process.kill()
                self.process.wait()
                raise LoadError(f"{os.path.basename(self._command[0])} did "
                                f"not start: {text.strip()[-500:]}")
            time.sleep(0.05)  # only the log shows how far the server is

    def log_line(self, words):
        """The line of the log that has `words`, from these words on; "" when no
        line has them."""
        found = re.search(rf"{re.escape(words)}.*$", self.output(), re.M)
        return found[0] if found else ""

    def metric(self, name):
        """The present value of a metric, summed over its labels."""
        address = self.said("metrics on")
        with urllib.request.urlopen(f"http://{address}/metrics",
                                    timeout=10) as page:
            return sum_of_metric(page.read().decode("utf-8"), name)


def sum_of_metric(text, name):
    """The sum of the values of a metric in `text`, which is in the text format
    of Prometheus. Raises KeyError when there is no such metric."""
    values = re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", text, re.M)
    if not values:
        raise KeyError(name)
    return sum(float(value) for value in values)


class Bench:
    """Runs `slice-client bench`. A load is returned as the JSON object that the
    program prints for it."""

    def __init__(self, folder, warmup="300ms"):
        self._client = os.path.join(folder, "slice-client")
        self._warmup = warmup

    def start(self, server, seconds, *flags):
        """Starts loads of `seconds` each; end() waits for them."""
        command = [self._client, "--server", server.address, "bench",
                   "--plaintext", "--format", "json",
                   "--warmup", self._warmup, "--duration", f"{seconds}s",
                   *(str(flag) for flag in flags)]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def end(self, process):
        output, messages = process.communicate()
        loads = [json.loads(line) for line in output.splitlines()]
        if not loads:
            raise LoadError(f"{' '.join(process.args)}: exit "
                            f"{process.returncode}: {messages.strip()[-500:]}")
        return loads

    def run(self, server, seconds, *flags):
        return self.end(self.start(server, seconds, *flags))

    def closed(self, server, seconds, concurrency, links_per_rpc=1, *flags):
        """Runs a closed loop. When `concurrency` is a list, runs one for each
        number of it and returns the load with the most RPCs per second. Raises
        LoadError unless every call was answered."""
        some = concurrency if isinstance(concurrency, list) else [concurrency]
        loads = self.run(server, seconds, "--concurrency",
                         ",".join(map(str, some)), "--links-per-rpc",
                         links_per_rpc, *flags)
        for load in loads:
            if load["failed"] or load["link_errors"]:
                raise LoadError(f"calls failed under {load['options']}: "
                                f"{load['errors']} {load['link_errors']}")
        return max(loads, key=lambda load: load["rpcs_per_second"])
