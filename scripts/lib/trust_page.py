"""Writes the part of docs/results.md that says how far answers can be trusted,
from the reports of runs of scripts/presets.

usage: trust_page.py --runs DIR --name NAME [--before NAME]
                     [--explanations NAME] --out FILE

RUNS/<NAME>/<data set>/seed-<n>.json is the report of one run. The part begins
with the line MARK and ends with the page. Figures are means over the seeds.
"""

import argparse
import glob
import json
import os
import statistics
import sys

from presets_page import reach, table

MARK = "<!-- trust -->"
QUESTIONS = (("plausible", "plausible"), ("among_kind", "among kind"))
IMPOSSIBLE = (("self", "self pairs"), ("off_schema", "off-schema pairs"))
# What is asked of a good answer (the bars of the last column of each table).
MOST_CALLED = .02
MOST_ERROR = .03
LEAST_RATIO = 3
MEASURABLE_ROWS = 100


def load(runs, name):
    """{data set: [report]} of the experiment `name`."""
    sets = {}
    for path in sorted(glob.glob(os.path.join(runs, name, "*", "seed-*.json"))):
        with open(path, encoding="utf-8") as file:
            sets.setdefault(os.path.basename(os.path.dirname(path)),
                            []).append(json.load(file))
    if not sets:
        sys.exit(f"trust: no reports in {os.path.join(runs, name)}")
    return sets


def mean(reports, get):
    """The mean of get(report) where it is a number; None if it is nowhere."""
    values = [value for value in map(get, reports)
              if isinstance(value, (int, float))]
    return statistics.fmean(values) if values else None


def number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def met(value, holds):
    return "–" if value is None else "yes" if holds(value) else "**no**"


def calibration(report, question):
    for one in report.get("calibrations", []):
        if one["key"] == question:
            return one
    return {}


def calibration_table(sets):
    rows = []
    for name, reports in sets.items():
        for key, question in QUESTIONS:
            error = mean(reports, lambda r: calibration(r, key)
                         .get("expected_error"))
            by_relation = mean(reports, lambda r: calibration(r, key)
                               .get("median_relation_error"))
            chance = mean(reports, lambda r: calibration(r, key)
                          .get("median_relation_chance"))
            relations = [one for one in
                         calibration(reports[0], key).get("relations", [])
                         if one["rows"] >= MEASURABLE_ROWS]
            rows.append([name, question, number(error, 4),
                         number(by_relation, 4), number(chance, 4),
                         str(len(relations)),
                         "out of reach" if chance is not None
                         and min(chance, by_relation) > MOST_ERROR else
                         met(by_relation, lambda x: x <= MOST_ERROR)])
    return table(["", "question", "all relations", "median relation",
                  "by chance alone",
                  f"relations with {MEASURABLE_ROWS} test rows or more",
                  f"median relation ≤ {MOST_ERROR}"], rows)


def decision_table(sets):
    """Accuracy and F1 by one threshold for all relations, and by one for each.
    """
    rows = []
    for name, reports in sets.items():
        for key in ("accuracy", "f1"):
            once, by_relation = (mean(reports, lambda r: reach(r, part, key))
                                 for part in ("one_threshold", "overall"))
            rows.append([
                name, {"f1": "F1"}.get(key, key),
                *(number(None if value is None else 100 * value, 2)
                  for value in (once, by_relation)),
                "–" if once is None else
                met(by_relation, lambda x: x >= once)])
    return table(["", "", "one threshold", "one for each relation",
                  "not below"], rows)


def published_table(sets, before):
    """Figures on the published negatives, and those of `before`."""
    keys = ("auroc", "f1", "accuracy")
    rows = []
    for name, reports in sets.items():
        if name not in before:
            continue
        row = [name]
        for key in keys:
            row += [number(100 * mean(some, lambda r: reach(r, "overall", key)),
                           2) for some in (before[name], reports)]
        rows.append(row)
    return table(["", "AUROC before", "after", "F1 before", "after",
                  "accuracy before", "after"], rows)


def called(report, kind):
    pairs = reach(report, "impossible_links", kind, "pairs")
    if not pairs:
        return None
    return report["impossible_links"][kind]["called_links"] / pairs


def impossible_table(sets):
    rows = []
    for name, reports in sets.items():
        shares = [mean(reports, lambda r: called(r, kind))
                  for kind, _ in IMPOSSIBLE]
        worst = max((share for share in shares if share is not None),
                    default=None)
        rows.append([name,
                     *(number(None if share is None else 100 * share, 1)
                       for share in shares),
                     met(worst, lambda x: x <= MOST_CALLED)])
    return table(["", *(f"{title}, %" for _, title in IMPOSSIBLE),
                  f"≤ {100 * MOST_CALLED:.0f} %"], rows)


def fidelity_table(sets):
    rows = []
    for name, reports in sets.items():
        cells, ratios = [], []
        # Without the evidence much should change, with it alone little.
        for change, good_is_large in (("without", True), ("only", False)):
            named, random, attention = (
                mean(reports, lambda r: reach(r, "fidelity", by, change))
                for by in ("named", "random", "attention"))
            cells += [number(value, 4) for value in (named, random, attention)]
            if named is None or random is None:
                ratios.append(None)
                continue
            good, bad = (named, random) if good_is_large else (random, named)
            ratios.append(good / bad if bad > 0 else float("inf"))
        known = [ratio for ratio in ratios if ratio is not None]
        rows.append([name, *cells, *(number(ratio, 1) for ratio in ratios),
                     met(min(known, default=None),
                         lambda x: x >= LEAST_RATIO)])
    return table(["", "without: named", "random", "attention", "alone: named",
                  "random", "attention", "comprehensiveness ×", "sufficiency ×",
                  f"≥ {LEAST_RATIO} × random"], rows)


def attention_lines(sets):
    """On how many sets attention finds less than chance does."""
    pairs = [tuple(mean(reports, lambda r: reach(r, "fidelity", by, "without"))
                   for by in ("attention", "random"))
             for reports in sets.values()]
    known = [pair for pair in pairs if None not in pair]
    if not known:
        return []
    less = sum(attention < random for attention, random in known)
    return ["", "Without the paths that get the most attention the probability "
            "changes less than without random evidence on "
            f"{less} of {len(known)} sets. Where the structural scorer or "
            "`ends` answers (see the list below), attention has no part in the "
            "answer."]


def scorer_lines(sets):
    lines = []
    for name, reports in sets.items():
        for fact in reports[0].get("facts", []):
            if fact["name"] == "default scorer":
                lines.append(f"- {name}: {fact['value']}")
    return lines


def experiment(runs, name):
    """What is known of an experiment; empty when nothing is."""
    try:
        with open(os.path.join(runs, name, "experiment.json"),
                  encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def provenance(runs, name):
    known = experiment(runs, name)
    if not known:
        return f"experiment `{name}`"
    flags = " ".join(known.get("flags", []))
    return (f"`scripts/presets --name {name}{' -- ' + flags if flags else ''}`,"
            f" commit {known.get('commit', 'unknown')}, "
            f"{known.get('machine', 'unknown machine')}")


def section(options):
    sets = load(options.runs, options.name)
    before = load(options.runs, options.before) if options.before else {}
    explained = (load(options.runs, options.explanations)
                 if options.explanations else sets)
    seeds = max(map(len, sets.values()))
    lines = [MARK, "", "## How far answers can be trusted", "",
             f"Written by `scripts/trust` from {provenance(options.runs, options.name)}"
             f"; {seeds} seed{'s' * (seeds > 1)}. All choices are made on "
             "valid; test is only measured. The figures are those of the "
             "defaults of that commit; those of the defaults of today are in "
             "the parts above."
             + (f" Before: {provenance(options.runs, options.before)}."
                if before else ""), "",
             "**Impossible links.** Of 1,000 pairs of a node with itself, and "
             "of 1,000 pairs of nodes that the relation does not link by their "
             "kinds, the share that is called a link. – says that train shows "
             "no kinds.", "",
             *impossible_table(sets), "",
             "**Calibration.** The mean distance between probability and share "
             "of links on test (15 bins), over all relations and as the "
             "median over the relations that have enough test rows. By chance "
             "alone is the same median for probabilities that are right: with "
             "few rows, the share of links in a bin differs from them. Where "
             f"chance alone is above {MOST_ERROR}, that mark is out of reach. "
             "*Plausible*: is the pair linked at all? *Among kind*: is this "
             "target the right one of its kind?", "",
             *calibration_table(sets), "",
             "**Decisions.** The same scores of the published test links, "
             "decided by one threshold for all relations and by one for each "
             "(with the margin of pairs off schema), in percent.", "",
             *decision_table(sets), "",
             *(["**Before and after**, on the published non-links, in percent. The "
                "other sets were not measured before.", "",
                *published_table(sets, before), ""]
               if before else []),
             "**Explanations.** The mean change of the probability without the "
             "evidence that an explanation names (large is good), and with it "
             "alone (small is good); the same for as many items drawn at random, "
             "and for the paths that get the most attention. The ratios compare "
             "with random evidence. Named evidence is chosen by these changes "
             "(and never by labels), so that it must do well here: what is "
             "measured is how true it is to the scorer."
             + (" `slice-trainer evaluate --explanations-only` of the same "
                "bundles, commit "
                + experiment(options.runs, options.explanations)
                .get("commit", "unknown") + "."
                if options.explanations else ""), "",
             *fidelity_table(explained), *attention_lines(explained)]
    scorers = scorer_lines(sets)
    if scorers:
        lines += ["", "**Default scorers** of that commit, chosen on valid:",
                  "", *scorers]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--runs", "--name", "--out"):
        parser.add_argument(flag, required=True)
    parser.add_argument("--before")
    parser.add_argument("--explanations")
    options = parser.parse_args()
    new = section(options)
    with open(options.out, encoding="utf-8") as file:
        old = file.read()
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(old.split(MARK)[0].rstrip("\n") + "\n\n" + new)


if __name__ == "__main__":
    main()
