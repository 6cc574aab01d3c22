"""Tests of what the studies compute: cells, cosines, paths, slopes, charts."""

import contextlib
import io
import math
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from dataclasses import replace
from unittest import mock
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "lib"))

import studies_ablations  # noqa: E402
import studies_case  # noqa: E402
import studies_charts  # noqa: E402
import studies_contexts  # noqa: E402
import studies_cost  # noqa: E402
import studies_degree  # noqa: E402
import studies_metapaths  # noqa: E402
import studies_page  # noqa: E402
import studies_published  # noqa: E402
import studies_relations  # noqa: E402
import studies_repeat  # noqa: E402
import studies_shift  # noqa: E402
from studies_cells import (  # noqa: E402
    Cell,
    Found,
    Version,
    breadth_first,
    explained,
)
from studies_commands import Commands, Unfinished  # noqa: E402
from studies_explained import (  # noqa: E402
    Row,
    digest,
    paths_of,
    sampled_rows,
)
from studies_places import Places  # noqa: E402
from studies_programs import explanation, write_npy  # noqa: E402
from studies_runs import Runner, expected_seconds, failures  # noqa: E402
from studies_sizes import SIZES, fitting  # noqa: E402
from studies_vectors import (  # noqa: E402
    auroc,
    compared_methods,
    cosines_of,
    degree_name,
    degree_rows,
    read_npy,
)
from studies_words import (  # noqa: E402
    clear_remark,
    is_clear,
    percent,
    points,
)

SMALL = Version(("umls", "amazon"), (1, 2), size=SIZES["small"], case_set="dblp")
LINKS = {"umls": 5, "amazon": 9, "dblp": 8}


def size(data):
    return LINKS.get(data, 7)


class CellsTest(unittest.TestCase):

    def test_a_setting_of_the_preset_makes_no_other_cell(self):
        plain = SMALL.fit("paper", "umls", 1)
        self.assertEqual(SMALL.fit("paper", "umls", 1, "--layers 4"), plain)
        deep = SMALL.fit("paper", "umls", 1, "--layers 2")
        self.assertNotEqual(deep.key, plain.key)
        self.assertNotEqual(SMALL.fit("paper", "umls", 2).key, plain.key)

    def test_a_setting_takes_the_place_of_that_of_the_version(self):
        flags = SMALL.fit("paper", "umls", 1, "--pretrain-epochs 0").flags
        self.assertEqual(flags.count("--pretrain-epochs"), 1)
        self.assertEqual(flags[flags.index("--pretrain-epochs") + 1], "0")

    def test_the_budget_chooses_the_size(self):
        names = {budget: fitting(budget).name
                 for budget in (None, 60, 3600, 3601, 86400, 86401)}
        self.assertEqual(names, {
            None: "full", 60: "small", 3600: "small", 3601: "medium",
            86400: "medium", 86401: "full"})

    def test_sizes_share_no_figure_of_other_rows(self):
        def cells(name):
            version = Version(("amazon",), (1,), SIZES[name], case_set="dblp")
            return {cell.key: cell for study in studies_page.STUDIES
                    for cell in study.cells(version)}
        small, medium, full = map(cells, ("small", "medium", "full"))
        for one, other in ((small, medium), (medium, full), (small, full)):
            for key in one.keys() & other.keys():
                self.assertEqual(one[key].rows, other[key].rows)
                self.assertNotIn(one[key].command, ("baseline", "explain"))

    def test_a_leak_is_that_of_whole_files(self):
        study = next(one for one in studies_page.STUDIES if one.number == 2)
        for name, size_ in SIZES.items():
            for cell in study.cells(Version(("amazon",), (1,), size_)):
                self.assertIsNone(cell.rows)
                if cell.command == "fit" and name != "small":
                    self.assertIn("--full-evaluation", cell.flags)
                    self.assertNotIn("--fine-tune-epochs", cell.flags)

    def test_relations_are_compared_after_whole_trainings(self):
        study = next(one for one in studies_page.STUDIES if one.number == 10)
        for name, size_ in SIZES.items():
            for cell in study.cells(Version(("amazon",), (1,), size_)):
                self.assertEqual("--fine-tune-epochs" in cell.flags,
                                 name == "small")
                self.assertIn("context", cell.flags)

    def test_the_middle_size_sees_a_share_of_planted_links(self):
        study = next(one for one in studies_page.STUDIES if one.number == 9)
        seen = {}
        for name in ("small", "medium", "full"):
            cell = study.cells(Version((), (1,), SIZES[name]))[-2]
            self.assertEqual(cell.command, "fit")
            seen[name] = cell.flags[
                cell.flags.index("--fine-tune-positives") + 1]
        self.assertEqual(seen, {"small": "0", "medium": "200000", "full": "0"})

    def test_every_study_has_a_cell_before_any_has_its_second_set(self):
        lists = [study.cells(SMALL) for study in studies_page.STUDIES]
        order = breadth_first(lists, size)
        self.assertEqual(set(order), {cell for cells in lists
                                      for cell in cells})
        self.assertEqual(len(order), len(set(order)))
        first_of = [min(map(order.index, cells)) for cells in lists]
        second = next(at for at, cell in enumerate(order)
                      if cell.data == "amazon" and "--layers" in cell.flags)
        self.assertLess(max(first_of), second)
        seeds = [cell.seed for cell in order]
        self.assertEqual(seeds, sorted(seeds))

    def test_a_reader_comes_after_the_maker_of_its_bundle(self):
        for study in studies_page.STUDIES:
            cells = study.cells(SMALL)
            for at, cell in enumerate(cells):
                if cell.bundle_of is not None:
                    self.assertIn(cell.bundle_of, cells[:at], study.name)

    def test_time_is_expected_from_similar_cells(self):
        fit = SMALL.fit("paper", "umls", 1)
        same = SMALL.fit("paper", "umls", 2)
        other = SMALL.fit("paper", "amazon", 1)
        self.assertIsNone(expected_seconds(fit, [], size))
        self.assertEqual(expected_seconds(fit, [(same, 3), (other, 9)], size),
                         3)
        self.assertEqual(expected_seconds(other, [(same, 5)], size), 9)
        self.assertIsNone(expected_seconds(explained(fit), [(same, 3)], size))


class Signalled:
    """In the place of Commands: gets the signal that ends the run, but in its
    own thread, so that it does not wake the main one. `seen` says whether the
    run was over soon."""

    def __init__(self, _, left):
        self._left = left
        self.seen = False

    def figures(self, _):
        time.sleep(0.5)  # until the main thread waits
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        end = time.monotonic() + 10
        while not self.seen and time.monotonic() < end:
            self.seen = (self._left() or 1) <= 0
            time.sleep(0.01)
        raise Unfinished


class RunnerTest(unittest.TestCase):

    def test_a_signal_that_wakes_nobody_ends_a_run(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("studies_runs.Commands", Signalled), \
                contextlib.redirect_stderr(io.StringIO()):
            runner = Runner(Places(ROOT, "programs", folder, folder), None)
            with self.assertRaises(KeyboardInterrupt):
                runner.run([SMALL.fit("paper", "umls", 1)])
        self.assertTrue(runner._commands.seen)

    @staticmethod
    def fails(error, folder):
        """The cells of which a run kept a failure, where all fail so."""
        def figures(*_):
            raise error
        cells = [SMALL.fit("paper", "umls", seed) for seed in (1, 2)]
        places = Places(ROOT, "programs", folder, folder)
        with mock.patch("studies_runs.Commands.figures", figures), \
                contextlib.redirect_stderr(io.StringIO()):
            Runner(places, None).run(cells)
        return failures(places, cells)

    def test_no_kind_of_failure_keeps_the_others_from_running(self):
        for error in (TypeError("odd"), ZeroDivisionError(), StopIteration()):
            with tempfile.TemporaryDirectory() as folder:
                self.assertEqual(len(self.fails(error, folder)), 2, error)

    def test_a_full_disk_ends_the_run_with_its_error(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("studies_runs.write_text",
                           side_effect=OSError("no space")), \
                self.assertRaisesRegex(OSError, "no space"):
            self.fails(ValueError("odd"), folder)

    def test_a_program_that_the_terminal_ended_has_not_failed(self):
        for one in (signal.SIGINT, signal.SIGTERM):
            for words in (f"kill -{one.value} $$", f"exit {128 + one.value}"):
                with subprocess.Popen(["sh", "-c", words]) as process, \
                        self.assertRaises(Unfinished):
                    Commands(None, lambda: None)._wait(process)


class FilesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_a_sample_has_both_classes_and_no_order(self):
        rows = [f"r a{i} b{i} {i % 2}\n" for i in range(40)]
        first = sampled_rows(self.write("one", "".join(rows)), 5, 3)
        second = sampled_rows(self.write("two", "".join(rows[::-1])), 5, 3)
        self.assertEqual(first, second)
        self.assertEqual([row.positive for row in first],
                         [True] * 5 + [False] * 3)

    def test_large_held_out_files_are_sampled_and_train_is_not(self):
        os.makedirs(os.path.join(self.folder, "sets", "one"))
        rows = {part: [f"r {part}{i} b {i % 2}\n" for i in range(30)]
                for part in ("train", "valid")}
        rows["test"] = rows["valid"][:10]
        for part, lines in rows.items():
            self.write(f"sets/one/{part}.txt", "".join(lines))
        found = []
        for runs in ("first", "second"):
            places = Places("", "", os.path.join(self.folder, "sets"),
                            os.path.join(self.folder, runs))
            files = places.files(Cell("leak", "one", 1, rows=10))
            with open(files["--valid"], encoding="utf-8") as file:
                found.append(file.readlines())
            for part in ("train", "test"):
                self.assertEqual(files[f"--{part}"], os.path.join(
                    self.folder, "sets", "one", f"{part}.txt"))
        self.assertEqual(found[0], found[1])
        self.assertEqual(len(found[0]), 10)
        self.assertEqual([row for row in rows["valid"] if row in found[0]],
                         found[0])

    def test_cosines_are_those_of_the_vectors_of_both_ends(self):
        write_npy(os.path.join(self.folder, "embeddings.npy"),
                  [[1, 0], [0, 2], [3, 3]])
        self.write("embeddings.keys", "a\nb\nc\n")
        found = cosines_of(self.folder, [
            Row("r", "a", "b"), Row("r", "a", "c"),
            Row("r", "c", "c", False), Row("r", "a", "gone", False)])
        self.assertEqual(found["links"], [0, round(math.sqrt(.5), 5)])
        self.assertEqual(found["non_links"], [1, 0])

    def test_without_vectors_there_are_no_cosines(self):
        self.assertIsNone(cosines_of(self.folder, [Row("r", "a", "b")]))

    def test_what_is_no_matrix_of_floats_is_refused(self):
        with self.assertRaisesRegex(ValueError, "is not a .npy file"):
            read_npy(self.write("x.npy", "hello, this is text"))

    def test_degree_is_that_of_the_less_connected_end(self):
        train = self.write("train", "r a b\nr a c\nr a d\nr b c\n")
        test = self.write("test", "r a b 1\nr a c 0\nr d gone 0\n")
        write_npy(os.path.join(self.folder, "test_scores.npy"),
                  [[2, 1], [1, 0], [5, 0]])
        rows = degree_rows(self.folder, train, test)
        # Without the pair's own link: b has only c, c has only b.
        self.assertEqual(rows["1"], {"positives": 1, "negatives": 1,
                                     "auroc": 1.0, "structural": None})
        self.assertIsNone(rows["0"]["auroc"])


class ComparisonTest(unittest.TestCase):

    def test_every_method_that_left_scores_has_its_error_by_degree(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "sets", "ring")
            os.makedirs(data)
            links = [f"1 n{i} n{i % 60 + 1}" for i in range(1, 61)]
            rows = [f"1 n{i} n{(i + 1) % 60 + 1} {i % 2}"
                    for i in range(1, 61)]
            for name, lines in (("train", links), ("test", rows)):
                with open(os.path.join(data, f"{name}.txt"), "w",
                          encoding="utf-8") as file:
                    file.write("".join(line + "\n" for line in lines))
            for method, right in (("good", True), ("bad", False)):
                run = os.path.join(folder, "runs", "ring", method, "seed-1")
                os.makedirs(run)
                open(os.path.join(run, "report.json"), "w").close()
                write_npy(os.path.join(run, "test_scores.npy"),
                          [[float(right == bool(i % 2)), i % 2]
                           for i in range(1, 61)])
            version = Version(("ring",), (1,), size=SIZES["small"],
                              compared=compared_methods(
                                  os.path.join(folder, "runs"),
                                  os.path.join(folder, "sets"), ("ring",)))
            part = next(study for study in studies_page.STUDIES
                        if study.number == 8).part(version, Found({}))
        self.assertIn("| good | 100.00 |", part.table)
        self.assertIn("| bad | 0.00 |", part.table)


class FiguresTest(unittest.TestCase):

    def test_auroc_counts_equal_scores_half(self):
        self.assertEqual(auroc([3, 2], [1, 0]), 1)
        self.assertEqual(auroc([1], [1]), 0.5)
        self.assertEqual(auroc([3, 1], [2, 0]), 0.75)
        self.assertIsNone(auroc([], [1]))

    def test_degrees_are_grouped_as_reports_group_them(self):
        self.assertEqual([degree_name(n) for n in (0, 1, 2, 3, 4, 255, 256,
                                                   9999)],
                         ["0", "1", "2-3", "2-3", "4-7", "128-255", "256+",
                          "256+"])

    def test_a_power_is_fitted_with_its_interval(self):
        exact = studies_cost.fitted([(x, 3 * x ** 1.2)
                                     for x in (10, 20, 40, 80)])
        self.assertAlmostEqual(exact.slope, 1.2)
        self.assertAlmostEqual(exact.low, exact.high)
        # By hand: slope 1, residuals ±0.1 in a square pattern, 2 degrees.
        noisy = studies_cost.fitted([
            (math.exp(x), math.exp(x + e))
            for x, e in ((0, .1), (1, -.1), (2, -.1), (3, .1))])
        self.assertAlmostEqual(noisy.slope, 1)
        self.assertAlmostEqual(noisy.high - 1,
                               4.30 * math.sqrt(.04 / 2 / 5), places=6)
        self.assertTrue(noisy.holds(1))
        self.assertIsNone(studies_cost.fitted([(1, 1), (2, 2), (2, 3)]))

    def test_overlap_is_the_shared_area(self):
        similar = studies_shift.Similarities
        self.assertAlmostEqual(similar([.9, .9], [-.9, -.9]).overlap(), 0)
        self.assertAlmostEqual(similar([.9, -.9], [-.9, .9]).overlap(), 1)
        self.assertAlmostEqual(similar([.9, -.9], [.9, .9]).overlap(), 0.5)
        self.assertAlmostEqual(similar([1, 1], [1, 1]).overlap(), 1)
        self.assertEqual(sum(studies_shift.histogram([-5, 1], 0, 1)), 1)

    def test_a_narrow_range_is_told_apart(self):
        links, others = [.999 + i / 1e5 for i in range(50)], [.99] * 50
        self.assertLess(studies_shift.Similarities(links, others).overlap(),
                        0.1)

    def test_a_difference_of_one_seed_is_never_clear(self):
        self.assertFalse(is_clear([0.5]))
        self.assertTrue(is_clear([0.5, 0.51, 0.49]))
        self.assertFalse(is_clear([0.5, -0.4, 0.1]))

    def test_noise_is_clear_once_in_twenty_times(self):
        lot = random.Random(1)
        for seeds in (2, 3, 5):
            share = statistics.fmean(
                is_clear([lot.gauss(0, 1) for _ in range(seeds)])
                for _ in range(4000))
            self.assertAlmostEqual(share, 0.05, delta=0.02)

    def test_scores_that_are_no_numbers_have_no_auroc(self):
        self.assertIsNone(auroc([1.0, math.nan], [0.5]))
        self.assertIsNone(auroc([1.0], [math.nan, math.nan]))


class PathsTest(unittest.TestCase):

    LINK = {"source": {"key": "p"}, "target": {"key": "a"}}

    def test_a_path_of_nodes_has_types_attention_and_change(self):
        path, = paths_of(explanation(self.LINK), typed=True)
        self.assertEqual(path.name, "paper – term – author")
        self.assertAlmostEqual(path.attention, 0.3)
        self.assertAlmostEqual(path.change, 0.5)

    def test_without_types_a_path_is_its_relations(self):
        path, = paths_of(explanation(self.LINK), typed=False)
        self.assertEqual(path.name, "likes> <knows")

    def test_a_path_token_is_a_path(self):
        given = explanation(self.LINK)
        given["edges"] = []
        given["tokens"][2] = {
            "kind": "TOKEN_KIND_PATH", "role": "TOKEN_ROLE_BETWEEN", "path": [
                {"relation": "likes", "direction": "DIRECTION_OUT",
                 "node": {"key": "m", "type": "term"}},
                {"relation": "knows", "direction": "DIRECTION_IN",
                 "node": {"key": "a", "type": "author"}}],
            "attention_from_source": 0.5, "attention_from_target": 0.1,
            "logit_effect": -2}
        path, = paths_of(given, typed=False)
        self.assertEqual(path.name, "likes> <knows")
        self.assertAlmostEqual(path.attention, 0.3)
        self.assertEqual(path.change, -2)

    def test_metapaths_are_those_of_links_and_cosines_of_all(self):
        answers = [{"logit": 2, "explanation": explanation(self.LINK)}] * 6
        found = digest([Row("r", "p", "a")] * 5 + [Row("r", "p", "a", False)],
                       answers, typed=True)
        self.assertEqual(found["asked"], {"r": 5})
        self.assertEqual([row["paths"] for row in found["metapaths"]], [5])
        self.assertEqual(found["layer_cosines"]["links"], [[.1, .6]] * 5)
        self.assertEqual(found["layer_cosines"]["non_links"], [[.1, .6]])
        self.assertEqual(found["scores"], {"links": [2] * 5, "non_links": [2]})

    def test_a_metapath_of_few_paths_is_left_out(self):
        answers = [{"logit": 2, "explanation": explanation(self.LINK)}] * 4
        found = digest([Row("r", "p", "a")] * 4, answers, typed=True)
        self.assertEqual(found["metapaths"], [])

    def test_an_answer_without_an_explanation_counts_nothing(self):
        found = digest([Row("r", "p", "a")], [{}], typed=True)
        self.assertEqual(found["metapaths"], [])
        self.assertEqual(found["layer_cosines"]["links"], [])


class SentencesTest(unittest.TestCase):

    def published(self, leaky, honest, node2vec=(0.95, 0.94), size="small"):
        version = Version(("amazon",), (1,), size=SIZES[size])
        cells = studies_published.STUDIES[0].cells(version)
        figures = {}
        for cell in cells:
            if cell.command == "leak":
                figures[cell.key] = {
                    name: {"auroc": value, "f1": value} for name, value in
                    zip(("leaky", "honest"), node2vec, strict=True)}
            else:
                value = leaky if "paper-leaky" in cell.flags else honest
                figures[cell.key] = {"auroc": value, "f1": value}
        part = studies_published.STUDIES[0].part(version, Found(figures))
        return part, " ".join([*part.answer, *part.sentences])

    def test_the_gap_to_the_published_table_follows_from_the_figures(self):
        part, text = self.published(0.985, 0.960)
        self.assertIn("of 1 published AUROCs of SLiCE 1 comes out within 1.5 "
                      "points with the leak, and 0 without it.", text)
        self.assertIn("lies −0.52 points from the published AUROC with the "
                      "leak and −3.02 without it", text)
        self.assertIn("| SLiCE | amazon | 99.02 / 96.00 | 98.50 / 98.50 | "
                      "96.00 / 96.00 | +2.50 |", part.table)
        self.assertIn("With the leak node2vec has +1.00 points of AUROC and "
                      "SLiCE +2.50.", text)
        self.assertIn("The trainings are short here", text)
        self.assertNotIn("The trainings are short here",
                         self.published(0.985, 0.960, size="medium")[1])

    def test_a_table_that_does_not_come_out_is_said_so(self):
        _, text = self.published(0.90, 0.91)
        self.assertIn("0 come out within 1.5 points with the leak, and 0 without",
                      text)
        self.assertIn("With the leak SLiCE has 1.00 points less than without "
                      "it, and node2vec has 1.00 more (means over the sets). "
                      "A likely reason of the loss is that a train link sees "
                      "itself", text)
        nearer = ("The published AUROC is nearer to ours with the leak than "
                  "without it on {} for node2vec, and on {} for SLiCE.")
        self.assertIn(nearer.format("no set", "no set"), text)
        _, text = self.published(0.90, 0.91, node2vec=(0.945, 0.93))
        self.assertIn(nearer.format("amazon", "no set"), text)
        self.assertIn("So the leak can explain the published figures of "
                      "node2vec on amazon, and those of SLiCE nowhere. A likely "
                      "reason", text)
        _, text = self.published(0.99, 1.0, node2vec=(0.945, 0.93))
        self.assertIn("on amazon for SLiCE.", text)
        self.assertNotIn("So the leak can explain", text)

    def test_only_differences_of_several_seeds_are_counted(self):
        self.assertEqual(clear_remark([[0.4], [0.5]], "differences"),
                         "One seed ran of each, so none is tested: small "
                         "differences may be chance.")
        self.assertIn("Of 2 differences", clear_remark(
            [[0.4], [0.5, 0.51, 0.49], [0.5, -0.4, 0.1]], "differences"))
        self.assertIn(" 1 is clear of zero", clear_remark(
            [[0.4], [0.5, 0.51, 0.49], [0.5, -0.4, 0.1]], "differences"))

    def test_what_rounds_to_zero_has_no_minus(self):
        self.assertEqual(percent([-0.00001]), "0.00")
        self.assertEqual(percent([-0.0001]), "-0.01")
        self.assertEqual(points(-0.00001), "+0.00")
        self.assertEqual(points(-0.0001), "−0.01")

    def test_what_moves_nothing_has_no_winner(self):
        def sentences(change):
            return " ".join(studies_ablations._ablation_sentences(
                {"default": {"one": {"amazon": [change]},
                             "two": {"amazon": [-0.0002]}}}, {}))
        self.assertIn("no change moves the AUROC of any set by more than 0.1",
                      sentences(0.0004))
        self.assertIn("*two* costs most: the AUROC changes by −0.02 points",
                      sentences(0.004))
        self.assertIn("*one* gains most: +0.40", sentences(0.004))
        self.assertIn("*two* costs least: −0.02", sentences(-0.004))

    def test_the_loss_of_a_gain_is_no_cost(self):
        text = " ".join(studies_ablations._ablation_sentences(
            {"paper": {"one": {"amazon": [0.03]}, "two": {"amazon": [0.05]}}},
            {}))
        self.assertIn("*one* gains least: the AUROC changes by +3.00", text)

    def test_a_plot_that_is_drawn_is_not_said_to_be_left_out(self):
        text = " ".join(studies_ablations._ablation_sentences(
            {"paper": {"one": {"amazon": [0.0001], "umls": [0.02]}}},
            {"paper": {"umls": 0.52}}))
        self.assertNotIn("left out", text)

    def test_what_explains_default_is_not_said_of_paper(self):
        text = " ".join(studies_ablations._ablation_sentences(
            {"paper": {"one": {"amazon": [0.0001]}}}, {}))
        self.assertIn("left out", text)
        self.assertNotIn("structural score", text)

    def test_a_set_at_chance_does_not_count(self):
        text = " ".join(studies_ablations._ablation_sentences(
            {"paper": {"one": {"amazon": [-0.01], "umls": [0.3]}}},
            {"paper": {"umls": 0.53}}))
        self.assertIn("*one* costs most: the AUROC changes by −1.00 points "
                      "(mean over amazon; −1.00 on amazon)", text)
        self.assertIn("Not counted here: umls (53.0 %)", text)

    def test_relations_that_contexts_do_not_change_share_a_row(self):
        def rows(count):
            gains = {str(place): [{"positives": 10 + place, "negatives": 30,
                                   "structural": 0.9,
                                   "auroc": 0.95 if place == 3 else 0.9}]
                     for place in range(count)}
            return studies_relations._rows(
                "freebase", gains, sorted(gains, key=lambda one: one != "3"))
        most = studies_relations.MOST_RELATIONS
        self.assertEqual(len(rows(most)), most)
        first, last = rows(most + 1)
        self.assertEqual(first[:3], ["freebase", "3", "13"])
        others = 10 * most + sum(range(most + 1)) - 3
        self.assertEqual(last[:3], ["freebase", f"{most} others", str(others)])
        self.assertEqual(last[-1], "next to nothing")

    def test_a_tiny_gain_is_next_to_nothing_whatever_the_seeds(self):
        verdict = studies_relations._verdict
        self.assertEqual(verdict([0.0003]), "next to nothing")
        self.assertEqual(verdict([0.0003, 0.00031]), "next to nothing")
        self.assertEqual(verdict([0.01]), "one seed: not known")
        self.assertEqual(verdict([0.01, 0.011]), "context helps")
        self.assertEqual(verdict([-0.01, -0.011]), "context harms")
        self.assertEqual(verdict([0.01, -0.008]), "no clear difference")

    def test_rows_of_whole_trainings_are_named(self):
        version = Version(("amazon", "dblp"), (1,), size=SIZES["small"],
                          compared={"amazon": {"slice": [], "transe": []}})
        text = studies_degree._compared_sentence(version, {
            "amazon": {"slice": {"1": [0.9]}, studies_degree.PAPER: {"1": [0.8]},
                       "transe": {"1": [0.8]}},
            "dblp": {"slice": {"1": [0.9]}}})
        self.assertIn("The methods of amazon come from", text)
        self.assertIn("*slice, preset paper* is a training of this page, on "
                      "fewer rows. All rows of dblp are", text)

    def test_two_runs_may_differ_by_what_seeds_do(self):
        cell = studies_degree.SLICE["slice"].cell(SMALL, "umls", 1)

        def run(auroc, few):
            return {"auroc": auroc, "relations": {
                "a": {"positives": 19, "negatives": 50, "auroc": few}}}
        record = {studies_repeat.of_seed(cell, seed).key: run(auroc, 0.5)
                  for seed, auroc in ((1, 0.80), (2, 0.82), (3, 0.84))}

        def found(auroc, few=0.5, seeds=(1, 2, 3)):
            return studies_repeat.agreement(cell, record, run(auroc, few), seeds)
        self.assertEqual((found(0.8).equal, found(0.8).beyond), (3, 0))
        self.assertEqual((found(0.83).beyond, found(0.83).apart), (1, ()))
        # 4.30 times the root of two times the deviation, which is 0.02.
        self.assertEqual(found(0.921).apart, ())
        self.assertEqual(len(found(0.922).apart), 1)
        # Of one seed no deviation is known: a hundredth.
        self.assertEqual(found(0.807, seeds=(1,)).apart, ())
        self.assertEqual(len(found(0.809, seeds=(1,)).apart), 1)
        # The page shows nothing of a relation with 19 links.
        self.assertEqual(found(0.8, few=0.9).apart, ())

    def test_what_is_said_of_a_set_is_an_item_of_a_list(self):
        self.assertEqual(
            studies_page.paragraphs(
                ["Of all.", "On umls one.", "On dblp two.", "The end.", "So."],
                ("umls", "dblp")),
            ["", "Of all.", "", "- On umls one.", "- On dblp two.", "",
             "The end. So."])

    def test_layers_are_not_ranked_where_the_whole_is_at_chance(self):
        version = Version(("umls", "dblp"), (1,), size=SIZES["small"])
        figures = {}
        for row in studies_ablations.GRID:
            for place, setting in enumerate(row):
                for data, auroc in (("umls", 0.4), ("dblp", 0.8)):
                    key = setting.cell(version, data, 1).key
                    figures[key] = {"auroc": auroc + place / 100}
        part = studies_ablations._depth_part(version, Found(figures))
        text = " ".join([*part.answer, *part.sentences])
        self.assertIn("The setting of the preset ranks 1 of 9 on dblp, with one "
                      "seed each.", text)
        self.assertIn("Not counted here: umls (42.0 %)", text)
        alone = {studies_ablations.PRESET_DEPTH.cell(version, "dblp", 1).key:
                 {"auroc": 0.8}}
        self.assertEqual([], studies_ablations._depth_part(
            version, Found(alone)).sentences)
        self.assertIn("42.00", " ".join(part.table))

    def test_what_the_paper_claims_is_answered(self):
        text = " ".join(studies_ablations._ablation_sentences(
            {"paper": {"without pre-training": {"dblp": [0.004]},
                       "contexts: random": {"dblp": [0.03]},
                       "contexts: paths": {"dblp": [-0.02]}}}, {}))
        self.assertIn("Pre-training is worth −0.40 on dblp.", text)
        self.assertIn("by the strategy shortest, which ranks 2 of 3 on dblp.", text)

    def test_the_order_of_the_ablations_is_compared_with_the_papers(self):
        def sentence(features, tuning):
            return studies_ablations._published_sentence(
                Version(("amazon",), (1,), size=SIZES["small"]),
                {"without global features": {"amazon": [features]},
                 "without fine-tuning": {"amazon": [tuning]}})[0]
        reverse = sentence(-0.01, -0.3)
        self.assertIn("*without global features* changes the AUROC by −36.15 "
                      "points (mean), here by −1.00.", reverse)
        self.assertIn("*without fine-tuning* changes the AUROC by −0.36 points "
                      "(mean), here by −30.00. So the order is the reverse",
                      reverse)
        self.assertNotIn("the reverse", sentence(-0.3, -0.01))

    def test_trainings_without_a_time_are_named(self):
        version = Version(("dblp",), (1,), size=SIZES["small"])
        first, second = studies_contexts._settings(version)[:2]
        found = Found({
            first.cell(version, "dblp", 1).key: {"auroc": 0.8},
            second.cell(version, "dblp", 1).key: {"auroc": 0.8,
                                                  "cpu_seconds": 9}})
        said = studies_contexts._untimed(version, found)
        self.assertEqual(len(said), 1)
        self.assertIn(f"({first.label} on dblp).", said[0])

    def test_the_answer_counts_relations_and_ranges_of_all_sets(self):
        rows = {"slice": {"1": [0.9], "2-3": [0.95]},
                studies_degree.PAPER: {"1": [0.7]},
                "popularity": {"1": [0.8], "2-3": [0.96]}}
        self.assertEqual(studies_degree._answer(SMALL, {"umls": rows}), [
            "slice has the least error of the methods here, or one within 0.1 "
            "points of it, in 1 of 2 ranges.",
            "The preset `paper` is more than 0.1 points behind popularity, "
            "adamic-adar, three-path or node2vec in 1 of 1 ranges."])
        compared = replace(SMALL, compared={"umls": {}})
        self.assertIn("on umls it trained on fewer rows than they did",
                      studies_degree._answer(compared, {"umls": rows})[1])
        self.assertEqual(studies_relations._answer(
            [[0.01, 0.011], [0.0001, 0.0002], [-0.02, -0.021]]), [
                "Contexts change 1 of 3 relations by less than 0.05 points.",
                "They clearly help 1 of the others and clearly harm 1."])
        self.assertIn("no difference of the others is tested",
                      studies_relations._answer([[0.01], [0.02]])[1])

    def test_first_metapaths_are_counted_over_all_sets(self):
        def learned(relation, changes):
            return {relation: {name: studies_metapaths.Metapath(
                relation, name, {"attention": [0.1 + 0.2 * at],
                                 "change": [change]})
                for at, (name, change) in enumerate(changes.items())}}
        first = learned("1", {"a": 0.5, "b": 0.9})
        other = learned("2", {"a": 0.5, "b": 0.2, "c": 0.3})
        before = learned("1", {"a": 0.9, "b": 0.5})
        places = [studies_metapaths._first_places(before, first),
                  studies_metapaths._first_places(other, other),
                  studies_metapaths._first_places({}, first)]
        self.assertEqual(places[2].sentences(), [  # none is known before
            "Attention and the change of the logit put the same metapath first "
            "for the one relation with several."])
        self.assertEqual(studies_metapaths._together(places[:2]).sentences(), [
            "Attention and the change of the logit put the same metapath first "
            "for 1 of 2 relations; chance alone gives 0.83.",
            "Training changed which one comes first by the logit for 1 of 2 "
            "relations."])

    def test_longer_and_more_contexts_are_compared_pair_by_pair(self):
        version = Version(("dblp",), (1,), size=SIZES["small"])
        figures = {}
        for setting in studies_contexts._settings(version):
            words = " ".join(setting.flags)
            figures[setting.cell(version, "dblp", 1).key] = {
                "auroc": 0.8 - (0.03 if "-nodes 8" in words else 0)
                + (0.01 if "-link 5" in words else 0)}
        text = " ".join(studies_contexts._effect_sentences(
            version, Found(figures)))
        self.assertIn("8 nodes instead of 4 change the AUROC by −3.00 on dblp",
                      text)
        self.assertIn("5 contexts of a link instead of 1 change the AUROC by "
                      "+1.00 on dblp", text)

    def test_the_answer_of_ablations_names_what_costs_and_what_gains(self):
        def answer(*changes):
            return studies_ablations._ablation_answer({"paper": {
                label: {"umls": [one]} for label, one in
                zip("ab", changes, strict=True)}}, {})
        self.assertEqual(answer(-0.2, 0.01), [
            "With `paper`, *a* costs most (−20.00 points of AUROC, mean over the "
            "sets) and *b* gains most (+1.00)."])
        self.assertIn("*a* gains least", answer(0.2, 0.3)[0])
        self.assertIn("*b* costs least", answer(-0.3, -0.2)[0])
        self.assertEqual(answer(0.0, 0.0), [
            "With `paper` no part is worth 0.1 points on any set."])

    def test_the_strategy_of_study_1_is_named_where_it_is_ahead(self):
        version = Version(("umls", "dblp"), (1,), size=SIZES["small"])
        settings = studies_contexts._settings(version)
        figures = {setting.cell(version, data, 1).key: {"auroc": 0.8}
                   for setting in settings for data in version.sets}
        paths = next(setting for setting in studies_ablations.ABLATIONS
                     if setting.label == "contexts: paths")
        for data, auroc in (("umls", 0.79), ("dblp", 0.81)):
            figures[paths.cell(version, data, 1).key] = {"auroc": auroc}
        text = studies_contexts._paths_sentence(
            version, Found(figures), settings)
        self.assertIn("than all of these on dblp (81.00 %).", text)

    def test_where_simple_methods_beat_the_paper_is_counted(self):
        rows = {studies_degree.PAPER: {"1": [0.7], "2-3": [0.9]},
                "popularity": {"1": [0.8], "2-3": [0.9005]}}
        self.assertIn("in 1 of 2 ranges", studies_degree._sentence(
            "dblp", rows, ["1", "2-3"]))

    def test_all_that_are_ahead_of_slice_count(self):
        rows = {"slice": {"0": [0.8], "1": [0.9], "2-3": [0.95]},
                "gat": {"0": [0.85], "1": [0.91], "2-3": [0.9]},
                "rgcn": {"0": [0.96], "1": [0.8], "2-3": [0.9505]},
                "popularity": {"0": [0.9], "1": [0.8]}}
        text = studies_degree._sentence("dblp", rows, ["0", "1", "2-3"])
        self.assertIn("in 1 of 3 ranges; at 0 rgcn is ahead by 16.0 points and "
                      "2 more are; at 1 gat is ahead by 1.0 points.", text)

    def test_contexts_that_add_nothing_are_said_so(self):
        def sentence(gain):
            return studies_relations._sentence("dblp", {"3": [
                {"auroc": 0.9 + gain, "structural": 0.9,
                 "positives": 24}]}, ["3"])
        self.assertIn("contexts add next to nothing", sentence(0.0003))
        self.assertIn("no more than 0.05 points with the one seed",
                      sentence(-0.000494))
        self.assertIn("to +0.10 points (relation 3, 24 links)", sentence(0.001))

    def test_what_carries_the_score_is_said(self):
        def answer(*evidence, pooling="max"):
            return {"explanation": {"context_pooling": pooling, "evidence": [
                {"kind": kind, "logit_effect": effect}
                for kind, effect in evidence]}}
        evidence = ("ENDS", 8), ("NODE", 0.1), ("NODE", -0.25)
        said = studies_case._carried(answer(*evidence), 0)
        self.assertIn("falls by 8.00; without the links of any one node of "
                      "context 1 it changes by 0.250 at most", said)
        self.assertNotIn("gives the score", said)
        self.assertEqual(studies_case._carried(answer(("ENDS", 8)), 0), "")
        # The nodes of another context were not left out.
        self.assertIn("context 3 gives the score. So this does not say what "
                      "the nodes of context 3 carry",
                      studies_case._carried(answer(*evidence), 2))
        self.assertNotIn("gives the score", studies_case._carried(
            answer(*evidence, pooling="mean"), 2))

    def test_what_two_samples_share_by_chance_is_known(self):
        lot = random.Random(1)
        shared, expected = [], []
        for _ in range(20):
            links, others = ([lot.gauss(0, 1) for _ in range(300)]
                             for _ in range(2))
            run = studies_shift.Similarities(links, others)
            shared.append(run.overlap())
            expected.append(run.overlap_by_chance())
        self.assertAlmostEqual(sum(shared) / 20, sum(expected) / 20, delta=0.015)

    def test_a_trained_score_is_not_held_against_cosines(self):
        text = studies_shift._sentence("dblp", {
            "CompGCN": [self.overlapping(0.5)],
            studies_shift.BEFORE: [self.overlapping(0.6)],
            studies_shift.AFTER: [self.overlapping(0.6)],
            studies_shift.SCORE: [self.overlapping(0.1)]})
        self.assertIn("CompGCN has the least overlap", text)

    def test_settings_without_a_training_are_named(self):
        version = Version(("umls", "dblp"), (1,), size=SIZES["small"])
        cells = [cell for cell in studies_contexts.STUDIES[0].cells(version)
                 if cell.command == "fit" and cell.data == "umls"]
        found = Found({cell.key: {"auroc": 0.8} for cell in cells[1:]})
        first = studies_contexts._settings(version)[0].label
        said = studies_contexts._not_run(version, found)
        self.assertEqual(said[0], f"Not run on umls: {first}.")
        self.assertEqual(len(said), 2)
        self.assertEqual(said[1].count(";") + 1, len(cells))

    def test_the_plot_of_degrees_has_slice_and_the_best_of_the_others(self):
        rows = {f"method {i}": {"1": [0.5 + 0.01 * i]} for i in range(9)}
        rows["slice"] = {"1": [0.4]}
        self.assertEqual(studies_degree._drawn(rows), [
            *(f"method {i}" for i in range(4, 9)), "slice"])

    def test_large_changes_have_an_axis_of_their_own(self):
        panels = studies_ablations._ablation_panels(SMALL, "paper", {
            "plain tokens": {"umls": [-0.3], "amazon": [-0.01]},
            "without pre-training": {"umls": [0.01]}})
        self.assertEqual([[name for name, _ in panel.rows] for panel in panels],
                         [["plain tokens"], ["without pre-training"]])
        panels = studies_ablations._ablation_panels(SMALL, "paper", {
            "without pre-training": {"umls": [0.01]}})
        self.assertEqual(len(panels), 1)

    def test_a_study_names_the_sets_on_which_nothing_ran(self):
        version = Version(("umls", "dblp"), (1,), size=SIZES["small"])
        cells = [Cell("fit", data, 1) for data in version.sets] * 2
        found = Found({cells[0].key: {"auroc": 0.5}})
        self.assertEqual(studies_page.ran_line(version, cells, found),
                         "1 of 2 cells ran, none of them on dblp.")
        self.assertEqual(studies_page.ran_line(version, cells[:1], found),
                         "1 of 1 cells ran.")
        self.assertEqual(studies_page.ran_line(version, cells, Found({})),
                         "0 of 2 cells ran.")

    def test_a_study_shows_the_seeds_that_are_whole(self):
        version = Version(("umls",), (1, 2), size=SIZES["small"])
        study = studies_ablations.STUDIES[1]
        cells = study.cells(version)
        first = {cell.key: {"auroc": 0.8} for cell in cells if cell.seed == 1}
        part = {**first, next(cell.key for cell in cells if cell.seed == 2):
                {"auroc": 0.9}}
        shown = studies_page.shown_version(study, version, Found(part))
        self.assertEqual(shown.seeds, (1,))
        self.assertEqual(
            studies_page.shown_line(study, version, shown, Found(part)),
            " Shown is seed 1, of which all ran. One cell of another seed ran as "
            "well; its figures are in the JSON file alone.")
        # Where no seed is whole, and where all are, all are shown.
        for figures in ({}, dict(list(part.items())[1:]),
                        {cell.key: {"auroc": 0.8} for cell in cells}):
            shown = studies_page.shown_version(study, version, Found(figures))
            self.assertEqual(shown.seeds, (1, 2))
            self.assertEqual(studies_page.shown_line(
                study, version, shown, Found(figures)), "")

    def test_attention_that_is_equal_names_no_metapath(self):
        def sentence(attention):
            return studies_metapaths._sentence("dblp", "paper", {}, {
                "3": {name: studies_metapaths.Metapath("3", name, {
                    "attention": [of], "change": [0.5]}) for name, of in (
                        ("paper – term – paper – term", 0.16),
                        ("paper – venue – paper – term", attention))}})
        self.assertIn("all metapaths of these relations, also those not shown, get between "
                      "0.16 and 0.17", sentence(0.165))
        self.assertIn("different metapaths first for the one relation",
                      sentence(0.3))
        self.assertIn("put the same metapath first for the one relation",
                      sentence(0.1))
        self.assertIn("of the relation 3 (paper – term)", sentence(0.3))

    def test_layers_that_do_not_move_the_ends_apart_are_said_so(self):
        def sentence(after, score=0.1):
            return studies_shift._sentence("amazon", {
                studies_shift.BEFORE: [self.overlapping(0.5)],
                studies_shift.AFTER: [self.overlapping(after)],
                studies_shift.SCORE: [self.overlapping(score)]})
        self.assertIn("does not tell links from non-links better", sentence(0.5))
        self.assertIn("tells links from non-links better", sentence(0.3))
        self.assertIn("tells them apart better than the tokens do (AUROC 75 % "
                      "before, 95 % after)", sentence(0.5))
        self.assertIn("tells them apart no better than the tokens",
                      sentence(0.5, score=0.5))
        self.assertIn("tells them apart better than the tokens",
                      sentence(0.1, score=0.2))

    def test_a_score_that_tells_nothing_is_not_what_tells_links_apart(self):
        def tells(score):
            return studies_shift._score_tells({
                studies_shift.BEFORE: [self.overlapping(0.5)],
                studies_shift.SCORE: [self.overlapping(score)]})
        self.assertTrue(tells(0.1))
        self.assertFalse(tells(0.5))

    def test_a_cosine_that_is_the_same_for_all_is_said_so(self):
        equal = studies_shift.Similarities([0.9995] * 9, [0.9996] * 9)
        text = studies_shift._sentence("amazon", {
            studies_shift.BEFORE: [self.overlapping(0.5)],
            studies_shift.AFTER: [equal],
            studies_shift.SCORE: [self.overlapping(0.1)]})
        self.assertIn("all ends point the same way: no two cosines differ by "
                      "more than 0.002 (AUROC 0 %).", text)

    def test_a_seed_whose_trainings_all_ran_is_shown(self):
        version = Version(("umls",), (1, 2), size=SIZES["small"])
        study = studies_contexts.STUDIES[0]
        found = Found({cell.key: {"auroc": 0.8}
                       for cell in study.cells(version)
                       if cell.command == "fit" and cell.seed == 1})
        shown = studies_page.shown_version(study, version, found)
        self.assertEqual(shown.seeds, (1,))
        self.assertEqual(
            studies_page.shown_line(study, version, shown, found),
            " Shown is seed 1, of which all trainings ran.")

    def test_a_similarity_of_the_wrong_way_round_is_said_so(self):
        turned = studies_shift.Similarities([0.1, 0.2], [0.8, 0.9])
        self.assertIn("wrong way round: non-links are the more similar",
                      studies_shift._sentence("dblp", {"CompGCN": [turned]}))

    @staticmethod
    def overlapping(share):
        """Similarities of 100 links and 100 non-links, so many of which are
        alike."""
        alike = round(100 * share)
        return studies_shift.Similarities(
            [0.1] * alike + [0.9] * (100 - alike), [0.1] * 100)

    def test_no_figures_make_no_sentences(self):
        for study in studies_page.STUDIES:
            part = study.part(SMALL, Found({}))
            self.assertEqual(
                (part.table, part.plot, part.sentences, part.answer),
                ([], "", [], []), study.name)

    def test_the_cost_is_called_linear_only_within_the_interval(self):
        version = Version(("umls",), (1,), size=SIZES["small"])
        for power, words in ((1, "linear cost (1) is within the interval"),
                             (0.5, "it grows more slowly than the graph"),
                             (2, "it grows faster than the graph")):
            figures = {}
            for cell in studies_cost.STUDIES[0].cells(version):
                links = int(re.search(r"\d+$", cell.data)[0])
                wobble = 1 + 0.001 * (links % 3)
                figures[cell.key] = {"cpu_seconds": wobble * links ** power,
                                     "links_per_second": 1000 * wobble,
                                     "train_links": links}
            part = studies_cost.STUDIES[0].part(version, Found(figures))
            text = " ".join([*part.answer, *part.sentences])
            # Of each preset, over the largest graphs.
            self.assertEqual(text.count(words), 2, text)
            # Over all graphs the power and its interval stand alone: what
            # every run takes is in them.
            self.assertEqual(text.count(f"to the power {power:.2f} (95 %: "), 2,
                             text)
            self.assertEqual(text.count("a further train link costs"), 2, text)

    def test_the_cost_of_the_largest_graphs_is_told_apart(self):
        version = Version(("umls",), (1,), size=SIZES["small"])
        figures = {}
        for cell in studies_cost.STUDIES[0].cells(version):
            links = int(re.search(r"\d+$", cell.data)[0])
            seconds = links * (1 + 0.001 * (links % 3))
            # What two small graphs take does not grow.
            figures[cell.key] = {"cpu_seconds": max(seconds, 40_000),
                                 "links_per_second": 1000 + links % 3,
                                 "train_links": links}
        part = studies_cost.STUDIES[0].part(version, Found(figures))
        text = " ".join([*part.answer, *part.sentences])
        self.assertIn("over the three largest graphs alone it is 1.00 (95 %: "
                      "0.98 to 1.02): linear cost (1) is within the interval.",
                      text)
        self.assertIn("too wide to tell more", studies_cost._verdict(
            studies_cost.Slope(0.9, 0.3, 1.5)))
        self.assertIn("links to the power 0.44", text)


class ChartTest(unittest.TestCase):

    def test_every_kind_of_panel_is_drawn_inside_the_picture(self):
        bars = studies_charts.BarPanel("b", "x", -1, 1, [.5, .5], [1, 0])
        panels = [
            studies_charts.LinePanel("l & m", "x", "y", [studies_charts.Series(
                "one", [(1, 2, .5), (10, 3, 0)])], log_x=True, log_y=True),
            studies_charts.DotPanel("d", "x", [("row", {"one": (1, .2)})]),
            studies_charts.MapPanel("m", ["r"], ["a", "b"], [[1, None]]),
            bars, studies_charts.RowPanel("rows", [bars] * 5)]
        root = ElementTree.fromstring(studies_charts.chart("<all>", panels))
        _, _, width, height = map(float, root.get("viewBox").split())
        for element in root.iter():
            for name, most in (("x", width), ("cx", width), ("y", height),
                               ("cy", height)):
                if element.get(name):
                    self.assertGreaterEqual(float(element.get(name)), 0)
                    self.assertLessEqual(float(element.get(name)), most)

    def test_a_deviation_as_large_as_its_value_stays_in_the_panel(self):
        drawn = studies_charts.chart("t", [studies_charts.LinePanel(
            "l", "x", "y", [studies_charts.Series(
                "one", [(1, 0.255, 0.346), (2, 3, 0)])], log_y=True)])
        height = float(ElementTree.fromstring(drawn).get("viewBox").split()[3])
        ends = re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", drawn)
        self.assertTrue(ends)
        for end in ends:
            self.assertLess(max(map(float, end)), height)

    def test_a_line_keeps_its_colour_where_others_have_no_points(self):
        series = [studies_charts.Series("one", []),
                  studies_charts.Series("two", [(1, 2, 0), (2, 3, 0)])]
        drawn = studies_charts.chart("t", [
            studies_charts.LinePanel("l", "x", "y", series)])
        self.assertNotIn(studies_charts.COLORS[0], drawn)
        self.assertIn(studies_charts.COLORS[1], drawn)

    def test_more_lines_than_colours_are_told_apart(self):
        panel = studies_charts.LinePanel("", "", "", [
            studies_charts.Series(f"line {i}", [(0, i, 0.0), (1, i, 0.0)])
            for i in range(len(studies_charts.COLORS) + 1)])
        drawn = studies_charts.chart("", [panel])
        # The first and the last have one colour, in the line and in the legend.
        self.assertEqual(drawn.count('fill="#fff" stroke="#1f5fa8"'), 3)
        self.assertEqual(drawn.count("stroke-dasharray"), 1)

    def test_ticks_are_round_and_inside(self):
        self.assertEqual(studies_charts.ticks(0, 10), [0, 2, 4, 6, 8, 10])
        self.assertEqual(studies_charts.ticks(5, 5), [5])


if __name__ == "__main__":
    unittest.main()
