#!/usr/bin/env python3
"""Plays a week of changes: withholds the newest 5 % of the packages of the demo
graph, where a hash of its name says how new a package is.

Writes into OUT:
  nodes.tsv train.tsv valid.tsv test.tsv   the graph without these packages
  day-1.tsv to day-7.tsv  as `slice-client update file` reads them: each package
                     on one day, with half of its links, drawn by a hash. A link
                     between two of the packages comes with the later one
  asked.tsv          the other half: relation, source, target, label. A link is
                     followed by one that does not exist: another target of the
                     same relation
  packages.tsv       key, links that come, tags that are asked about; those
                     with most links first
"""

import argparse
import collections
import hashlib
import os
import random
import sys

DAYS = 7
SHARE = 0.05


def fraction(text):
    """A number from 0 to 1 that is the same on every machine."""
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file]


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in rows)


class Week:
    """What is withheld of `nodes` and `links`, and when it comes."""

    def __init__(self, nodes, links):
        self.days = {key: 1 + int(DAYS * fraction("day " + key))
                     for key, kind, *_ in nodes
                     if kind == "package" and fraction("age " + key) < SHARE}
        withheld = [link for link in links if self.holds(link)]
        self.coming = [link for link in withheld
                       if fraction("link " + " ".join(link)) < 0.5]
        linked = {end for link in self.coming for end in link[1:]}
        # What came without a link has nothing to be judged by.
        self.asked = sorted(link for link in set(withheld) - set(self.coming)
                            if link[1] in linked and
                            (link[2] in linked or link[2] not in self.days))

    def holds(self, row):
        """Whether one of the ends of a link is withheld."""
        return row[1] in self.days or row[2] in self.days

    def changes(self, nodes, day):
        for key, kind, name in nodes:
            if self.days.get(key) == day:
                yield ("+node", key, kind, name)
        for relation, source, target in self.coming:
            if max(self.days.get(source, 0),
                   self.days.get(target, 0)) == day:
                yield ("+", source, relation, target)

    def packages(self):
        coming = collections.Counter(end for link in self.coming
                                     for end in link[1:] if end in self.days)
        asked = collections.Counter(link[1] for link in self.asked
                                    if link[0] == "tagged")
        return sorted(((key, coming[key], asked[key]) for key in self.days),
                      key=lambda row: (-row[1], row[0]))


def questions(asked, links):
    """Each link, and one that does not exist."""
    known, targets = set(links), collections.defaultdict(set)
    for relation, _, target in links:
        targets[relation].add(target)
    targets = {relation: sorted(keys) for relation, keys in targets.items()}
    draw = random.Random(1)
    for relation, source, target in asked:
        for _ in range(100):
            other = (relation, source, draw.choice(targets[relation]))
            if other not in known:
                yield (relation, source, target, "1")
                yield (*other, "0")
                break


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("graph", help="a folder of make_debian_graph.py")
    parser.add_argument("out", help="folder to write to; it must not exist")
    options = parser.parse_args(arguments)

    def given(name):
        return read_rows(os.path.join(options.graph, name))

    header, *nodes = given("nodes.tsv")
    links = given("links.tsv")
    held_out = {name: given(name) for name in ("valid.tsv", "test.tsv")}
    # A link that training holds out of the rest is asked about by nobody here.
    positives = {row[:3] for rows in held_out.values() for row in rows
                 if row[3] == "1"}
    week = Week(nodes, links)
    if not week.asked:
        sys.exit("withhold_packages.py: the graph is too small: no link is "
                 "left to ask about")

    def write(name, rows):
        write_rows(os.path.join(options.out, name), rows)

    os.makedirs(options.out)
    write("nodes.tsv", [header] + [row for row in nodes
                                   if row[0] not in week.days])
    write("train.tsv", [link for link in links if link not in positives
                        and not week.holds(link)])
    for name, rows in held_out.items():
        write(name, [row for row in rows if not week.holds(row)])
    for day in range(1, DAYS + 1):
        write(f"day-{day}.tsv", week.changes(nodes, day))
    write("asked.tsv", questions(week.asked, links))
    write("packages.tsv", week.packages())
    print(f"{len(week.days):,} of {len(nodes):,} nodes are withheld; "
          f"{len(week.coming):,} links come with them, and "
          f"{len(week.asked):,} are asked about")


if __name__ == "__main__":
    main()
