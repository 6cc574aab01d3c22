"""Writes the page of scripts/scaling and the curve beside it.

RUNS/<millions of links>/ holds two files: report.json is the report of one run,
and seconds says how long the run took.
"""

import argparse
import json
import math
import os

from benchmark_stamp import commit
from presets_page import machine, table
from svg_parts import start, text
from text_files import write_text

# Steps of a run, what each does, and its colour.
STEPS = (
    ("statistics", "graph statistics, per train link", "#1f5fa8"),
    ("structural", "features and training, per example", "#c1440e"),
    ("evaluate", "evaluation, per held-out link", "#3c8031"),
)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 60, 20, 20, 50


class Run:
    """What the run on one size of graph took and reached."""

    def __init__(self, runs, millions):
        folder = os.path.join(runs, str(millions))
        with open(os.path.join(folder, "report.json"),
                  encoding="utf-8") as file:
            report = json.load(file)
        with open(os.path.join(folder, "seconds"), encoding="utf-8") as file:
            self.seconds = int(file.read())
        self.millions = millions
        steps = report["steps"]
        self.step = {step["step"]: step["seconds"] for step in steps}
        self.peak_gib = max(step["peak_mib"] for step in steps) / 1024
        self.auroc = report["overall"]["auroc"]
        self.f1 = report["overall"]["f1"]

    def cost(self, step):
        """Seconds for one link, up to a factor that all sizes share. Only the
        statistics look at every train link; the other steps look at equally
        many links whatever the size."""
        return self.step[step] / (self.millions if step == "statistics" else 1)


def ratios(runs, step):
    """[(millions of links, cost of a link divided by its cost in the smallest
    graph)]"""
    return [(run.millions, run.cost(step) / runs[0].cost(step))
            for run in runs]


def curve(runs):
    """An SVG: the cost of a link by the size of the graph."""
    lines = {step: ratios(runs, step) for step, _, _ in STEPS}
    top = math.ceil(max(1.5, *(y for line in lines.values() for _, y in line)))
    least, most = math.log(runs[0].millions), math.log(runs[-1].millions)

    def x(millions):
        share = (math.log(millions) - least) / ((most - least) or 1)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(ratio):
        return HEIGHT - BOTTOM - ratio / top * (HEIGHT - TOP - BOTTOM)

    parts = start("Cost of a link by the size of the graph", WIDTH, HEIGHT)
    for tick in range(top + 1):
        parts.append(f'<path d="M{LEFT} {y(tick):.1f}H{WIDTH - RIGHT}" '
                     f'stroke="{"#999" if tick == 1 else "#ddd"}"/>')
        parts.append(text(LEFT - 8, y(tick) + 4, "end", f"{tick} ×"))
    for run in runs:
        parts.append(text(x(run.millions), HEIGHT - BOTTOM + 18, "middle",
                          f"{run.millions} M"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "middle",
                      "train links (logarithmic)"))
    for i, (step, name, color) in enumerate(STEPS):
        points = [(x(millions), y(ratio)) for millions, ratio in lines[step]]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                     'stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{color}"/>'
                  for px, py in points]
        parts.append(text(LEFT + 12, TOP + 14 + 16 * i, "start", name, color))
    return "\n".join(parts + ["</svg>"]) + "\n"


def page(runs, root, curve_name):
    rows = [[f"{run.millions} M", str(run.seconds), f"{run.peak_gib:.1f}",
             f"{run.step['statistics']:.0f}",
             f"{run.step['statistics'] / run.millions:.1f}",
             f"{run.step['structural']:.0f}", f"{run.step['evaluate']:.0f}",
             f"{100 * run.auroc:.2f} / {100 * run.f1:.2f}"] for run in runs]
    return "\n".join([
        "# Scaling", "",
        "Written by `scripts/scaling`; run it again rather than edit it. Each "
        "graph is made by `slice-graph generate` with 20 links per node and "
        "500 nodes per community, and trained on by `slice-trainer fit "
        "--preset fast`.", "",
        f"- commit: {commit(root)}", f"- machine: {machine()}",
        "",
        f"![The cost of a link by the size of the graph]({curve_name})", "",
        *table(["train links", "seconds", "peak GiB", "graph statistics, s",
                "per million links, s", "features and training, s",
                "evaluation, s", "AUROC / F1, %"], rows), "",
        "Whatever the size, training looks at 200,000 positives an epoch, and "
        "evaluation at the held-out links, at most 50,000 a file. These steps "
        "become slower on a larger graph only because its memory is further "
        "away. The statistics of a link become cheaper because the rank of "
        "the spectral factors is 128 up to 2 million links, 64 up to 8 "
        "million and 32 beyond. The AUROC is measured on the generator's own "
        "non-links, which keep the source, the relation and the type of the "
        "target."
    ]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--root", "--runs", "--sizes", "--out"):
        parser.add_argument(flag, required=True)
    options = parser.parse_args()
    sizes = sorted({int(size) for size in options.sizes.split(",")})
    runs = [Run(options.runs, size) for size in sizes]
    curve_path = os.path.splitext(options.out)[0] + ".svg"
    for path, text in ((curve_path, curve(runs)),
                       (options.out, page(runs, options.root,
                                          os.path.basename(curve_path)))):
        write_text(path, text)


if __name__ == "__main__":
    main()
