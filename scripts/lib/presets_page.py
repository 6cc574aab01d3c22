"""Writes the page of presets from the runs of scripts/presets.

RUNS/<experiment>/experiment.json says how the experiment was run;
RUNS/<experiment>/<data set>/seed-<n>.json is the report of one run.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Sequence

from benchmark_stamp import commit

SETS_OF_NEGATIVES = (
    ("published", "Published negatives",
     "The test file's own non-links. slice answers by its first output, "
     "plausible among all pairs."),
    ("typed", "Type-matched negatives",
     "The target is redrawn uniformly among the nodes that are a target of "
     "the relation in train. slice answers by its second output, the right "
     "one among its kind."),
    ("degree_matched", "Degree-matched negatives",
     "The target is redrawn among the same nodes, in proportion to their "
     "links by the relation. slice answers by its second output."),
    ("typed_non_links", "Type-matched non-links",
     "The test file's non-links with their targets redrawn among the nodes "
     "that are a target of the relation in train; their sources stay. slice "
     "answers by its second output."),
)
METHODS = (
    ("scorers", "context", "slice, context"),
    ("scorers", "ends", "slice, ends"),
    ("scorers", "structural", "slice, structural"),
    ("baselines", "three_paths", "3-paths"),
    ("baselines", "adamic_adar", "Adamic-Adar"),
    ("baselines", "common_neighbors", "common neighbours"),
    ("baselines", "popularity", "popularity"),
    ("baselines", "node2vec", "node2vec dot product"),
)
SPLITS = (
    ("nodes", "warm", "both ends have a train link"),
    ("nodes", "cold", "an end has none"),
    ("path", "path", "a path joins the ends"),
    ("path", "no_path", "none was seen"),
    ("pair", "unlinked", "pair not linked in train"),
    ("pair", "reversed", "linked in reverse by the same relation"),
    ("pair", "otherwise", "linked by another relation"),
)


def machine():
    """The processor, as the kernel names it, and how many there are."""
    name = "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
            name = found[1].strip() if found else name
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} threads"


def describe(options):
    """Writes experiment.json. When it exists already, ends the program unless
    it has the same flags."""
    path = os.path.join(options.runs, options.name, "experiment.json")
    wanted = {"flags": options.flags, "nodes": options.nodes == "true"}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
        if {key: known.get(key) for key in wanted} != wanted:
            sys.exit(f"presets: the runs in {os.path.dirname(path)} were made "
                     "with other flags "
                     f"({' '.join(known.get('flags', [])) or 'none'}); "
                     "give another --name, or remove these runs")
        return
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**wanted, "machine": machine(),
                   "commit": commit(options.root)}, file, indent=2)
        file.write("\n")


def summaries(trainer, folder):
    """{data set: summary of its runs}, made by slice-trainer report."""
    result = {}
    for name in sorted(os.listdir(folder)):
        runs = os.path.join(folder, name)
        if not os.path.isdir(runs):
            continue
        files = sorted(os.path.join(runs, file) for file in os.listdir(runs)
                       if re.fullmatch(r"seed-\d+\.json", file))
        if files:
            done = subprocess.run(
                [trainer, "report", "--summary", "--json", *files], text=True,
                capture_output=True, check=False)
            if done.returncode != 0:
                sys.exit(f"presets: {done.stderr.strip()}")
            result[name] = json.loads(done.stdout)
    return result


def reach(value, *keys):
    """value[keys[0]][keys[1]]…, None where a key is missing."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def percent(summary, digits=2):
    """A mean with its deviation, such as "98.07 ± 0.02"; a dash for what was
    not measured."""
    if summary is None or summary["mean"] is None:
        return "–"
    text = f"{100 * summary['mean']:.{digits}f}"
    if summary["deviation"] is not None:
        text += f" ± {100 * summary['deviation']:.{digits}f}"
    return text


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def with_one_scorer(rows: list[list[str]]) -> list[list[str]]:
    """A network with one scorer gives its answers for all of them: one row."""
    names = {name for group, _, name in METHODS if group == "scorers"}
    scorers = [row for row in rows if row[0] in names]
    if len(scorers) < 2 or any(row[1:] != scorers[0][1:] for row in scorers):
        return rows
    return [["slice", *scorers[0][1:]],
            *(row for row in rows if row[0] not in names)]


def method_tables(sets):
    lines = []
    for key, title, remark in SETS_OF_NEGATIVES:
        rows = []
        for group, method, name in METHODS:
            cells = []
            for summary in sets.values():
                metrics = reach(summary, group, method, key)
                cells.append("–" if metrics is None else
                             f"{percent(metrics['auroc'])} / "
                             f"{percent(metrics['f1'])}")
            if any(cell != "–" for cell in cells):
                rows.append([name, *cells])
        if rows:
            lines += ["", f"**{title}** (AUROC / F1). {remark}", "",
                      *table(["", *sets], with_one_scorer(rows))]
    return lines


def difference_table(sets):
    found = {}
    scorers = {key for group, key, _ in METHODS if group == "scorers"}
    for name, summary in sets.items():
        for row in summary["differences"]:
            if row["mean"] is None or row["standard_error"] is None:
                continue
            if row["first"] not in scorers or row["second"] not in scorers:
                continue  # far apart: the tables above show it
            key = (row["set"], f"{row['first']} − {row['second']}",
                   row["measure"])
            text = (f"{100 * row['mean']:+.3f} ± "
                    f"{200 * row['standard_error']:.3f}")
            found.setdefault(key, {})[name] = (
                f"**{text}**" if row["clear"] else text)
    if not found:
        return []
    rows = [[*key, *(cells.get(name, "–") for name in sets)]
            for key, cells in found.items()]
    return ["", "**Paired differences**, in points, with two standard errors; "
            "bold where the mean is further from zero than that.", "",
            *table(["negatives", "difference", "measure", *sets], rows)]


def ranking_table(sets):
    rows = []
    for name, summary in sets.items():
        for method, figures in (summary.get("ranking") or {}).items():
            mrr = figures["mrr"]["mean"]
            if mrr is None:
                continue
            spread = math.hypot(
                *(value or 0 for value in (
                    figures["mrr"].get("deviation"),
                    (figures.get("mrr_error") or {}).get("mean"))))
            rows.append([name, method,
                         f"{mrr:.3f}" + (f" ± {spread:.3f}" if spread else ""),
                         *(percent(figures["hits"][k], 1)
                           for k in ("1", "3", "10")),
                         f"{figures['targets']['mean']:.0f}"])
    if not rows:
        return []
    return ["", "**Filtered ranking** of test links among all nodes. "
            "± holds the deviation over seeds and, of a sample of the links, the "
            "standard error of the sample.", "",
            *table(["", "by", "MRR", "Hits@1", "Hits@3", "Hits@10", "targets"],
                   rows)]


def split_table(sets):
    rows = []
    for key, part, name in SPLITS:
        cells = [percent(reach(summary, "splits", key, part, "auroc"))
                 for summary in sets.values()]
        if any(cell != "–" for cell in cells):
            rows.append([name, *cells])
    return ["", "**Easy and hard pairs apart** (AUROC, published negatives).",
            "", *table(["", *sets], rows)] if rows else []


PROTOCOLS = {"hide": "hidden", "reveal": "revealed"}


def protocol_line(sets):
    """Whether questions see what else links their ends (docs/leakage.md)."""
    kinds = {}
    for name, summary in sets.items():
        kind = summary.get("own_pair_links", "")
        kinds.setdefault(PROTOCOLS.get(kind, kind), []).append(name)
    kinds.pop("", None)
    if not kinds:
        return []
    return ["", "What else links the ends of a question is " + "; ".join(
        f"{kind} on {', '.join(names)}"
        for kind, names in sorted(kinds.items())) + "."]


def cost_table(sets):
    rows = []
    for name, summary in sets.items():
        seconds, memory = summary["seconds"]["mean"], summary["peak_mib"]["mean"]
        rows.append([name, ", ".join(str(seed) for seed in summary["seeds"]),
                     "–" if seconds is None else f"{seconds:.0f} s",
                     "–" if memory is None else f"{memory:.0f} MiB"])
    return ["", "**Cost** of a run, all steps.", "",
            *table(["", "seeds", "time", "peak memory"], rows)]


def page(experiments):
    lines = ["# Presets", "",
             "Written by `scripts/presets` from the reports of its runs "
             "([evaluation.md](evaluation.md) says what is measured, and "
             "[leakage.md](leakage.md) by which rules). Percent; mean ± "
             "deviation over the seeds."]
    for name, (about, sets) in experiments.items():
        command = " ".join(["slice-trainer fit", *about.get("flags", [])])
        lines += ["", f"## {name}", "",
                  f"`{command}`, node types "
                  f"{'used where given' if about.get('nodes') else 'left out'}."
                  f" Commit {about.get('commit') or 'unknown'}; "
                  f"{about.get('machine', 'unknown machine')}."]
        for part in (protocol_line, method_tables, difference_table, ranking_table,
                     split_table, cost_table):
            lines += part(sets)
    return "\n".join(lines) + "\n"


def write(options):
    experiments = {}
    names = sorted(os.listdir(options.runs)) if os.path.isdir(
        options.runs) else []
    # The default experiment first.
    for name in sorted(names, key=lambda name: (name != "default", name)):
        about = os.path.join(options.runs, name, "experiment.json")
        if not os.path.exists(about):
            continue
        sets = summaries(options.trainer, os.path.join(options.runs, name))
        if sets:
            with open(about, encoding="utf-8") as file:
                experiments[name] = (json.load(file), sets)
    if not experiments:
        sys.exit(f"presets: {options.runs} holds no finished run")
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(page(experiments))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    describing = commands.add_parser("describe")
    describing.add_argument("--root", required=True)
    describing.add_argument("--runs", required=True)
    describing.add_argument("--name", required=True)
    describing.add_argument("--nodes", choices=("true", "false"),
                            default="true")
    describing.add_argument("flags", nargs="*")
    describing.set_defaults(run=describe)
    writing = commands.add_parser("write")
    writing.add_argument("--runs", required=True)
    writing.add_argument("--trainer", required=True)
    writing.add_argument("--out", required=True)
    writing.set_defaults(run=write)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
