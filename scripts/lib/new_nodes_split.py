#!/usr/bin/env python3
"""Splits a data set to ask about nodes that training never saw.

A share of the nodes, drawn by a hash of their keys, is hidden: no link of
theirs is in train or valid. Of their train links one half (by a hash of the
link) comes live, the other half is asked about. Each asked link has one
non-link: the end that is not hidden is redrawn among the nodes that have this
place of the relation in what training sees.

Writes into OUT: train.tsv, valid.tsv, test.tsv (without hidden nodes);
live.tsv, as `slice-client update file` reads it; asked.tsv, with labels;
joined/train.tsv, which is train and live together.
"""

import argparse
import hashlib
import pathlib
import random


def fraction(text):
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def read(path):
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t") if "\t" in line else line.split()
        if fields:
            rows.append(tuple(fields))
    return rows


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("\t".join(row) + "\n" for row in rows),
                    encoding="utf-8")


def non_link(link, hidden, places, known, draw):
    relation, source, target = link
    for _ in range(100):
        if source in hidden:
            made = (relation, source, draw.choice(places[relation][1]))
        else:
            made = (relation, draw.choice(places[relation][0]), target)
        if made not in known:
            return made
    return None


def split(data, out, share):
    train = [row[:3] for row in read(data / "train.txt")]
    held_out = {name: read(data / f"{name}.txt") for name in ("valid", "test")}
    nodes = sorted({end for row in train for end in row[1:]})
    hidden = {node for node in nodes if fraction("node " + node) < share}

    def is_seen(row):
        return row[1] not in hidden and row[2] not in hidden

    seen = [row for row in train if is_seen(row)]
    touched = [row for row in train if not is_seen(row)]
    # A relation that training does not see cannot come live.
    relations = {row[0] for row in seen}
    touched = [row for row in touched if row[0] in relations]
    live = [row for row in touched if fraction("link " + " ".join(row)) < 0.5]
    rest = set(touched) - set(live)
    linked = {node for row in live for node in row[1:]}
    there = {node for row in seen + live for node in row[1:]}
    # A question has one hidden end. Both ends have at least one link by then.
    asked = [row for row in touched if row in rest
             and (row[1] in hidden) != (row[2] in hidden)
             and row[1] in there and row[2] in there]
    known = set(train) | {row[:3] for rows in held_out.values()
                          for row in rows if row[3] == "1"}
    places = {}
    for relation, source, target in seen:
        of_relation = places.setdefault(relation, (set(), set()))
        of_relation[0].add(source)
        of_relation[1].add(target)
    places = {relation: (sorted(sources), sorted(targets))
              for relation, (sources, targets) in places.items()}
    draw = random.Random(1)
    questions = []
    for row in asked:
        other = non_link(row, hidden, places, known, draw)
        if other:
            questions += [(*row, "1"), (*other, "0")]
    held_out = {name: [row for row in rows if is_seen(row)
                       and row[0] in relations]
                for name, rows in held_out.items()}
    write(out / "train.tsv", seen)
    write(out / "joined" / "train.tsv", seen + live)
    for name, rows in held_out.items():
        write(out / f"{name}.tsv", rows)
    write(out / "asked.tsv", questions)
    # A node that had links to hidden nodes alone comes with them.
    comers = sorted(linked - {node for row in seen for node in row[1:]})
    types = {}
    if (data / "nodes.tsv").exists():
        described = [line.split("\t") for line in
                     (data / "nodes.tsv").read_text("utf-8").splitlines()]
        types = {row[0]: row[1] for row in described}
        write(out / "nodes.tsv", [row for row in described
                                  if row[0] not in hidden])
        write(out / "joined" / "nodes.tsv",
              [row for row in described
               if row[0] not in hidden or row[0] in linked])
    write(out / "live.tsv",
          [("+node", node, *([types[node]] if node in types else []))
           for node in comers]
          + [("+", source, relation, target)
             for relation, source, target in live])
    print(f"{len(hidden)} of {len(nodes)} nodes hidden; {len(live)} links come "
          f"live, {len(questions) // 2} are asked about")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--share", type=float, default=0.05)
    arguments = parser.parse_args()
    split(arguments.data, arguments.out, arguments.share)


if __name__ == "__main__":
    main()
