"""A client that goes on calling although its quota is used up loses its
connection; others are answered."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import http2  # noqa: E402
from victim import Victim  # noqa: E402

METHOD = "/slice.v1.LinkPredictionService/GetModelInfo"
HOST = "127.0.0.2"  # of the flood; others call from 127.0.0.1


class QuotaFloodTest(unittest.TestCase):

    def setUp(self):
        self.server = Victim("--searches-per-second", "5")
        self.enterContext(self.server)

    def flood(self):
        """Calls until the server closes the connection."""
        connection = http2.Connection(self.server.address, source=HOST)

        def is_closed():
            connection.send(b"".join(connection.call(METHOD)
                                     for _ in range(50)))
            return not connection.answer_settings()
        self.server.wait_until(is_closed, "the connection is still open")
        connection.close()

    def test_the_flood_is_closed_and_then_kept_out(self):
        self.flood()
        self.assertIn("goes on calling although its quota is used up",
                      self.server.output())
        self.flood()  # the second time it costs the host a minute
        self.assertIn("its host may not connect again for 60 s",
                      self.server.output())
        result = self.server.client("info")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_client_that_asks_again_when_it_is_told_stays(self):
        for _ in range(12):  # more than the quota of a second
            result = self.server.client("--retries", "5", "info")
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("closed the connection", self.server.output())


if __name__ == "__main__":
    unittest.main()
