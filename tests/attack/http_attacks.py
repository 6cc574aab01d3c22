"""What hostile clients do to the HTTP listener of a slice-server. As
tests/attack/attacks.py, which runs them."""

import json
import socket
import struct

BODY = 4 << 20  # the longest that is read
HALF = 64 << 10


def head(path, length, verb="POST"):
    return (f"{verb} {path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n"
            "\r\n").encode()


class Sockets:
    """The newest `most` connections; closed at the end of a `with` block."""

    def __init__(self, target, most):
        self.target = target
        self.most = most
        self.open = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.open:
            one.close()

    def connect(self, receive_bytes=None):
        """None when the server takes no further connection."""
        host, port = self.target.http.rsplit(":", 1)
        one = socket.socket()
        try:
            if receive_bytes is not None:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF,
                               receive_bytes)
            one.settimeout(0.5)
            one.bind((self.target.host, 0))
            one.connect((host, int(port)))
        except OSError:
            one.close()
            return None
        self.open.append(one)
        if len(self.open) > self.most:
            self.open.pop(0).close()
        return one


def send(one, text):
    """As much as is taken; False when the connection is closed."""
    if one is None:
        return False
    try:
        one.sendall(text)
    except OSError:
        return False
    return True


def http_half_bodies(target):
    """Requests of 4 MiB, all but their last byte, on hundreds of connections."""
    text = head("/v1/links:predict", BODY) + b" " * (BODY - 1)
    with Sockets(target, 300) as sockets:
        while target.pause(0.01):
            send(sockets.connect(), text)


def http_slow_headers(target):
    """Headers that come a byte at a time."""
    text = head("/v1/links:predict", 10)
    with Sockets(target, 500) as sockets:
        at = 0
        while target.pause(0.002):
            sockets.connect()
            for one in sockets.open[:20]:
                send(one, text[at:at + 1])
            at = (at + 1) % (len(text) - 2)


def http_unread_answers(target):
    """A hundred questions on each connection, whose answers nobody reads."""
    text = head(f"/v1/nodes?page_size=1000&prefix={target.source[:1]}", 0,
                "GET") * 100
    with Sockets(target, 200) as sockets:
        while target.pause(0.005):
            send(sockets.connect(receive_bytes=4096), text)


def _repeat(target, text, pause):
    """The same request, again and again, on up to 32 connections."""
    with Sockets(target, 32) as sockets:
        while target.pause(pause):
            one = sockets.connect()
            if send(one, text):
                try:
                    one.recv(HALF)
                except OSError:
                    pass


def http_deep_bodies(target):
    """4 MiB of brackets, nested as deeply as they go."""
    _repeat(target, head("/v1/links:predict", BODY) +
            b'{"links":' + b"[" * (BODY - 9), 0.005)


def http_big_bodies(target):
    """Requests of 4 MiB that are read to their end before they are refused."""
    link = {"source": {"key": "x" * 900}, "relation": "y" * 900,
            "target": {"key": "z" * 900}}
    body = json.dumps({"links": [link] * 1024}).encode()
    _repeat(target, head("/v1/links:predict", len(body)) + body, 0.005)


def http_empty_links(target):
    """4 MiB of empty links, more than a million of them."""
    count = (BODY - 16) // 3
    body = b'{"links":[' + b",".join([b"{}"] * count) + b"]}"
    _repeat(target, head("/v1/links:predict", len(body)) + body, 0.005)


def http_malformed(target):
    """What is not HTTP, and what is not JSON."""
    texts = [b"\0\xff\x16\x03\x01" * 200, b"GET\r\n\r\n",
             b"POST /v1/links:predict HTTP/1.1\r\n" + b"a: b\r\n" * 5000,
             head("/v1/links:predict", 3) + b"{,}",
             head("/v1/links:predict", 1) + b"\xff",
             *(head("/v1/links:predict", 2).replace(
                 b"Host", name + b": \xff\xfe\r\nHost") + b"{}"
               for name in (b"traceparent", b"authorization",
                            b"x-slice-subject", b"slice-client")),
             head("/../../etc/passwd", 0, "GET")]
    with Sockets(target, 64) as sockets:
        while target.pause(0.002):
            send(sockets.connect(), texts[target.steps % len(texts)])


def http_resets(target):
    """Requests whose connection is reset at once."""
    body = json.dumps({"links": [{
        "source": {"key": target.source}, "relation": target.relation,
        "target": {"key": target.target}}] * 64}).encode()
    text = head("/v1/links:predict", len(body)) + body
    with Sockets(target, 64) as sockets:
        while target.pause(0.001):
            one = sockets.connect()
            if send(one, text):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
                one.close()


ALL = {function.__name__: function
       for function in (http_half_bodies, http_slow_headers,
                        http_unread_answers, http_deep_bodies, http_big_bodies,
                        http_empty_links, http_malformed, http_resets)}
