"""promtool accepts the scrape configuration, the alerts and the dashboard.

Exits 77 when promtool is not installed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import metric_names

ROOT = metric_names.ROOT
SKIPPED = 77


def promtool(*arguments):
    return subprocess.run(["promtool", *arguments], text=True, check=False,
                          capture_output=True, cwd=ROOT)


class PromtoolTest(unittest.TestCase):

    def assert_accepts(self, *arguments):
        result = promtool(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_scrape_configuration(self):
        self.assert_accepts("check", "config",
                            "deploy/prometheus/prometheus.yml")

    def test_alerts(self):
        self.assert_accepts("check", "rules", "deploy/prometheus/alerts.yml")

    def test_alerts_fire_when_they_should(self):
        self.assert_accepts("test", "rules", "tests/deploy/alerts_test.yml")

    def test_every_alert_is_tested(self):
        with open(os.path.join(ROOT, "tests/deploy/alerts_test.yml"),
                  encoding="utf-8") as file:
            tests = file.read()
        with open(metric_names.ALERTS, encoding="utf-8") as file:
            alerts = [line.split()[-1] for line in file if "- alert:" in line]
        self.assertGreater(len(alerts), 5)
        self.assertEqual([a for a in alerts if a not in tests], [])

    def test_dashboard_expressions_parse(self):
        rules = []
        for title, expressions in metric_names.panels():
            for expression in expressions:
                text = (expression.replace("$__rate_interval", "5m")
                        .replace("$instance", ".*"))
                self.assertNotIn("$", text, title)
                rules.append({"record": f"panel:expression:{len(rules)}",
                              "expr": text})
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            # JSON is YAML.
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            self.assert_accepts("check", "rules", file.name)


if __name__ == "__main__":
    if not shutil.which("promtool"):
        print("skipped: promtool is not installed (Debian: prometheus)")
        sys.exit(SKIPPED)
    unittest.main()
