"""Writes the part of docs/results.md about nodes that came after training.

usage: new_nodes_page.py --runs DIR --out FILE --root DIR --share SHARE

RUNS/<data set>/ holds what scripts/new_nodes made: asked.tsv, whose last column
is the label, and the scores of these rows in nodes.scores (asked before the
links came), links.scores (after) and with.scores (of the bundle that was
trained with them). The part stands between the lines MARK and NEXT.
"""

import argparse
import os
import statistics
import sys

from presets_page import commit, machine, table

MARK = "<!-- new nodes -->"
NEXT = "<!-- trust -->"
COLUMNS = ("nodes", "links", "with")


def last_column(path):
    with open(path, encoding="utf-8") as file:
        return [float(line.rstrip("\n").rsplit("\t", 1)[1]) for line in file]


def auroc(labels, scores):
    """The share of pairs of a link and a non-link in which the link scores
    higher; equal scores count half."""
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for position in range(start, end):
            ranks[order[position]] = (start + end + 1) / 2
        start = end
    positives = [rank for rank, label in zip(ranks, labels) if label == 1]
    negatives = len(labels) - len(positives)
    return ((statistics.fmean(positives) - (len(positives) + 1) / 2) / negatives)


def measured(run):
    """(asked links, AUROC of each column) of a run; None when unfinished."""
    files = [os.path.join(run, f"{name}.scores") for name in COLUMNS]
    if not all(map(os.path.exists, files)):
        return None
    labels = last_column(os.path.join(run, "asked.tsv"))
    values = []
    for path in files:
        scores = last_column(path)
        if len(scores) != len(labels):
            sys.exit(f"new_nodes: {path} has {len(scores)} answers to "
                     f"{len(labels)} questions; remove it and ask again")
        values.append(100 * auroc(labels, scores))
    return int(sum(labels)), values


def rows(runs):
    result = []
    for name in sorted(os.listdir(runs)):
        found = measured(os.path.join(runs, name))
        if found is None:
            continue
        asked, (before, after, trained) = found
        result.append([
            name, f"{asked:,}", f"{before:.2f}", f"{after:.2f}",
            f"{trained:.2f}", f"{after - before:+.2f}",
            f"{after - trained:+.2f}"])
    return result


def part(options):
    found = rows(options.runs)
    if not found:
        sys.exit(f"new_nodes: no finished run in {options.runs}")
    return "\n".join([
        MARK, "", "## Nodes that came after training", "",
        f"Written by `scripts/new_nodes`, commit {commit(options.root)}, "
        f"{machine()}; seed 1. {float(options.share):.0%} of the nodes are "
        "hidden from training. A running server gets them, then half of their "
        "train links. The other half is asked about, with as many pairs that "
        "are no links: the known end is drawn anew among the nodes that have "
        "its place of the relation. AUROC in percent:", "",
        "- nodes: the server has the nodes without links. It knows their type "
        "at most.",
        "- links: it has their links, too, and folds the nodes in.",
        "- trained: a bundle whose training saw these nodes and links.", "",
        *table(["", "links asked", "nodes", "links", "trained",
                "links − nodes", "links − trained"], found),
        "", ""])


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--runs", "--out", "--root", "--share"):
        parser.add_argument(flag, required=True)
    options = parser.parse_args()
    new = part(options)
    with open(options.out, encoding="utf-8") as file:
        old = file.read()
    head, mark, rest = old.partition(NEXT)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(head.partition(MARK)[0].rstrip("\n") + "\n\n" + new + mark
                   + rest)


if __name__ == "__main__":
    main()
