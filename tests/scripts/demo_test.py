"""Tests of scripts/demo: it answers before it ranks, and ranks once.

A copy of scripts/ is run on stand-ins for slice's programs, which write down
how they are called.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

from stand_ins import ROOT, write

PROGRAMS = {
    "slice-trainer": """\
        case "$1" in
          fit)
            while [[ "$1" != --out ]]; do shift; done
            mkdir -p "$2"
            echo {} >"$2/MANIFEST.json" ;;
          rank)
            [[ ! -e "${calls}.rank_fails" ]] || exit 1
            echo "a table" ;;
        esac
        """,
    "slice-server": """\
        echo "http on 127.0.0.1:1"
        echo "listening on 127.0.0.1:2"
        exec tail -f /dev/null
        """,
    "slice-client": """\
        case "$1" in
          predict) sed 's/$/\\t0.5/' ;;
          *) echo "an answer" ;;
        esac
        """,
}
# Packages that have no tag, one that has, and the tags.
NODES = """\
imagemagick\tpackage\t
apache2\tpackage\t
curl\tpackage\t
role::program\ttag\t
role::devel-lib\ttag\t
"""


class DemoTest(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.calls_file = self.path("calls")
        shutil.copytree(os.path.join(ROOT, "scripts"), self.path("scripts"))
        write(self.path("scripts/build"), "#!/bin/bash\n", 0o755)
        for name, body in PROGRAMS.items():
            write(self.path("build/release/bin", name),
                  f'#!/bin/bash\ncalls={self.calls_file}\n'
                  f'echo {name} "$@" >>"${{calls}}"\n'
                  + textwrap.dedent(body), 0o755)
        for name, text in (("nodes.tsv", NODES),
                           ("links.tsv", "tagged\tcurl\trole::program\n"),
                           ("untagged_lib_dev.txt", "libx-dev\n"),
                           ("untagged_librust_dev.txt", "librust-x-dev\n")):
            write(self.path("demo/graph", name), text)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def demo(self, *options):
        """Runs it; returns the result and the calls it made."""
        write(self.calls_file, "")
        result = subprocess.run(
            ["bash", self.path("scripts/demo"), *options], text=True,
            capture_output=True, check=False, timeout=120)
        with open(self.calls_file, encoding="utf-8") as file:
            return result, file.read().splitlines()

    def ranks(self, calls):
        return [call for call in calls if call.startswith("slice-trainer rank")]

    def test_answers_come_before_rankings(self):
        result, calls = self.demo()
        self.assertEqual(result.returncode, 0, result.stderr)
        first_rank = calls.index(self.ranks(calls)[0])
        last_answer = max(i for i, call in enumerate(calls)
                          if call.startswith("slice-client"))
        self.assertLess(last_answer, first_rank)
        self.assertIn("slice-client explain imagemagick tagged "
                      "role::devel-lib", calls)
        text = result.stdout
        self.assertLess(text.index("What is next to curl?"),
                        text.index("Packages whose tags were all held out"))

    def test_a_sample_is_ranked_and_its_size_said(self):
        result, calls = self.demo()
        ranks = self.ranks(calls)
        self.assertEqual(len(ranks), 4)
        for call in ranks:
            self.assertIn("--sample 300 ", call)
        self.assertIn("Ranking all tags for 300 held-out packages",
                      result.stderr)

    def test_the_second_run_neither_trains_nor_ranks(self):
        first, _ = self.demo()
        second, calls = self.demo()
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertFalse([call for call in calls
                          if call.startswith("slice-trainer")], calls)
        self.assertEqual(second.stdout, first.stdout)

    def test_the_graph_of_a_server_that_runs_is_not_removed(self):
        kept = self.path("demo/live/data/graphs/x/CURRENT")
        write(kept, "changes")
        server = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)",
             "--data-dir", self.path("demo/live/data")])
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        for option in ("--live", "--fresh"):
            result, calls = self.demo(option)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(f"kill {server.pid}", result.stderr)
            self.assertFalse(calls)
            self.assertTrue(os.path.exists(kept))

    def test_ranking_asks_all_questions_and_then_stands_for_the_sample(self):
        self.demo()
        result, calls = self.demo("--ranking")
        self.assertEqual(len(self.ranks(calls)), 4, result.stderr)
        for call in self.ranks(calls):
            self.assertIn("--sample 0 ", call)
        result, calls = self.demo()
        self.assertFalse(self.ranks(calls))
        self.assertIn("demo/rankings_all.txt", result.stderr)

    def test_no_ranking_ranks_nothing(self):
        result, calls = self.demo("--no-ranking")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(self.ranks(calls))
        self.assertNotIn("held out", result.stdout)

    def test_a_new_bundle_is_ranked_again(self):
        self.demo("--ranking")
        os.utime(self.path("demo/bundle/MANIFEST.json"), (2 ** 32, 2 ** 32))
        _, calls = self.demo()
        self.assertEqual(len(self.ranks(calls)), 4)

    def test_fresh_makes_rankings_again(self):
        self.demo()
        write(self.path("scripts/make_debian_graph.py"), """\
            import os, shutil, sys
            shutil.copytree(os.environ["SAVED_GRAPH"], sys.argv[2])
            """)
        shutil.copytree(self.path("demo/graph"), self.path("saved"))
        os.environ["SAVED_GRAPH"] = self.path("saved")
        self.addCleanup(os.environ.pop, "SAVED_GRAPH")
        write(self.path("bin/apt-cache"),
              "#!/bin/bash\nseq 20000\n", 0o755)
        old = os.environ["PATH"]
        os.environ["PATH"] = self.path("bin") + ":" + old
        self.addCleanup(os.environ.__setitem__, "PATH", old)
        result, calls = self.demo("--fresh")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue([call for call in calls
                         if call.startswith("slice-trainer fit")])
        self.assertEqual(len(self.ranks(calls)), 4)

    def test_a_failed_ranking_leaves_no_table_and_stops_the_server(self):
        write(self.calls_file + ".rank_fails", "")
        result, calls = self.demo("--keep")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the ranking failed", result.stderr.splitlines()[-1])
        self.assertIn("an answer", result.stdout)
        self.assertFalse(os.path.exists(
            self.path("demo/rankings_sample.txt")))
        os.remove(self.calls_file + ".rank_fails")
        _, calls = self.demo()
        self.assertEqual(len(self.ranks(calls)), 4)

    def test_keep_leaves_the_server_running_and_says_how_to_stop_it(self):
        result, _ = self.demo("--keep")
        self.assertEqual(result.returncode, 0, result.stderr)
        server = int(re.search(r"Stop it with: kill (\d+)", result.stdout)[1])
        os.kill(server, signal.SIGTERM)  # there is such a process
        self.assertIn("In a browser: http://127.0.0.1:1", result.stdout)
        self.assertLess(result.stdout.index("a table"),
                        result.stdout.index("The server stays"))

    def make_week(self):
        """A graph of which something is withheld."""
        nodes = [f"package-{i}\tpackage\tpackage-{i}" for i in range(400)]
        nodes += [f"kind::{i}\ttag\tkind::{i}" for i in range(20)]
        links = [f"tagged\tpackage-{i}\tkind::{(i * 7 + j) % 20}"
                 for i in range(400) for j in range(6)]
        rows = [f"{links[0]}\t1", f"{links[0]}9\t0"]
        for name, lines in (("nodes.tsv", ["key\ttype\tname", *nodes]),
                            ("links.tsv", links), ("valid.tsv", rows),
                            ("test.tsv", rows)):
            write(self.path("demo/graph", name),
                  "".join(line + "\n" for line in lines))

    def test_live_asks_before_the_week_and_after_it(self):
        self.make_week()
        result, calls = self.demo("--live")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertFalse(self.ranks(calls))
        (trained,) = [c for c in calls if c.startswith("slice-trainer fit")]
        self.assertIn("demo/live/graph/train.tsv", trained)
        (served,) = [c for c in calls if c.startswith("slice-server")]
        self.assertIn("--accept-updates", served)
        self.assertIn("demo/live/data", served)
        days = [call for call in calls if " update file " in call]
        self.assertEqual([call.rsplit("/", 1)[1] for call in days],
                         [f"day-{day}.tsv" for day in range(1, 8)])
        asked = [i for i, c in enumerate(calls) if " predict --keys pack" in c]
        why = [i for i, c in enumerate(calls) if "slice-client explain" in c]
        self.assertEqual((len(asked), len(why)), (3, 1))
        self.assertLess(max(asked), calls.index(days[0]))
        self.assertGreater(min(why), calls.index(days[-1]))
        self.assertIn("After the week: which debtags", result.stdout)
        self.assertRegex(result.stdout, r"all +the link is above in +50\.0 of")

    def test_live_plays_the_week_again_and_trains_once(self):
        self.make_week()
        first, _ = self.demo("--live")
        write(self.path("demo/live/data/graphs/old"), "")
        second, calls = self.demo("--live")
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertTrue(first.stdout.endswith(second.stdout))
        self.assertFalse([c for c in calls if c.startswith("slice-trainer")])
        self.assertFalse(os.path.exists(
            self.path("demo/live/data/graphs/old")))

    def test_live_says_which_day_the_server_did_not_take(self):
        self.make_week()
        write(self.path("build/release/bin/slice-client"), """\
            #!/bin/bash
            [[ "$1 $2 $3" != "update file"*day-2.tsv ]] || exit 1
            sed 's/$/\t0.5/' </dev/null
            """.replace(" " * 12, ""), 0o755)
        result, _ = self.demo("--live")
        self.assertEqual(result.returncode, 1)
        self.assertIn("day-2.tsv", result.stderr.splitlines()[-1])

    def test_an_unknown_option_is_named(self):
        result, calls = self.demo("--rankings")
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertIn("unknown option '--rankings'", result.stderr)


if __name__ == "__main__":
    unittest.main()
