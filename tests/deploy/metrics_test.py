"""After load, the live server emits every metric of dashboards and rules."""

import os
import re
import shutil
import subprocess
import unittest

import loaded_server
import metric_names

# Zero in a server that is well, whatever the load of this test.
ZERO_WHEN_WELL = {
    "slice_draining", "slice_expired_on_model_total", "slice_queue_items",
    "slice_queue_oldest_age_seconds", "slice_queue_predicted_wait_seconds",
    "slice_recommend_queue_items", "slice_connections",
    "slice_connections_refused_total", "slice_hostile_connections_closed_total",
    "slice_tls_reloads_total", "slice_tls_reload_failures_total",
    "slice_lookup_queue_items", "slice_queue_bytes", "slice_models_retired",
    "slice_shadow_failures_total", "slice_model_golden_difference",
    "slice_graph_waiting_changes", "slice_feed_entries_behind",
    "slice_feed_seconds_since_in_step", "slice_feed_publish_failures_total",
    "slice_feed_digest_differences_total", "slice_feed_awaited_changes",
    "slice_feed_refused_entries_total",
}
# Zero without a device.
ZERO_ON_CPU = {
    "slice_gpu_lost", "slice_gpu_halved_batches_total",
    "slice_gpu_memory_used_bytes", "slice_gpu_memory_total_bytes",
}
# Made by Prometheus.
NOT_OF_THE_SERVER = {"up"}


class MetricsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with loaded_server.LoadedServer() as server:
            server.ask()
            server.try_candidates()
            server.reload()
            server.overload()
            cls.text = server.scrape()
        cls.samples = metric_names.parse_scrape(cls.text)

    def total(self, name):
        return sum(abs(value) for _, value in self.samples.get(name, []))

    def test_every_metric_of_every_panel_has_a_sample(self):
        for title, expression in metric_names.expressions():
            for name in metric_names.in_expression(expression):
                with self.subTest(panel=title, metric=name):
                    self.assertIn(name, self.samples)
                    if name not in ZERO_WHEN_WELL | ZERO_ON_CPU:
                        self.assertGreater(self.total(name), 0)

    def test_every_metric_of_the_rules_has_a_sample(self):
        names = metric_names.in_rules()
        self.assertGreater(len(names), 20)
        for name in names - NOT_OF_THE_SERVER:
            with self.subTest(metric=name):
                self.assertIn(name, self.samples)

    def test_label_values_of_rules_and_dashboards_exist(self):
        texts = [expression for _, expression in metric_names.expressions()]
        for path in metric_names.RULES:
            with open(os.path.join(metric_names.ROOT, path),
                      encoding="utf-8") as file:
                texts.append(file.read())
        pairs = {pair for text in texts for pair in
                 re.findall(r'\b(\w+)(?:=|=~|!~)"([^"$]+)"', text)
                 if pair[0] not in ("job", "instance")}
        self.assertGreater(len(pairs), 8)
        for label, pattern in pairs:
            # Each value of a list, else the pattern as it is.
            for one in [pattern] if "(" in pattern else pattern.split("|"):
                self.assertTrue(re.search(f'[{{,]{label}="(?:{one})"',
                                          self.text), (label, one))

    def test_reloads_are_counted_by_code(self):
        for code in ("OK", "INVALID_ARGUMENT"):
            self.assertTrue(re.search(
                'grpc_server_handled_total{grpc_code="%s",'
                'grpc_method="ReloadConfig",[^}]*} 1\n' % code, self.text))

    def test_reloads_are_counted_by_result_whoever_asked(self):
        # A good and a bad one by AdminService, a bad one by SIGHUP.
        for result, count in (("applied", 1), ("refused", 2)):
            self.assertIn('slice_config_reloads_total{result="%s"} %d\n' % (
                result, count), self.text)

    def test_requests_and_loads_are_known_by_model(self):
        for sample in ('slice_model_requests_total{grpc_code="OK",'
                       'model="default"}',
                       'slice_model_requests_total{grpc_code="OK",'
                       'model="second"}',
                       'slice_model_requests_total{grpc_code='
                       '"RESOURCE_EXHAUSTED",model="default"}',
                       'slice_model_load_failures_total{grpc_code="NOT_FOUND",'
                       'model="second"}'):
            self.assertIn(sample, self.text)

    def test_a_canary_and_a_shadow_have_their_shares(self):
        for sample in ('slice_model_trial_share{model="second",role="canary"} '
                       "0.5\n",
                       'slice_model_trial_share{model="third",role="shadow"} '
                       "1\n"):
            self.assertIn(sample, self.text)

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
