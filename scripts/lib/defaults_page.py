"""Writes the figures of scripts/defaults into docs/results.md, and compares a
run with them.

RUNS/<set>/seed-<n>.json is the report of fit, seed-<n>.own.json the ranking by
the scorer that answers, and seed-<n>.context.json that by the one with
contexts. hide-seed-<n>.json and hide-seed-<n>.own.json are those of a training
with --own-pair-links hide, where fit chose reveal.
"""

import argparse
import json
import math
import os
import re
import statistics
import sys
from collections.abc import Sequence

from benchmark_stamp import commit, machine
from presets_page import table

MARK = "<!-- defaults -->"
NEXT = re.compile(r"^<!-- (?!defaults)[a-z ]+ -->$", re.M)
# What a person wrote about the marks that are missed.
NOTES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "defaults_notes.md")
# The graphs of which all test links are ranked. Of the others it is a sample.
KNOWLEDGE_GRAPHS = ("freebase", "kinship", "nell995", "umls")
SAMPLE = 1000
# The figures that are also shown with the links of a question's ends hidden.
PROTOCOL = ("auroc", "f1", "typed", "degree", "mrr", "hits_1", "hits_10")

# (graph, figure, least value): what the defaults were asked to reach.
WANTED = (
    ("amazon", "auroc", .9980), ("amazon", "f1", .9819),
    ("dblp", "auroc", .9852), ("dblp", "f1", .9312),
    ("dblp", "typed", .953), ("dblp", "degree", .835),
    ("freebase", "auroc", .9977), ("freebase", "f1", .9795),
    ("freebase", "mrr", .400), ("freebase", "hits_1", .310),
    ("freebase", "hits_10", .575), ("freebase", "context_gain", .015),
    ("nell995", "context_gain", .015),
    ("twitter", "auroc", .9856), ("twitter", "f1", .9441),
    ("twitter", "degree", .860),
)
NAMES = {"auroc": "AUROC", "f1": "F1", "typed": "type-matched AUROC",
         "degree": "degree-matched AUROC", "mrr": "MRR", "hits_1": "Hits@1",
         "hits_10": "Hits@10", "context_gain": "MRR, context − structural"}


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read(path):
    return json.loads(read_text(path))


def rows_of(report):
    return {row["key"]: row["figures"]
            for row in report["rankings"][0]["rows"]}


def own_pair_links(fit):
    """What fit chose: hide or reveal."""
    return next(fact["value"] for fact in fit["facts"]
                if fact["name"] == "own pair links")


def figures_of(stem):
    """The figures of a training and its ranking; None unless both are there."""
    paths = [f"{stem}.json", f"{stem}.own.json"]
    if not all(os.path.exists(path) for path in paths):
        return None
    fit, own = (read(path) for path in paths)
    ranked = rows_of(own)
    answering = own["rankings"][0]["rows"][0]["key"]
    figures = ranked[answering]
    return {
        "auroc": fit["overall"]["auroc"], "f1": fit["overall"]["f1"],
        "typed": fit["typed"]["auroc"],
        "degree": fit["degree_matched"]["auroc"],
        "mrr": figures["mrr"], "mrr_error": figures["mrr_error"],
        "hits_1": figures["hits_1"], "hits_10": figures["hits_10"],
        "targets": ranked[f"{answering}.target"]["mrr"],
        "sources": ranked[f"{answering}.source"]["mrr"],
        "structural": ranked["structural"]["mrr"],
        "questions": figures["targets"],
        "milliseconds": own["ranking_milliseconds"],
        "seconds": sum(step["seconds"] for step in fit["steps"]),
        "mib": max(step["peak_mib"] for step in fit["steps"]),
        "scorer": answering,
        "own_pair_links": own_pair_links(fit),
    }


def cell(stem):
    """The figures of one run; None unless it is finished."""
    figures = figures_of(stem)
    if figures is None or not os.path.exists(f"{stem}.context.json"):
        return None
    by_context = rows_of(read(f"{stem}.context.json"))["context"]
    figures["context_gain"] = by_context["over_structural"]
    figures["context_gain_error"] = by_context["over_structural_error"]
    folder, seed = os.path.split(stem)
    hidden = figures_of(os.path.join(folder, f"hide-{seed}"))
    figures["hidden"] = hidden and {key: hidden[key] for key in PROTOCOL}
    return figures


def summarize(runs):
    """{set: {figure: [values by seed]}} of the finished runs; scorers, too."""
    found = {}
    for name in sorted(os.listdir(runs)) if os.path.isdir(runs) else []:
        folder = os.path.join(runs, name)
        if name == "change" or not os.path.isdir(folder):
            continue
        cells = [cell(os.path.join(folder, match[1]))
                 for match in (re.fullmatch(r"(seed-\d+)\.json", file)
                               for file in sorted(os.listdir(folder))) if match]
        cells = [one for one in cells if one]
        if cells:
            found[name] = {key: [one[key] for one in cells]
                           for key in cells[0]}
    return found


def deviation(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0


def shown(values: Sequence[float], scale: float = 1, digits: int = 3) -> str:
    text = f"{scale * statistics.mean(values):z.{digits}f}"
    return (f"{text} ± {scale * deviation(values):.{digits}f}"
            if len(values) > 1 else text)


def half_width(figures):
    """Of the 95 % interval of context_gain, over questions and seeds."""
    questions = statistics.mean(figures["context_gain_error"])
    seeds = deviation(figures["context_gain"])
    return 2 * math.hypot(questions,
                          seeds / math.sqrt(len(figures["context_gain"])))


def link_table(found):
    return table(
        ["", "answers by", "AUROC", "F1", "type-matched AUROC",
         "degree-matched AUROC", "fit", "peak MiB", "seeds"],
        [[name, ", ".join(sorted(set(f["scorer"]))),
          *(shown(f[key], 100, 2)
            for key in ("auroc", "f1", "typed", "degree")),
          f"{statistics.median(f['seconds']) / 60:.1f} min",
          f"{max(f['mib']):.0f}", str(len(f["auroc"]))]
         for name, f in found.items()])


def ranking_table(found):
    rows = []
    for name, f in found.items():
        gain = statistics.mean(f["context_gain"])
        mrr = shown(f["mrr"])
        if f["mrr_error"][0]:
            mrr += f" (sample: ± {statistics.mean(f['mrr_error']):.3f})"
        rows.append([
            name, f"{f['questions'][0]:,}", mrr, shown(f["hits_1"]),
            shown(f["hits_10"]), shown(f["targets"]), shown(f["sources"]),
            shown(f["structural"]), f"{gain:+.4f} ± {half_width(f):.4f}",
            f"{statistics.median(f['milliseconds']):.1f}"])
    return table(
        ["", "questions", "MRR", "Hits@1", "Hits@10", "MRR, targets",
         "MRR, sources", "MRR, structural", "MRR, context − structural",
         "ms a question"], rows)


def protocol_table(found):
    """Of the runs that were made twice: as they are, and hidden."""
    rows = []
    for name, f in found.items():
        for i, hidden in enumerate(f["hidden"]):
            if hidden:
                rows.append([name] + [
                    f"{scale * f[key][i]:.{digits}f} / "
                    f"{scale * hidden[key]:.{digits}f}"
                    for key, scale, digits in (
                        ("auroc", 100, 2), ("f1", 100, 2), ("typed", 100, 2),
                        ("degree", 100, 2), ("mrr", 1, 3), ("hits_1", 1, 3),
                        ("hits_10", 1, 3))])
    return table(["", *(NAMES[key] for key in PROTOCOL)], rows)


def protocol_part(found):
    def of(choice):
        return ", ".join(name for name, f in found.items()
                         if choice in f["own_pair_links"]) or "none"
    text = ("A question never shows the link that it asks about. What else "
            "links its ends is hidden or revealed, as `fit` finds better on "
            f"valid (`--own-pair-links auto`): hidden on {of('hide')}; "
            f"revealed on {of('reveal')}.")
    if not any(any(f["hidden"]) for f in found.values()):
        return [text, ""]
    return [
        f"{text} With links revealed, a reverse copy of a test link in train "
        "can give the answer away. So here are both, revealed / hidden, one "
        "seed:", "", *protocol_table(found), ""]


def mark_table(found):
    rows = []
    for name, figure, least in WANTED:
        if name not in found:
            continue
        values = found[name][figure]
        mean = statistics.mean(values)
        met = mean + deviation(values) >= least
        if figure == "context_gain":
            met = mean >= least and mean > half_width(found[name])
        rows.append([name, NAMES[figure], f"{least:.4g}", f"{mean:.4f}",
                     "yes" if met else "no"])
    return table(["", "figure", "mark", "measured", "met"], rows)


def part(found, about):
    return "\n".join([
        MARK, "", "## The defaults on seven graphs", "",
        f"Written by `scripts/defaults`, commit {about['commit']}, "
        f"{about['machine']}. `slice-trainer fit` with nothing but files and a "
        "seed. Percent, except for rankings; mean ± deviation over seeds; the "
        "median of times.", "", *link_table(found), "",
        "Filtered ranking of test links in both directions, among all nodes of "
        "the types that the relation has at that end: "
        f"all of {', '.join(KNOWLEDGE_GRAPHS)}, a sample of the others. "
        "*context − structural* compares the two scorers question by question "
        "(contexts order the first 200 that the structural scorer finds); "
        "± is half of the 95 % interval over questions and seeds.", "",
        *ranking_table(found), "", *protocol_part(found),
        "What the defaults were asked to reach. A mark is met by a figure that "
        "reaches it, or misses it by no more than the deviation over the seeds:",
        "", *mark_table(found), "",
        read_text(NOTES)])


def write(options):
    found = summarize(options.runs)
    if not found:
        sys.exit(f"defaults: no finished run in {options.runs}")
    new = part(found, read(os.path.join(options.runs, "about.json")))
    with open(options.out, encoding="utf-8") as file:
        old = file.read()
    head, mark, tail = old.partition(MARK)
    if mark:
        following = NEXT.search(tail)
        tail = tail[following.start():] if following else ""
    else:
        following = NEXT.search(head)
        split = following.start() if following else len(head)
        head, tail = head[:split], head[split:]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(head.rstrip("\n") + "\n\n" + new + tail)
    with open(figures_file(options.out), "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


def figures_file(out):
    return os.path.join(os.path.dirname(out), "defaults.json")


def agrees(value, known):
    """Whether a value lies within three deviations of known ones, which threads
    that race and few seeds make larger than they look."""
    return (abs(value - statistics.mean(known))
            <= max(3 * deviation(known), .003))


def compare(options):
    known, found = read(figures_file(options.out)), summarize(options.runs)
    good = True
    for name in options.sets.split(","):
        for figure in ("auroc", "f1", "typed", "mrr", "hits_1", "hits_10"):
            value, of = found[name][figure][0], known[name][figure]
            ok = agrees(value, of)
            good &= ok
            print(f"{name:10} {figure:8} {value:.4f}  page {shown(of, 1, 4)}"
                  f"{'' if ok else '  differs'}")
    sys.exit(0 if good else 1)


def describe(options):
    os.makedirs(options.runs, exist_ok=True)
    path = os.path.join(options.runs, "about.json")
    now = {"commit": commit(options.root), "machine": machine()}
    if os.path.exists(path) and read(path)["commit"] != now["commit"]:
        sys.exit(f"defaults: the runs in {options.runs} are of commit "
                 f"{read(path)['commit']}; give another --runs, or remove them")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(now, file)


def ranked(options):
    print(10**9 if options.set in KNOWLEDGE_GRAPHS else SAMPLE)


def print_own_pair_links(options):
    print(own_pair_links(read(options.report)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, run, flags in (("describe", describe, ("runs", "root")),
                             ("write", write, ("runs", "out")),
                             ("compare", compare, ("runs", "sets", "out"))):
        command = commands.add_parser(name)
        for flag in flags:
            command.add_argument(f"--{flag}", required=True)
        command.set_defaults(run=run)
    how_many = commands.add_parser("ranked")
    how_many.add_argument("set")
    how_many.set_defaults(run=ranked)
    choice = commands.add_parser("own-pair-links")
    choice.add_argument("report")
    choice.set_defaults(run=print_own_pair_links)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
