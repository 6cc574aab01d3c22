"""Every alert has tests that fire it and tests that do not, an entry in the
runbook, and a severity; the runbook names what exists.

Needs PyYAML; exits 77 without it.
"""

import glob
import os
import re
import unittest

import private_python

private_python.require("yaml")

import yaml  # noqa: E402

import metric_names  # noqa: E402

ROOT = metric_names.ROOT
RUNBOOK = "docs/runbook.md"
ALERT_OF_TEST = re.compile(r'alertname="(\w+)"')


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def alerts():
    return [rule for path in metric_names.RULES
            for group in yaml.safe_load(text(path))["groups"]
            for rule in group["rules"] if "alert" in rule]


def expectations():
    """{alert: {whether a test expects it to fire}}."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "tests/deploy/*_test.yml")):
        for group in yaml.safe_load(text(path))["tests"]:
            for test in group.get("promql_expr_test", []):
                name = ALERT_OF_TEST.search(test["expr"])[1]
                found.setdefault(name, set()).add(bool(test["exp_samples"]))
    return found


def entries():
    """{heading: text below it} of the runbook."""
    parts = re.split(r"^### (\w+)\n", text(RUNBOOK), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class AlertsTest(unittest.TestCase):

    def test_names_are_unique(self):
        names = [alert["alert"] for alert in alerts()]
        self.assertGreater(len(names), 20)
        self.assertEqual(len(names), len(set(names)))

    def test_each_alert_is_seen_firing_and_not_firing(self):
        expected = {alert["alert"]: {True, False} for alert in alerts()}
        self.assertEqual(expectations(), expected)

    def test_each_alert_says_whom_it_calls_and_what_to_do(self):
        for alert in alerts():
            with self.subTest(alert=alert["alert"]):
                self.assertIn(alert["labels"]["severity"], ("page", "ticket"))
                self.assertEqual(
                    alert["annotations"]["runbook"],
                    f"{RUNBOOK}#{alert['alert'].lower()}")
                self.assertTrue(alert["annotations"]["summary"])
                self.assertTrue(alert["annotations"]["description"])

    def test_labels_in_words_are_left_by_the_expression(self):
        for alert in alerts():
            words = str(alert["annotations"])
            kept = re.findall(r"\bby \(([\w, ]+)\)", alert["expr"])
            if not kept:
                continue
            for label in re.findall(r"\$labels\.(\w+)", words):
                for labels in kept[:1]:
                    self.assertIn(label, labels.split(", "), alert["alert"])


class RunbookTest(unittest.TestCase):

    def test_it_has_an_entry_for_each_alert_and_no_other(self):
        self.assertEqual(sorted(entries()),
                         sorted(alert["alert"] for alert in alerts()))

    def test_each_entry_says_how_urgent_where_to_look_and_how_to_mend(self):
        severity = {alert["alert"]: alert["labels"]["severity"]
                    for alert in alerts()}
        for name, entry in entries().items():
            with self.subTest(alert=name):
                self.assertTrue(entry.lstrip().startswith(
                    f"**{severity[name].capitalize()}.**"))
                self.assertRegex(entry, r"(?m)^- \*\*Look")
                self.assertRegex(entry, r"\*\*[Mm]end")

    def test_panels_exist(self):
        titles = {title for path in metric_names.DASHBOARDS
                  for title, _ in metric_names.panels(path)}
        for name, entry in entries().items():
            for panel in re.findall(r'"([A-Z][^"]*)"', entry):
                self.assertIn(panel, titles, name)

    def test_flags_and_commands_exist(self):
        flags = text("docs/flags.md")
        page = text(RUNBOOK)
        commands = re.findall(r"\b(slice-client|slice-server) (?:--server \S+ )?"
                              r"([a-z]\w+|--[a-z-]+)", page)
        self.assertGreater(len(commands), 3)
        for program, word in commands:
            section = re.split(r"(?m)^## ", flags.partition(
                f"\n## {program}\n")[2])[0]
            self.assertRegex(section, rf"(?m)^  {word} ", program)
        for flag in re.findall(r"`(--[a-z-]+)", page):
            self.assertRegex(flags, rf"(?m)^  {flag} ")

    def test_objects_of_kubernetes_exist(self):
        manifests = "".join(
            text(path) for path in glob.glob(os.path.join(
                ROOT, "deploy/kubernetes/**/*.yaml"), recursive=True))
        names = re.findall(r"(?:deployment/|hpa |certificate |secret )(slice[\w-]*)",
                           text(RUNBOOK))
        self.assertGreater(len(names), 5)
        for name in set(names):
            self.assertRegex(manifests, rf"(?:name|secretName): {name}\n")


class ObjectivesTest(unittest.TestCase):

    def test_the_alerts_use_rates_that_are_recorded(self):
        groups = yaml.safe_load(text("deploy/prometheus/slo.yml"))["groups"]
        recorded = {rule["record"] for group in groups
                    for rule in group["rules"] if "record" in rule}
        used = {name for group in groups for rule in group["rules"]
                if "alert" in rule
                for name in re.findall(r"job:\w+:\w+", rule["expr"])}
        self.assertEqual(used, recorded)

    def test_each_rate_has_the_window_of_its_name(self):
        groups = yaml.safe_load(text("deploy/prometheus/slo.yml"))["groups"]
        for group in groups:
            for rule in group["rules"]:
                if "record" in rule:
                    windows = set(re.findall(r"\[(\w+)\]", rule["expr"]))
                    self.assertEqual(
                        windows, {rule["record"].rpartition("rate")[2]})


if __name__ == "__main__":
    unittest.main()
