"""Metric names in dashboards, alerts and a scrape."""

import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
DASHBOARD = os.path.join(ROOT, "deploy", "grafana", "slice.json")
ALERTS = os.path.join(ROOT, "deploy", "prometheus", "alerts.yml")

METRIC = re.compile(r"\b((?:slice|grpc_server|process)_[a-z0-9_]+)\b")
SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$")


def panels():
    """The panels of the dashboard, rows aside: [(title, [expression])]."""
    with open(DASHBOARD, encoding="utf-8") as file:
        dashboard = json.load(file)
    return [(panel["title"], [target["expr"] for target in panel["targets"]])
            for panel in dashboard["panels"] if panel["type"] != "row"]


def in_alerts():
    """The metric names in the expressions of the alerts."""
    names, expression = set(), False
    with open(ALERTS, encoding="utf-8") as file:
        for line in file:
            # An expression is on its line or indented below it.
            key = re.match(r"\s*(?:- )?([a-z_]+):( |$)", line)
            expression = key[1] == "expr" if key else expression
            if expression:
                names.update(METRIC.findall(line.partition(" # ")[0]))
    return names


def in_expression(expression):
    return set(METRIC.findall(expression))


def parse_scrape(text):
    """{sample name: [(labels as text, value)]} of the exposition format."""
    samples = {}
    for line in text.splitlines():
        match = SAMPLE.match(line)
        if match and not line.startswith("#"):
            samples.setdefault(match[1], []).append(
                (match[2] or "", float(match[3])))
    return samples
