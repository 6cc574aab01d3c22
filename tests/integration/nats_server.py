"""Starts a real nats-server with JetStream, or a cluster of three, on free
loopback ports. Tests import this."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

# What takes this long hangs. No test waits for it otherwise.
HANG_SECONDS = 300


def find():
    """The program, or nothing where it is not installed."""
    return shutil.which("nats-server") or (
        "/usr/sbin/nats-server"
        if os.access("/usr/sbin/nats-server", os.X_OK) else None)


def free_ports(count):
    """Ports that were free a moment ago. The nodes of a cluster must know each
    other's ports before they start, so the system cannot choose them later."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class NatsServer:
    """One node. `start` again after `kill` takes the same port and files."""

    def __init__(self, folder, name="n1", port=None, routes=(), monitor=None):
        self.name = name
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.port = port or free_ports(1)[0]
        self.monitor = monitor
        self.log = os.path.join(self.folder, "log")
        self._config = os.path.join(self.folder, "nats.conf")
        lines = [f"server_name: {name}", f"listen: 127.0.0.1:{self.port}",
                 "max_payload: 8MB",
                 f'jetstream {{ store_dir: "{self.folder}/store" }}']
        if monitor:
            lines.append(f"http: 127.0.0.1:{monitor}")
        if routes:
            own = routes[int(name[1:]) - 1]
            listed = ", ".join(f"nats://127.0.0.1:{route}" for route in routes)
            lines.append(f"cluster {{ name: slice, listen: 127.0.0.1:{own}, "
                         f"routes: [{listed}] }}")
        with open(self._config, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        self.process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [find(), "-c", self._config], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self.process.poll() is not None or \
                        time.monotonic() > deadline:
                    with open(self.log, encoding="utf-8") as log:
                        raise AssertionError(
                            "nats-server did not start:\n" + log.read()
                        ) from None
                time.sleep(0.05)

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def ask(self, path):
        """A page of the monitoring port, such as /jsz."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        url = f"http://127.0.0.1:{self.monitor}{path}"
        with opener.open(url, timeout=HANG_SECONDS) as reply:
            return json.load(reply)


    def request(self, subject, payload):
        """The answer of JetStream to a request of its API."""
        body = json.dumps(payload).encode()
        with socket.create_connection(("127.0.0.1", self.port),
                                      HANG_SECONDS) as connection:
            connection.sendall(
                b'CONNECT {"verbose":false}\r\nSUB answer 1\r\n' +
                f"PUB {subject} answer {len(body)}\r\n".encode() + body +
                b"\r\n")
            lines = connection.makefile("rb")
            for line in lines:
                if line.startswith(b"MSG"):
                    return json.loads(lines.read(int(line.split()[-1])))
        raise AssertionError(f"no answer to {subject}")


class NatsCluster:
    """Three nodes; stopped at the end of a `with` block."""

    def __init__(self, nodes=3):
        self._folder = tempfile.TemporaryDirectory()
        ports = free_ports(3 * nodes)
        routes = ports[2 * nodes:] if nodes > 1 else ()
        self.nodes = [
            NatsServer(self._folder.name, f"n{i + 1}", ports[i], routes,
                       ports[nodes + i]) for i in range(nodes)]

    def __enter__(self):
        for node in self.nodes:
            node.start()
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.kill()
        self._folder.cleanup()

    def feed(self, stream="CHANGES"):
        servers = ",".join(node.address for node in self.nodes)
        return f"nats://{servers}/{stream}?replicas={len(self.nodes)}"

    def leader(self, stream="CHANGES"):
        """The node that leads the stream, or nothing without a leader."""
        for node in self.nodes:
            if node.process.poll() is not None:
                continue
            jetstream = node.ask("/jsz?streams=true")
            for account in jetstream.get("account_details", []):
                for detail in account.get("stream_detail") or []:
                    if detail["name"] == stream:
                        name = detail.get("cluster", {}).get("leader")
                        found = [one for one in self.nodes if one.name == name]
                        if found:
                            return found[0]
        return None
