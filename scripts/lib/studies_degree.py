"""Study 8: for which links the error is large."""

from presets_page import table
from studies_cells import Cell, Figures, Found, Part, Study, Version
from studies_charts import LinePanel, Panel, Series, chart
from studies_compare import FEWEST_LINKS, Setting
from studies_words import extremes, listed, mean, percent, seeds_remark, spread

BASELINES = ("popularity", "adamic-adar", "three-path", "node2vec")
PAPER = "slice, preset paper"
SLICE = {"slice": Setting("slice", "default"),
         PAPER: Setting(PAPER, "paper")}
TIE = 0.001  # of AUROC
LEAST_ERROR = 0.01  # points in the plot, which is logarithmic
MOST_METHODS = 5  # beside slice in a plot

Rows = dict[str, dict[str, list[float]]]  # method, bin -> AUROC by seed


def _cells(version: Version) -> list[Cell]:
    return [cell for make in (
        *(lambda data, seed, one=one: one.cell(version, data, seed)
          for one in SLICE.values()),
        *(lambda data, seed, name=name: version.baseline(data, seed, name)
          for name in BASELINES))
        for cell in version.each(make)]


def _runs(version: Version, found: Found,
          data: str) -> dict[str, list[Figures]]:
    runs: dict[str, list[Figures]] = {}
    for name, setting in SLICE.items():
        runs[name] = found.all([setting.cell(version, data, seed)
                                for seed in version.seeds])
    for name in BASELINES:
        runs[name] = found.all([version.baseline(data, seed, name)
                                for seed in version.seeds])
    # slice of the comparison was trained in full: it takes the place.
    runs.update(version.compared.get(data, {}))
    return runs


def _rows(runs: dict[str, list[Figures]]) -> Rows:
    rows: Rows = {}
    for name, reports in runs.items():
        for report in reports:
            for part, row in report["degree"].items():
                if (row["auroc"] is not None
                        and min(row["positives"], row["negatives"]) >= FEWEST_LINKS):
                    rows.setdefault(name, {}).setdefault(part, []).append(
                        row["auroc"])
    return rows


def _lower_end(part: str) -> int:
    """Of a range of degrees, such as "16-31" or "1024+"."""
    digits = part.split("-")[0].rstrip("+")
    return int(digits) if digits.isdigit() else 0


def _part(version: Version, found: Found) -> Part:
    lines: list[str] = []
    panels: list[Panel] = []
    sentences: list[str] = []
    counts: list[int] = []
    runs = {data: _runs(version, found, data) for data in version.sets}
    every = {data: _rows(runs[data]) for data in version.sets}
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
        sentences.append(_sentence(data, rows, parts))
    if sentences:
        if version.compared:
            sentences.append(_compared_sentence(version, every))
        sentences.append(f"Ranges with fewer than {FEWEST_LINKS} links or non-links "
                         "are left out." + seeds_remark(counts))
    return Part(lines, chart("Error by degree", panels) if panels else "",
                sentences, _missing(version), _answer(version, every))


def _leads(rows: Rows, part: str) -> dict[str, float]:
    """The methods that err less than slice in a range, and by how much; the best
    stands last."""
    own = mean(rows["slice"][part])
    leads = {name: mean(row[part]) - own for name, row in rows.items()
             if part in row}
    return {name: leads[name] for name in sorted(leads, key=leads.__getitem__)
            if leads[name] > TIE}


def _is_behind(rows: Rows, part: str) -> bool:
    """Whether a method that learns little errs less than the preset `paper`."""
    own = mean(rows[PAPER][part])
    return any(mean(row[part]) > own + TIE for name in BASELINES
               if part in (row := rows.get(name, {})))


def _answer(version: Version, every: dict[str, Rows]) -> list[str]:
    """In how many ranges slice is best, and the preset `paper` behind."""
    best = [not _leads(rows, part) for rows in every.values()
            for part in rows.get("slice", {}) if len(rows) > 1]
    behind = [_is_behind(rows, part) for rows in every.values()
              for part in rows.get(PAPER, {})]
    return [*([f"slice has the least error of the methods here, or one within "
               f"{100 * TIE:.1f} points of it, in {sum(best)} of {len(best)} "
               "ranges."] if best else []),
            *([f"The preset `paper` is more than {100 * TIE:.1f} points behind "
               f"{listed(BASELINES, 'or')} in {sum(behind)} of {len(behind)} "
               f"ranges{_fewer_rows(version, every)}."] if behind else [])]


def _fewer_rows(version: Version, every: dict[str, Rows]) -> str:
    """Where the others learned from more than the preset `paper` did."""
    sets = [data for data in every if data in version.compared]
    return (f"; on {listed(sets)} it trained on fewer rows than they did"
            if sets and version.size.rows else "")


def _compared_sentence(version: Version, every: dict[str, Rows]) -> str:
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


def _drawn(rows: Rows) -> list[str]:
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


def _sentence(data: str, rows: Rows, parts: list[str]) -> str:
    """Where slice is best, who is better, and where slice errs most."""
    if len(rows) < 2:
        return f"On {data} only {listed(list(rows))} ran."
    own = {part: mean(one) for part, one in rows.get("slice", {}).items()}
    better = [_ahead(part, list(leads), max(leads.values())) for part in parts
              if part in own and (leads := _leads(rows, part))]
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


def _behind_sentence(rows: Rows, parts: list[str]) -> str:
    """Where a method that learns little is ahead of the preset `paper`."""
    of = rows.get(PAPER, {})
    behind = [part for part in parts if part in of and _is_behind(rows, part)]
    return (f" The preset `paper` is more than {100 * TIE:.1f} points behind "
            f"{listed(BASELINES, 'or')} in {len(behind)} of {len(of)} ranges."
            if of else "")


def _missing(version: Version) -> list[str]:
    if version.compared:
        return ["Some methods of [results.md](results.md) have no row here: the "
                "figures by degree of their runs were not kept."]
    return [f"Only {listed(BASELINES)} are beside slice. `--comparison DIR` "
            "adds every method whose reports `slice-trainer compare` left in "
            "that folder."]


STUDIES = [
    Study(8, "degree", "Error by degree",
          "How does the error depend on how connected the ends are? A link "
          "belongs to the degree of its less connected end. The AUROC is that "
          "on the published negatives of test, and the error is 100 less the "
          "AUROC in percent. *slice* alone is its preset `default`.",
          _cells, _part),
]
