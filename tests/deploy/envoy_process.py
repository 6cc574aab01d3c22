"""Envoy as a process, and what it says of itself.

Tests import this. Envoy is the one that scripts/test installs below
SLICE_DEPS_DIR; tests are skipped without it.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import processes  # noqa: E402

SKIPPED = 77


def find_envoy():
    """The program, or None."""
    private = os.path.join(os.environ.get("SLICE_DEPS_DIR", ""), "venv", "bin",
                           "envoy")
    return private if os.access(private, os.X_OK) else shutil.which("envoy")


def skip_without_envoy():
    """Ends the test as skipped when it cannot run here."""
    for program, found in (("envoy", find_envoy()),
                           ("protoc", shutil.which("protoc"))):
        if not found:
            print(f"skipped: {program} is not installed (scripts/test does)")
            sys.exit(SKIPPED)


def wait_until(holds, what):
    """Returns what `holds` returns, once that is true."""
    deadline = time.monotonic() + processes.HANG_SECONDS
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.02)


def write(path, text):
    """Whoever watches the file sees the old one or the new one."""
    with open(path + ".partial", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".partial", path)


class EnvoyProcess:
    """An Envoy that runs a file; killed at the end of a `with` block."""

    def __init__(self, config):
        self._base = config
        self.access_log = config + ".access"
        self.process = None

    def __enter__(self):
        admin = self._base + ".admin"
        if os.path.exists(admin):
            os.remove(admin)  # of one that ran before
        with open(self.access_log, "w", encoding="utf-8") as out, \
                open(self._base + ".log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [find_envoy(), "-c", self._base, "--concurrency", "2",
                 "--disable-hot-restart", "--admin-address-path", admin,
                 "--log-level", "warning", "--file-flush-interval-msec", "50"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=log)
        try:
            wait_until(lambda: self._alive() and os.path.exists(admin) and
                       os.path.getsize(admin), "Envoy says where it listens")
            with open(admin, encoding="utf-8") as file:
                self._admin = file.read().strip()
            wait_until(lambda: self._alive() and self._ready(), "Envoy is ready")
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_):
        self.kill()

    def _alive(self):
        if self.process.poll() is not None:
            raise AssertionError(f"Envoy did not start:\n{self.log()}")
        return True

    def _ready(self):
        try:
            return self.admin("/ready") == "LIVE\n"
        except urllib.error.HTTPError as error:  # it is not ready
            error.close()
        except OSError:  # it ends
            pass
        return False

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def log(self):
        with open(self._base + ".log", encoding="utf-8") as file:
            return file.read()

    def admin(self, path, post=False):
        request = urllib.request.Request(f"http://{self._admin}{path}",
                                         method="POST" if post else "GET")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=processes.HANG_SECONDS) as reply:
            return reply.read().decode()

    def addresses(self):
        """Of its listeners, by name."""
        listeners = json.loads(self.admin("/listeners?format=json"))
        return {one["name"]: "{address}:{port_value}".format(
            **one["local_address"]["socket_address"])
            for one in listeners["listener_statuses"]}

    def stat(self, name):
        found = json.loads(self.admin(f"/stats?format=json&filter=^{name}$"))
        return sum(one.get("value", 0) for one in found["stats"])

    def servers(self):
        """What Envoy knows of each server, by address."""
        clusters = json.loads(self.admin("/clusters?format=json"))
        return {"{address}:{port_value}".format(
            **host["address"]["socket_address"]): host["health_status"]
            for cluster in clusters["cluster_statuses"]
            if cluster["name"] == "slice"
            for host in cluster.get("host_statuses", [])}

    def well(self):
        """The servers that get calls."""
        return {address for address, health in self.servers().items()
                if health.get("eds_health_status") == "HEALTHY" and not any(
                    value is True for value in health.values())}

    def failures(self):
        """Why calls ended without an answer of a server."""
        return [(call["time"], call["details"], call["flags"],
                 call["attempts"], call["server"]) for call in self.calls()
                if call["code"] >= 500 or call["grpc_status"] == "Unavailable"]

    def calls(self):
        """The access log."""
        with open(self.access_log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
