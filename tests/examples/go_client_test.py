"""The client in Go, generated from the wire contract, against a live server."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import examples  # noqa: E402  (before what it finds)
import private_python  # noqa: E402
import processes  # noqa: E402

LIBRARIES = "/usr/share/gocode"  # where Debian puts them
private_python.require_programs("go", "protoc", "protoc-gen-go",
                                "protoc-gen-go-grpc")


class GoClientTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(processes.Server())
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        example = os.path.join(examples.EXAMPLES, "go_client")
        subprocess.run([os.path.join(example, "generate"), folder], check=True)
        package = os.path.join(folder, "src", "go_client")
        os.makedirs(package)
        shutil.copy(os.path.join(example, "main.go"), package)
        cls.program = os.path.join(folder, "client")
        # As for code without modules, because Debian's libraries are such code.
        subprocess.run(
            ["go", "build", "-o", cls.program, "go_client"], check=True, env={
                **os.environ, "GO111MODULE": "off", "GOFLAGS": "",
                "GOCACHE": os.path.join(folder, "cache"),
                "GOPATH": f"{folder}:{LIBRARIES}"})

    def run_client(self, *arguments):
        return subprocess.run(
            [self.program, "-server", self.server.address, *arguments],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)

    def test_it_recommends_and_explains(self):
        relation, source, _, _ = processes.toy_rows("headline_test.tsv")[0]
        done = self.run_client(source, relation)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines[:3]],
                         ["1", "2", "3"])
        self.assertIn(source, lines[3])

    def test_it_passes_on_what_is_wrong(self):
        _, source, _, _ = processes.toy_rows("headline_test.tsv")[0]
        done = self.run_client(source, "no-such-relation")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-such-relation", done.stderr)


if __name__ == "__main__":
    unittest.main()
