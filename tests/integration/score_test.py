"""Answers in files, without a server, are those of the server."""

import os
import subprocess
import tempfile
import unittest

import processes
from processes import Server

TRAINER = os.path.join(processes.BIN, "slice-trainer")


def rows_of(text):
    return [line.split("\t") for line in text.splitlines()]


class AnswersInFilesTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def run_trainer(self, command, *flags, out="out.tsv"):
        """Returns the exit status, the rows of the file, and the messages."""
        path = self.path(out)
        result = subprocess.run(
            [TRAINER, command, "--bundle", processes.BUNDLE, "--out", path,
             *flags], text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)
        if not os.path.exists(path):
            return result.returncode, None, result.stderr
        with open(path, encoding="utf-8") as file:
            return result.returncode, rows_of(file.read()), result.stderr

    def same_rows(self, ours, theirs):
        self.assertEqual(len(ours), len(theirs))
        for one, other in zip(ours, theirs):
            self.assertEqual(len(one), len(other), (one, other))
            self.assertEqual(one[:3], other[:3])
            for a, b in zip(one[3:], other[3:]):
                self.assertAlmostEqual(float(a), float(b), delta=1e-5,
                                       msg=(one, other))

    def test_score_writes_the_rows_of_the_client(self):
        labelled = "".join("\t".join(row) + "\n"
                           for row in processes.toy_rows("test.tsv"))
        plain = "".join("\t".join(row[:3]) + "\n"
                        for row in processes.toy_rows("test.tsv"))
        for scorer in ([], ["--scorer", "structural"]):
            for text, columns in ((labelled, 5), (plain, 4)):
                links = self.path("links.tsv", text)
                with Server() as server:
                    asked = server.client("predict", "--keys", *scorer,
                                          "--links", links)
                self.assertEqual(asked.returncode, 0, asked.stderr)
                status, rows, errors = self.run_trainer(
                    "score", "--keys", *scorer, "--links", links)
                self.assertEqual(status, 0, errors)
                self.assertEqual({len(row) for row in rows}, {columns})
                self.same_rows(rows, rows_of(asked.stdout))

    def test_score_takes_columns_and_a_format(self):
        known = [row[:3] for row in processes.toy_rows("test.tsv")][:20]
        plain = self.path("plain.tsv", "".join("\t".join(row) + "\n"
                                               for row in known))
        turned = self.path("turned", "".join(
            f"{target};x;{source};{relation}\n"
            for relation, source, target in known))
        _, expected, _ = self.run_trainer("score", "--links", plain)
        status, rows, errors = self.run_trainer(
            "score", "--links", turned, "--columns",
            "target,_,source,relation", "--format", "semicolon,no-header",
            out="turned.tsv")
        self.assertEqual(status, 0, errors)
        self.assertEqual(rows, expected)

    def test_unknown_names_get_a_row_and_an_error(self):
        known = processes.toy_rows("test.tsv")[0]
        links = self.path("links.tsv", "".join(
            "\t".join(row) + "\n" for row in
            (known[:3], [known[0], "no-such-node", known[2]],
             ["no-such-relation", *known[1:3]], known[:3])))
        status, rows, errors = self.run_trainer("score", "--links", links)
        self.assertEqual(status, 1)
        self.assertEqual([row[3] == "nan" for row in rows],
                         [False, True, True, False])
        self.assertEqual(rows[0], rows[3])
        self.assertIn("links.tsv:2: source: ", errors)
        self.assertIn("links.tsv:3: relation: ", errors)
        self.assertIn("2 of 4 rows", errors)
        with Server() as server:
            asked = server.client("predict", "--links", links)
        self.same_known(rows, rows_of(asked.stdout))

    def same_known(self, ours, theirs):
        for one, other in zip(ours, theirs):
            self.assertEqual(one[3] == "nan", other[3] == "nan")
            self.assertEqual(one[:3], other[:3])

    def test_a_malformed_row_leaves_no_file(self):
        known = "\t".join(processes.toy_rows("test.tsv")[0][:3]) + "\n"
        links = self.path("links.tsv", 3 * known + "a\tb\n")
        status, rows, errors = self.run_trainer("score", "--links", links)
        self.assertEqual(status, 2, errors)
        self.assertIn("links.tsv:4", errors)
        self.assertIsNone(rows)
        self.assertEqual(os.listdir(self.folder.name), ["links.tsv"])

    def test_recommend_gives_what_the_server_gives(self):
        relation = processes.toy_rows("test.tsv")[0][0]
        sources = sorted({row[1] for row in processes.toy_rows("test.tsv")
                          if row[0] == relation})[:5]
        path = self.path("sources", "\n".join(sources) + "\n")
        status, rows, errors = self.run_trainer(
            "recommend", "--keys", "--sources", path, "--relation", relation,
            "--k", "7")
        self.assertEqual(status, 0, errors)
        with Server() as server:
            for source in sources:
                asked = server.client(
                    "recommend", "--keys", "--source", source, "--relation",
                    relation, "--k", "7")
                self.assertEqual(asked.returncode, 0, asked.stderr)
                ours = [row for row in rows if row[1] == source]
                theirs = rows_of(asked.stdout)
                self.assertEqual(len(ours), len(theirs))
                for row, (rank, node, score, probability, *_) in zip(ours,
                                                                     theirs):
                    self.assertEqual(row[:3], [relation, source, node])
                    self.assertAlmostEqual(float(row[3]), float(probability),
                                           delta=1e-5)
                    self.assertEqual(row[-2], rank)
                    # The client shows four digits.
                    self.assertAlmostEqual(float(row[-1]), float(score),
                                           delta=1e-4)

    def test_recommend_asks_all_relations_of_a_source(self):
        source = processes.toy_rows("test.tsv")[0][1]
        path = self.path("sources", f'"{source}"\nno-such-node\n')
        status, rows, errors = self.run_trainer("recommend", "--sources", path,
                                                "--k", "2")
        self.assertEqual(status, 1)
        self.assertIn("sources:2: ", errors)
        known = [row for row in rows if row[1] == source]
        self.assertGreater(len({row[0] for row in known}), 1)
        self.assertEqual([row for row in rows if row[1] != source],
                         [["", "no-such-node", "", "nan", "0", "nan"]])


if __name__ == "__main__":
    unittest.main()
