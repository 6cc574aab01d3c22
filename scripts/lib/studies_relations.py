"""Study 10: which relations contexts help."""

from dataclasses import replace

from presets_page import table
from studies_cells import Cell, Figures, Found, Part, Study, Version
from studies_charts import DotPanel, Panel, chart
from studies_compare import FEWEST_LINKS, Setting, dot
from studies_words import is_clear, mean, percent, points

NOTHING = 0.0005  # of AUROC: no relation gains or loses by contexts
MOST_RELATIONS = 24  # in the plot


def _setting(version: Version) -> Setting:
    return Setting("slice", "default", in_full=version.size.relations_in_full)


def _cells(version: Version) -> list[Cell]:
    return _setting(version).cells(version)


def _gains(version: Version, found: Found, data: str) -> dict[str, list[Figures]]:
    """{relation: its figures by seed} where both scorers were measured."""
    gains: dict[str, list[Figures]] = {}
    setting = _setting(version)
    for report in found.all([setting.cell(version, data, seed)
                               for seed in version.seeds]):
        for name, row in report["relations"].items():
            if (row["auroc"] is not None and row["structural"] is not None
                    and min(row["positives"], row["negatives"]) >= FEWEST_LINKS):
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


def _part(version: Version, found: Found) -> Part:
    rows, sentences = [], []
    panels: list[Panel] = []
    changes: list[list[float]] = []
    for data in version.sets:
        gains = _gains(version, found, data)
        if not gains:
            continue
        by_gain = sorted(gains, key=lambda name: -mean(
            _difference(gains[name])))
        rows += _rows(data, gains, by_gain)
        drawn = [name for name in by_gain if not _is_nothing(gains[name])]
        if drawn:
            panels.append(DotPanel(
                f"{data}: context − structural",
                "difference of the AUROC, points",
                [(f"relation {name}", {data: dot(_difference(gains[name]))})
                 for name in _both_ends(drawn)]))
        changes += map(_difference, gains.values())
        sentences.append(_sentence(data, gains, by_gain))
    if sentences:
        sentences.append(f"Relations with fewer than {FEWEST_LINKS} links or "
                         "non-links in test are left out.")
    heads = ["", "relation", "links", "structural", "context",
             "difference, points", "verdict"]
    return Part(list(table(heads, rows)) if rows else [],
                chart("Context minus structural, by relation", panels)
                if panels else "", sentences,
                answer=_answer(changes))


def _answer(changes: list[list[float]]) -> list[str]:
    """How many relations contexts help, over all sets."""
    if not changes:
        return []
    verdicts = list(map(_verdict, changes))
    helped, harmed, alike = map(verdicts.count, (
        "context helps", "context harms", "next to nothing"))
    return [f"Contexts change {alike} of {len(changes)} relations by less than "
            f"{100 * NOTHING:.2f} points.",
            f"They clearly help {helped} of the others and clearly harm "
            f"{harmed}." if max(map(len, changes)) > 1 else
            "One seed ran, so no difference of the others is tested."]


def _is_nothing(rows: list[Figures]) -> bool:
    return abs(mean(_difference(rows))) < NOTHING


def _rows(data: str, gains: dict[str, list[Figures]],
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


def _sentence(data: str, gains: dict[str, list[Figures]],
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
    Study(10, "relations", "Context by relation",
          "Which relations do contexts help? The table has the AUROC of the "
          "context scorer less that of the structural scorer of the same "
          "bundle (preset `default`). A difference is clear when its interval "
          "of 95 % over seeds (Student's t) leaves out zero.", _cells,
          _part),
]
