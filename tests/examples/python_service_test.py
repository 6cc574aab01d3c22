"""The web service in Python, in front of a live server."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import examples  # noqa: E402  (before what it finds)
import installed  # noqa: E402
import private_python  # noqa: E402

private_python.require("fastapi", "uvicorn")

import processes  # noqa: E402

# Listens, prints its address, and serves.
RUN = """
import socket, sys, uvicorn
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config("service:app", log_level="warning")).run(
    sockets=[listening])
"""


class PythonServiceTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(processes.Server())
        cls.log = cls.enterClassContext(tempfile.TemporaryFile())
        paths = [os.path.join(installed.CLIENT, "site"),
                 os.path.join(examples.EXAMPLES, "python_service")]
        cls.service = subprocess.Popen(
            [sys.executable, "-B", "-c", RUN], stdout=subprocess.PIPE,
            stderr=cls.log, env={
                **os.environ, "SLICE_SERVER": cls.server.address,
                "PYTHONPATH": os.pathsep.join(paths)})
        cls.addClassCleanup(cls.service.stdout.close)
        cls.addClassCleanup(cls.service.wait)
        cls.addClassCleanup(cls.service.terminate)
        cls.port = int(cls.service.stdout.readline())
        cls.relation, cls.source, cls.target, _ = processes.toy_rows(
            "headline_test.tsv")[0]

    def get(self, path, **fields):
        """Status and JSON of the answer."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        url = (f"http://127.0.0.1:{self.port}{path}?" +
               urllib.parse.urlencode(fields))
        try:
            with opener.open(url, timeout=processes.HANG_SECONDS) as reply:
                return reply.status, json.loads(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def test_suggestions_are_those_of_the_server(self):
        status, found = self.get(f"/suggestions/{self.source}",
                                 relation=self.relation, k=2)
        self.assertEqual(status, 200)
        ranked = json.loads(self.server.client(
            "recommend", "--source", self.source, "--relation", self.relation,
            "--k", "2", "--json").stdout)["recommendations"]
        self.assertEqual([one["target"] for one in found],
                         [one["node"]["name"] for one in ranked])

    def test_reasons_come_with_the_sentence(self):
        status, found = self.get("/reasons", source=self.source,
                                 relation=self.relation, target=self.target)
        self.assertEqual(status, 200)
        self.assertTrue(found["summary"])
        self.assertGreater(found["probability"], 0)

    def test_an_unknown_name_is_not_found(self):
        status, found = self.get(f"/suggestions/{self.source}x",
                                 relation=self.relation)
        self.assertEqual(status, 404)
        self.assertIn(self.source, found["did_you_mean"])


if __name__ == "__main__":
    unittest.main()
