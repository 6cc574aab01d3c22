"""Measures what changes cost a server in memory and at its start.

usage: changes_memory.py --programs DIR --work DIR [--links N] [--changes N]

Makes a graph of N links and a bundle that is barely trained, in the folder
--work unless they are there. A server takes half as many removals of links and
as many new ones, at random places, 1,000 in a request: a sixth of them, then up
to 99 %, and then the rest, after which a graph of as many links is compacted.
Prints the resident memory (RssAnon: without the program itself) before and
after each part, and again after a restart. With more changes than links, the
second part goes on during the compaction.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import time

HELD_OUT = 1000
SETTLE_SECONDS = 25  # a server gives freed memory back every ten seconds


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make_bundle(programs, work, links):
    graph, bundle = os.path.join(work, "graph"), os.path.join(work, "bundle")
    if not os.path.exists(bundle):
        run(f"{programs}/slice-graph", "generate", "--out", graph, "--nodes",
            str(links // 10), "--links", str(links + 2 * HELD_OUT),
            "--held-out", str(HELD_OUT), "--force")
        run(f"{programs}/slice-trainer", "fit", "--preset", "fast",
            "--train", f"{graph}/train.tsv", "--valid", f"{graph}/valid.tsv",
            "--test", f"{graph}/test.tsv", "--nodes", f"{graph}/nodes.tsv",
            "--out", bundle, "--structural-epochs", "1", "--folds", "2",
            "--structural-positives", "1000", "--spectral-rank", "16")
    return bundle


def write_changes(work, count):
    """Removes links and adds as many of the same relation."""
    draw = random.Random(5)
    with open(os.path.join(work, "graph", "train.tsv"),
              encoding="utf-8") as file:
        links = [tuple(line.rstrip("\n").split("\t")[:3]) for line in file]
    known = set(links)
    path = os.path.join(work, "changes.tsv")
    with open(path, "w", encoding="utf-8") as file:
        for relation, source, target in draw.sample(links, count // 2):
            file.write(f"-\t{source}\t{relation}\t{target}\n")
            while (relation, source, target) in known:
                source, target = draw.choice(links)[1], draw.choice(links)[2]
            known.add((relation, source, target))
            file.write(f"+\t{source}\t{relation}\t{target}\n")
    return path


def write_parts(work, changes):
    """The paths of the three files of changes."""
    with open(changes, encoding="utf-8") as file:
        lines = file.readlines()
    paths, begin = [], 0
    for share in (1 / 6, 0.99, 1):
        end = round(share * len(lines))
        paths.append(os.path.join(work, f"up_to_{100 * share:.0f}_percent.tsv"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.writelines(lines[begin:end])
        begin = end
    return paths


class Server:

    def __init__(self, programs, bundle, data):
        start = time.monotonic()
        self.client = f"{programs}/slice-client"
        self.process = subprocess.Popen(
            [f"{programs}/slice-server", "--bundle", bundle, "--data-dir", data,
             "--listen", "127.0.0.1:0", "--accept-updates"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.address = line.split()[-1]
                break
        self.start_seconds = time.monotonic() - start

    def mib(self):
        time.sleep(SETTLE_SECONDS)
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"RssAnon:\s+(\d+)", file.read())[1]) / 1024

    def update(self, path):
        run(self.client, "--server", self.address, "update", "file", path,
            "--batch", "1000")

    def stop(self):
        self.process.terminate()
        self.process.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--changes", type=int, default=1_000_000)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    bundle = make_bundle(options.programs, options.work, options.links)
    changes = write_changes(options.work, options.changes)
    parts = write_parts(options.work, changes)
    data = os.path.join(options.work, "data")
    shutil.rmtree(data, ignore_errors=True)
    Server(options.programs, bundle, data).stop()  # loads the graph
    server = Server(options.programs, bundle, data)
    base = server.mib()
    print(f"start without changes: {server.start_seconds:.1f} s, "
          f"{base:.0f} MiB")
    for path in parts:
        server.update(path)
        now = server.mib()
        print(f"after {os.path.basename(path)}: {now:.0f} MiB "
              f"({100 * (now / base - 1):+.0f} %)", flush=True)
    server.stop()
    server = Server(options.programs, bundle, data)
    now = server.mib()
    print(f"start with these changes: {server.start_seconds:.1f} s, "
          f"{now:.0f} MiB ({100 * (now / base - 1):+.0f} %)")
    server.stop()


if __name__ == "__main__":
    main()
