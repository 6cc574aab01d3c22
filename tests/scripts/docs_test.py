"""Tests of scripts/docs: the site of the documents, with all its links."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "lib"))

import site_pages  # noqa: E402


class RewriteTest(unittest.TestCase):

    def test_links_lead_to_pages(self):
        where = site_pages.pages()

        def rewritten(document, text):
            return site_pages.rewrite(document, text, where)

        self.assertEqual(
            rewritten("README.md", "[a](docs/model.md#ends) [b](#here) "
                      "![c](docs/performance.svg) [d](https://x.org/y)"),
            "[a](model.md#ends) [b](#here) ![c](performance.svg) "
            "[d](https://x.org/y)")
        self.assertEqual(rewritten("docs/gpu.md", "[a](../CONTRIBUTING.md#x)"),
                         "[a](contributing.md#x)")
        # Only the repository has it.
        self.assertEqual(rewritten("README.md", "([LICENSE](LICENSE))"),
                         "(LICENSE)")
        with self.assertRaisesRegex(SystemExit, "docs/none.md, which is not"):
            rewritten("README.md", "[a](docs/none.md)")

    def test_every_document_is_in_the_contents(self):
        with open(os.path.join(ROOT, "mkdocs.yml"), encoding="utf-8") as file:
            listed = set(re.findall(r"[\w-]+\.md", file.read()))
        self.assertEqual(listed, {page for page in site_pages.pages().values()
                                  if page.endswith(".md")})


class CheckTest(unittest.TestCase):

    def test_a_link_to_nowhere_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "index.html"), "w",
                      encoding="utf-8") as file:
                file.write('<h1 id="a">A</h1><a href="#a">a</a>'
                           '<a href="#b">b</a><a href="c.html">c</a>')
            with self.assertRaises(SystemExit) as ended:
                site_pages.check(folder)
            self.assertEqual(ended.exception.code, 1)


@unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed")
class SiteTest(unittest.TestCase):

    def test_the_site_is_made_and_its_links_hold(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [os.path.join(ROOT, "scripts", "docs"), "--out", folder],
                text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertTrue(os.path.exists(
                os.path.join(folder, "serving", "index.html")))


if __name__ == "__main__":
    unittest.main()
