"""Study 2: whether the published table comes out, with its leak and without."""

from collections.abc import Callable, Sequence

from presets_page import table
from studies_cells import Cell, Found, Part, Study, Version
from studies_charts import DotPanel, Panel, chart
from studies_compare import Setting, by_seed, dot, values
from studies_sizes import FULL
from studies_words import listed, mean, percent, points, seeds_remark

# As the paper spells it: slice itself trains another preset by default.
METHOD = "SLiCE"
# Table 3 of the paper: AUROC and F1, in percent.
PUBLISHED = {
    METHOD: {"amazon": (99.02, 96.00), "dblp": (96.69, 90.70),
             "freebase": (96.41, 90.26), "twitter": (95.73, 89.30)},
    "node2vec": {"amazon": (94.48, 88.06), "dblp": (93.87, 86.71),
                 "freebase": (89.77, 83.69), "twitter": (80.48, 72.72)},
}
# AUROC in percent, of table 3 too.
PUBLISHED_VARIANTS = {
    "whole": {data: auroc for data, (auroc, _) in PUBLISHED[METHOD].items()},
    "without global features": {"amazon": 62.87, "dblp": 57.52,
                                "freebase": 55.31, "twitter": 66.69},
    "without fine-tuning": {"amazon": 98.66, "dblp": 96.07,
                            "freebase": 96.33, "twitter": 90.38},
}
MEASURES = {"auroc": 0, "f1": 1}
LEAKY = Setting("leaky", "paper-leaky", in_full=True)
HONEST = Setting("leak-free", "paper", in_full=True)
NEAR = 1.5  # points of AUROC within which a published figure comes out

Values = Callable[[str, str], list[float]]  # of a set and a measure, by seed


def _sets(version: Version) -> list[str]:
    return [data for data in version.sets if data in PUBLISHED[METHOD]]


def _leak(data: str, seed: int) -> Cell:
    return Cell("leak", data, seed)


def _cells(version: Version) -> list[Cell]:
    return [cell for data in _sets(version) for seed in version.seeds
            for cell in (HONEST.cell(version, data, seed),
                         LEAKY.cell(version, data, seed), _leak(data, seed))]


def _rows(version: Version, found: Found) -> dict[str, dict[str, Values]]:
    """{method: {"leaky": figures, "leak-free": figures}}"""
    def node2vec(kind: str) -> Values:
        return lambda data, measure: list(by_seed(
            version, found, lambda seed: _leak(data, seed), kind,
            measure).values())

    def slice_of(setting: Setting) -> Values:
        return lambda data, measure: values(version, found, setting, data,
                                            measure)
    return {METHOD: {"leaky": slice_of(LEAKY), "leak-free": slice_of(HONEST)},
            "node2vec": {"leaky": node2vec("leaky"),
                         "leak-free": node2vec("honest")}}


def _part(version: Version, found: Found) -> Part:
    rows = _rows(version, found)
    ran = [data for data in _sets(version)
           if any(of(data, "auroc") for kinds in rows.values()
                  for of in kinds.values())]
    lines = [[method, data,
              " / ".join(f"{one:.2f}" for one in PUBLISHED[method][data]),
              *(_both(of, data) for of in kinds.values()),
              _gain_text(kinds, data)]
             for method, kinds in rows.items() for data in ran]
    heads = ["method", "", "published", "leaky", "leak-free",
             "leaky less leak-free, AUROC points"]
    return Part(
        table=list(table(heads, lines)) if lines else [],
        plot=chart("The published table, with the leak and without",
                   _panels(rows, ran)) if ran else "",
        answer=_answer(rows, ran),
        sentences=_sentences(rows, ran, _brief_remark(version)),
        missing=_missing(version))


def _both(of: Values, data: str) -> str:
    return f"{percent(of(data, 'auroc'))} / {percent(of(data, 'f1'))}"


def _gain_text(kinds: dict[str, Values], data: str) -> str:
    gain = _gain(kinds, data)
    return "–" if gain is None else points(gain)


def _gain(kinds: dict[str, Values], data: str) -> float | None:
    """The mean AUROC with the leak less that without."""
    leaky, honest = _means(kinds, data)
    return None if leaky is None or honest is None else leaky - honest


def _means(kinds: dict[str, Values],
           data: str) -> tuple[float | None, float | None]:
    """The mean AUROC with the leak, and without it."""
    leaky, honest = (kinds[kind](data, "auroc")
                     for kind in ("leaky", "leak-free"))
    return mean(leaky) if leaky else None, mean(honest) if honest else None


def _panels(rows: dict[str, dict[str, Values]],
            ran: Sequence[str]) -> list[Panel]:
    panels: list[Panel] = []
    for measure, column in MEASURES.items():
        shown: list[tuple[str, dict[str, tuple[float, float]]]] = []
        for method, kinds in rows.items():
            for data in ran:
                dots = {"published": (PUBLISHED[method][data][column], 0.0)}
                for kind, of in kinds.items():
                    if of(data, measure):
                        dots[kind] = dot(of(data, measure))
                shown.append((f"{method}, {data}", dots))
        name = "AUROC" if measure == "auroc" else "F1"
        panels.append(DotPanel(f"{name} on the published test rows",
                               f"{name}, %", shown, zero=False))
    return panels


def _brief_remark(version: Version) -> list[str]:
    if version.size.in_full["paper"] == FULL.in_full["paper"]:
        return []
    return ["The trainings are short here: compare the two columns, and not "
            "either of them with the published figures. Longer ones without the "
            "leak are in [paper.md](paper.md#the-preset-paper-leak-free)."]


def _answer(rows: dict[str, dict[str, Values]],
            ran: Sequence[str]) -> list[str]:
    """On how many sets the published figures come out, and what the leak
    explains."""
    gaps = [[abs(one - PUBLISHED[METHOD][data][0] / 100)
             for one in _means(rows[METHOD], data) if one is not None]
            for data in ran if _gain(rows[METHOD], data) is not None]
    if not gaps:
        return []
    leaky, honest = (sum(gap <= NEAR / 100 for gap in of)
                     for of in zip(*gaps, strict=True))
    nearer = _nearer_with_leak(rows, ran)
    return [f"With these tokens, of {len(gaps)} published AUROCs of {METHOD} {leaky} "
            f"{'comes' if leaky == 1 else 'come'} out within {NEAR} points with "
            f"the leak, and {honest} without it.",
            "The published AUROC is nearer to ours with the leak than without it "
            f"on {listed(nearer['node2vec'] or ['no set'])} for node2vec, and "
            f"on {listed(nearer[METHOD] or ['no set'])} for {METHOD}."]


def _sentences(rows: dict[str, dict[str, Values]], ran: Sequence[str],
               remark: list[str]) -> list[str]:
    sentences, counts = [], []
    for data in ran:
        leaky = rows[METHOD]["leaky"](data, "auroc")
        honest = rows[METHOD]["leak-free"](data, "auroc")
        counts += [len(leaky), len(honest)]
        if not leaky or not honest:
            continue
        published = PUBLISHED[METHOD][data][0] / 100
        gaps = [mean(leaky) - published, mean(honest) - published]
        sentences.append(
            f"On {data} {METHOD} lies {points(gaps[0])} points from the published "
            f"AUROC with the leak and {points(gaps[1])} without it"
            + _node2vec_clause(rows["node2vec"], data) + ".")
    if not sentences:
        return []
    return [*remark, *sentences,
            _explanation(rows, ran) + seeds_remark(counts)]


def _node2vec_clause(kinds: dict[str, Values], data: str) -> str:
    gain = _gain(kinds, data)
    if gain is None:
        return ""
    gap = mean(kinds["leaky"](data, "auroc")) - PUBLISHED["node2vec"][data][0] / 100
    return (f"; node2vec alone loses {100 * gain:.2f} points when the held-out "
            f"links leave its graph, and lies {points(gap)} points from its "
            "published AUROC with them")


def _explanation(rows: dict[str, dict[str, Values]],
                 ran: Sequence[str]) -> str:
    """What the figures say about the reason of the gap."""
    of_slice, of_node2vec = (
        [gain for data in ran
         if (gain := _gain(rows[method], data)) is not None]
        for method in (METHOD, "node2vec"))
    if not of_slice or not of_node2vec:
        return "The reason of the gap needs both methods."
    if mean(of_slice) <= 0:
        return (f"With the leak {METHOD} has {100 * -mean(of_slice):.2f} points "
                "less than without it, and node2vec has "
                f"{100 * mean(of_node2vec):.2f} more (means over the sets)."
                f"{_nearer_sentence(rows, ran)} A likely reason of the loss is that a "
                "train link sees itself, which no new link does; another preset "
                "was tested for that alone "
                "([leakage.md](leakage.md#8-what-a-leak-costs)).")
    share = mean(of_slice) / max(mean(of_node2vec), 1e-9)
    return (f"With the leak node2vec has {points(mean(of_node2vec))} points of "
            f"AUROC and {METHOD} {points(mean(of_slice))}. {METHOD} starts from "
            f"these vectors and so keeps {100 * share:.0f} % of their gain.")


def _nearer_with_leak(rows: dict[str, dict[str, Values]],
                      ran: Sequence[str]) -> dict[str, list[str]]:
    """{method: the sets on which the leak can explain its published AUROC}"""
    return {method: [data for data in ran if _is_nearer_with_leak(
        kinds, data, PUBLISHED[method][data][0] / 100)]
        for method, kinds in rows.items()}


def _nearer_sentence(rows: dict[str, dict[str, Values]],
                     ran: Sequence[str]) -> str:
    nearer = _nearer_with_leak(rows, ran)
    return ((" So the leak can explain the published figures of node2vec on "
             f"{listed(nearer['node2vec'])}, and those of {METHOD} nowhere.")
            if nearer["node2vec"] and not nearer[METHOD] else "")


def _is_nearer_with_leak(kinds: dict[str, Values], data: str,
                         published: float) -> bool:
    leaky, honest = _means(kinds, data)
    return (leaky is not None and honest is not None
            and abs(leaky - published) < abs(honest - published))


def _missing(version: Version) -> list[str]:
    others = [data for data in version.sets if data not in PUBLISHED[METHOD]]
    missing = ["Both presets give a token more than the paper does: its degree, "
               "its distance to the ends, its role and its relations. In study "
               "1 *plain tokens* lack these. So what comes out here without the "
               "leak is not the method as it was printed.",
               "Healthcare, the fifth set of the paper, is not public."]
    if others:
        missing.append(f"The paper has no figures of {listed(others)}.")
    return missing


STUDIES = [
    Study(2, "published", "The published table",
          "Does the published table come out? `paper-leaky` trains as it was "
          "published: node2vec and pre-training see the links of valid and "
          "test, and a train link sees itself. `paper` is the same network "
          "without the leak. Both rows *SLiCE* are these presets, whose tokens say "
          "more than those of the paper (see the end of this study). "
          "node2vec is measured by `slice-trainer leak`. "
          "AUROC / F1 in percent; the published figures are those of the "
          "paper's table 3. F1 is that of links, the positive class; the paper calls "
          "its own micro-F1. The threshold of F1 is chosen on valid for each "
          "relation, which need not be how the paper chose it; AUROC pools all "
          "relations, so that F1 can be the higher one. Valid and test are "
          "whole here, so "
          "that the same training has other figures than in studies that use "
          "a part of them.", _cells, _part),
]
