"""Clients of production_benchmark.py: loads over TLS, attackers, and threads that
do something again and again while a load runs.

usage: production_clients.py ADDRESS METHOD TOKEN HEX

As a program it floods a server with calls of a method, whose message is HEX.
They come from another host of loopback than the other clients.
"""

import json
import os
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "tests", "attack"))

import http2  # noqa: E402
from attacks import field, number_field  # noqa: E402

SERVICE = "/slice.v1.LinkPredictionService/"
# The calls of an attacker: the flags of `slice-client bench`, or a method.
ATTACKS = {
    "FULL explanations": ("bench", "--explanation", "full", "--concurrency",
                          "64", "--connections", "16"),
    "1,024 links per RPC": ("bench", "--links-per-rpc", "1024",
                            "--concurrency", "64", "--connections", "16"),
    "streams": ("bench", "--links-per-rpc", "64", "--streams", "64",
                "--concurrency", "512", "--connections", "16"),
    "recommendations": ("RecommendLinks",),
    "name searches": ("FindNodes",),
}
FLOOD_CONNECTIONS = 16
ATTACKING_HOST = "127.0.0.2"
RELAY = os.path.join(ROOT, "tests", "integration", "relay.py")


def rate(load):
    return load["rpcs_per_second"]


def p99(load):
    return load["latency_seconds"]["p99"]


def resident_mib(server):
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0


def tls_bench(folder, server, seconds, *flags):
    return [os.path.join(folder, "slice-client"), "--server", server.address,
            "bench", "--format", "json", "--warmup", "1s", "--duration",
            f"{seconds}s", *flags]


def one_load(command):
    result = subprocess.run(command, text=True, capture_output=True,
                            check=False)
    if not result.stdout:
        raise SystemExit(f"{' '.join(command)}: {result.stderr}")
    return json.loads(result.stdout.splitlines()[0])


class Background:
    """Runs step(number) again and again on a thread, in a `with` block."""

    def __init__(self, step, pause=0.0):
        self._step, self._pause = step, pause
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        number = 0
        while not self._over.is_set():
            self._step(number)
            number += 1
            self._over.wait(self._pause)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()


class Repeating(Background):
    """Does something `times` times, spread over `seconds`."""

    def __init__(self, act, times, seconds):
        self.done = 0
        start = time.monotonic() + 1  # the load warms up

        def step(_):
            if self.done == times:
                return
            due = start + (seconds - 1) * self.done / times
            if time.monotonic() >= due:
                act(self.done)
                self.done += 1
        super().__init__(step, 0.01)


class Consistency(Background):
    """Scores the same 32 links again and again. Every reply must be that of one
    bundle as a whole."""

    def __init__(self, production, server):
        self.asked = self.mixed = 0
        self._client = [os.path.join(production.options.bin, "slice-client"),
                        "--server", server.address]
        links = production.path("links")
        self._ask = [*self._client, "predict", "--links", links]
        self._write_links(links)
        known = set()
        for turn in (0, 1):
            production.swap(turn)
            known.add(self._reply())

        def step(_):
            self.asked += 1
            self.mixed += self._reply() not in known
        super().__init__(step, 0.05)

    def _lines(self, *words):
        return subprocess.run([*self._client, *words], text=True, check=True,
                              capture_output=True).stdout.splitlines()

    def _write_links(self, path):
        rows = []
        for line in self._lines("find", "--limit", "200"):
            node = line.split("\t")[0]
            for row in self._lines("neighbors", "--keys", node, "--direction",
                                   "out", "--limit", "1"):
                rows.append("\t".join((row.split("\t")[1], node,
                                       row.split("\t")[2])))
            if len(rows) == 32:
                break
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")

    def _reply(self):
        return subprocess.run(self._ask, text=True, check=False,
                              capture_output=True).stdout


class Newcomers(Background):
    """Connects anew for every call."""

    def __init__(self, production, server):
        self.asked = self.failed = 0
        command = [os.path.join(production.options.bin, "slice-client"),
                   "--server", server.address, "--retries", "0", "--cacert",
                   production.authority.path, "--cert", production.own[0],
                   "--key", production.own[1], *production.token("good"),
                   "info"]

        def step(_):
            self.asked += 1
            self.failed += subprocess.run(command, capture_output=True,
                                          check=False).returncode != 0
        super().__init__(step)


class Attackers:
    """Processes of the identity `bad`, in a `with` block. Their own work is done
    on other machines as a rule, so here it has the lowest priority."""

    def __init__(self, production, server, attack):
        self._all = []
        if attack is None:
            return
        words = list(ATTACKS[attack])
        client = [os.path.join(production.options.bin, "slice-client"),
                  *production.token("bad"), "--server"]
        if words[0] == "bench":
            relay = self._spawn(
                [sys.executable, RELAY, server.address, ATTACKING_HOST],
                subprocess.PIPE)
            address = relay.stdout.readline().strip()
            if not address:
                raise RuntimeError("the relay did not start")
            self._spawn([*client, address, *words,
                         "--plaintext", "--warmup", "0s", "--duration", "1h",
                         "--retries", "0"])
            return
        client.append(server.address)
        message = (field(1, "a") + number_field(3, 1000)
                   if words[0] == "FindNodes" else self._question(client))
        self._spawn([sys.executable, os.path.abspath(__file__),
                     server.address, SERVICE + words[0], "bad",
                     message.hex()])

    def _spawn(self, command, output=subprocess.DEVNULL):
        process = subprocess.Popen(["nice", "-n", "19", *command],
                                   stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.DEVNULL, text=True,
                                   start_new_session=True)
        self._all.append(process)
        return process

    @staticmethod
    def _question(client):
        def lines(*words):
            return subprocess.run([*client, *words], text=True, check=True,
                                  capture_output=True).stdout.splitlines()
        for line in lines("find", "--limit", "100"):
            node = line.split("\t")[0]
            for row in lines("neighbors", "--keys", node, "--direction", "out",
                             "--limit", "1"):
                return (field(1, field(1, node)) +
                        field(3, row.split("\t")[1]) + number_field(4, 1000))
        raise SystemExit("none of the first 100 nodes of the graph has a link")

    def __enter__(self):
        time.sleep(1 if self._all else 0)  # the attack begins
        return self

    def __exit__(self, *_):
        for process in self._all:
            os.killpg(process.pid, 9)
            process.wait()
            if process.stdout:
                process.stdout.close()


def flood(address, method, token, message):
    """Sends calls on several connections, and reads the answers."""
    extra = (("authorization", f"Bearer {token}"),)
    connections = [None] * FLOOD_CONNECTIONS
    while True:
        for at, connection in enumerate(connections):
            try:
                if connection is None or not connection.open:
                    connection = http2.Connection(address, ATTACKING_HOST)
            except OSError:
                continue  # the server keeps this host out
            connections[at] = connection
            connection.send(b"".join(connection.call(method, message, extra)
                                     for _ in range(20)))
            connection.answer_settings()
        time.sleep(0.02)


if __name__ == "__main__":
    flood(*sys.argv[1:4], bytes.fromhex(sys.argv[4]))
