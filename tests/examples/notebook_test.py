"""The tutorial runs from its first snippet to its last, and the notebook has
the same snippets."""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import examples  # noqa: E402  (before what it finds)
import installed  # noqa: E402, F401
import processes  # noqa: E402

TUTORIAL = os.path.join(examples.ROOT, "docs", "tutorial.md")
NOTEBOOK = os.path.join(examples.EXAMPLES, "notebook", "tutorial.ipynb")


def snippets():
    with open(TUTORIAL, encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)


class NotebookTest(unittest.TestCase):

    def test_the_notebook_is_the_tutorial(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        code = ["".join(cell["source"]).rstrip("\n") + "\n" for cell in cells
                if cell["cell_type"] == "code"]
        self.assertEqual(code, snippets())

    def test_every_snippet_runs(self):
        known, before = {}, os.getcwd()
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{processes.BIN}:{path}"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        self.addCleanup(os.chdir, before)
        os.chdir(self.enterContext(tempfile.TemporaryDirectory()))

        def stop():
            if "server" in known:
                known["server"].kill()
                known["server"].wait()
                known["server"].stdout.close()

        self.addCleanup(stop)
        for snippet in snippets():
            with (self.subTest(snippet=snippet),
                  contextlib.redirect_stdout(io.StringIO()) as printed):
                exec(snippet, known)
            self.assertTrue(printed.getvalue(), snippet)
        self.assertEqual(known["server"].returncode, 0)
        self.assertTrue(known["why"].summary)
        self.assertTrue(os.path.exists("python/bundle/report/report.html"))


if __name__ == "__main__":
    unittest.main()
