"""Measures slice-server over loopback with slice-client bench; writes JSON.

usage: serving_benchmark.py --bin DIR --work DIR --out FILE [--rounds N]
                            [--quick] [--set NAME]... [--bundle DIR]...
                            [--paper_bundle DIR]

Each --set names an instruction set. Everything is measured with the first set.
With the other sets only the cost of the network is measured: single links, 64
links per RPC, and the paper's network.

Each figure is measured once per round. Figures that are compared with each
other come from the same round. serving_page.py makes the page.
"""

import argparse
import dataclasses
import json
import os
import sys
import tempfile
import time

from instruction_sets import available, processor_flags
from serving_figures import (CURVE, LINKS_PER_RPC, OVERLOAD, OVERLOAD_LINKS,
                             Figures)
from serving_loads import Bench, LoadError, Server

# How many calls under way just keep the server busy, by links per RPC. Of
# several numbers the best counts.
BUSY = {1: [32, 128], 16: [16], 64: [4, 8], 256: [2, 4], 1000: [2, 4]}
OVERLOAD_DEADLINE = 0.1
INTERACTIVE_RATE = 500
BULK_LINKS = 1000
BULK_SHARE = 0.1


@dataclasses.dataclass
class Plan:
    rounds: int = 5
    seconds: float = 1.5  # of a load
    rate_seconds: float = 3  # of a load whose p99 is measured
    slow_seconds: float = 15  # of a load of one request per second
    recovery_seconds: float = 10  # the longest wait for a recovery


QUICK = Plan(rounds=1, seconds=0.3, rate_seconds=0.5, slow_seconds=4)


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


def name_of(bundle):
    """The last two parts of the path, such as "amazon/seed-1"."""
    folder, last = os.path.split(os.path.normpath(bundle))
    return f"{os.path.basename(folder)}/{last}"


def p50(load):
    return load["latency_seconds"]["p50"]


class Measurement:
    """What all sections share: programs, times and figures."""

    def __init__(self, bin_folder, work, plan, sets):
        self.bin = bin_folder
        self.sets = sets
        self.work = work
        self.plan = plan
        self.bench = Bench(bin_folder)
        self.figures = Figures()

    def server(self, bundle, instruction_set=None):
        return Server(os.path.join(self.bin, "slice-server"), "--bundle",
                      bundle, "--data-dir", os.path.join(self.work, "data"),
                      "--listen", "127.0.0.1:0", "--metrics-listen",
                      "127.0.0.1:0", "--lame-duck", "0s",
                      instruction_set=instruction_set or self.sets[0])

    def benchmark_server(self, *arguments):
        return Server(os.path.join(self.bin, "benchmark_server"), *arguments)

    def rounds(self):
        return range(self.plan.rounds)

    def overhead(self):
        """Measures the server around a model that costs nothing, and a server
        of an empty RPC."""
        say("overhead with an identity model")
        one_link = os.path.join(self.work, "one_link.tsv")
        with open(one_link, "w", encoding="utf-8") as file:
            file.write("r\ta\tb\n")  # the empty RPC does not read it
        add, closed = self.figures.add, self.bench.closed
        seconds = self.plan.seconds
        with self.benchmark_server("empty") as empty, \
                self.benchmark_server("identity") as identity:
            for _ in self.rounds():
                alone = p50(closed(empty, seconds, 1, 1, "--links", one_link))
                ours = p50(closed(identity, seconds, 1))
                add("overhead.empty.p50", alone)
                add("overhead.identity.p50", ours)
                add("overhead.p50", ours - alone)
                load = closed(empty, seconds, BUSY[1], 1, "--links", one_link)
                add("overhead.empty.rpcs", load["rpcs_per_second"])
                for links in (1, 64, 256, 1000):
                    load = closed(identity, seconds, BUSY[links], links)
                    add(f"overhead.links.{links}", load["links_per_second"])

    def end_to_end(self, server, name):
        """Measures closed loops with one caller, and with each number of links
        per RPC."""
        say(f"end to end on {name}")
        for _ in self.rounds():
            load = self.bench.closed(server, self.plan.seconds, 1)
            self.figures.add(f"served.{name}.alone.p50", p50(load))
            load = self.bench.closed(server, self.plan.seconds, 1, 1,
                                     "--explanation", "full")
            self.figures.add(f"served.{name}.full.p50", p50(load))
            for links in LINKS_PER_RPC:
                load = self.bench.closed(server, self.plan.seconds,
                                         BUSY[links], links)
                self.figures.add(f"served.{name}.links.{links}",
                                 load["links_per_second"])

    def curve(self, server, name):
        """Measures the latency of single links at shares of their peak rate."""
        peak = self.figures.median(f"served.{name}.links.1")
        say(f"latency by load on {name}")
        rates = ",".join(f"{peak * share / 100:.2f}" for share in CURVE)
        for _ in self.rounds():
            loads = self.bench.run(server, self.plan.rate_seconds, "--rate",
                                   rates)
            for share, load in zip(CURVE, loads):
                key = f"curve.{name}.{share}"
                self.figures.add(f"{key}.rpcs", load["rpcs_per_second"])
                self.figures.add(f"{key}.late",
                                 load["lateness_seconds"]["p99"])
                for quantile in ("p50", "p99"):
                    self.figures.add(f"{key}.{quantile}",
                                     load["latency_seconds"][quantile])

    def direct(self, server, bundle, name):
        """Measures one request a second on our server and on a server whose
        handler calls the model. They run side by side, so that the machine is
        equally idle for both."""
        say(f"one request a second on {name}")
        data = os.path.join(self.work, "data_direct")
        seconds = self.plan.slow_seconds
        with self.benchmark_server("direct", bundle, data) as direct:
            for i in self.rounds():
                pace = ("--rate", 1, "--seed")
                both = [self.bench.start(server, seconds, *pace, 2 * i + 1),
                        self.bench.start(direct, seconds, *pace, 2 * i + 2)]
                ours, bare = [p50(self.bench.end(run)[0]) for run in both]
                self.figures.add(f"direct.{name}.ours", ours)
                self.figures.add(f"direct.{name}.bare", bare)
                self.figures.add(f"direct.{name}.ratio", ours / bare)

    def bulk(self, server, name):
        """Measures single links alone, and beside bulk RPCs of many links."""
        say(f"bulk beside interactive on {name}")
        capacity = self.figures.median(f"served.{name}.links.{BULK_LINKS}")
        bulk_rate = BULK_SHARE * capacity / BULK_LINKS
        self.figures.add(f"bulk.{name}.rate", bulk_rate)
        seconds = self.plan.rate_seconds
        single = ("--rate", INTERACTIVE_RATE)
        for _ in self.rounds():
            alone = self.bench.run(server, seconds, *single)[0]
            # The bulk load lasts a little longer than the single links, so that
            # none of them is measured without it.
            bulk = self.bench.start(server, seconds + 1, "--rate", bulk_rate,
                                    "--links-per-rpc", BULK_LINKS)
            beside = self.bench.run(server, seconds, *single)[0]
            self.bench.end(bulk)
            before, after = [load["latency_seconds"]["p99"]
                             for load in (alone, beside)]
            self.figures.add(f"bulk.{name}.alone", before)
            self.figures.add(f"bulk.{name}.beside", after)
            self.figures.add(f"bulk.{name}.ratio", after / before)

    def overload(self, server, name):
        """Measures more load than the server can do, with a short deadline."""
        for links in OVERLOAD_LINKS:
            say(f"overload on {name}, {links} links per RPC")
            for _ in self.rounds():
                peak = self.bench.closed(server, self.plan.seconds,
                                         BUSY[links], links)["rpcs_per_second"]
                for times in OVERLOAD:
                    self.overload_by(server, f"overload.{name}.{links}.{times}",
                                     links, peak, times)
        self.figures.add(f"overload.{name}.expired_on_model",
                         server.metric("slice_expired_on_model_total"))

    def overload_by(self, server, key, links, peak, times):
        """Measures a load of `times` the peak rate, and how soon the server
        recovers from it."""
        limit = ("--links-per-rpc", links, "--max-time", OVERLOAD_DEADLINE)
        load = self.bench.run(server, self.plan.rate_seconds, "--rate",
                              f"{times * peak:.2f}", *limit)[0]
        ended = time.monotonic()
        add = self.figures.add
        add(f"{key}.goodput", load["rpcs_per_second"] / peak)
        add(f"{key}.p99", load["latency_seconds"]["p99"])
        add(f"{key}.late", load["lateness_seconds"]["p99"])
        add(f"{key}.rejected", load["rejected_latency_seconds"]["p99"] or 0)
        add(f"{key}.recovery", self.recovery(server, peak, limit, ended))

    def recovery(self, server, peak, limit, ended):
        """Runs short loads at a fifth of the peak until no call of a load
        fails. Returns the seconds from `ended` to the end of that load."""
        while True:
            load = Bench(self.bin, "0s").run(
                server, 0.2, "--rate", f"{0.2 * peak:.2f}", *limit)[0]
            passed = time.monotonic() - ended
            if load["failed"] == 0 or passed > self.plan.recovery_seconds:
                return passed

    def bundle(self, bundle, in_depth):
        """Measures all sections with a bundle when `in_depth` is set, otherwise
        only the first section."""
        name = name_of(bundle)
        with self.server(bundle) as server:
            self.end_to_end(server, name)
            if in_depth:
                self.curve(server, name)
                self.direct(server, bundle, name)
                self.bulk(server, name)
                self.overload(server, name)

    def by_set(self, bundles, paper_bundle):
        """Measures what the network costs with each instruction set, in
        turns."""
        add, closed = self.figures.add, self.bench.closed
        seconds = self.plan.seconds
        for _ in self.rounds():
            for name in self.sets:
                say(f"with {name}")
                for bundle in bundles:
                    key = f"set.{name}.{name_of(bundle)}"
                    with self.server(bundle, name) as server:
                        add(f"{key}.p50", p50(closed(server, seconds, 1)))
                        add(f"{key}.links", closed(
                            server, seconds, BUSY[64], 64)["links_per_second"])
                if paper_bundle:
                    with self.server(paper_bundle, name) as server:
                        add(f"set.{name}.paper", closed(
                            server, seconds, 128)["rpcs_per_second"])

    def paper(self, bundle):
        """Measures the paper's network, with one context per RPC."""
        say("paper-size encoder")
        with self.server(bundle) as server:
            for _ in self.rounds():
                load = self.bench.closed(server, self.plan.seconds, 1)
                self.figures.add("paper.p50", p50(load))
                load = self.bench.closed(server, self.plan.seconds, 128)
                self.figures.add("paper.rpcs", load["rpcs_per_second"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--rounds", type=int, default=Plan.rounds)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--set", action="append", dest="sets")
    parser.add_argument("--bundle", action="append", default=[])
    parser.add_argument("--paper_bundle")
    options = parser.parse_args()
    plan = QUICK if options.quick else Plan(rounds=options.rounds)
    os.makedirs(options.work, exist_ok=True)
    # The fields have the names that Google Benchmark gives them.
    context = {"date": time.strftime("%Y-%m-%dT%H:%M:%S"),
               "num_cpus": os.cpu_count(), "load_avg": os.getloadavg()}
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        sets = options.sets or available(processor_flags())
        measurement = Measurement(options.bin, work, plan, sets)
        try:
            measurement.overhead()
            for i, bundle in enumerate(options.bundle):
                measurement.bundle(bundle, in_depth=i == 0)
            if options.paper_bundle:
                measurement.paper(options.paper_bundle)
            measurement.by_set(options.bundle, options.paper_bundle)
        except LoadError as error:
            sys.exit(f"serving_benchmark: {error}")
    names = [name_of(bundle) for bundle in options.bundle]
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump({"context": context, "bundles": names, "sets": sets,
                   "rounds": plan.rounds, "quick": options.quick,
                   "figures": measurement.figures.values}, file, indent=1)


if __name__ == "__main__":
    main()
