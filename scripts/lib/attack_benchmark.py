"""Measures what each attack costs the server and a well-behaved client.

usage: attack_benchmark.py --bin DIR --bundle DIR --out FILE [--seconds S]
                           [--rate R] [--rounds N] [--only A,B] [--soak S]
                           [--under COMMAND] [--command TEXT] [--root DIR]

Replaces the text behind the line "<!-- attacks -->" of FILE by a table. With
--soak it replaces the text behind the line "<!-- soak -->" instead.
tests/attack/attacks.py says what each attack does.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
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

MARKS = {"attacks": "<!-- attacks -->", "soak": "<!-- soak -->"}
MAX_DEADLINE = 5  # seconds, after which a call ends that nobody reads


class Watched(Server):
    """slice-server, and what the kernel reports about its process."""

    def __init__(self, options, data):
        super().__init__(
            *shlex.split(options.under),
            os.path.join(options.bin, "slice-server"), "--bundle",
            options.bundle, "--data-dir", data, "--listen", "127.0.0.1:0",
            "--metrics-listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0",
            "--max-deadline",
            f"{MAX_DEADLINE}s", "--lame-duck", "0s")

    def attack(self, name, link, seconds, source="127.0.0.2"):
        return attacks.Attack(name, attacks.Target(
            self.address, self.said("metrics on"), self.said("http on"), link,
            seconds, source))

    def lives(self):
        return self.process.poll() is None

    def status(self, name):
        try:
            with open(f"/proc/{self.process.pid}/status",
                      encoding="utf-8") as file:
                for line in file:
                    if line.startswith(name + ":"):
                        return int(line.split()[1])
        except OSError:
            pass  # it has ended
        return 0

    def resident_mib(self):
        return self.status("VmRSS") / 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def load(options, server, seconds):
    """Runs the well-behaved client, which asks about single links at a fixed
    rate (open loop). Returns its figures, or None when it printed none."""
    result = subprocess.run(
        [os.path.join(options.bin, "slice-client"), "--server", server.address,
         "bench", "--plaintext", "--format", "json", "--warmup", "1s",
         "--rate", str(options.rate), "--duration", f"{seconds}s",
         "--max-time", "5"],
        capture_output=True, text=True, check=False)
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError:
        return None


def first_link(options, server):
    """A link of the graph, for attacks that ask about one."""
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
    """Measures one attack on a server of its own."""
    with tempfile.TemporaryDirectory() as data, \
            Watched(options, data) as server:
        link = first_link(options, server)
        row = {"alone": load(options, server, options.seconds),
               "resident_before": server.resident_mib(),
               "descriptors_before": server.descriptors(),
               "resident_most": 0, "threads_most": 0}
        with server.attack(name, link, 2 * options.seconds + 10), \
                concurrent.futures.ThreadPoolExecutor(1) as pool:
            good = pool.submit(load, options, server, options.seconds)
            while not good.done():
                row["resident_most"] = max(row["resident_most"],
                                           server.resident_mib())
                row["threads_most"] = max(row["threads_most"],
                                          server.status("Threads"))
                time.sleep(0.05)
            row["beside"] = good.result()
        time.sleep(MAX_DEADLINE + 1)  # until calls that nobody reads end
        row["lives"] = server.lives()
        row["resident_after"] = server.resident_mib()
        row["descriptors_after"] = server.descriptors() if row["lives"] else 0
        return row


def soak(options):
    """Runs all attacks in turn on one server under load, for options.soak
    seconds. Each attack comes from another host, which the server has not
    banned yet."""
    with tempfile.TemporaryDirectory() as data, \
            Watched(options, data) as server:
        link = first_link(options, server)
        names = list(attacks.ALL)
        states, failed, sent = [], 0, 0
        descriptors = server.descriptors()
        end = time.monotonic() + options.soak
        while time.monotonic() < end and server.lives():
            for i, name in enumerate(names):
                source = f"127.0.{len(states) + 1}.{i + 1}"
                with server.attack(name, link, 3 * options.seconds, source):
                    figures = load(options, server, options.seconds)
                failed += failures(figures)
                sent += figures["sent"] if figures else 0
            wait_for_quiet(server, descriptors)
            states.append((server.resident_mib(), server.status("Threads"),
                           server.descriptors() if server.lives() else 0))
            print(f"    {len(states)}: %.0f MiB, %d threads, %d descriptors" %
                  states[-1], file=sys.stderr, flush=True)
        return states, failed, sent, server.lives()


def wait_for_quiet(server, descriptors):
    """Waits until everything that the attacks left has ended. The last to end
    are connections that the server probes before it closes them
    (server/transport/transport_limits.cc)."""
    time.sleep(MAX_DEADLINE + 1)
    for _ in range(60):
        if not server.lives() or server.descriptors() <= descriptors:
            return
        time.sleep(1)


def failures(figures):
    """Calls without an answer, and links whose answer is an error."""
    if not figures:
        return 1
    return figures["failed"] + sum(figures["link_errors"].values())


def p99(figures):
    return figures["latency_seconds"]["p99"] if figures else None


def cells(name, rounds):
    """A row of the table: medians over the rounds of one attack."""
    def median(values):
        values = [value for value in values if value is not None]
        return statistics.median(values) if values else float("nan")
    alone = median([p99(row["alone"]) for row in rounds])
    beside = median([p99(row["beside"]) for row in rounds])
    ratio = median([p99(row["beside"]) / p99(row["alone"]) for row in rounds
                    if row["beside"] and row["alone"]])
    failed = sum(failures(row["beside"]) for row in rounds)
    ended = sum(not row["lives"] for row in rounds)
    return [
        name.replace("_", " "), attacks.ALL[name].__doc__.strip().rstrip("."),
        f"{1e3 * alone:.1f} ms", f"{1e3 * beside:.1f} ms", f"{ratio:.1f}",
        f"{failed}" + (f", the server ended {ended} times" if ended else ""),
        f"{median([row['resident_before'] for row in rounds]):.0f} / "
        f"{median([row['resident_most'] for row in rounds]):.0f} / "
        f"{median([row['resident_after'] for row in rounds]):.0f}",
        f"{median([row['threads_most'] for row in rounds]):.0f}",
        f"{median([row['descriptors_before'] for row in rounds]):.0f} / "
        f"{median([row['descriptors_after'] for row in rounds]):.0f}",
    ]


def put(options, part, lines):
    """Replaces the lines behind the part's mark."""
    with open(options.out, encoding="utf-8") as file:
        text = file.read()
    mark = MARKS[part]
    if mark not in text:
        raise SystemExit(f"{options.out} has no line {mark}")
    head, tail = text.split(mark)
    next_mark = tail.find("<!-- ")
    tail = "" if next_mark < 0 else "\n" + tail[next_mark:]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(head + mark + "\n\n" + "\n".join(lines) + "\n" + tail)


def stamp(options):
    return (f"Measured: commit {benchmark_stamp.commit(options.root)}, "
            f"{time.strftime('%Y-%m-%d')}, `{options.command}`, "
            f"{options.rate} single links a second of a good client.")


def write_attacks(options, table):
    put(options, "attacks", [
        stamp(options), "",
        "| attack | what it does | p99 alone | p99 beside it | times | "
        "calls failed | resident MiB before / most / after | threads | "
        "descriptors before / after |", "|---|---|---|---|---|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in table)])


def write_soak(options, states, failed, sent, lives):
    put(options, "soak", [
        stamp(options), "",
        f"After each round of all attacks, {'' if lives else 'until it ended, '}"
        f"{failed} of {sent} calls of the good client failed:", "",
        "| round | resident MiB | threads | descriptors |", "|---|---|---|---|",
        *(f"| {i + 1} | {state[0]:.0f} | {state[1]} | {state[2]} |"
          for i, state in enumerate(states))])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--bundle")
    parser.add_argument("--out")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default=",".join(attacks.ALL))
    parser.add_argument("--soak", type=int, default=0)
    parser.add_argument("--under", default="")
    parser.add_argument("--command", default="scripts/attack")
    parser.add_argument("--root", default=ROOT)
    options = parser.parse_args()
    if options.soak:
        write_soak(options, *soak(options))
        return
    table = []
    for name in options.only.split(","):
        print(f"    {name}", file=sys.stderr, flush=True)
        rounds = [measure(options, name) for _ in range(options.rounds)]
        table.append(cells(name, rounds))
        print("    " + " | ".join(table[-1][2:]), file=sys.stderr, flush=True)
    write_attacks(options, table)


if __name__ == "__main__":
    main()
