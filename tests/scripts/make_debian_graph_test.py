"""Tests of scripts/make_debian_graph.py."""

import collections
import contextlib
import io
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

import make_debian_graph as graph  # noqa: E402
import make_synthetic_archive as synthetic  # noqa: E402

SMALL_INDEX = """\
Package: curl
Maintainer: Alessandro Person <alessandro@example.org>
Depends: libcurl4 (= 7.88.1-10), libc6 (>= 2.34), www-browser
Tag: implemented-in::c, protocol::{http, ftp},
 role::program

Package: libcurl4
Maintainer: "Curl  Packaging" Team <curl@example.org>
Depends: libc6:any [amd64] | libc6.1
Recommends: curl|wget

Package: libc6
Maintainer: Curl packaging team <curl@example.org>
Pre-Depends: curl
Description: not a field of the graph
 Depends: nothing
Enhances: curl
Suggests: libcurl4
"""


def small_graph():
    return graph.build_graph(graph.parse_records(SMALL_INDEX.splitlines()))


def synthetic_graph(sources=200):
    return graph.build_graph(
        graph.parse_records(synthetic.archive(sources, seed=1)))


class FieldsTest(unittest.TestCase):

    def test_braced_tags_expand(self):
        self.assertEqual(
            graph.expand_tags("a::b, works-with::{image, text},\n role::x-lib"),
            ["a::b", "works-with::image", "works-with::text", "role::x-lib"])

    def test_facet_braces_without_blank_expand(self):
        self.assertEqual(graph.expand_tags("x::{a,b}, y::c"),
                         ["x::a", "x::b", "y::c"])

    def test_versions_architectures_and_alternatives_leave_names(self):
        self.assertEqual(
            graph.package_names("a (>= 1:2.0), b:any | c [amd64], d<!nocheck>"),
            ["a", "b", "c", "d"])

    def test_a_name_that_says_team_is_a_team(self):
        self.assertEqual(graph.team_name("Debian Foo Team <foo@example.org>"),
                         "Debian Foo Team")

    def test_a_team_mailing_list_is_a_team(self):
        self.assertEqual(
            graph.team_name("pkg-x <team+x@tracker.debian.org>"), "pkg-x")

    def test_a_person_is_left_out(self):
        for person in ("Ada Lovelace <ada@example.org>",
                       "Ada Lovelace (games team) <ada@example.org>",
                       "Ada <foo@packages.debian.org>",
                       "team@example.org", ""):
            self.assertIsNone(graph.team_name(person), person)


class BuildGraphTest(unittest.TestCase):

    def test_nodes_are_packages_tags_and_teams(self):
        nodes, _ = small_graph()
        self.assertEqual(nodes, [
            ("curl", "package", "curl"),
            ("libc6", "package", "libc6"),
            ("libcurl4", "package", "libcurl4"),
            ("implemented-in::c", "tag", "implemented-in::c"),
            ("protocol::ftp", "tag", "protocol::ftp"),
            ("protocol::http", "tag", "protocol::http"),
            ("role::program", "tag", "role::program"),
            ("team:curl-packaging-team", "team", "Curl Packaging Team"),
        ])

    def test_links_leave_out_virtual_packages_and_persons(self):
        _, links = small_graph()
        self.assertEqual([tuple(link) for link in links], [
            ("depends", "curl", "libc6"),
            ("depends", "curl", "libcurl4"),
            ("depends", "libcurl4", "libc6"),
            ("enhances", "libc6", "curl"),
            ("maintained-by", "libc6", "team:curl-packaging-team"),
            ("maintained-by", "libcurl4", "team:curl-packaging-team"),
            ("pre-depends", "libc6", "curl"),
            ("recommends", "libcurl4", "curl"),
            ("suggests", "libc6", "libcurl4"),
            ("tagged", "curl", "implemented-in::c"),
            ("tagged", "curl", "protocol::ftp"),
            ("tagged", "curl", "protocol::http"),
            ("tagged", "curl", "role::program"),
        ])

    def test_no_address_and_no_person_reaches_the_graph(self):
        nodes, links = synthetic_graph()
        text = repr(nodes) + repr(links)
        self.assertNotIn("@", text)
        self.assertNotIn("Person", text)
        self.assertIn("team:synthetic-audio-team", text)

    def test_keys_are_unique_and_have_no_blanks(self):
        nodes, _ = synthetic_graph()
        keys = [key for key, _, _ in nodes]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertFalse([key for key in keys if len(key.split()) != 1])

    def test_every_end_of_a_link_is_a_node(self):
        nodes, links = synthetic_graph()
        keys = {key for key, _, _ in nodes}
        for link in links:
            self.assertIn(link.source, keys)
            self.assertIn(link.target, keys)


class HoldOutTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.nodes, cls.links = synthetic_graph(sources=800)
        cls.valid, cls.test = graph.hold_out(cls.links, seed=1)

    def held_out(self):
        return [link for split in (self.valid, self.test)
                for part in split for link in part]

    def tagged_count(self, links):
        return collections.Counter(
            link.source for link in links if link.relation == "tagged")

    def test_parts_are_disjoint_and_real(self):
        held_out = self.held_out()
        self.assertEqual(len(held_out), len(set(held_out)))
        self.assertLessEqual(set(held_out), set(self.links))

    def test_a_headline_package_has_no_tag_in_train(self):
        train = self.tagged_count(set(self.links) - set(self.held_out()))
        for link in self.valid.headline + self.test.headline:
            self.assertEqual(train[link.source], 0)

    def test_a_single_link_leaves_its_package_a_tag(self):
        train = self.tagged_count(set(self.links) - set(self.held_out()))
        self.assertTrue(self.test.links)
        for link in self.valid.links + self.test.links:
            self.assertGreaterEqual(train[link.source], 1)

    def test_shares_are_as_promised(self):
        counts = self.tagged_count(self.links)
        headline = {link.source for link in self.test.headline}
        self.assertEqual(len(headline), round(0.05 * len(counts)))
        several = sum(count for count in counts.values() if count > 1)
        self.assertAlmostEqual(len(self.test.links) / several, 0.02, delta=.003)

    def test_same_seed_same_split_other_seed_other_split(self):
        self.assertEqual(graph.hold_out(self.links, 1), (self.valid, self.test))
        self.assertNotEqual(graph.hold_out(self.links, 2)[1], self.test)

    def test_one_package_less_keeps_the_split_of_the_others(self):
        gone = next(link.source for link in self.links
                    if link.relation == "tagged" and link.source not in
                    {held.source for held in self.held_out()})
        rest = [link for link in self.links if link.source != gone]
        before = {link.source for link in self.test.headline}
        after = {link.source for link in graph.hold_out(rest, 1)[1].headline}
        self.assertLessEqual(len(before ^ after), 2)

    def test_negatives_keep_the_source_and_are_not_true(self):
        tags = [key for key, kind, _ in self.nodes if kind == "tag"]
        rows = graph.labelled(self.test, self.links, tags, seed=3)
        positives = [row for row in rows if row[3] == "1"]
        negatives = [row for row in rows if row[3] == "0"]
        self.assertEqual([row[1] for row in positives],
                         [row[1] for row in negatives])
        self.assertFalse({row[:3] for row in negatives} &
                         {tuple(link) for link in self.links})


class MainTest(unittest.TestCase):

    def run_main(self, folder, *arguments):
        index = os.path.join(folder, "index")
        with open(index, "w", encoding="utf-8") as file:
            file.write("\n".join(synthetic.archive(200, seed=1)) + "\n")
        out = os.path.join(folder, "out")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            graph.main(["--out", out, "--input", index, *arguments])
        return out, printed.getvalue()

    def rows(self, out, name):
        with open(os.path.join(out, name), encoding="utf-8") as file:
            return [tuple(line.rstrip("\n").split("\t")) for line in file]

    def test_files_fit_together(self):
        with tempfile.TemporaryDirectory() as folder:
            out, printed = self.run_main(folder, "--min-packages", "10")
            links = set(self.rows(out, "links.tsv"))
            train = set(self.rows(out, "train.tsv"))
            positives = {row[:3] for name in ("valid.tsv", "test.tsv")
                         for row in self.rows(out, name) if row[3] == "1"}
            self.assertEqual(train | positives, links)
            self.assertFalse(train & positives)
            parts = (self.rows(out, "headline_test.tsv") +
                     self.rows(out, "links_test.tsv"))
            self.assertEqual(
                sorted(parts), sorted(row for row in self.rows(out, "test.tsv")
                                      if row[3] == "1"))
            self.assertEqual(self.rows(out, "nodes.tsv")[0],
                             ("key", "type", "name"))
            tagged = {link[1] for link in links if link[0] == "tagged"}
            untagged = [row[0] for row in
                        self.rows(out, "untagged_lib_dev.txt")]
            self.assertTrue(untagged)
            self.assertFalse(tagged & set(untagged))
            self.assertIn(f"{len(links):,} links", printed)

    def test_a_short_index_is_refused_with_the_way_out(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "apt-get update"):
                self.run_main(folder)
            self.assertFalse(os.path.exists(os.path.join(folder, "out")))


if __name__ == "__main__":
    unittest.main()
