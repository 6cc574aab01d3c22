"""promtool accepts the scrape configuration, the rules and the dashboards, and
the rules do what their tests say.

Exits 77 when promtool is not installed.
"""

import glob
import json
import os
import re
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

    def assert_expressions_parse(self, expressions):
        rules = [{"record": f"expression:{number}", "expr": expression}
                 for number, expression in enumerate(expressions)]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            # JSON is YAML.
            json.dump({"groups": [{"name": "expressions", "rules": rules}]},
                      file)
            file.flush()
            self.assert_accepts("check", "rules", file.name)

    def test_scrape_configuration(self):
        self.assert_accepts("check", "config",
                            "deploy/prometheus/prometheus.yml")

    def test_rules(self):
        self.assert_accepts("check", "rules", *metric_names.RULES)

    def test_alerts_fire_when_they_should(self):
        tests = sorted(glob.glob(os.path.join(ROOT, "tests/deploy/*_test.yml")))
        self.assertEqual(len(tests), 3)
        self.assert_accepts("test", "rules", *tests)

    def test_dashboard_expressions_parse(self):
        found = []
        for title, expression in metric_names.expressions():
            expression = (expression.replace("$__rate_interval", "5m")
                          .replace("$instance", ".*").replace("$model", ".*"))
            self.assertNotIn("$", expression, title)
            found.append(expression)
        self.assert_expressions_parse(found)

    def test_the_expression_of_the_autoscaler_parses(self):
        with open(os.path.join(
                ROOT, "deploy/kubernetes/autoscaling/adapter-rule.yaml"),
                encoding="utf-8") as file:
            (template,) = re.findall("metricsQuery: (.*)", file.read())
        expression = metric_names.adapter_expression(
            template, "slice_queue_predicted_wait_seconds")
        self.assert_expressions_parse([expression])


if __name__ == "__main__":
    if not shutil.which("promtool"):
        print("skipped: promtool is not installed (Debian: prometheus)")
        sys.exit(SKIPPED)
    unittest.main()
