"""Tests of scripts/studies with stand-ins for the programs that it runs."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from xml.etree import ElementTree

from studies_programs import write_npy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "studies_programs.py")
# How long a cell takes is foreseen from those that ran. A busy machine slows the
# stand-ins down, and then hours are foreseen for the longest cells.
AMPLE = ("--size", "small", "--budget", "1000d")
SETS = {"umls": 60, "amazon": 90, "dblp": 80}


def write_set(folder, rows):
    """Test rows whose ends have four train neighbours or more."""
    os.makedirs(folder)
    for part, label in (("train", ""), ("valid", " 1"), ("test", " 1")):
        with open(os.path.join(folder, f"{part}.txt"), "w",
                  encoding="utf-8") as file:
            for i in range(rows):
                file.write(f"likes n{i % 12} n{(i * 7 + i // 12) % 12}{label}\n")
            if label:
                file.writelines(f"likes n{i % 12} n{(i * 5 + 3) % 12} 0\n"
                                for i in range(rows))
    if folder.endswith("dblp"):
        with open(os.path.join(folder, "nodes.tsv"), "w", encoding="utf-8"):
            pass


class StudiesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, rows in SETS.items():
            write_set(self.path("sets", name), rows)
        os.makedirs(self.path("programs"))
        for name in ("trainer", "graph", "server", "client"):
            os.symlink(PROGRAMS, self.path("programs", f"slice-{name}"))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def command(self, *arguments):
        return [os.path.join(ROOT, "scripts", "studies"), "--data-dir",
                self.path("sets"), "--runs", self.path("runs"), "--out",
                self.path("studies.md"), "--sets", "umls,amazon", "--seeds",
                "1", "--jobs", "2", *arguments]

    def environment(self, **variables):
        return {**os.environ, "SLICE_PROGRAMS": self.path("programs"),
                "STAND_IN_CALLS": self.path("calls"), **{
                    f"STAND_IN_{name}": word
                    for name, word in variables.items()}}

    def run_script(self, *arguments, status=0, printed=False, **variables):
        """What the script says while it works, or what it prints."""
        result = subprocess.run(
            self.command(*arguments), text=True, capture_output=True,
            check=False, env=self.environment(**variables))
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout if printed else result.stderr

    def calls(self):
        """The calls until now."""
        if not os.path.exists(self.path("calls")):
            return []
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def page(self):
        with open(self.path("studies.md"), encoding="utf-8") as file:
            return file.read()

    def part(self, number):
        """The part of one study."""
        return re.search(rf"^## {number}\. .*?(?=^## |\Z)", self.page(),
                         re.M | re.S)[0]

    def test_every_study_has_a_plot_and_equal_cells_run_once(self):
        self.run_script(*AMPLE)
        trained = [call for call in self.calls()
                   if re.match(r"slice-trainer (fit|baseline|leak) ", call)]
        self.assertEqual(len(trained), len(set(trained)))
        self.assertIn("**This is a small version.**", self.page())
        self.assertNotIn("Cells that failed", self.page())
        for number in range(1, 11):
            part = self.part(number)
            self.assertRegex(part, r"(\d+) of \1 cells ran\.")
            self.assertRegex(part, r"\n\| ")
            self.assertNotIn("No figures yet", part)
            plot = re.search(r"!\[.*\]\((studies/\w+\.svg)\)", part)[1]
            drawn = ElementTree.parse(self.path(plot)).getroot()
            self.assertGreater(len(drawn), 10, plot)

    def test_the_page_says_what_made_it(self):
        self.run_script(*AMPLE, "--studies", "10")
        page = self.page()
        self.assertIn("- command: `scripts/studies --sets umls,amazon "
                      f"--seeds 1 --jobs 2 {' '.join(AMPLE)} --studies 10`", page)
        self.assertRegex(page, r"\n- commit: [0-9a-f]{12}")
        self.assertRegex(page, r"\n- machine: .*; each cell has one thread")
        self.assertIn("- sets: umls, amazon; seeds asked for: 1; seeds that "
                      "ran: 1\n", page)
        self.assertNotIn(self.folder, page)

    def test_few_links_are_scored_several_times_for_their_speed(self):
        self.run_script(*AMPLE, "--studies", "3", "--sets", "umls")
        asked = [int(found[1]) for call in self.calls()
                 if (found := re.search(r"of (\d+) links$", call))]
        rows = 2 * SETS["umls"]
        one = 1  # for the time of the bundle
        self.assertEqual(set(asked), {one, -(-10_000 // rows) * rows})

    def test_a_finished_cell_is_not_repeated(self):
        self.run_script(*AMPLE, "--studies", "1,3,7")
        before, page = self.calls(), self.page()
        self.run_script(*AMPLE, "--studies", "1,3,7")
        self.assertEqual(self.calls(), before)
        self.assertEqual(self.page(), page)

    def test_a_budget_interrupts_and_another_run_goes_on(self):
        errors = self.run_script("--budget", "2s", "--studies", "layers",
                                 "--sets", "umls", HANGS="slice-trainer fit")
        self.assertRegex(errors, "the budget is spent|no time left")
        self.assertIn("\n0 of 9 cells ran.", self.page())
        self.run_script(*AMPLE, "--studies", "layers", "--sets",
                        "umls")
        self.assertIn("\n9 of 9 cells ran.", self.page())

    def test_the_time_of_a_training_that_was_interrupted_is_not_shown(self):
        self.run_script(*AMPLE, "--studies", "cost")
        cells = self.path("runs", "cells")
        again = next(name for name in sorted(os.listdir(cells))
                     if "-fit-" in name)
        os.remove(os.path.join(cells, again))
        os.makedirs(self.path("runs", "bundles",
                              again.removesuffix(".json") + ".work"))
        self.run_script(*AMPLE, "--studies", "cost")
        self.assertEqual(len(re.findall(r"^\| \w+ \| 2 \| \d+ \|",
                                        self.page(), re.M)), 9)
        self.assertEqual(len(re.findall(r"^\| \w+ \| 2 \| – \|",
                                        self.page(), re.M)), 1)

    def test_a_run_that_is_ended_ends_its_programs_and_writes_the_page(self):
        with subprocess.Popen(
                self.command("--studies", "layers"), text=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                env=self.environment(HANGS="slice-trainer fit")) as process:
            for line in process.stderr:
                if line.startswith("==>") and "fit" in line:
                    break
            process.terminate()
            errors = process.stderr.read()
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("0 of 18 cells ran.", self.page())

    def test_a_cell_that_does_not_fit_is_left_out(self):
        errors = self.run_script("--budget", "0.5s", "--studies", "layers")
        self.assertIn("no time left", errors)
        self.assertEqual(self.calls(), [])
        self.assertIn("No figures yet.", self.page())

    def test_a_failure_is_on_the_page_and_the_others_go_on(self):
        self.run_script(*AMPLE, "--studies", "ablations", "--sets",
                        "umls", status=1, FAILS="--plain-tokens")
        page = self.page()
        self.assertIn("13 of 15 cells ran.", page)
        failed = page[page.index("## Cells that failed"):]
        self.assertEqual(failed.count("slice-trainer: no such luck"), 2)
        self.assertIn("--plain-tokens", failed)
        self.assertNotIn("| plain tokens |", page[:page.index("## Cells")])
        self.run_script(*AMPLE, "--studies", "ablations", "--sets",
                        "umls")
        self.assertNotIn("Cells that failed", self.page())

    def test_a_training_that_did_not_run_is_not_made_by_its_readers(self):
        errors = self.run_script(*AMPLE, "--studies", "contexts",
                                 "--sets", "umls", status=1, FAILS="random")
        self.assertEqual(errors.count("its training has not run"), 4)
        self.assertEqual(self.page().count("slice-trainer: no such luck"), 4)
        trained = [call for call in self.calls()
                   if call.startswith("slice-trainer fit") and "random" in call]
        self.assertEqual(len(trained), 4)

    def test_a_program_that_is_not_there_is_named_before_anything_runs(self):
        os.remove(self.path("programs", "slice-server"))
        said = self.run_script(*AMPLE, status=1)
        self.assertIn(f"cannot run {self.path('programs', 'slice-server')}",
                      said)
        self.assertEqual(self.calls(), [])

    def test_a_server_that_fails_is_on_the_page(self):
        self.run_script(*AMPLE, "--studies", "shift", "--sets",
                        "umls", status=1, FAILS="slice-server")
        self.assertIn("no such luck", self.page())
        self.assertIn("| umls | node2vec |", self.page())

    def test_bundles_are_removed_after_their_last_reader(self):
        self.run_script(*AMPLE, "--studies", "contexts,shift")
        self.assertEqual(os.listdir(self.path("runs", "bundles")), [])

    def test_table_only_runs_nothing(self):
        self.run_script(*AMPLE, "--studies", "8")
        before, page = self.calls(), self.page()
        self.run_script(*AMPLE, "--studies", "8", "--table-only")
        self.assertEqual(self.calls(), before)
        self.assertEqual(self.part(8), re.search(
            r"^## 8\. .*", page, re.M | re.S)[0])

    def test_another_run_takes_the_cells_over(self):
        self.run_script(*AMPLE)
        before = self.calls()
        with open(self.path("studies.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual(len(record["cells"]),
                         len(os.listdir(self.path("runs", "cells"))))
        page = self.page()
        os.rename(self.path("runs"), self.path("earlier"))
        os.remove(self.path("studies.md"))
        self.run_script(*AMPLE, "--from", self.path("studies.json"))
        self.assertEqual(self.calls(), before)
        self.assertEqual(self.page(), page)
        with open(self.path("studies.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), record)

    def test_a_cell_that_ran_is_not_taken_over(self):
        options = (*AMPLE, "--studies", "layers", "--sets", "umls")
        self.run_script(*options)
        page = self.page()
        with open(self.path("studies.json"), encoding="utf-8") as file:
            record = json.load(file)
        for figures in record["cells"].values():
            figures["auroc"] = 0.123
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            json.dump(record, file)
        self.run_script(*options, "--from", self.path("other.json"))
        self.assertEqual(self.page(), page)

    def test_cells_of_a_record_come_out_again(self):
        options = (*AMPLE, "--sets", "umls,amazon")
        self.run_script(*options)
        again = (*options, "--from", self.path("studies.json"), "--repeat", "2",
                 "--runs", self.path("again"), "--out", self.path("again.md"))
        lines = self.run_script(*again, printed=True).splitlines()
        self.assertEqual([line.split(":")[0] for line in lines], [
            name for name in ("ablations", "published", "contexts", "layers",
                              "metapaths", "case", "shift", "degree", "cost",
                              "relations") for _ in range(2)])
        for line in lines:
            self.assertRegex(line, r": (\d+) of \1 figures equal")
        with open(self.path("again.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("**20 of 20 cells came out again.**", page)
        self.assertIn("[studies.md](studies.md)", page)
        self.assertEqual(page.count("| none |"), 20)
        self.assertTrue(os.listdir(self.path("again", "cells")))

    def test_a_cell_that_does_not_come_out_again_is_named(self):
        options = (*AMPLE, "--studies", "layers", "--sets", "umls")
        self.run_script(*options)
        with open(self.path("studies.json"), encoding="utf-8") as file:
            record = json.load(file)
        for figures in record["cells"].values():
            figures["auroc"] = 0.5
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            json.dump(record, file)
        lines = self.run_script(
            *options, "--from", self.path("other.json"), "--repeat", "1",
            "--runs", self.path("again"), "--out", self.path("again.md"),
            status=1, printed=True)
        self.assertRegex(lines, r"1 DO NOT AGREE \(auroc: 0\.5 in the record, "
                                r"0\.8\d+ again\)")

    def test_a_cell_that_could_not_run_again_is_named(self):
        options = (*AMPLE, "--studies", "layers", "--sets", "umls")
        self.run_script(*options)
        lines = self.run_script(
            *options, "--from", self.path("studies.json"), "--repeat", "1",
            "--runs", self.path("again"), "--out", self.path("again.md"),
            status=1, printed=True,
            FAILS="slice-trainer")
        self.assertIn("has not run", lines)

    def test_the_runs_of_a_record_are_not_what_came_out_again(self):
        options = (*AMPLE, "--studies", "layers", "--sets", "umls")
        self.run_script(*options)
        lines = self.run_script(
            *options, "--from", self.path("studies.json"), "--repeat", "1",
            "--runs", self.path("runs"), "--out", self.path("again.md"),
            status=1, printed=True)
        self.assertIn("has not run", lines)

    def test_a_deviation_is_that_of_all_seeds_of_the_record(self):
        options = (*AMPLE, "--studies", "layers", "--sets", "umls", "--seeds",
                   "1,2")
        self.run_script(*options)
        with open(self.path("studies.json"), encoding="utf-8") as file:
            record = json.load(file)
        for figures in record["cells"].values():
            if figures["seed"] == 1:
                figures["auroc"] += 0.05
            else:
                figures["auroc"] -= 0.05
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            json.dump(record, file)
        self.run_script(
            *options, "--seeds", "1", "--from", self.path("other.json"),
            "--repeat", "1", "--runs", self.path("again"), "--out",
            self.path("again.md"))

    def compare(self, folder, method):
        """Leaves what slice-trainer compare does of a perfect method."""
        run = self.path(folder, "umls", method, "seed-1")
        os.makedirs(run)
        with open(os.path.join(run, "report.json"), "w", encoding="utf-8"):
            pass
        write_npy(os.path.join(run, "test_scores.npy"),
                  [[1.0]] * 60 + [[0.0]] * 60)
        return self.path(folder)

    def test_a_comparison_is_kept_and_taken_over(self):
        options = (*AMPLE, "--studies", "degree")
        self.run_script(*options, "--comparison", self.compare("one", "good"))
        self.assertRegex(self.part(8), r"\| good \|.* 100\.00 \|")
        page = self.part(8)
        self.run_script(*options)
        self.assertEqual(self.part(8), page)
        os.rename(self.path("runs"), self.path("earlier"))
        self.run_script(*options, "--from", self.path("studies.json"))
        self.assertEqual(self.part(8), page)

    def test_the_methods_of_several_comparisons_stand_in_one_table(self):
        options = (*AMPLE, "--studies", "degree")
        for folder, method in (("one", "good"), ("two", "better")):
            self.run_script(*options, "--comparison",
                            self.compare(folder, method))
        for method in ("good", "better"):
            self.assertIn(f"| {method} |", self.part(8))

    def test_a_comparison_of_one_set_leaves_those_of_a_record(self):
        options = (*AMPLE, "--studies", "degree")
        self.run_script(*options, "--comparison", self.compare("one", "good"))
        os.rename(self.path("runs"), self.path("earlier"))
        os.rename(self.path("studies.json"), self.path("earlier.json"))
        self.run_script(*options, "--comparison",
                        self.compare("two", "better"))
        self.run_script(*options, "--from", self.path("earlier.json"))
        for method in ("good", "better"):
            self.assertIn(f"| {method} |", self.part(8))

    def test_the_size_may_be_named(self):
        self.run_script(*AMPLE, "--size", "medium", "--studies", "4",
                        "--sets", "umls")
        self.assertIn("**This is a middle version.**", self.page())
        self.assertTrue(any("--fine-tune-positives 10000" in call
                            for call in self.calls()))

    def test_the_full_version_trains_in_full(self):
        self.run_script("--studies", "published", "--sets", "amazon")
        self.assertNotIn("small version", self.page())
        fits = [call for call in self.calls() if " fit " in call]
        self.assertEqual(len(fits), 2)
        for call in fits:
            self.assertIn("--full-evaluation", call)
            self.assertNotIn("epochs", call)

    def test_wrong_words_are_named(self):
        for arguments, words in (
                (("--studies", "eleven"), "no study 'eleven'"),
                (("--budget", "soon"), "'soon' is no time"),
                (("--seeds", "one"), "'one' must be numbers"),
                (("--jobs", "0"), "--jobs is 0"),
                (("--repeat", "0"), "--repeat is 0"),
                (("--repeat", "2"), "--repeat needs --from FILE"),
                (("--comparison", "/nowhere"), "no folder '/nowhere'")):
            self.assertIn(words, self.run_script(*arguments, status=2))
        with open(self.path("record.json"), "w", encoding="utf-8") as file:
            file.write('{"rows": []}')
        self.assertIn("is the page of --from", self.run_script(
            "--repeat", "1", "--from", self.path("record.json"), "--out",
            self.path("record.md"), status=2))
        for name, status, words in (
                ("gone", 2, "no file '"),
                ("record.json", 1, "is not a file that scripts/studies wrote")):
            self.assertIn(words, self.run_script(
                "--from", self.path(name), status=status))
        self.assertIn("no links in", self.run_script("--sets", "gone",
                                                     status=1))


if __name__ == "__main__":
    unittest.main()
