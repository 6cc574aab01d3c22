"""Kills the leader of the change feed, one of its followers, a server and an
Envoy in turn, twice each, while clients ask and change the graph.

usage: replica_soak.py [--seconds 180]

Three slice-servers follow a JetStream stream that three nats-servers keep, and
two Envoys are before them. A client that fails asks the other Envoy once; a
writer repeats its request, with its number, until it is acknowledged. In the
end every replica must have exactly the changes that were acknowledged, and all
must have one state digest. Prints what was seen, and exits with 1 when
something is wrong.

Needs what the tests need (SLICE_BIN_DIR, SLICE_DEPS_DIR, SLICE_TOY_DIR),
nats-server and Envoy.
"""

import argparse
import contextlib
import http.client
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

import envoy_process
import envoy_stand
import nats_server
import processes

ROUNDS = 2
ASKERS, WRITERS = 2, 2
PAUSE_SECONDS = 0.02  # of a client between two calls


class Front:
    """Two Envoys before the servers."""

    def __init__(self, stand):
        self._stand = stand
        self._token = stand.token("alice@example.org")
        other = stand.path("envoy2.yaml")
        shutil.copy(stand.path("envoy.yaml"), other)
        self.envoys = [stand.envoy, envoy_process.EnvoyProcess(other)]
        stand.enter_context(self.envoys[1])
        self.addresses = [one.addresses()["public"] for one in self.envoys]

    def call(self, path, body, envoy):
        """The reply, or an exception. Without a body the path is asked by GET.
        """
        at = {"token": self._token, "address": self.addresses[envoy]}
        status, _, body = (self._stand.get(path, **at) if body is None
                           else self._stand.post(path, body, **at))
        if status != 200:
            raise OSError(f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def kill(self, number):
        self.envoys[number].kill()

    def start(self, number):
        self.envoys[number].__enter__()
        self.addresses[number] = self.envoys[number].addresses()["public"]

    def see_all(self, servers):
        wanted = {server.address for server in servers}
        for envoy in self.envoys:
            envoy_process.wait_until(lambda envoy=envoy: wanted <= envoy.well(),
                                     "Envoy finds all servers well")


class Client(threading.Thread):
    """Does `step` again and again until stop()."""

    def __init__(self, front, number):
        super().__init__()
        self.front, self.number = front, number
        self.calls, self.repeated, self.failures = 0, 0, []
        self.longest = 0
        self._done = threading.Event()

    def run(self):
        for count in itertools.count(1):
            if self._done.wait(PAUSE_SECONDS):
                return
            begin = time.monotonic()
            self.step(count)
            self.calls += 1
            self.longest = max(self.longest, time.monotonic() - begin)

    def stop(self):
        self._done.set()
        self.join()


class Asker(Client):
    """Asks one Envoy, and the other one when that fails."""

    def __init__(self, front, number, rows):
        super().__init__(front, number)
        relation, source, target = rows[number][:3]
        link = {"source": {"key": source}, "relation": relation,
                "target": {"key": target}}
        self._questions = [
            ("/v1/links:predict", {"links": [link]}),
            ("/v1/nodes?prefix=soak-", None),
            (f"/v1/neighbors?node.key={urllib.parse.quote(source)}", None)]

    def step(self, count):
        path, body = self._questions[count % len(self._questions)]
        for attempt in range(2):
            try:
                self.front.call(path, body, (count + attempt) % 2)
                return
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.repeated += attempt == 0
                if attempt:
                    self.failures.append(repr(error))


class Writer(Client):
    """Adds nodes, and removes each third one again two requests later."""

    def __init__(self, front, number):
        super().__init__(front, number)
        self.present = set()
        self.last_version = 0

    def step(self, count):
        key = f"soak-{self.number}-{count}"
        if count % 3 == 0:
            key = f"soak-{self.number}-{count - 2}"
            change = {"remove_node": {"key": key}}
        else:
            change = {"upsert_node": {"key": key}}
        request = {"changes": [change], "writer": f"soak-{self.number}",
                   "sequence": count}
        for attempt in itertools.count():
            try:
                reply = self.front.call("/v1/graph:update",
                                        request, (count + attempt) % 2)
                break
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.repeated += 1
                self.failures = [repr(error)]  # the last one, to be shown
                time.sleep(0.05)
        self.last_version = max(self.last_version, int(reply["graph_version"]))
        if count % 3 == 0:
            self.present.discard(key)
        else:
            self.present.add(key)


def kill_node(cluster, of_leader):
    leader = envoy_process.wait_until(cluster.leader, "the stream has a leader")
    node = leader if of_leader else next(
        one for one in cluster.nodes if one is not leader)
    node.kill()
    return node


def disturb(what, number, cluster, stand, front, seconds):
    """Kills one, waits, starts it again, and waits until all is well."""
    if what in ("leader", "follower"):
        node = kill_node(cluster, what == "leader")
        time.sleep(seconds)
        node.start()
    elif what == "server":
        server = number % len(stand.servers)
        stand.restart(server, signal.SIGKILL, lambda: time.sleep(seconds))
    else:
        front.kill(number % 2)
        time.sleep(seconds)
        front.start(number % 2)
    envoy_process.wait_until(cluster.leader, "the stream has a leader")
    front.see_all(stand.servers)


def in_step(front, version):
    """Whether whichever server Envoy asks has that version or a later one, and
    all of them the same."""
    states = [front.call("/v1/graph", None, number % 2)
              for number in range(30)]
    versions = {int(state["graph_version"]) for state in states}
    return len(versions) == 1 and min(versions) >= version


def verify(stand):
    """Stops the servers; what slice-graph finds in the directory of each."""
    found = []
    for server in stand.servers:
        server.stop()
        graphs = os.path.join(server.data_dir, "graphs")
        directory = os.path.join(graphs, os.listdir(graphs)[0])
        graph = os.path.join(processes.BIN, "slice-graph")
        result = subprocess.run(
            [graph, "verify", "--data-dir", directory, "--json"], text=True,
            capture_output=True, check=False, timeout=processes.HANG_SECONDS)
        found.append(json.loads(result.stdout))
    return found


def nodes_of(front, page_size=1000):
    keys, token = set(), ""
    while True:
        reply = front.call("/v1/nodes?" + urllib.parse.urlencode(
            {"prefix": "soak-", "page_size": page_size, "page_token": token}),
            None, 0)
        keys |= {node["key"] for node in reply["nodes"]}
        token = reply.get("next_page_token")
        if not token:
            return keys


def soak(stand, cluster, seconds):
    front = Front(stand)
    front.see_all(stand.servers)
    rows = processes.toy_rows("test.tsv")
    askers = [Asker(front, number, rows) for number in range(ASKERS)]
    writers = [Writer(front, number) for number in range(WRITERS)]
    with contextlib.ExitStack() as undo:
        for client in [*askers, *writers]:
            client.start()
            undo.callback(client.stop)
        kinds = ("leader", "follower", "server", "envoy")
        each = seconds / (ROUNDS * len(kinds))
        for number in range(ROUNDS):
            for kind in kinds:
                until = time.monotonic() + each
                disturb(kind, number, cluster, stand, front,
                        min(3, each / 4))
                print(f"{kind} killed and back", flush=True)
                time.sleep(max(0, until - time.monotonic()))
    return front, askers, writers


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=180)
    options = parser.parse_args()
    envoy_process.skip_without_envoy()
    if nats_server.find() is None:
        print("skipped: nats-server is not installed")
        sys.exit(envoy_process.SKIPPED)
    with nats_server.NatsCluster() as cluster, envoy_stand.Stand(
            lame_duck="0s", roles="predict, explore, update",
            flags=("--accept-updates", "--feed", cluster.feed())) as stand:
        front, askers, writers = soak(stand, cluster, options.seconds)
        last = max(writer.last_version for writer in writers)
        envoy_process.wait_until(lambda: in_step(front, last),
                                 f"version {last} everywhere")
        expected = set().union(*(writer.present for writer in writers))
        found = nodes_of(front)
        states = verify(stand)
    for name, clients in (("questions", askers), ("changes", writers)):
        print(f"{name}: {sum(one.calls for one in clients)} calls, "
              f"{sum(one.repeated for one in clients)} asked again, longest "
              f"{max(one.longest for one in clients):.2f} s")
    failed = [text for asker in askers for text in asker.failures]
    digests = {(one["graph_version"], one["state_digest"]) for one in states}
    print(f"failed questions: {len(failed)} {failed[:3]}")
    print(f"acknowledged changes lost: {len(expected - found)}, "
          f"others found: {len(found - expected)}")
    print(f"replicas: {sorted(digests)}, all verified: "
          f"{all(one['ok'] for one in states)}")
    good = (not failed and expected == found and len(digests) == 1 and
            all(one["ok"] for one in states))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
