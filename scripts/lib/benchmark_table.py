"""Writes docs/performance.md from what scripts/bench measured.

usage: benchmark_table.py --results DIR --out FILE

The folder --results has a folder for each benchmark. It holds the stamp of
benchmark_stamp.py, and either SET.json of Google Benchmark for each instruction
set, or all.json of serving_benchmark.py or neighbours_benchmark.py. Tables show
medians of the repeated runs. The curve of serving goes beside the page.
"""

import argparse
import json
import os

from instruction_sets import SETS, TITLES
from neighbours_page import neighbours_lines
from serving_page import serving_curve, serving_lines
from text_files import write_text

SECTIONS = {
    "walk": ("Walks and node2vec",
             "Steps per second of one thread over 64 interleaved walks of 80 "
             "nodes; pairs per second of a whole node2vec round (walks, noise "
             "tables and skip-gram at 128 numbers per node, 5 shared "
             "negatives, window 5) on one and two threads."),
    "spectral": ("Spectral factors",
                 "The factors of one fold: truncated SVD and symmetric "
                 "eigenvectors at rank 64 and 128, all threads."),
    "context": ("Contexts and features",
                "Each benchmark asks about the same held-out links with their "
                "own pair hidden; one thread. `truncated`: contexts cut "
                "at the bound on nodes. `times a plain BFS`: links per second "
                "over those of a textbook breadth-first search for the "
                "shortest paths from one end, without sides or bounds, which "
                "takes turns with the contexts."),
    "graphstore": ("Reading the graph",
                   "50,000 nodes, 500,000 links, a hub of 100,000; one "
                   "thread."),
    "forward": ("Model forward",
                "Made-up contexts, 6 tokens each for the paper's network and "
                "2 to 14 for the default one, in one batch; one thread, "
                "processor time. `native over torchscript`: how many times "
                "as fast, with the same instruction set for both; below 1 is "
                "a defect. `of the products' rate`: the float32 matrix "
                "products of the same shapes alone (`at::mm` into outputs made "
                "before), which take turns with the pass, over the pass."),
    "recommend": ("Recommendations and ranking",
                  "Ten nodes for each of 200 questions, which are drawn from "
                  "the links of a bundle's graph. They are asked one at a "
                  "time, with the threads that the server gives each. The "
                  "time is that of all 200, from names resolved to paths "
                  "found. `recall_at_10`: share of the ten nodes that are "
                  "best when the context scorer scores every candidate, over "
                  "60 questions. `Rank`: the structural scorer ranks all "
                  "nodes of the graph, with all threads; `p50_ms` is of one "
                  "question."),
}
# What Google Benchmark writes beside the counters of a program.
STANDARD = {
    "name", "family_index", "per_family_instance_index", "run_name",
    "run_type", "repetitions", "repetition_index", "threads",
    "aggregate_name", "aggregate_unit", "iterations", "real_time", "cpu_time",
    "time_unit", "label", "error_occurred", "error_message"
}
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def seconds_text(seconds):
    for factor, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def number_text(value):
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.3g}"


def counter_text(name, value):
    if "/s" in name:
        return f"{number_text(value)} {name}"
    if name.startswith("s_per_"):
        return f"{seconds_text(value)} per {name[len('s_per_'):]}"
    if name.startswith("times "):
        return f"{number_text(value)} {name}"
    return f"{name} {number_text(value)}"


class Medians:
    """What one report has about each benchmark, by its name: the median
    seconds, their relative deviation (None after a single run) and the
    counters."""

    def __init__(self, report):
        self.seconds, self.deviation, self.counters = {}, {}, {}
        spread = {entry["run_name"]: entry for entry in report["benchmarks"]
                  if entry.get("aggregate_name") == "cv"}
        for entry in report["benchmarks"]:
            if entry.get("aggregate_name") != "median":
                continue
            run = entry["run_name"]
            # Google Benchmark reports a manual time as the real time.
            real = run.endswith(("/real_time", "/manual_time"))
            clock = "real_time" if real else "cpu_time"
            name = run.removesuffix("/real_time").removesuffix("/manual_time")
            self.seconds[name] = (entry[clock] * 1e-9 *
                                  NANOSECONDS[entry["time_unit"]])
            self.deviation[name] = spread.get(run, {}).get(clock)
            self.counters[name] = {key: value for key, value in entry.items()
                                   if key not in STANDARD}

    def time_text(self, name):
        if name not in self.seconds:
            return "–"
        text = seconds_text(self.seconds[name])
        deviation = self.deviation[name]
        return text if deviation is None else f"{text} ± {deviation:.0%}"

    def counters_text(self, name):
        return ", ".join(counter_text(key, value) for key, value
                         in self.counters.get(name, {}).items())


def markdown_row(cells):
    return "| " + " | ".join(cells) + " |"


def side_by_side(medians):
    """The table of {set: Medians}. It has a column of times for each set, the
    speed of each further set divided by that of the first, and the counters of
    the first."""
    sets = list(medians)
    first = medians[sets[0]]
    heads = ["benchmark", *(TITLES[name] for name in sets),
             *(f"{TITLES[name]} over {TITLES[sets[0]]}" for name in sets[1:]),
             f"counters, {TITLES[sets[0]]}"]
    lines = [markdown_row(heads), "|" + "---|" * len(heads)]
    names = dict.fromkeys(name for of_set in medians.values()
                          for name in of_set.seconds)
    for name in names:
        ratios = [f"{first.seconds[name] / medians[other].seconds[name]:.2f}"
                  if name in first.seconds and name in medians[other].seconds
                  else "–" for other in sets[1:]]
        lines.append(markdown_row(
            [name, *(of_set.time_text(name) for of_set in medians.values()),
             *ratios, first.counters_text(name)]))
    return lines


def native_over_torchscript(medians):
    """The table of how many times as fast as TorchScript the native pass is."""
    ratios = {}  # by network and contexts, then by set
    for set_name, of_set in medians.items():
        for name, seconds in of_set.seconds.items():
            other = name.replace("/torchscript/", "/native/")
            if other != name and other in of_set.seconds:
                ratios.setdefault(name.replace("/torchscript/", "/"), {})[
                    set_name] = seconds / of_set.seconds[other]
    if not ratios:
        return []
    lines = ["", markdown_row(["native over torchscript",
                               *(TITLES[name] for name in medians)]),
             "|" + "---|" * (1 + len(medians))]
    for name, by_set in ratios.items():
        cells = [f"{by_set[set_name]:.2f}" +
                 (" **slower: a defect**" if by_set[set_name] < 1 else "")
                 if set_name in by_set else "–" for set_name in medians]
        lines.append(markdown_row([name.removeprefix("Forward/"), *cells]))
    return lines


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_stamp(folder):
    path = os.path.join(folder, "stamp")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def section(program, folder, curve_name):
    """The heading and the tables of one benchmark; empty when it was not
    run."""
    if program in ("serving", "neighbours"):
        path = os.path.join(folder, "all.json")
        if not os.path.exists(path):
            return []
        report = read_json(path)
        return (serving_lines(report, curve_name) if program == "serving"
                else neighbours_lines(report))
    medians = {name: Medians(read_json(os.path.join(folder, f"{name}.json")))
               for name in SETS
               if os.path.exists(os.path.join(folder, f"{name}.json"))}
    if not medians:
        return []
    title, text = SECTIONS[program]
    lines = [f"## {title}", text, "", *side_by_side(medians)]
    if program == "forward":
        lines += native_over_torchscript(medians)
    return lines


def with_stamp(lines, stamp, common):
    """The section's lines. Below the heading come those lines of its stamp that
    are not in `common`, which the page has at its top."""
    own = [line.removeprefix("- ") for line in stamp if line not in common]
    if not own:
        return lines
    return [lines[0], "Measured: " + "; ".join(own) + ".", "", *lines[1:]]


def document(results, curve_name="performance.svg"):
    sections, stamps = {}, {}
    for program in (*SECTIONS, "serving", "neighbours"):
        folder = os.path.join(results, program)
        lines = section(program, folder, curve_name)
        if lines:
            sections[program] = lines
            stamps[program] = read_stamp(folder)
    first = next(iter(stamps.values()), [])
    common = [line for line in first
              if all(line in stamp for stamp in stamps.values())]
    lines = [
        "# Performance", "",
        "Written by `scripts/bench`; run it again rather than edit it. Times "
        "are medians over repetitions, with the deviation over them; "
        "processor time for one thread, wall time where threads work "
        "together. No test depends on any of them.", "",
        "**A figure belongs to a processor and an instruction set.** The same "
        "program runs with AVX-512, AVX2 or neither; each column says which. "
        "A column is measured on the machine below by the variables in "
        "`scripts/lib/instruction_sets.py`, which hold LibTorch, MKL and "
        "oneDNN to the same set.", "", *common]
    for program, part in sections.items():
        lines += ["", *with_stamp(part, stamps[program], common)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--results", "--out"):
        parser.add_argument(flag, required=True)
    arguments = parser.parse_args()
    curve_path = os.path.splitext(arguments.out)[0] + ".svg"
    serving = os.path.join(arguments.results, "serving", "all.json")
    curve = serving_curve(read_json(serving)) if os.path.exists(serving) else ""
    if curve:
        write_text(curve_path, curve)
    write_text(arguments.out, document(arguments.results,
                                  os.path.basename(curve_path)))


if __name__ == "__main__":
    main()
