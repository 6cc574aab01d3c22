"""Every Python snippet of the documents runs against a live server."""

import contextlib
import io
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402, F401  (before what it finds)
import processes  # noqa: E402

DOCUMENTS = ("client/python/README.md", "README.md", "docs/serving.md")
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def snippets(document):
    with open(os.path.join(installed.ROOT, document),
              encoding="utf-8") as file:
        return SNIPPET.findall(file.read())


class DocumentsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = processes.Server()
        cls.enterClassContext(cls.server)

    def in_the_toy_graph(self, snippet):
        """The names of the documents, which are those of the demo, as names of
        the graph of the tests."""
        relation, source, target = processes.toy_rows("test.tsv")[0][:3]
        names = {"localhost:50051": self.server.address, "curl": source,
                 "libcurl4": target, "depends": relation, "tagged": relation,
                 "firefox-esr": source, "crul": source + "x"}
        return re.sub("|".join(map(re.escape, names)),
                      lambda found: names[found[0]], snippet)

    def test_snippets_run(self):
        found = 0
        before = os.getcwd()
        for document in DOCUMENTS:
            known = {}
            for snippet in snippets(document):
                with (self.subTest(document=document, snippet=snippet),
                      tempfile.TemporaryDirectory() as folder,
                      contextlib.redirect_stdout(io.StringIO()) as printed):
                    os.chdir(folder)
                    try:
                        exec(self.in_the_toy_graph(snippet), known)
                    finally:
                        os.chdir(before)
                    found += 1
                    self.assertTrue(printed.getvalue())
        self.assertGreater(found, 5)


if __name__ == "__main__":
    unittest.main()
