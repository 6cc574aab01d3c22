"""Load on the servers of an envoy_stand.Stand, and what its clients saw.

Tests import this.
"""

import contextlib
import http.client
import itertools
import json
import subprocess
import threading
import urllib.parse

import envoy_process
import processes

# A subject each: slice-client's arguments, below the 200 calls a second that
# Envoy gives a subject.
CLIENTS = {
    "single links": ("--rate", "100"),
    "64 links": ("--rate", "10", "--links-per-rpc", "64"),
    "one after the other": ("--rate", "50", "--explanation", "context"),
}


class Bench:
    """A slice-client bench that never tries a call again."""

    def __init__(self, stand, links, subject, seconds, *arguments):
        self._process = subprocess.Popen(
            stand.command("--retries", "0", "bench", "--links", links,
                          "--warmup", "0", "--format", "json", "--duration",
                          f"{seconds}s", *arguments, token=stand.token(subject)),
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait(self):
        """(calls, failed, errors, seconds at most) at its end."""
        out, err = self._process.communicate(timeout=processes.HANG_SECONDS)
        if not out:
            raise AssertionError(f"slice-client failed: {err}")
        load = json.loads(out)
        return (load["sent"] + load["unsent"], load["failed"] + load["unsent"],
                load["errors"], load["latency_seconds"]["max"] or 0)

    def kill(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


class JsonCalls(threading.Thread):
    """The other questions, as JSON, one after the other until stop()."""

    def __init__(self, stand, row):
        super().__init__()
        self._stand, self._done = stand, threading.Event()
        source = urllib.parse.quote(row[1])
        # Not RecommendLinks: once its first reply is on its way, Envoy cannot
        # ask another server.
        self._questions = (
            "/v1/nodes", "/v1/model", "/v1/relations",
            f"/v1/neighbors?node.name={source}")
        self._token = stand.token("alice@example.org")
        self.calls, self.failures = 0, []

    def run(self):
        for question in itertools.cycle(self._questions):
            if self._done.wait(0.02):  # 50 calls a second at most
                return
            self.calls += 1
            try:
                status, _, body = self._stand.get(question, self._token)
                json.loads(body)  # a list that breaks off is none
                if status != 200:
                    self.failures.append(f"{question}: {status} {body[:200]}")
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.failures.append(f"{question}: {error!r}")

    def stop(self):
        self._done.set()
        self.join()


def under_load(stand, seconds, rows, happens):
    """Runs happens() while all CLIENTS and a JsonCalls ask, for `seconds` or
    until it ends. Returns {client: (calls, failed, errors, most seconds)}."""
    links = stand.links_file(rows)
    with contextlib.ExitStack() as undo:
        benches = {}
        for number, (name, arguments) in enumerate(CLIENTS.items()):
            benches[name] = Bench(stand, links, f"user{number}", seconds,
                                  *arguments)
            undo.callback(benches[name].kill)
        other = JsonCalls(stand, rows[0])
        undo.callback(other.stop)
        other.start()
        before = stand.envoy.stat("cluster.slice.upstream_rq_total")
        envoy_process.wait_until(
            lambda: stand.envoy.stat("cluster.slice.upstream_rq_total") >
            before + 50, "the load begins")
        happens()
        seen = {name: bench.wait() for name, bench in benches.items()}
        other.stop()
        seen["other questions, JSON"] = (
            other.calls, len(other.failures), other.failures[:5], 0)
        return seen
