"""The pages that programs write: of a run, of several, of a comparison, of a
sweep, of a load. Looked at in a real Chromium, on every screen."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import browser  # noqa: E402  (before what it finds)
import processes  # noqa: E402

TRAINER = os.path.join(processes.BIN, "slice-trainer")
GRAPH = os.path.join(processes.TOY, "graph")
FILES = {name: os.path.join(GRAPH, name + ".tsv")
         for name in ("train", "valid", "test")}


class TrainerPagesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.pages = {"run": cls.page_of_a_run(),
                     "runs": cls.page_of_runs(),
                     "comparison": cls.page_of_a_comparison(),
                     "sweep": cls.page_of_a_sweep(),
                     "bench": cls.page_of_a_bench()}
        cls.browser = cls.enterClassContext(browser.Browser())

    @classmethod
    def place(cls, name):
        return os.path.join(cls.folder, name)

    @staticmethod
    def run_trainer(*arguments):
        subprocess.run([TRAINER, *arguments, "--threads", "1"], check=True,
                       capture_output=True, timeout=processes.HANG_SECONDS)

    @classmethod
    def page_of_a_run(cls):
        page = cls.place("run.html")
        cls.run_trainer("evaluate", "--bundle", processes.BUNDLE, "--test",
                        FILES["test"], "--valid", FILES["valid"], "--ranking",
                        "20", "--html", page)
        return page

    @classmethod
    def page_of_runs(cls):
        page = cls.place("runs.html")
        subprocess.run([TRAINER, "report", "--summary", "--html", page,
                        processes.BUNDLE, processes.BUNDLE], check=True,
                       capture_output=True)
        return page

    @classmethod
    def page_of_a_comparison(cls):
        out = cls.place("comparison")
        cls.run_trainer("compare", "--datasets", processes.TOY, "--sets",
                        "graph", "--methods", "popularity,node2vec", "--seeds",
                        "2", "--out", out)
        return os.path.join(out, "comparison.html")

    @classmethod
    def page_of_a_sweep(cls):
        graph, out = cls.place("generated"), cls.place("sweep")
        subprocess.run(
            [os.path.join(processes.BIN, "slice-graph"), "generate", "--nodes",
             "300", "--links", "3000", "--out", graph], check=True,
            capture_output=True)
        files = [part for name in FILES
                 for part in ("--" + name, os.path.join(graph, name + ".tsv"))]
        cls.run_trainer("sweep", "--out", out, "--vary",
                        "structural-epochs=1,2", *files, "--preset", "fast",
                        "--spectral-rank", "8", "--folds", "2",
                        "--own-pair-links", "hide")
        return os.path.join(out, "sweep.html")

    @classmethod
    def page_of_a_bench(cls):
        page = cls.place("bench.html")
        with processes.Server() as server:
            result = server.client("bench", "--concurrency", "1,4",
                                   "--duration", "300ms", "--warmup", "100ms",
                                   "--format", "html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(result.stdout)
        return page

    def looks(self):
        """Every page on every screen."""
        for name, page in self.pages.items():
            for width, scheme in browser.SIGHTS:
                self.browser.see(width, scheme)
                self.browser.open("file://" + page)
                yield f"{name}, {width} px, {scheme}"

    def test_nothing_stands_out_of_the_screen(self):
        for look in self.looks():
            self.assertEqual(self.browser.overflowing(), [], look)

    def test_everybody_can_read_them(self):
        for look in self.looks():
            self.assertEqual(self.browser.barriers(), [], look)

    def test_they_ask_for_nothing_and_complain_of_nothing(self):
        for look in self.looks():
            self.assertEqual(self.browser.complaints(), [], look)

    def test_links_of_a_page_lead_somewhere(self):
        for name, page in self.pages.items():
            self.browser.open("file://" + page)
            for link in self.browser.all("a"):
                address = link.get_attribute("href").removeprefix("file://")
                path, _, part = address.partition("#")
                with self.subTest(page=name, address=address):
                    self.assertTrue(os.path.exists(path), path)
                    if part:
                        self.browser.find("#" + part)

    def test_a_comparison_leads_to_its_runs(self):
        self.browser.open("file://" + self.pages["comparison"])
        self.browser.link("seed 2").click()
        self.browser.settle()
        self.assertIn("node2vec", self.browser.find("h1").text)

    def test_a_narrow_screen_is_told_that_tables_scroll(self):
        hint = """return getComputedStyle(
            document.querySelector(".wide"), "::before").content"""
        self.browser.open("file://" + self.pages["run"])
        for width, told in ((390, True), (1600, False)):
            self.browser.see(width, "light")
            self.assertEqual("scroll" in self.browser.run(hint), told, width)


if __name__ == "__main__":
    unittest.main()
