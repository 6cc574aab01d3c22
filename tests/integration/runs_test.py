"""Training runs as a user starts them: two at once on one directory, stopped by
Ctrl-C and started again, and with input that is refused."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

import processes

TRAINER = os.path.join(processes.BIN, "slice-trainer")
# So small that a run takes seconds.
SETTINGS = {"--preset": "fast", "--structural-epochs": "1", "--threads": "1",
            "--spectral-rank": "8", "--folds": "2",
            "--own-pair-links": "hide"}


class RunsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.graph = os.path.join(cls.folder.name, "graph")
        subprocess.run(
            [os.path.join(processes.BIN, "slice-graph"), "generate", "--nodes",
             "300", "--links", "3000", "--out", cls.graph],
            check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(dir=self.folder.name)
        self.addCleanup(self.place.cleanup)
        self.out = os.path.join(self.place.name, "deep", "bundle")

    def fit_line(self, *flags, command="fit", **files):
        paths = {name: os.path.join(self.graph, name + ".tsv")
                 for name in ("train", "valid", "test")}
        paths.update(files)
        named = [part for name, path in paths.items()
                 for part in ("--" + name, path)]
        settings = [part for flag, value in SETTINGS.items()
                    for part in (flag, value) if flag not in flags]
        return [TRAINER, command, *named, "--out", self.out, *settings, *flags]

    def start(self, *flags, **options):
        return subprocess.Popen(
            self.fit_line(*flags, **options), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def fit(self, *flags, **options):
        run = self.start(*flags, **options)
        out, errors = run.communicate(timeout=processes.HANG_SECONDS)
        return run.returncode, out, errors

    def wait_for(self, path, run):
        deadline = time.monotonic() + processes.HANG_SECONDS
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), deadline, path)
            if run.poll() is not None:
                self.fail(run.communicate()[1])
            time.sleep(0.01)  # files are all that another process shows

    def notes(self):
        """The remarks in the report of the bundle."""
        with open(os.path.join(self.out, "report", "report.json"),
                  encoding="utf-8") as file:
            return " ".join(json.load(file)["notes"])

    def interrupted(self, sent, *flags, step="embed"):
        """Starts a run, and stops it once it has recorded `step`."""
        run = self.start(*flags)
        self.wait_for(os.path.join(self.out + ".work", "steps",
                                   step + ".json"), run)
        run.send_signal(sent)
        _, errors = run.communicate(timeout=processes.HANG_SECONDS)
        return run.returncode, errors

    def test_of_runs_on_one_directory_one_works_and_the_others_say_so(self):
        runs = [self.start() for _ in range(4)]
        ended = [(run.pid, run.returncode, errors) for run in runs
                 for _, errors in [run.communicate(
                     timeout=processes.HANG_SECONDS)]]
        worked = [pid for pid, status, _ in ended if status == 0]
        # A run that starts when another has ended finds all done.
        self.assertGreaterEqual(len(worked), 1, ended)
        for _, status, errors in ended:
            if status == 0:
                continue
            self.assertEqual(status, 1, errors)
            self.assertEqual(len(errors.strip().splitlines()), 1, errors)
            found = re.search(r"process (\d+) is at work in (\S+);", errors)
            self.assertIsNotNone(found, errors)
            self.assertIn(int(found[1]), worked)
            self.assertEqual(found[2], self.out + ".work")
        self.assertTrue(os.path.exists(
            os.path.join(self.out, "MANIFEST.json")))
        self.assertFalse(os.path.exists(
            os.path.join(self.out + ".work", "lock")))

    def test_the_lock_dies_with_its_process(self):
        status, _ = self.interrupted(signal.SIGKILL, "--structural-epochs",
                                     "900")
        self.assertEqual(status, -signal.SIGKILL)
        status, _, errors = self.fit()
        self.assertEqual(status, 0, errors)

    def test_ctrl_c_says_how_to_go_on(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            self.out += f"-{sent}"
            status, errors = self.interrupted(
                sent, "--structural-epochs", "900", step="statistics")
            self.assertEqual(status, 130, errors)
            self.assertIn("interrupted: the same command goes on from the "
                          f"finished steps in {self.out}.work\n", errors)
        status, _, errors = self.fit()
        self.assertEqual(status, 0, errors)
        self.assertIn("step 1/8: embed: done before", errors)
        self.assertIn("step 2/8: statistics: done before", errors)

    def test_a_step_that_starts_again_says_what_changed(self):
        status, _, errors = self.fit()
        self.assertEqual(status, 0, errors)
        status, _, errors = self.fit("--structural-epochs", "2")
        self.assertEqual(status, 0, errors)
        self.assertIn("step 2/8: statistics: done before", errors)
        self.assertIn("step structural runs again: --structural-epochs was 1 "
                      "and is 2\n", errors)
        self.assertIn("step pretrain runs again: the step structural changed",
                      errors)
        fewer = os.path.join(self.place.name, "train.tsv")
        with open(os.path.join(self.graph, "train.tsv"),
                  encoding="utf-8") as file:
            rows = file.readlines()
        with open(fewer, "w", encoding="utf-8") as file:
            file.writelines(rows[:-1])
        status, _, errors = self.fit("--structural-epochs", "2", "--seed", "5",
                                     train=fewer)
        self.assertEqual(status, 0, errors)
        self.assertIn("step embed runs again: --seed was 1 and is 5; the "
                      "training graph changed\n", errors)

    def test_refused_input_leaves_no_directory(self):
        broken = os.path.join(self.place.name, "broken.tsv")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("only two\n")
        status, _, errors = self.fit(valid=broken)
        self.assertEqual(status, 2, errors)
        self.assertIn("broken.tsv:1", errors)
        self.assertFalse(os.path.exists(os.path.dirname(self.out)))
        status, _, errors = self.fit("--embeddings", broken)
        self.assertEqual(status, 2, errors)
        self.assertFalse(os.path.exists(os.path.dirname(self.out)))
        # What was there before stays.
        os.makedirs(self.out + ".work")
        status, _, errors = self.fit(valid=broken)
        self.assertEqual(status, 2, errors)
        self.assertEqual(os.listdir(self.out + ".work"), [])

    def test_evaluation_of_a_small_graph_takes_a_sample_and_says_so(self):
        short = ("--structural-positives", "100")
        status, _, errors = self.fit(*short)
        self.assertEqual(status, 0, errors)
        note = re.search(r"the evaluation took a sample: (\d+) of (\d+) ranking",
                         errors)
        self.assertIsNotNone(note, errors)
        self.assertLess(int(note[1]), int(note[2]))
        self.assertIn("--full-evaluation", self.notes())
        status, _, errors = self.fit(*short, "--full-evaluation")
        self.assertEqual(status, 0, errors)
        self.assertIn("step fuse runs again: --full-evaluation was false "
                      "and is true\n", errors)
        self.assertNotIn("a sample", errors)
        self.assertNotIn("took a sample", self.notes())

    def test_two_sweeps_do_not_share_a_directory(self):
        sweep = ["--vary", "structural-learning-rate=1e-3,2e-3"]
        run = self.start(*sweep, "--structural-epochs", "900", command="sweep")
        self.wait_for(os.path.join(self.out, "lock"), run)
        status, _, errors = self.fit(*sweep, command="sweep")
        run.kill()
        run.communicate()
        self.assertEqual(status, 1, errors)
        self.assertIn(f"process {run.pid} is at work in {self.out};", errors)

    def test_a_sweep_over_an_ignored_flag_is_refused(self):
        status, out, errors = self.fit("--vary", "max_context_nodes=6,12",
                                       command="sweep")
        self.assertEqual(status, 2, errors)
        self.assertIn("--vary max_context_nodes", errors)
        self.assertIn("preset fast", errors)
        self.assertEqual(out, "")

    def test_a_bundle_of_a_newer_format_asks_for_an_upgrade(self):
        status, _, errors = self.fit()
        self.assertEqual(status, 0, errors)
        path = os.path.join(self.out, "MANIFEST.json")
        with open(path, encoding="utf-8") as file:
            manifest = json.load(file)
        ours = manifest["format_version"]
        manifest["format_version"] = ours + 1
        with open(path, "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        links = os.path.join(self.graph, "test.tsv")
        for command in (
                [TRAINER, "score", "--bundle", self.out, "--links", links,
                 "--out", os.path.join(self.place.name, "scores")],
                [os.path.join(processes.BIN, "slice-server"), "--bundle",
                 self.out, "--data-dir", os.path.join(self.place.name, "data"),
                 "--listen", "127.0.0.1:0"]):
            result = subprocess.run(command, capture_output=True, text=True,
                                    check=False,
                                    timeout=processes.HANG_SECONDS)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(f"format_version is {ours + 1}", result.stderr)
            self.assertIn(f"reads 2 to {ours}", result.stderr)
            self.assertIn("upgrade slice", result.stderr)


if __name__ == "__main__":
    unittest.main()
