"""A real Prometheus scrapes a live server under load: every panel of the
dashboards shows something, every rule runs, and no alert fires without cause.

Exits 77 when Prometheus is not installed.
"""

import math
import os
import re
import shutil
import sys
import unittest

import loaded_server
import metric_names
import prometheus_server

SKIPPED = 77
# Panels whose every value is zero in a server that is well and has no GPU.
ZERO_WHEN_WELL = {
    "Draining", "Scored after the deadline", "Error budget burn",
    "Calls that fail", "Calls slower than 500 ms", "Queue", "Predicted wait",
    "Recommendations waiting", "Open connections", "Connections refused",
    "Device memory", "Halved batches", "Devices lost", "Look-ups waiting",
    "Retired versions", "Links without a shadow",
    "Largest difference of a golden link", "Changes waiting",
    "Entries behind", "Time since in step",
}
# What this test does to its server: a bad configuration, a bundle that is not
# there, and an authority, a certificate and a token that end soon.
EXPECTED_ALERTS = {
    "SliceConfigReloadFailed", "SliceModelLoadFailed",
    "SliceCertificateExpires",
    "SliceCertificateExpiresNow", "SliceClientAuthorityExpires",
    "SliceClientAuthorityExpiresNow", "SliceTokenExpires",
}


def as_grafana_asks(expression):
    return (expression.replace("$__rate_interval", "1m")
            .replace("$instance", ".*").replace("$model", ".*"))


class PrometheusTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        server = cls.enterClassContext(loaded_server.LoadedServer())
        cls.prometheus = cls.enterClassContext(prometheus_server.Prometheus(
            server.metrics_address, server.ca))
        server.ask()
        server.try_candidates()
        server.reload()
        server.overload()
        cls.prometheus.wait_for_another_run_of_the_rules()

    def test_every_query_of_every_panel_has_a_sample(self):
        for title, expression in metric_names.expressions():
            with self.subTest(panel=title, expression=expression):
                values = self.prometheus.query(as_grafana_asks(expression))
                self.assertTrue([v for v in values if not math.isnan(v)])

    def test_every_panel_shows_more_than_zeros(self):
        shown = {}
        for title, expression in metric_names.expressions():
            shown.setdefault(title, []).extend(
                v for v in self.prometheus.query(as_grafana_asks(expression))
                if not math.isnan(v))
        self.assertLessEqual(ZERO_WHEN_WELL, set(shown))
        for title, values in shown.items():
            with self.subTest(panel=title):
                self.assertTrue(any(values) or title in ZERO_WHEN_WELL)

    def test_every_rule_runs(self):
        rules = self.prometheus.rules()
        self.assertGreater(len(rules), 30)
        for rule in rules:
            self.assertEqual(rule["health"], "ok", rule["name"])

    def test_every_recorded_rate_has_a_value(self):
        recorded = [rule["name"] for rule in self.prometheus.rules()
                    if rule["type"] == "recording"]
        self.assertEqual(len(recorded), 14)
        for name in recorded:
            (value,) = self.prometheus.query(name + '{job="slice"}')
            self.assertGreaterEqual(value, 0)
            self.assertLessEqual(value, 1)

    def test_alerts_fire_with_cause_alone(self):
        firing = {rule["name"]: rule["alerts"]
                  for rule in self.prometheus.rules()
                  if rule["type"] == "alerting" and rule["state"] == "firing"}
        self.assertEqual(set(firing), EXPECTED_ALERTS)
        for alerts in firing.values():
            self.assertNotIn("error", str(alerts))
            self.assertNotIn("<no value>", str(alerts))

    def test_the_autoscaler_gets_a_value_for_each_pod(self):
        with open(os.path.join(
                metric_names.ROOT,
                "deploy/kubernetes/autoscaling/adapter-rule.yaml"),
                encoding="utf-8") as file:
            text = file.read()
        (series,) = re.findall("seriesQuery: (.*)", text)
        (template,) = re.findall("metricsQuery: (.*)", text)
        self.assertEqual(len(self.prometheus.query(series)), 1)
        self.assertEqual(len(self.prometheus.query(
            metric_names.adapter_expression(template, series.split("{")[0]))),
            1)


if __name__ == "__main__":
    if not shutil.which("prometheus"):
        print("skipped: prometheus is not installed (Debian: prometheus)")
        sys.exit(SKIPPED)
    unittest.main()
