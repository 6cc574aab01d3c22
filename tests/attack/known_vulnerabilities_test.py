"""What stops the known vulnerabilities of the libraries that the server is built
on. The ledger in docs/security.md names the test of each.

Others: attack_test.py (resets, descriptors), headers_test.py (aborts).
"""

import gzip
import os
import socket
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from victim import MIB, Victim  # noqa: E402  (before what it finds)
import http2  # noqa: E402

METHOD = "/slice.v1.LinkPredictionService/GetModelInfo"
# What the kernel may take in before the server has closed.
SENT = 48 * MIB
# What an attack may make the server hold; without a bound it is all of SENT or
# a multiple.
HELD = 32 * MIB
MOST_ANSWER = 256 << 10  # bytes of the page of metrics, sent once
if os.environ.get("SLICE_SANITIZE"):  # which keeps freed memory for a while
    HELD *= 4
# What a flood of valid frames may: see attack_test.py.
FLOOD = 640 * MIB
STEPS = 100  # of a flood


class VictimTest(unittest.TestCase):

    def setUp(self):
        self.victim = Victim()
        self.enterContext(self.victim)
        self.before = self.victim.resident()
        self.good = http2.Connection(self.victim.address, source="127.0.0.3")
        self.addCleanup(self.good.close)
        self.assert_others_are_answered()

    def connect(self):
        connection = http2.Connection(self.victim.address)
        self.addCleanup(connection.close)
        return connection

    def assert_others_are_answered(self):
        """On a new connection, and on one that was there before."""
        result = self.victim.client("info")
        self.assertEqual(result.returncode, 0, result.stderr)
        call = self.good.call(METHOD)
        self.assertTrue(self.good.send(call))
        stream = self.good.next_stream - 2
        self.assertEqual(self.good.answered([stream]), {stream})

    def assert_held(self, most):
        self.assertLess(self.victim.resident() - self.before, most)


class HeaderBlockTest(VictimTest):
    """Headers of a call that do not end. gRPC 1.51 bounds them per frame."""

    def flood(self, first, more):
        """Begins a block of headers with `first` and goes on with what `more`
        returns, until the server closes the connection."""
        connection = self.connect()
        stream, begin = connection.begin(METHOD)
        flags = 4  # where the frame has its flags
        connection.send(begin[:flags] + b"\0" + begin[flags + 1:])

        def frame(payload):
            return http2.frame(http2.CONTINUATION, 0, stream, payload)
        sent = 0
        connection.send(frame(first))
        while sent < SENT:
            frames = b"".join(frame(more()) for _ in range(16))
            if not connection.send(frames):
                break
            sent += len(frames)
            self.assert_held(HELD)
        self.assertLess(sent, SENT)
        self.assert_others_are_answered()
        self.assert_held(HELD)

    def test_a_header_that_never_ends(self):
        name = b"\0" + http2.integer(3, 7) + b"x-a"
        self.flood(name + http2.integer(1 << 30, 7),
                   lambda: b"y" * http2.FRAME_BYTES)

    def test_a_number_that_never_ends(self):
        self.flood(b"\0\x7f" + b"\x80" * 5,
                   lambda: b"\x80" * http2.FRAME_BYTES)

    def test_headers_without_end(self):
        self.flood(b"", lambda: http2.header("x-a", "y") * 1000)

    def test_references_to_a_long_header(self):
        self.flood(http2.indexed_header("x-a", "y" * 3900),
                   lambda: b"\xbe" * 4000)  # the youngest of the table

    def test_empty_frames_without_end(self):
        self.flood(b"", lambda: b"")

    def test_half_blocks_of_many_connections(self):
        for _ in range(200):
            connection = self.connect()
            stream = connection.new_stream()
            connection.send(
                http2.frame(http2.HEADERS, 0, stream, b"\0\x03x-a" +
                            http2.integer(1 << 20, 7) + b"y" * 16000))
        self.assert_others_are_answered()
        self.assert_held(HELD)


class SharedConnectionTest(VictimTest):
    """A proxy sends the calls of many clients through one connection. What one
    of them sends must not change or end the calls of others."""

    def share(self, extra):
        """A call with these headers between two without; which are answered."""
        connection = self.connect()
        connection.send(http2.frame(http2.SETTINGS, http2.ACK, 0))
        connection.send(connection.call(METHOD) +
                        connection.call(METHOD, extra=extra) +
                        connection.call(METHOD))
        return connection.answered([1, 3, 5])

    def test_a_binary_header_that_is_not_base64(self):
        for value in ("!!!!", "A", "=", "\0"):
            for name in ("x-bin", "grpc-trace-bin"):
                self.assertEqual(self.share([(name, value)]), {1, 3, 5}, value)

    def test_headers_that_a_proxy_lets_through(self):
        # 8 KiB and 64 headers, as in deploy/envoy.
        long = [(f"x-{i}", "y" * 120) for i in range(50)]
        self.assertEqual(self.share(long), {1, 3, 5})
        self.assertEqual(self.share([("x-a", "y" * 8192)]), {1, 3, 5})

    def test_a_long_call_does_not_shift_the_table_of_headers(self):
        connection = self.connect()
        connection.send(http2.frame(http2.SETTINGS, http2.ACK, 0))

        def send(path, *extra):
            stream = connection.new_stream()
            block = path + b"".join(http2.header(*field) for field in (
                (":method", "POST"), (":scheme", "http"), (":authority", "x"),
                ("content-type", "application/grpc"), ("te", "trailers"),
                *extra))
            connection.send(
                http2.frame(http2.HEADERS, 4, stream, block) +
                http2.frame(http2.DATA, 1, stream, http2.message(b"")))
        send(http2.indexed_header(":path", METHOD), ("x-a", "y" * 9000))
        send(b"\xbe")  # the youngest entry of the table: the path
        self.assertEqual(connection.answered([1, 3]), {1, 3})

    def test_headers_beyond_the_limit_end_the_connection(self):
        # So that no later call is read with a table that misses some headers.
        self.assertNotIn(5, self.share([("x-a", "y" * 8000)] * 2))
        self.assert_others_are_answered()


class FloodTest(VictimTest):
    """Frames that cost the client little and the server more."""

    def flood(self, step):
        connection = None
        for number in range(STEPS):
            if connection is None or not connection.open:
                if connection is not None:
                    connection.close()
                connection = http2.Connection(self.victim.address)
            connection.send(step(connection))
            connection.answer_settings()
            if number % 20 == 0:
                self.assert_others_are_answered()
                self.assert_held(FLOOD)
        connection.close()
        self.assert_others_are_answered()

    def test_pings(self):
        ping = http2.frame(http2.PING, 0, 0, b"12345678") * 500
        self.flood(lambda connection: ping)

    def test_settings(self):
        settings = http2.frame(http2.SETTINGS, 0, 0) * 500
        self.flood(lambda connection: settings)

    def test_empty_data(self):
        def step(connection):
            stream, begin = connection.begin(METHOD)
            return begin + http2.frame(http2.DATA, 0, stream) * 500
        self.flood(step)

    def test_single_bytes(self):
        def step(connection):
            stream, begin = connection.begin(METHOD)
            head = http2.message(b"x" * 60000)[:5]
            return (begin + http2.frame(http2.DATA, 0, stream, head) +
                    http2.frame(http2.DATA, 0, stream, b"x") * 400)
        self.flood(step)

    def test_priorities(self):
        frame = http2.frame(http2.PRIORITY, 0, 1, b"\0\0\0\0\1") * 500
        self.flood(lambda connection: frame)

    def test_calls_that_the_server_resets(self):
        def step(connection):  # DATA with a flag that is not there
            calls = b""
            for _ in range(100):
                stream, begin = connection.begin(METHOD)
                calls += begin + http2.frame(http2.DATA, 2, stream, b"x")
            return calls
        self.flood(step)

    def test_windows_that_overflow(self):
        def step(connection):
            calls = b""
            for _ in range(100):
                stream, begin = connection.begin(METHOD)
                calls += begin + http2.frame(
                    http2.WINDOW_UPDATE, 0, stream,
                    struct.pack(">I", 0x7fffffff))
            return calls
        self.flood(step)

    def test_calls_before_the_settings_are_acknowledged(self):
        # Fewer than CallGuard sees as a flood, more than one client may have.
        connection = self.connect()
        connection.send(b"".join(connection.begin(METHOD)[1]
                                 for _ in range(600)))
        connection.answered([connection.next_stream])  # which is not there
        self.assertFalse(connection.open)
        self.assert_others_are_answered()
        self.assert_held(HELD)


class MetricsTest(VictimTest):
    """Requests to the listener of metrics that do not end."""

    def flood(self, first, more):
        host, port = self.victim.metrics_address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), 60) as connection:
            sent = 0
            try:
                connection.sendall(first)
                while sent < SENT:
                    connection.sendall(more)
                    sent += len(more)
                    self.assert_held(HELD)
            except OSError:
                pass  # the server has closed
        self.assertLess(sent, SENT)
        self.assertIn("slice_", self.victim.scrape())
        self.assert_held(HELD)

    def test_a_line_that_never_ends(self):
        self.flood(b"GET /metrics HTTP/1.1\r\nx-a: ", b"y" * 65536)

    def test_headers_without_end(self):
        self.flood(b"GET /metrics HTTP/1.1\r\n", b"x-a: y\r\n" * 8192)

    def test_a_chunked_body_without_end(self):
        self.flood(b"POST /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
                   b"\r\n", b"10000\r\n" + b"y" * 65536 + b"\r\n")

    def status_of(self, *head, body=b""):
        """The status of the answer, which closes the connection."""
        host, port = self.victim.metrics_address.rsplit(":", 1)
        lines = b"".join(line.encode() + b"\r\n" for line in head)
        with socket.create_connection((host, int(port)), 60) as connection:
            connection.sendall(lines + b"Connection: close\r\n\r\n" + body)
            answer = connection.makefile("rb").read()
        self.assertLess(len(answer), MOST_ANSWER)
        return int(answer.split()[1])

    def test_many_ranges_of_the_page(self):
        ranges = ",".join(["0-"] * 1000)
        self.assertEqual(self.status_of("GET /metrics HTTP/1.1",
                                        f"Range: bytes={ranges}"), 200)

    def test_a_compressed_body(self):
        body = gzip.compress(b"y" * (32 << 20))
        self.assertEqual(self.status_of(
            "POST /metrics HTTP/1.1", "Content-Encoding: gzip",
            f"Content-Length: {len(body)}", body=body), 405)
        self.assert_held(HELD)

    def test_a_body_without_length(self):
        self.flood(b"POST /metrics HTTP/1.1\r\n\r\n", b"y" * 65536)


if __name__ == "__main__":
    unittest.main()
