"""Measures slice-server beside busy programs and inside a quota of processor
time; writes JSON.

usage: neighbours_benchmark.py --bin DIR --work DIR --out FILE --bundle DIR
                               [--rounds N] [--quick]

Each figure is measured once per round. Figures that are compared with each
other come from the same round. neighbours_page.py makes the page.
"""

import argparse
import dataclasses
import json
import os
import sys
import tempfile
import time

from neighbours_conditions import (BusyNeighbours, LinkList, NoQuota,
                                   QuotaGroup)
from serving_benchmark import INTERACTIVE_RATE, name_of, say
from serving_figures import Figures
from serving_loads import Bench, LoadError, Server

LISTED_LINKS = 29_492
SHORT_DEADLINE = 0.1


@dataclasses.dataclass
class Plan:
    rounds: int = 5
    seconds: float = 2  # of a load
    listed_links: int = LISTED_LINKS


QUICK = Plan(rounds=1, seconds=0.5, listed_links=3000)

# The flags of closed loops that keep the server busy, by a name for each loop.
LOADS = {
    "single": ("--concurrency", 32, "--links-per-rpc", 1),
    "interactive": ("--concurrency", 8, "--links-per-rpc", 64, "--class",
                    "interactive"),
    "bulk": ("--concurrency", 4, "--links-per-rpc", 1000, "--class", "bulk"),
}


def p99(load):
    return load["latency_seconds"]["p99"] or 0.0


class Measurement:
    """Runs the loads and collects the figures."""

    def __init__(self, options, work, plan):
        self.bin = options.bin
        self.bundle = options.bundle
        self.work = work
        self.plan = plan
        self.bench = Bench(options.bin)
        self.figures = Figures()
        self.quota = {}

    def server(self, wrap=lambda *command: command):
        return Server(*wrap(
            os.path.join(self.bin, "slice-server"), "--bundle", self.bundle,
            "--data-dir", os.path.join(self.work, "data"), "--listen",
            "127.0.0.1:0", "--lame-duck", "0s"))

    def load(self, server, name):
        """Runs the closed loop of that name; returns its links per second."""
        load = self.bench.run(server, self.plan.seconds, *LOADS[name])[0]
        return load["links_per_second"]

    def both(self, server, prefix, whole):
        """Runs interactive and bulk work at once. Their figures are shares of
        the rates that each reaches alone on the quiet machine."""
        bulk = self.bench.start(server, self.plan.seconds + 1, *LOADS["bulk"])
        interactive = self.load(server, "interactive")
        beside = self.bench.end(bulk)[0]["links_per_second"]
        self.figures.add(f"{prefix}.both.interactive",
                         interactive / whole["interactive"])
        self.figures.add(f"{prefix}.both.bulk", beside / whole["bulk"])

    def late(self, server, prefix, peak):
        """Offers twice the peak rate, with a short deadline. The figures are
        how much is answered, and how much is admitted but late."""
        links = 64
        load = self.bench.run(
            server, self.plan.seconds, "--rate", f"{2 * peak / links:.2f}",
            "--links-per-rpc", links, "--max-time", SHORT_DEADLINE)[0]
        late = load["errors"].get("DEADLINE_EXCEEDED", 0)
        self.figures.add(f"{prefix}.goodput", load["links_per_second"] / peak)
        self.figures.add(f"{prefix}.late", late / max(1, load["sent"]))

    def beside(self):
        """Measures on the quiet machine, and then beside as many busy threads
        as there are cores."""
        with self.server() as server:
            links = LinkList(os.path.join(self.bin, "slice-client"), server,
                             os.path.join(self.work, "links.tsv"),
                             self.plan.listed_links)
            for i in range(self.plan.rounds):
                say(f"beside a busy neighbour, round {i + 1}")
                quiet = {name: self.load(server, name) for name in LOADS}
                for name, rate in quiet.items():
                    self.figures.add(f"quiet.{name}", rate)
                self.both(server, "quiet", quiet)
                self.listed(links, server, "quiet")
                with BusyNeighbours(len(os.sched_getaffinity(0))):
                    self.beside_busy(server, quiet)
                    self.listed(links, server, "beside")

    def beside_busy(self, server, quiet):
        for name in LOADS:
            rate = self.load(server, name)
            self.figures.add(f"beside.{name}", rate)
            self.figures.add(f"beside.{name}.share", rate / quiet[name])
        self.both(server, "beside", quiet)
        load = self.bench.run(server, self.plan.seconds, "--rate",
                              INTERACTIVE_RATE)[0]
        self.figures.add("beside.p99", p99(load))
        self.late(server, "beside",
                  self.figures.values["beside.interactive"][-1])

    def listed(self, links, server, prefix):
        status, seconds, scored = links.score(server, time.monotonic)
        self.figures.add(f"{prefix}.listed.status", status)
        self.figures.add(f"{prefix}.listed.seconds", seconds)
        self.figures.add(f"{prefix}.listed.missing",
                         self.plan.listed_links - scored)

    def inside(self):
        """Measures a server without a quota, and then one with a quota of one
        core."""
        try:
            for i in range(self.plan.rounds):
                say(f"inside a quota of one core, round {i + 1}")
                with QuotaGroup(1) as group:
                    self.inside_round(group)
        except NoQuota as reason:
            say(f"skipped: {reason}")
            self.quota = {"skipped": str(reason)}

    def inside_round(self, group):
        with self.server() as server:
            whole = {name: self.load(server, name) for name in LOADS}
        with self.server(group.command) as server:
            rates = {name: self.load(server, name) for name in LOADS}
            for name, rate in rates.items():
                self.figures.add(f"quota.{name}", rate)
                self.figures.add(f"quota.{name}.share", rate / whole[name])
            self.figures.add("quota.throttled", group.throttled_share())
            load = self.bench.run(server, 2 * self.plan.seconds, "--rate",
                                  f"{0.2 * rates['single']:.2f}")[0]
            self.figures.add("quota.p99", p99(load))
            self.late(server, "quota", rates["interactive"])
            self.quota = {"log": server.log_line("threads for ")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--bundle", required=True)
    parser.add_argument("--rounds", type=int, default=Plan.rounds)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    plan = QUICK if options.quick else Plan(rounds=options.rounds)
    os.makedirs(options.work, exist_ok=True)
    context = {"date": time.strftime("%Y-%m-%dT%H:%M:%S"),
               "num_cpus": os.cpu_count(), "load_avg": os.getloadavg()}
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        measurement = Measurement(options, work, plan)
        try:
            measurement.beside()
            measurement.inside()
        except LoadError as error:
            sys.exit(f"neighbours_benchmark: {error}")
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump({"context": context, "bundle": name_of(options.bundle),
                   "rounds": plan.rounds, "quick": options.quick,
                   "cores": len(os.sched_getaffinity(0)),
                   "listed_links": plan.listed_links,
                   "quota": measurement.quota,
                   "figures": measurement.figures.values}, file, indent=1)


if __name__ == "__main__":
    main()
