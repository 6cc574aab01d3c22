"""A bundle's figures can be checked from outside: what the server answers is
what the trainer measured."""

import json
import os
import subprocess
import unittest

import processes
from processes import Server


def evaluate(*flags):
    """`slice-trainer evaluate` on the toy bundle's test file, as JSON."""
    graph = os.path.join(processes.TOY, "graph")
    result = subprocess.run(
        [os.path.join(processes.BIN, "slice-trainer"), "evaluate", "--bundle",
         processes.BUNDLE, "--test", os.path.join(graph, "test.tsv"),
         "--valid", os.path.join(graph, "valid.tsv"), "--json", *flags],
        text=True, capture_output=True, check=False, timeout=processes.HANG_SECONDS)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


def offline_scores():
    """[(relation, source, target), label, probability, among kind] by
    `evaluate --scores`."""
    path = os.path.join(processes.TOY, "scores.tsv")
    evaluate("--scores", path)
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return [(row[:3], int(row[3]), float(row[4]), float(row[5]))
            for row in rows]


def auroc(scores, labels):
    """By comparing every pair; ties count one half."""
    links = [score for score, label in zip(scores, labels) if label]
    others = [score for score, label in zip(scores, labels) if not label]
    wins = sum((a > b) + 0.5 * (a == b) for a in links for b in others)
    return wins / (len(links) * len(others))


class EvaluationTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.offline = offline_scores()
        asked = "".join("\t".join(link) + "\n" for link, *_ in cls.offline)
        with Server() as server:
            result = server.client("--json", "predict", "--links", "-",
                                   stdin=asked)
            if result.returncode != 0:
                raise AssertionError(result.stderr)
            cls.online = [json.loads(line)
                          for line in result.stdout.splitlines()]
            cls.columns = server.client("predict", "--links", "-",
                                        stdin=asked).stdout.splitlines()

    def test_the_server_answers_with_the_probabilities_of_the_evaluation(self):
        self.assertEqual(len(self.online), len(self.offline))
        for answer, (link, _, plausible, kind) in zip(self.online,
                                                      self.offline):
            self.assertAlmostEqual(answer["probability"], plausible,
                                   delta=1e-5, msg=link)
            self.assertAlmostEqual(answer["probability_among_kind"], kind,
                                   delta=1e-5, msg=link)

    def test_columns_and_json_say_the_same(self):
        for line, answer in zip(self.columns, self.online):
            self.assertAlmostEqual(float(line.rsplit("\t", 1)[1]),
                                   answer["probability"], delta=1e-5)

    def test_both_questions_are_answered_differently(self):
        different = sum(abs(plausible - kind) > 1e-3
                        for _, _, plausible, kind in self.offline)
        # Most toy links are certain either way.
        self.assertGreater(different, len(self.offline) // 20)

    def test_the_figures_follow_from_the_answers(self):
        report = evaluate()
        labels = [label for _, label, *_ in self.offline]
        found = auroc([answer["logit"] for answer in self.online], labels)
        self.assertAlmostEqual(report["overall"]["auroc"], found, delta=1e-4)

    def test_evaluate_says_what_fit_said(self):
        report = evaluate()
        with open(os.path.join(processes.BUNDLE, "report", "report.json"),
                  encoding="utf-8") as file:
            fitted = json.load(file)
        self.assertEqual(report["bundle_id"], fitted["bundle_id"])
        for part in ("overall", "typed", "degree_matched", "scorers",
                     "baselines"):
            self.same(report[part], fitted[part], part)

    def same(self, one, other, where):
        if isinstance(one, dict):
            self.assertEqual(one.keys(), other.keys(), where)
            for key, value in one.items():
                self.same(value, other[key], f"{where}.{key}")
        elif one is None or other is None:
            self.assertEqual(one, other, where)
        else:
            self.assertAlmostEqual(one, other, delta=1e-4, msg=where)


if __name__ == "__main__":
    unittest.main()
