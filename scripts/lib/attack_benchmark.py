"""Measures what each attack costs a well-behaved client, and the server.

usage: attack_benchmark.py --bin DIR --bundle DIR --out FILE [--seconds S]
                           [--rate R] [--rounds N] [--only A,B] [--command TEXT]
                           [--root DIR]

Writes a table behind the line "<!-- attacks -->" of FILE, in place of what
stands there. tests/attack/attacks.py says what each attack does.
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "attack"))

import attacks  # noqa: E402
import benchmark_stamp  # noqa: E402
from serving_loads import Server  # noqa: E402

MARK = "<!-- attacks -->"
MIB = 1 << 20


class Watched(Server):
    """A server, and what the kernel says of its process."""

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1])
        return 0

    def resident_mib(self):
        return self.status("VmRSS") / 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def load(options, server, seconds):
    """The good client's figures: single links at a rate, open loop."""
    result = subprocess.run(
        [os.path.join(options.bin, "slice-client"), "--server", server.address,
         "bench", "--json", "--rate", str(options.rate), "--warmup", "1s",
         "--duration", f"{seconds}s", "--max-time", "5"],
        capture_output=True, text=True, check=False)
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError:
        return None


def first_link(options, server):
    """A link of the graph, for attacks that ask of one."""
    def client(*words):
        return subprocess.run(
            [os.path.join(options.bin, "slice-client"), "--server",
             server.address, *words], capture_output=True, text=True,
            check=True).stdout.splitlines()
    for line in client("find", "--limit", "100"):
        node = line.split("\t")[0]
        rows = [row.split("\t") for row in client(
            "neighbors", "--keys", node, "--direction", "out", "--limit", "1")]
        if rows:
            return rows[0][1], node, rows[0][2]
    raise SystemExit("none of the first 100 nodes of the graph has a link")


def measure(options, name):
    """One attack in a server of its own."""
    with tempfile.TemporaryDirectory() as data:
        with Watched(os.path.join(options.bin, "slice-server"), "--bundle",
                     options.bundle, "--data_dir", data, "--listen",
                     "127.0.0.1:0", "--metrics_listen", "127.0.0.1:0",
                     "--max_deadline", "5s", "--lame_duck", "0s") as server:
            metrics = server.said("metrics on")
            link = first_link(options, server)
            alone = load(options, server, options.seconds)
            row = {"resident_before": server.resident_mib(),
                   "descriptors_before": server.descriptors(), "alone": alone,
                   "resident_most": 0, "threads_most": 0}
            target = attacks.Target(server.address, metrics, link,
                                    2 * options.seconds + 10)
            with attacks.Attack(name, target), \
                    concurrent.futures.ThreadPoolExecutor(1) as pool:
                good = pool.submit(load, options, server, options.seconds)
                while not good.done():
                    row["resident_most"] = max(row["resident_most"],
                                               server.resident_mib())
                    row["threads_most"] = max(row["threads_most"],
                                              server.status("Threads"))
                    time.sleep(0.05)
                row["beside"] = good.result()
            time.sleep(6)  # what nobody reads ends after --max_deadline
            row["resident_after"] = server.resident_mib()
            row["descriptors_after"] = server.descriptors()
            return row


def p99(figures):
    return figures["latency_seconds"]["p99"] if figures else None


def cells(name, rounds):
    """A row of the table: medians over the rounds."""
    def median(values):
        values = [value for value in values if value is not None]
        return statistics.median(values) if values else float("nan")
    alone = median([p99(row["alone"]) for row in rounds])
    beside = median([p99(row["beside"]) for row in rounds])
    ratio = median([p99(row["beside"]) / p99(row["alone"]) for row in rounds
                    if row["beside"] and row["alone"]])
    failed = sum(row["beside"]["failed"] if row["beside"] else 1
                 for row in rounds)
    return [
        name.replace("_", " "), attacks.ALL[name].__doc__.strip().rstrip("."),
        f"{1e3 * alone:.1f} ms", f"{1e3 * beside:.1f} ms", f"{ratio:.1f}",
        str(failed),
        f"{median([row['resident_before'] for row in rounds]):.0f} / "
        f"{median([row['resident_most'] for row in rounds]):.0f} / "
        f"{median([row['resident_after'] for row in rounds]):.0f}",
        f"{median([row['threads_most'] for row in rounds]):.0f}",
        f"{median([row['descriptors_before'] for row in rounds]):.0f} / "
        f"{median([row['descriptors_after'] for row in rounds]):.0f}",
    ]


def write(options, table):
    with open(options.out, encoding="utf-8") as file:
        head = file.read().split(MARK)[0]
    lines = [head.rstrip("\n"), "", MARK, "",
             f"Measured: commit {benchmark_stamp.commit(options.root)}, "
             f"{time.strftime('%Y-%m-%d')}, `{options.command}`, "
             f"{options.rate} single links a second of a good client.", "",
             "| attack | what it does | p99 alone | p99 beside it | times | "
             "calls failed | resident MiB before / most / after | threads | "
             "descriptors before / after |",
             "|---|---|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in table]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--bundle")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default=",".join(attacks.ALL))
    parser.add_argument("--command", default="scripts/attack")
    parser.add_argument("--root", default=ROOT)
    options = parser.parse_args()
    table = []
    for name in options.only.split(","):
        print(f"    {name}", file=sys.stderr, flush=True)
        rounds = [measure(options, name) for _ in range(options.rounds)]
        table.append(cells(name, rounds))
        print("    " + " | ".join(table[-1][2:]), file=sys.stderr, flush=True)
    write(options, table)


if __name__ == "__main__":
    main()
