"""After load, the live server emits every metric of dashboard and alerts."""

import os
import shutil
import subprocess
import sys
import unittest

import metric_names

sys.path.insert(0, os.path.join(metric_names.ROOT, "tests", "integration"))

import processes  # noqa: E402

# Zero in a server that is well, whatever the load of this test.
ZERO_WHEN_WELL = {
    "slice_draining", "slice_expired_on_model_total", "slice_queue_items",
    "slice_queue_oldest_age_seconds", "slice_recommend_queue_items",
}
REPEATED_LINKS = 20000


def overload(server):
    """Several clients at once with more links than the queue may hold."""
    rows = [row[:3] for row in processes.toy_rows("test.tsv")]
    rows = (rows * (REPEATED_LINKS // len(rows) + 1))[:REPEATED_LINKS]
    links = "".join("\t".join(row) + "\n" for row in rows)
    clients = [server.start_client("--retries", "0", "predict", "--links", "-")
               for _ in range(6)]
    for client in clients:
        client.communicate(links, timeout=processes.HANG_SECONDS)


class MetricsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        relation, source, target, _ = processes.toy_rows("headline_test.tsv")[0]
        with processes.Server("--max-queue-items", "1024",
                              "--result-cache-bytes", "1000000") as server:
            for command in (["predict"], ["explain"]):
                server.client(*command, source, relation, target)
            server.client("predict", source, relation, "no-such-node")
            server.client("predict", source, "no-such-relation", target)
            for command in (["info"], ["health"], ["neighbors", source],
                            ["find", "lib"], ["relations"],
                            ["recommend", "--source", source, "--relation",
                             relation]):
                server.client(*command)
            overload(server)
            cls.text = server.scrape()
        cls.samples = metric_names.parse_scrape(cls.text)

    def total(self, name):
        return sum(abs(value) for _, value in self.samples.get(name, []))

    def test_every_metric_of_every_panel_has_a_sample(self):
        for title, expressions in metric_names.panels():
            for name in set().union(*map(metric_names.in_expression,
                                         expressions)):
                with self.subTest(panel=title, metric=name):
                    self.assertIn(name, self.samples)
                    if name not in ZERO_WHEN_WELL:
                        self.assertGreater(self.total(name), 0)

    def test_every_metric_of_the_alerts_has_a_sample(self):
        names = metric_names.in_alerts()
        self.assertGreater(len(names), 5)
        for name in names:
            with self.subTest(metric=name):
                self.assertIn(name, self.samples)

    def test_label_values_of_the_dashboard_exist(self):
        for labels in ('outcome="scored"', 'grpc_method="PredictLinks"',
                       'grpc_code="OK"'):
            self.assertIn(labels, self.text)

    def test_nothing_was_scored_after_its_deadline(self):
        self.assertIn("slice_expired_on_model_total", self.samples)
        self.assertEqual(self.total("slice_expired_on_model_total"), 0)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_finds_nothing_to_improve(self):
        result = subprocess.run(["promtool", "check", "metrics"], text=True,
                                input=self.text, capture_output=True,
                                check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (0, "", ""))


if __name__ == "__main__":
    unittest.main()
