"""Passes connections on to a server, as if they came from another host.

usage: relay.py ADDRESS HOST

The server at ADDRESS sees connections from HOST, an address of loopback such as
127.0.0.2. The relay prints the address to connect to, and runs until it is
ended. A server bans hosts, so a test that has hostile and other clients on one
machine needs two.
"""

import contextlib
import os
import socket
import subprocess
import sys
import threading


def pass_on(source, sink):
    """Ends both sides when one ends."""
    with contextlib.suppress(OSError):  # one of them was reset
        while data := source.recv(1 << 16):
            sink.sendall(data)
    for side in (sink, source):
        with contextlib.suppress(OSError):  # the other thread was first
            side.shutdown(socket.SHUT_RDWR)


def relay(server, host):
    name, port = server.rsplit(":", 1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"127.0.0.1:{listener.getsockname()[1]}", flush=True)
        while True:
            near = listener.accept()[0]
            try:
                far = socket.create_connection(
                    (name, int(port)), source_address=(host, 0))
            except OSError:
                near.close()
                continue
            for pair in ((near, far), (far, near)):
                threading.Thread(target=pass_on, args=pair,
                                 daemon=True).start()


@contextlib.contextmanager
def from_host(server, host):
    """A relay in a process of its own; the address to connect to."""
    process = subprocess.Popen(
        [sys.executable, "-B", os.path.abspath(__file__), server, host],
        text=True, stdout=subprocess.PIPE)
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise AssertionError("the relay did not start")
        yield address
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


if __name__ == "__main__":
    relay(*sys.argv[1:])
