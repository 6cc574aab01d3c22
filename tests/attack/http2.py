"""Raw HTTP/2 as no client library sends it: requests that stop half way, answers
that nobody reads, windows that stay closed.

What comes back is counted by frame, not understood: whether others are served is
asked with the real client.
"""

import select
import socket
import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY = (
    0, 1, 2, 3, 4, 6, 7)
WINDOW_UPDATE, CONTINUATION = 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW_SIZE = 4
FRAME_BYTES = 16384  # largest that a server must take


def frame(kind, flags, stream, payload=b""):
    return (struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) +
            struct.pack(">I", stream) + payload)


def integer(value, prefix_bits):
    """RFC 7541, section 5.1, with nothing in the bits before."""
    most = (1 << prefix_bits) - 1
    if value < most:
        return bytes([value])
    out, value = [most], value - most
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def header(name, value):
    """A literal without indexing (RFC 7541, section 6.2.2)."""
    name, value = name.encode(), value.encode()
    return (b"\0" + integer(len(name), 7) + name + integer(len(value), 7) +
            value)


def indexed_header(name, value):
    """A literal that enters the table (RFC 7541, section 6.2.1)."""
    return b"\x40" + header(name, value)[1:]


def message(payload, compressed=False):
    """A gRPC message."""
    return bytes([compressed]) + struct.pack(">I", len(payload)) + payload


class Connection:
    """To HOST:PORT, from another host of loopback than others call from."""

    def __init__(self, address, source="127.0.0.2", window=None):
        host, port = address.rsplit(":", 1)
        self.authority = address
        self.socket = socket.create_connection(
            (host, int(port)), timeout=30, source_address=(source, 0))
        self.next_stream = 1
        self.open = True
        settings = b"" if window is None else struct.pack(
            ">HI", INITIAL_WINDOW_SIZE, window)
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings))

    def close(self):
        self.socket.close()

    def send(self, data):
        """False once the server has closed the connection."""
        try:
            self.socket.sendall(data)
        except OSError:
            self.open = False
        return self.open

    def new_stream(self):
        self.next_stream += 2
        return self.next_stream - 2

    def begin(self, method, extra=(), end=False):
        """Bytes of a call's headers; its stream is the last one made."""
        stream = self.new_stream()
        fields = [(":method", "POST"), (":scheme", "http"), (":path", method),
                  (":authority", self.authority),
                  ("content-type", "application/grpc"), ("te", "trailers"),
                  *extra]
        block = b"".join(header(*field) for field in fields)
        return stream, frame(HEADERS, END_HEADERS | (END_STREAM if end else 0),
                             stream, block)

    def call(self, method, payload=b"", extra=()):
        """Bytes of a whole call with a small message."""
        stream, head = self.begin(method, extra)
        return head + frame(DATA, END_STREAM, stream, message(payload))

    def answered(self, streams):
        """Reads until these streams have ended, or the server has closed.
        Returns those that ended with trailers, not by a reset. Gives the
        connection's window back, so that any number of replies fits."""
        left, ended, data = set(streams), set(), b""
        while left:
            try:
                more = self.socket.recv(1 << 16)
            except TimeoutError:
                break
            except OSError:
                more = b""
            if not more:
                self.open = False
                break
            data += more
            while len(data) >= 9:
                end = 9 + int.from_bytes(data[:3], "big")
                if len(data) < end:
                    break
                kind, flags = data[3], data[4]
                stream = int.from_bytes(data[5:9], "big")
                if kind == DATA and end > 9:
                    self.send(frame(WINDOW_UPDATE, 0, 0,
                                    struct.pack(">I", end - 9)))
                if kind == HEADERS and flags & END_STREAM:
                    ended.add(stream)
                if kind == RST_STREAM or stream in ended:
                    left.discard(stream)
                data = data[end:]
        return ended

    def answer_settings(self):
        """Reads what is there; False once the server has closed."""
        readable = select.poll()
        readable.register(self.socket, select.POLLIN)
        while self.open and readable.poll(0):
            try:
                if not self.socket.recv(1 << 16):
                    self.open = False
            except OSError:
                self.open = False
        return self.open and self.send(frame(SETTINGS, ACK, 0))
