"""Starts the real server on a free loopback port and asks it with the real
client. Tests import this; SLICE_BIN_DIR and SLICE_TOY_DIR are set by ctest.
"""

import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request

BIN = os.environ.get("SLICE_BIN_DIR", "")
TOY = os.environ.get("SLICE_TOY_DIR", "")
BUNDLE = os.path.join(TOY, "bundle")
# For LD_PRELOAD: tests/testing/faulty_disk.cc.
FAULTY_DISK = os.path.join(os.path.dirname(BIN), "tests", "libfaulty_disk.so")
# What takes this long hangs. No test waits for it otherwise: a machine may be
# slow and busy.
HANG_SECONDS = 600


def toy_rows(name):
    """The rows of a file of the toy graph, such as "test.tsv"."""
    with open(os.path.join(TOY, "graph", name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


class Server:
    """A slice-server; stopped at the end of a `with` block."""

    def __init__(self, *flags, bundle=BUNDLE, data_dir=None, lame_duck="0s",
                 folder=BIN, variables=None):
        self._folder = tempfile.TemporaryDirectory()
        self.data_dir = data_dir or os.path.join(self._folder.name, "data")
        self.log = os.path.join(self._folder.name, "log")
        self._program = os.path.join(folder, "slice-server")
        self._environment = {**os.environ, **(variables or {})}
        self._flags = ["--bundle", bundle, "--data-dir", self.data_dir,
                       "--listen", "127.0.0.1:0",
                       "--metrics-listen", "127.0.0.1:0",
                       "--lame-duck", lame_duck, *flags]

    def __enter__(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self._program, *self._flags], env=self._environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            # Asked before the log is read, so that the last words are in it.
            ended = self.process.poll() is not None
            text = self.output()
            address = re.search(r"^listening on (\S+)$", text, re.M)
            if address:
                break
            if ended or time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                self._folder.cleanup()
                raise AssertionError(f"the server did not start:\n{text}")
            time.sleep(0.05)  # its log is all it says
        self.address = address[1]
        self.metrics_address = re.search(
            r"^metrics on (\S+)$", self.output(), re.M)[1]
        http = re.search(r"^http on (\S+)$", self.output(), re.M)
        self.http_address = http and http[1]
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self._folder.cleanup()

    def output(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    def stop(self, timeout=HANG_SECONDS):
        """SIGTERM; returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def scrape(self, token=None):
        url = f"http://{self.metrics_address}/metrics"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        if token is not None:
            opener.addheaders = [("Authorization", f"Bearer {token}")]
        with opener.open(url, timeout=HANG_SECONDS) as reply:
            return reply.read().decode()

    def scored(self):
        """How many links it has scored."""
        found = re.findall(r'^slice_items_total\{[^}]*outcome="scored"[^}]*\} '
                           r"(\S+)$", self.scrape(), re.M)
        return sum(map(float, found))  # of both classes

    def client(self, *arguments, stdin=None, server=None):
        """Runs slice-client to its end; server: another address of it."""
        return subprocess.run(
            [os.path.join(BIN, "slice-client"), "--server",
             server or self.address, *arguments], input=stdin, text=True, capture_output=True,
            check=False, timeout=HANG_SECONDS)

    def start_client(self, *arguments):
        """Starts slice-client; its stdin takes links."""
        return subprocess.Popen(
            [os.path.join(BIN, "slice-client"), "--server", self.address,
             *arguments], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
