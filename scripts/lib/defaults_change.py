"""Judges a change of the defaults for scripts/defaults: deals the rows of valid
into two halves, and reads what slice-trainer gate says of the bundles."""

import argparse
import hashlib
import json
import math
import os
import sys

MEASURES = ("auroc", "mrr")


def half(row):
    """0 or 1 for a row; the same in every run. Rows of one pair of nodes fall
    on one side."""
    pair = " ".join(sorted(row.split()[1:3]))
    return hashlib.sha256(pair.encode()).digest()[0] % 2


def split(options):
    parts = ("choose.txt", "judge.txt")
    rows = [[], []]
    with open(options.valid, encoding="utf-8") as file:
        for row in file:
            rows[half(row)].append(row)
    for name, part in zip(parts, rows):
        with open(os.path.join(options.out, name), "w",
                  encoding="utf-8") as file:
            file.writelines(part)


def read_gate(path):
    """{measure: (difference, half width of its interval)} of all relations
    together; None where there is no such file."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        figures = json.load(file)["figures"]
    return {figure["measure"]: (figure["difference"],
                                (figure["high"] - figure["low"]) / 2)
            for figure in figures if figure["relation"] is None}


def combine(cells):
    """The mean difference over seeds, and the half width of its interval. The
    seeds share their questions, so that their number narrows only what differs
    between seeds: two standard errors of that are added, as independent."""
    differences = [difference for difference, _ in cells]
    mean = sum(differences) / len(differences)
    questions = sum(width for _, width in cells) / len(cells)
    if len(cells) < 2:
        return mean, questions
    variance = sum((d - mean) ** 2 for d in differences) / (len(cells) - 1)
    return mean, math.hypot(questions, 2 * math.sqrt(variance / len(cells)))


def verdict(found):
    """The lines of the table, and whether the change is allowed. `found` is
    {(set, measure): (mean, half width)}."""
    lines, worse, better = [], 0, 0
    for (name, measure), (mean, width) in found.items():
        word = ""
        if mean + width < 0:
            word, worse = "worse", worse + 1
        elif mean - width > 0:
            word, better = "better", better + 1
        lines.append(f"{name:10} {measure:6} {mean:+.4f} ± {width:.4f}  {word}"
                     .rstrip())
    return lines, worse == 0 and better > 0


def judge(options):
    found = {}
    for name in options.sets.split(","):
        cells = [read_gate(os.path.join(
            options.runs, name, f"seed-{seed}",
            f"changed-{options.name}.gate.json"))
            for seed in options.seeds.split(",")]
        cells = [cell for cell in cells if cell]
        for measure in MEASURES:
            values = [cell[measure] for cell in cells if measure in cell]
            if values:
                found[name, measure] = combine(values)
    if not found:
        sys.exit(f"defaults: no finished run of {options.flags}")
    lines, allowed = verdict(found)
    print(f"{options.flags}, minus the defaults, on half of valid; seeds "
          f"{options.seeds}; ± half of the 95 % interval")
    print("\n".join(lines))
    print("allowed: nowhere worse, and somewhere better" if allowed else
          "not allowed: it must be nowhere worse, and somewhere better")
    sys.exit(0 if allowed else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    splitting = commands.add_parser("split")
    splitting.add_argument("valid")
    splitting.add_argument("out")
    splitting.set_defaults(run=split)
    judging = commands.add_parser("verdict")
    for flag in ("--runs", "--name", "--sets", "--seeds", "--flags"):
        judging.add_argument(flag, required=True)
    judging.set_defaults(run=judge)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
