"""Metric names in dashboards, rules and a scrape."""

import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
DASHBOARDS = [os.path.join(ROOT, "deploy", "grafana", name + ".json")
              for name in ("overview", "capacity", "models")]
RULES = ("deploy/prometheus/slo.yml", "deploy/prometheus/alerts.yml")

# Of the server; a colon before or behind it makes it the name of a rule.
METRIC = re.compile(r"(?<![\w:])((?:slice|grpc_server|process)_[a-z0-9_]+)"
                    r"(?![\w:])")
SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$")


def panels(path):
    """The panels of a dashboard, rows aside: [(title, [expression])]."""
    with open(path, encoding="utf-8") as file:
        dashboard = json.load(file)
    return [(panel["title"], [target["expr"] for target in panel["targets"]])
            for panel in dashboard["panels"] if panel["type"] != "row"]


def expressions():
    """Of all dashboards: [(title, expression)]."""
    return [(title, expression) for path in DASHBOARDS
            for title, found in panels(path) for expression in found]


def in_rules():
    """The metric names in the expressions of the rules."""
    names, expression = set(), False
    for path in RULES:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            for line in file:
                # An expression is on its line or indented below it.
                key = re.match(r"\s*(?:- )?([a-z_]+):( |$)", line)
                expression = key[1] == "expr" if key else expression
                if expression:
                    names.update(METRIC.findall(line.partition(" # ")[0]))
    return names


def in_expression(expression):
    return set(METRIC.findall(expression))


def adapter_expression(template, series):
    """What prometheus-adapter asks for two pods of one namespace."""
    return (template.replace("<<.Series>>", series)
            .replace("<<.LabelMatchers>>", 'namespace="slice",pod=~"a|b"')
            .replace("<<.GroupBy>>", "pod"))


def parse_scrape(text):
    """{sample name: [(labels as text, value)]} of the exposition format."""
    samples = {}
    for line in text.splitlines():
        match = SAMPLE.match(line)
        if match and not line.startswith("#"):
            samples.setdefault(match[1], []).append(
                (match[2] or "", float(match[3])))
    return samples
