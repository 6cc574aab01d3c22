"""What a client may send by HTTP/2 itself: headers that gRPC treats in a special
way, and settings whose answers it does not read."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import http2  # noqa: E402
import processes  # noqa: E402

METHOD = "/slice.v1.LinkPredictionService/GetModelInfo"
# gRPC 1.51 aborts at the first of them when it checks credentials
# (common/header_guard.h); those after it are of CVE-2023-1428 and the like.
NAMES = ("grpclb_client_stats", "te", ":scheme", ":method", ":status",
         "content-type", "grpc-encoding", "grpc-internal-encoding-request",
         "grpc-accept-encoding", "grpc-status", "grpc-timeout", "grpc-message",
         "grpc-previous-rpc-attempts", "grpc-retry-pushback-ms", "user-agent",
         "host", "endpoint-load-metrics-bin", "grpc-server-stats-bin",
         "grpc-trace-bin", "grpc-tags-bin", "lb-cost-bin", "lb-token",
         "x-envoy-peer-metadata")
VALUES = ("", "x", "0", "-1", "99999999999999999999", "!!!!", "\0", "é" * 100)


class HeadersTest(unittest.TestCase):

    def setUp(self):
        self.server = processes.Server()
        self.enterContext(self.server)

    def send(self, *fields, indexed=False):
        """A call with these headers, and then one without."""
        connection = http2.Connection(self.server.address)
        data = connection.call(METHOD, extra=fields)
        if indexed:  # literals with indexing (RFC 7541, section 6.2.1)
            data = data.replace(b"\0" + http2.header(*fields[0])[1:],
                                b"\x40" + http2.header(*fields[0])[1:])
        connection.send(data)
        connection.send(connection.call(METHOD))
        connection.answer_settings()
        connection.close()

    def assertServes(self, what):
        self.assertEqual(self.server.client("info").returncode, 0, what)
        self.assertIsNone(self.server.process.poll(), what)

    def test_no_header_ends_the_server(self):
        for name in NAMES:
            for value in VALUES:
                self.send((name, value))
            self.send((name, "x"), indexed=True)
            self.send((name, "x"), ("x-long", "y" * 16000))  # too long
            self.send((name, "x"), (name, "y"), (name, "x" * 5000))
            self.assertServes(name)


class StopTest(unittest.TestCase):

    def test_a_client_that_reads_nothing_does_not_keep_the_server(self):
        with processes.Server("--drain-timeout", "1s") as server:
            connection = http2.Connection(server.address)
            connection.socket.settimeout(2)
            settings = http2.frame(http2.SETTINGS, 0, 0) * 1000
            while connection.send(settings):
                pass  # until the server takes no more
            self.assertEqual(server.stop(timeout=60), 0)
            connection.close()


if __name__ == "__main__":
    unittest.main()
