"""Turns the JSON of Google Benchmark programs into docs/performance.md.

usage: benchmark_table.py --command TEXT --root DIR --out FILE FILE.json...

Each file must hold the aggregates of repeated runs; the table shows medians.
serving.json is that of serving_benchmark.py; its curve lies beside the page.
"""

import argparse
import json
import os
import re
import subprocess

from serving_page import serving_curve, serving_lines

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
                "processor time. `of the products' rate`: the float32 matrix "
                "products of the same shapes alone (`at::mm` into outputs made "
                "before), which take turns with the pass, over the pass."),
    "recommend": ("Recommendations",
                  "Ten nodes for each of 200 questions drawn from the links "
                  "of a bundle's graph, one call at a time with the threads "
                  "that the server gives it, from names resolved to paths "
                  "found; the time is that of all. `recall_at_10`: share "
                  "of the ten best by scoring every candidate with the "
                  "context scorer, over 60 questions."),
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


def rows(report):
    """[name, median time, deviation, counters] of each benchmark."""
    medians, spread = {}, {}
    for entry in report["benchmarks"]:
        if entry.get("aggregate_name") == "median":
            medians[entry["run_name"]] = entry
        elif entry.get("aggregate_name") == "cv":
            spread[entry["run_name"]] = entry
    table = []
    for name, entry in medians.items():
        # Google Benchmark reports a manual time as the real one.
        real = name.endswith(("/real_time", "/manual_time"))
        clock = "real_time" if real else "cpu_time"
        seconds = entry[clock] * NANOSECONDS[entry["time_unit"]] * 1e-9
        counters = [counter_text(key, value) for key, value in entry.items()
                    if key not in STANDARD]
        deviation = spread.get(name, {}).get(clock)
        table.append([
            name.removesuffix("/real_time").removesuffix("/manual_time"),
            seconds_text(seconds),
            "" if deviation is None else f"{100 * deviation:.1f} %",
            ", ".join(counters)
        ])
    return table


def first_match(path, pattern, default="unknown"):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        return default
    return found.group(1).strip() if found else default


def git(root, *arguments):
    result = subprocess.run(["git", "-C", root, *arguments], text=True,
                            capture_output=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


def machine(context):
    model = first_match("/proc/cpuinfo", r"^model name\s*: (.*)$")
    memory = first_match("/proc/meminfo", r"^MemTotal:\s+(\d+)", "0")
    caches = ", ".join(
        f"L{cache['level']}{cache['type'][0].lower() if cache['level'] == 1 else ''} "
        f"{cache['size'] // 1024} KiB" for cache in context.get("caches", []))
    return (f"{context['num_cpus']} × {model}, {int(memory) / 2**20:.0f} GiB; "
            f"{caches}")


def compiler(root):
    cache = os.path.join(root, "build", "release", "CMakeCache.txt")
    path = first_match(cache, r"^CMAKE_CXX_COMPILER:\w+=(.*)$", "c++")
    flags = first_match(cache, r"^CMAKE_CXX_FLAGS_RELEASE:\w+=(.*)$", "")
    version = subprocess.run([path, "--version"], text=True,
                             capture_output=True, check=False).stdout
    return f"{version.splitlines()[0] if version else path}, `{flags}`"


def document(reports, command, root, curve_name="performance.svg"):
    context = next(iter(reports.values()))["context"]
    commit = git(root, "rev-parse", "--short=12", "HEAD") or "unknown"
    if git(root, "status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    lines = [
        "# Performance", "",
        "Written by `scripts/bench`; run it again rather than edit it. Times "
        "are medians over repetitions, with the deviation over them beside; "
        "processor time for one thread, wall time where threads work "
        "together. No test depends on any of them.", "",
        f"- command: `{command}`",
        f"- commit: {commit}",
        f"- date: {context['date'][:10]}",
        f"- machine: {machine(context)}",
        f"- compiler: {compiler(root)}",
        "- load before: " + ", ".join(
            f"{load:.2f}" for load in context.get("load_avg", [])),
    ]
    for program, report in reports.items():
        if program == "serving":
            lines += ["", *serving_lines(report, curve_name)]
            continue
        title, text = SECTIONS.get(program, (program, ""))
        lines += ["", f"## {title}", text, "",
                  "| benchmark | median | deviation | |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(row) + " |" for row in rows(report)]
    return "\n".join(lines) + "\n"


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--command", "--root", "--out"):
        parser.add_argument(flag, required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    reports = {}
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            name = os.path.splitext(os.path.basename(path))[0]
            reports[name] = json.load(file)
    curve_path = os.path.splitext(arguments.out)[0] + ".svg"
    curve = serving_curve(reports["serving"]) if "serving" in reports else ""
    if curve:
        write(curve_path, curve)
    write(arguments.out, document(reports, arguments.command, arguments.root,
                                  os.path.basename(curve_path)))


if __name__ == "__main__":
    main()
