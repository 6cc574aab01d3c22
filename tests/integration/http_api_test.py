"""The JSON API of a real server, asked as curl or a browser asks it."""

import http.client
import json
import os
import signal
import socket
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import processes  # noqa: E402

JSON = {"Content-Type": "application/json"}


def link(row):
    relation, source, target = row[:3]
    return {"source": {"key": source}, "relation": relation,
            "target": {"key": target}}


class HttpApiTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = processes.Server("--http-listen", "127.0.0.1:0")
        cls.enterClassContext(cls.server)
        cls.rows = processes.toy_rows("test.tsv")

    def setUp(self):
        self.http = http.client.HTTPConnection(
            self.server.http_address, timeout=processes.HANG_SECONDS)
        self.addCleanup(self.http.close)

    def ask(self, verb, path, body=None, headers=None):
        """Status and JSON of the answer."""
        self.http.request(verb, path, body, headers or {})
        reply = self.http.getresponse()
        return reply.status, json.loads(reply.read())

    def post(self, path, body):
        return self.ask("POST", path, json.dumps(body), JSON)

    def test_scores_are_those_of_grpc(self):
        rows = self.rows[:64]
        status, answer = self.post("/v1/links:predict",
                                   {"links": [link(row) for row in rows]})
        self.assertEqual(status, 200)
        lines = self.server.client(
            "predict", "--links", "-", "--json",
            stdin="".join("\t".join(row[:3]) + "\n" for row in rows))
        by_grpc = [json.loads(line) for line in lines.stdout.splitlines()]
        self.assertEqual(
            [result["target"]["key"] for result in answer["results"]],
            [row[2] for row in rows])
        for over_http, over_grpc in zip(answer["results"], by_grpc,
                                        strict=True):
            self.assertEqual(*(struct.pack("f", one["probability"])
                               for one in (over_http, over_grpc)))

    def test_an_explanation_has_its_parts(self):
        status, answer = self.post(
            "/v1/links:predict",
            {"links": [link(self.rows[0])],
             "explanation_level": "EXPLANATION_LEVEL_FULL"})
        self.assertEqual(status, 200)
        explanation = answer["results"][0]["explanation"]
        self.assertTrue(explanation["summary"])
        self.assertTrue(explanation["tokens"])

    def test_recommendations_are_an_array(self):
        row = self.rows[0]
        status, answer = self.post(
            "/v1/links:recommend",
            {"source": {"key": row[1]}, "relation": row[0], "k": 3})
        self.assertEqual(status, 200)
        self.assertEqual([one["recommendation"]["rank"] for one in answer],
                         list(range(1, len(answer) + 1)))

    def test_the_graph_and_the_model_can_be_asked_for(self):
        _, nodes = self.ask("GET", "/v1/nodes?page_size=2")
        key = nodes["nodes"][0]["key"]
        self.assertEqual(len(nodes["nodes"]), 2)
        status, answer = self.ask("GET", f"/v1/neighbors?node.key={key}")
        self.assertEqual((status, answer["node"]["key"]), (200, key))
        self.assertTrue(self.ask("GET", "/v1/relations")[1]["relations"])
        self.assertTrue(self.ask("GET", "/v1/model")[1]["bundle_id"])
        self.assertEqual(self.ask("GET", "/v1/graph")[1]["graph_version"],
                         self.ask("GET", "/v1/model")[1]["graph_version"])

    def test_changes_need_accept_updates(self):
        status, answer = self.post("/v1/graph:update", {"changes": [
            {"remove_link": link(self.rows[0])}]})
        self.assertEqual(status, 400)
        self.assertIn("--accept-updates", answer["message"])

    def test_what_is_wrong_is_named(self):
        for body, words in (
                (b'{"links": [{"sorce": {}}]}', "sorce"),
                (b'{"links": []}', "links"),
                (b"{", "no JSON"), (b"", "no JSON"), (b"[]", "JSON object"),
                (b'{"prior": "NaN", "links": [{}]}', "prior"),
                (b'{"model": "", "model": ""}', "comes twice"),
                (b'{"links":' * 5000, "nested deeper")):
            status, answer = self.ask("POST", "/v1/links:predict", body, JSON)
            self.assertEqual(status, 400, body[:80])
            self.assertIn(words, answer["message"])
        status, answer = self.ask("POST", "/v1/links:predict", b"{}",
                                  {"Content-Type": "text/plain"})
        self.assertEqual(status, 415)
        self.assertIn("application/json", answer["message"])
        self.assertEqual(self.ask("GET", "/v1/links:predict")[0], 405)
        self.assertEqual(self.ask("GET", "/v2/nodes")[0], 404)

    def test_a_body_of_64_mib_is_refused_unread(self):
        host, port = self.server.http_address.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"POST /v1/links:predict HTTP/1.1\r\n"
                               b"Host: localhost\r\n"
                               b"Content-Type: application/json\r\n"
                               b"Content-Length: 67108864\r\n\r\n")
            answer = connection.makefile("rb").readline()
        self.assertIn(b"413", answer)

    def test_it_says_what_it_is(self):
        self.http.request("GET", "/v1/openapi.json")
        reply = self.http.getresponse()
        document = json.loads(reply.read())
        self.assertIn("/v1/links:predict", document["paths"])
        self.http.request("GET", "/v1/openapi.json", headers={
            "If-None-Match": reply.getheader("ETag")})
        again = self.http.getresponse()
        self.assertEqual((again.status, again.read()), (304, b""))

    def test_health_and_metrics_are_here_too(self):
        for path, words in (("/healthz", b"alive"), ("/readyz", b"ready"),
                            ("/metrics", b"slice_items_total")):
            self.http.request("GET", path)
            reply = self.http.getresponse()
            self.assertEqual(reply.status, 200)
            self.assertIn(words, reply.read())


class StopTest(unittest.TestCase):

    def test_a_stop_ends_idle_connections(self):
        with processes.Server("--http-listen", "127.0.0.1:0") as server:
            host, port = server.http_address.rsplit(":", 1)
            with socket.create_connection((host, int(port))) as idle:
                server.process.send_signal(signal.SIGTERM)
                self.assertEqual(idle.recv(1), b"")
            self.assertEqual(server.process.wait(processes.HANG_SECONDS), 0)


if __name__ == "__main__":
    unittest.main()
