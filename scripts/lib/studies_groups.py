"""Studies 8 and 10: for which links the error is large, and for which
relations contexts help."""

from dataclasses import replace

from presets_page import table
from studies_cells import Cell, Figures, Found, Part, Study, Version
from studies_charts import DotPanel, LinePanel, Panel, Series, chart
from studies_compare import Setting, dot
from studies_words import (
    extremes,
    is_clear,
    listed,
    mean,
    percent,
    points,
    seeds_remark,
    spread,
)

BASELINES = ("popularity", "adamic-adar", "three-path", "node2vec")
PAPER = "slice, preset paper"
SLICE = {"slice": Setting("slice", "default"),
         PAPER: Setting(PAPER, "paper")}
# Parts of the test links with fewer links or non-links say little.
LEAST = 20
TIE = 0.001  # of AUROC
NOTHING = 0.0005  # of AUROC: no relation gains or loses by contexts
LEAST_ERROR = 0.01  # points in the plot, which is logarithmic
MOST_RELATIONS = 24  # in the plot
MOST_METHODS = 5  # beside slice in a plot

DegreeRows = dict[str, dict[str, list[float]]]  # method, bin -> AUROC by seed


def _degree_cells(version: Version) -> list[Cell]:
    return [cell for make in (
        *(lambda data, seed, one=one: one.cell(version, data, seed)
          for one in SLICE.values()),
        *(lambda data, seed, name=name: version.baseline(data, seed, name)
          for name in BASELINES))
        for cell in version.each(make)]


def _degree_runs(version: Version, found: Found,
                 data: str) -> dict[str, list[Figures]]:
    runs: dict[str, list[Figures]] = {}
    for name, setting in SLICE.items():
        runs[name] = _ran(found, [setting.cell(version, data, seed)
                                  for seed in version.seeds])
    for name in BASELINES:
        runs[name] = _ran(found, [version.baseline(data, seed, name)
                                  for seed in version.seeds])
    # slice of the comparison was trained in full: it takes the place.
    runs.update(version.compared.get(data, {}))
    return runs


def _degree_rows(runs: dict[str, list[Figures]]) -> DegreeRows:
    rows: DegreeRows = {}
    for name, reports in runs.items():
        for report in reports:
            for part, row in report["degree"].items():
                if (row["auroc"] is not None
                        and min(row["positives"], row["negatives"]) >= LEAST):
                    rows.setdefault(name, {}).setdefault(part, []).append(
                        row["auroc"])
    return rows


def _ran(found: Found, cells: list[Cell]) -> list[Figures]:
    return [figures for cell in cells
            if (figures := found.get(cell)) is not None]


def _lower_end(part: str) -> int:
    """Of a range of degrees, such as "16-31" or "1024+"."""
    digits = part.split("-")[0].rstrip("+")
    return int(digits) if digits.isdigit() else 0


def _degree_part(version: Version, found: Found) -> Part:
    lines: list[str] = []
    panels: list[Panel] = []
    sentences: list[str] = []
    counts: list[int] = []
    runs = {data: _degree_runs(version, found, data) for data in version.sets}
    every = {data: _degree_rows(runs[data]) for data in version.sets}
    for data, rows in every.items():
        parts = sorted({part for row in rows.values() for part in row},
                       key=_lower_end)
        if not parts:
            continue
        counts += [len(one) for row in rows.values() for one in row.values()]
        lines += ["", f"**{data}**: AUROC, %", "", *table(
            ["neighbours", *parts],
            [["links / non-links", *(_count(runs[data], part)
                                     for part in parts)],
             *([name, *(percent(row.get(part, [])) for part in parts)]
               for name, row in rows.items())])]
        panels.append(LinePanel(
            f"{data}: error by degree", "neighbours of the less connected end",
            "100 − AUROC, points",
            [Series(name, [(float(i), max(100 * (1 - mean(row[part])),
                                          LEAST_ERROR),
                            100 * spread(row[part]))
                           for i, part in enumerate(parts)
                           if part in (row := rows.get(name, {}))])
             for name in _drawn(rows)], x_names=parts, log_y=True))
        sentences.append(_degree_sentence(data, rows, parts))
    if sentences:
        if version.compared:
            sentences.append(_compared_sentence(version, every))
        sentences.append(f"Ranges with fewer than {LEAST} links or non-links "
                         "are left out." + seeds_remark(counts))
    return Part(lines, chart("Error by degree", panels) if panels else "",
                sentences, _degree_missing(version))


def _compared_sentence(version: Version, every: dict[str, DegreeRows]) -> str:
    """Which rows rest on whole trainings."""
    alike: dict[tuple[str, ...], list[str]] = {}  # sets by rows of this page
    for data, methods in version.compared.items():
        own = tuple(f"*{name}*" for name in every.get(data, {})
                    if name not in methods)
        alike.setdefault(own, []).append(data)
    texts = []
    for own, sets in alike.items():
        texts.append(
            f"The methods of {listed(sets)} come from `slice-trainer compare`: "
            "they trained in full and answer all test links, which the row "
            "*links / non-links* counts. A deviation stands where several seeds "
            "ran there." + (
                f" {listed(own)} {'is a training' if len(own) == 1 else 'are trainings'} "
                "of this page, on fewer rows." if own and version.size.rows else ""))
    brief = [data for data, rows in every.items()
             if rows and data not in version.compared]
    if brief:
        texts.append(
            f"All rows of {listed(brief)} are trainings of this page, slice "
            f"among them. There slice has {listed(BASELINES)} beside it, and no "
            "stronger method.")
    return " ".join(texts)


def _drawn(rows: DegreeRows) -> list[str]:
    """The methods in the plot: slice and the best of the others."""
    error = {name: mean([1 - mean(one) for one in row.values()])
             for name, row in rows.items() if name not in SLICE}
    best = sorted(error, key=error.__getitem__)[:MOST_METHODS]
    return [name for name in rows if name in SLICE or name in best]


def _count(runs: dict[str, list[Figures]], part: str) -> str:
    """The links and non-links of a range, where most are asked about."""
    links, others = max((row["positives"], row["negatives"])
                        for of in runs.values() for report in of
                        if (row := report["degree"].get(part)))
    return f"{links:,} / {others:,}"


def _ahead(part: str, names: list[str], lead: float) -> str:
    """Who is better than slice in a range; the best stands last."""
    others = len(names) - 1
    return (f"at {part} {names[-1]} is ahead by {100 * lead:.1f} points"
            + (f" and {others} more {'is' if others == 1 else 'are'}"
               if others else ""))


def _degree_sentence(data: str, rows: DegreeRows, parts: list[str]) -> str:
    """Where slice is best, who is better, and where slice errs most."""
    if len(rows) < 2:
        return f"On {data} only {listed(list(rows))} ran."
    own = {part: mean(one) for part, one in rows.get("slice", {}).items()}
    better = []
    for part in parts:
        means = {name: mean(row[part]) for name, row in rows.items()
                 if part in row}
        if part not in own:
            continue
        ahead = sorted((name for name, value in means.items()
                        if value > own[part] + TIE), key=means.__getitem__)
        if ahead:
            better.append(_ahead(part, ahead, means[ahead[-1]] - own[part]))
    behind = _behind_sentence(rows, parts)
    if not own:
        return f"On {data} slice did not run with `default`.{behind}"
    text = (f"On {data} slice has the least error of the methods here, or one "
            f"within {100 * TIE:.1f} points of it, in {len(own) - len(better)} of "
            f"{len(own)} ranges"
            + ("".join(f"; {one}" for one in better) + "."))
    if len(own) > 1:
        worst, least = extremes(own)
        text += (f" Its error is largest at {worst} "
                 f"({100 * (1 - own[worst]):.2f} points) and smallest at "
                 f"{least} ({100 * (1 - own[least]):.2f}).")
    return text + behind


def _behind_sentence(rows: DegreeRows, parts: list[str]) -> str:
    """Where a method that learns little is ahead of the preset `paper`."""
    of = rows.get(PAPER, {})
    behind = [part for part in parts if part in of and any(
        mean(row[part]) > mean(of[part]) + TIE
        for name in BASELINES if part in (row := rows.get(name, {})))]
    return (f" The preset `paper` is more than {100 * TIE:.1f} points behind "
            f"{listed(BASELINES, 'or')} in {len(behind)} of {len(of)} ranges."
            if of else "")


def _degree_missing(version: Version) -> list[str]:
    if version.compared:
        return ["Some methods of [results.md](results.md) have no row here: the "
                "figures by degree of their runs were not kept."]
    return [f"Only {listed(BASELINES)} are beside slice. `--comparison DIR` "
            "adds every method whose reports `slice-trainer compare` left in "
            "that folder."]


def _relation_setting(version: Version) -> Setting:
    return replace(SLICE["slice"], in_full=version.size.relations_in_full)


def _relation_cells(version: Version) -> list[Cell]:
    return _relation_setting(version).cells(version)


def _gains(version: Version, found: Found, data: str) -> dict[str, list[Figures]]:
    """{relation: its figures by seed} where both scorers were measured."""
    gains: dict[str, list[Figures]] = {}
    setting = _relation_setting(version)
    for report in _ran(found, [setting.cell(version, data, seed)
                               for seed in version.seeds]):
        for name, row in report["relations"].items():
            if (row["auroc"] is not None and row["structural"] is not None
                    and min(row["positives"], row["negatives"]) >= LEAST):
                gains.setdefault(name, []).append(row)
    return gains


def _difference(rows: list[Figures]) -> list[float]:
    return [row["auroc"] - row["structural"] for row in rows]


def _verdict(gain: list[float]) -> str:
    if abs(mean(gain)) < NOTHING:
        return "next to nothing"
    if len(gain) < 2:
        return "one seed: not known"
    if not is_clear(gain):
        return "no clear difference"
    return "context helps" if mean(gain) > 0 else "context harms"


def _relation_part(version: Version, found: Found) -> Part:
    rows, sentences = [], []
    panels: list[Panel] = []
    for data in version.sets:
        gains = _gains(version, found, data)
        if not gains:
            continue
        by_gain = sorted(gains, key=lambda name: -mean(
            _difference(gains[name])))
        rows += _relation_rows(data, gains, by_gain)
        drawn = [name for name in by_gain if not _is_nothing(gains[name])]
        if drawn:
            panels.append(DotPanel(
                f"{data}: context − structural",
                "difference of the AUROC, points",
                [(f"relation {name}", {data: dot(_difference(gains[name]))})
                 for name in _both_ends(drawn)]))
        sentences.append(_relation_sentence(data, gains, by_gain))
    if sentences:
        sentences.append(f"Relations with fewer than {LEAST} links or "
                         "non-links in test are left out.")
    heads = ["", "relation", "links", "structural", "context",
             "difference, points", "verdict"]
    return Part(list(table(heads, rows)) if rows else [],
                chart("Context minus structural, by relation", panels)
                if panels else "", sentences)


def _is_nothing(rows: list[Figures]) -> bool:
    return abs(mean(_difference(rows))) < NOTHING


def _relation_rows(data: str, gains: dict[str, list[Figures]],
                   by_gain: list[str]) -> list[list[str]]:
    """A row for each relation. Of many, those that contexts do not change share
    the last row."""
    alike = [name for name in by_gain if _is_nothing(gains[name])]
    if len(by_gain) <= MOST_RELATIONS or len(alike) < 2:
        alike = []
    rows = []
    for name in by_gain:
        if name in alike:
            continue
        of = gains[name]
        rows.append([data, name, str(of[0]["positives"]),
                     percent([row["structural"] for row in of]),
                     percent([row["auroc"] for row in of]),
                     percent(_difference(of)), _verdict(_difference(of))])
    if alike:
        links = sum(gains[name][0]["positives"] for name in alike)
        rows.append([data, f"{len(alike)} others", str(links), "", "",
                     f"below {100 * NOTHING:.2f} each", "next to nothing"])
    return rows


def _both_ends(names: list[str]) -> list[str]:
    """The relations of the largest gains and losses, where there are many."""
    half = MOST_RELATIONS // 2
    return (names if len(names) <= MOST_RELATIONS
            else [*names[:half], *names[-half:]])


def _links(rows: list[Figures]) -> str:
    return f"{rows[0]['positives']} links"


def _relation_sentence(data: str, gains: dict[str, list[Figures]],
                       by_gain: list[str]) -> str:
    changes = {name: _difference(of) for name, of in gains.items()}
    helped = [name for name in by_gain if _verdict(changes[name])
              == "context helps"]
    harmed = [name for name in by_gain if _verdict(changes[name])
              == "context harms"]
    once = max(map(len, changes.values())) < 2
    if all(map(_is_nothing, gains.values())):
        return (f"On {data} contexts add next to nothing to the structural "
                f"scorer: every relation changes by no more than "
                f"{100 * NOTHING:.2f} points"
                + (" with the one seed that ran." if once else "."))
    first, last = by_gain[0], by_gain[-1]
    reach = (f"the differences reach from {points(mean(changes[last]))} "
             f"(relation {last}, {_links(gains[last])}) to "
             f"{points(mean(changes[first]))} points (relation {first}, "
             f"{_links(gains[first])})")
    if once:
        return (f"On {data} one seed ran, so no difference is tested; {reach}.")
    return (f"On {data} contexts clearly help {len(helped)} and clearly harm "
            f"{len(harmed)} of {len(gains)} relations; {reach}.")


STUDIES = [
    Study(8, "degree", "Error by degree",
          "How does the error depend on how connected the ends are? A link "
          "belongs to the degree of its less connected end. The AUROC is that "
          "on the published negatives of test, and the error is 100 less the "
          "AUROC in percent. *slice* alone is its preset `default`.",
          _degree_cells, _degree_part),
    Study(10, "relations", "Context by relation",
          "Which relations do contexts help? The table has the AUROC of the "
          "context scorer less that of the structural scorer of the same "
          "bundle (preset `default`). A difference is clear when its interval "
          "of 95 % over seeds (Student's t) leaves out zero.", _relation_cells,
          _relation_part),
]
