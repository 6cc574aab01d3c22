"""Every path and page that a comment or a document names exists."""

import os
import unittest

import made_up_tree
import names

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def check_paths(files):
    return made_up_tree.check_texts(files, names.check_paths)


class CommentTest(unittest.TestCase):

    def test_a_path_must_exist(self):
        self.assertEqual(
            check_paths({"server/a.h": "a = '\"';  // see server/rpc/b.h.\n"}),
            ["server/a.h:1: server/rpc/b.h does not exist"])

    def test_a_path_that_exists_may_be_named_in_any_way(self):
        self.assertEqual(check_paths({
            "server/rpc/b.h": "",
            "server/a.h": "// server/rpc/b.h, server/rpc/, b.h (server/rpc).\n"
        }), [])

    def test_a_file_named_alone_must_exist_somewhere(self):
        self.assertEqual(check_paths({"server/a.h": "// As in cut.cc: x.\n"}),
                         ["server/a.h:1: no file is called cut.cc"])

    def test_a_path_is_spelled_from_the_root(self):
        self.assertEqual(
            check_paths({"server/rpc/b.h": "", "server/a.h": "// rpc/b.h\n"}),
            ["server/a.h:1: rpc/b.h is not spelled from the root"])

    def test_a_page_is_spelled_from_the_root(self):
        self.assertEqual(
            check_paths({"docs/model.md": "", "model/a.h": "// (model.md 4a)"}),
            ["model/a.h:1: say docs/model.md"])

    def test_a_section_must_exist(self):
        self.assertEqual(made_up_tree.check_texts(
            {"docs/a.md": "## Ends\n",
             "model/a.h": '// (docs/a.md, "Ends"; docs/a.md,\n// "Tails")\n'},
            names.check_sections),
            ['model/a.h: docs/a.md has no section "Tails"'])

    def test_code_and_strings_are_no_comments(self):
        self.assertEqual(check_paths({
            "server/a.h": '#include "server/b.h"\nf("// server/c.h");\n',
            "scripts/d": "echo server/e.h\n",
            "tests/f.py": "x = 'server/g.h'\n"}), [])

    def test_patterns_urls_and_made_files_are_no_paths(self):
        self.assertEqual(check_paths({
            "server/a.h": "// server/*.h <NAME>.h https://a.b/server/c.h\n"
                          "// proto/slice/v1/graph.grpc.pb.h model.pt\n"}), [])

    def test_scripts_cmake_and_python_are_read(self):
        self.assertEqual(check_paths({
            "scripts/a": "true  # docs/gone.md\n",
            "cmake/b.cmake": "# docs/gone.md\n",
            "server/CMakeLists.txt": "# docs/gone.md\n",
            "scripts/d": '#!/usr/bin/env python3\n"""docs/gone.md"""\n',
            "tests/c.py": '"""One line.\n\ndocs/gone.md\n"""\n',
        }), ["cmake/b.cmake:1: docs/gone.md does not exist",
             "scripts/a:1: docs/gone.md does not exist",
             "scripts/d:2: docs/gone.md does not exist",
             "server/CMakeLists.txt:1: docs/gone.md does not exist",
             "tests/c.py:3: docs/gone.md does not exist"])


class DocumentTest(unittest.TestCase):

    def test_a_path_in_code_must_exist(self):
        self.assertEqual(check_paths({
            "docs/a.md": "`server/b.h`, `c.h`\n\n```\nscripts/d --e\n```\n"
        }), ["docs/a.md:1: server/b.h does not exist",
             "docs/a.md:1: no file is called c.h",
             "docs/a.md:4: scripts/d does not exist"])

    def test_a_named_test_must_exist(self):
        self.assertEqual(made_up_tree.check_texts(
            {"tests/attack/a_test.py": "class A:\n    def test_a(self):\n",
             "tests/attack/attacks.py": "def resets(target):\n",
             "docs/security.md": "`test_a`, `test_resets`\n`test_b`\n"},
            names.check_tests), ["docs/security.md:2: no test is called test_b"])

    def test_a_linked_file_must_exist(self):
        files = {"README.md": "[a](docs/a.md), [b](docs/b.md)\n",
                 "docs/a.md": "[up](../README.md) [web](https://a.b/c)\n"}
        self.assertEqual(made_up_tree.check_texts(files, names.check_links),
                         ["README.md:1: docs/b.md does not exist"])

    def test_an_anchor_must_be_a_heading(self):
        files = {"docs/a.md": "# One: `--two` (3)\n## One\n## One\n"
                              "[x](#one---two-3) [y](b.md#one-1)\n",
                 "docs/b.md": "# One\n```\n# Two\n```\n[z](a.md#two)\n"
                              "[u](a.md#one-1)\n"}
        self.assertEqual(made_up_tree.check_texts(files, names.check_links),
                         ["docs/a.md:4: docs/b.md has no heading for #one-1",
                          "docs/b.md:5: docs/a.md has no heading for #two"])

    def test_every_page_is_reached_from_the_readme(self):
        files = {"README.md": "[a](docs/a.md)", "docs/a.md": "[b](b.md)",
                 "docs/b.md": "", "docs/c.md": "[a](a.md)"}
        self.assertEqual(made_up_tree.check_texts(files, names.check_pages),
                         ["docs/c.md: no link from README.md leads to it"])

    def test_the_readme_is_short_and_counts_no_tests(self):
        self.assertEqual(
            made_up_tree.check_texts({"README.md": "All 961 tests pass. " + "word " * 1297},
                                     names.check_readme),
            ["README.md: 1301 words, at most 1300",
             "README.md: counts tests: '961 tests'"])


class RepositoryTest(unittest.TestCase):

    def check(self, rules):
        problems = rules(ROOT)
        self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_named_paths_exist(self):
        self.check(names.check_paths)

    def test_named_tests_exist(self):
        self.check(names.check_tests)

    def test_named_sections_exist(self):
        self.check(names.check_sections)

    def test_links_lead_somewhere(self):
        self.check(names.check_links)

    def test_pages_can_be_reached(self):
        self.check(names.check_pages)

    def test_the_readme_is_short(self):
        self.check(names.check_readme)


if __name__ == "__main__":
    unittest.main()
