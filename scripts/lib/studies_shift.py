"""Study 7: how similar the two ends are before and after the contextual
translation, for links and for non-links."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from presets_page import table
from studies_cells import Cell, Figures, Found, Part, Study, Version, explained
from studies_charts import BarPanel, Panel, RowPanel, chart
from studies_compare import Setting
from studies_vectors import auroc
from studies_words import (
    extremes,
    mean,
    percent,
    plain,
    seeds_remark,
)

BINS = 20  # over what is left of the values without their tails
NARROWEST = 0.002  # of a histogram: less is rounding
TAIL = 0.01  # of the values, at each end; they count in the outer bins
WHOLE = Setting("whole", "paper")


@dataclass(frozen=True)
class Similarities:
    """Of one run: how similar the ends are."""

    links: list[float]
    non_links: list[float]

    def bounds(self) -> tuple[float, float]:
        """Of the histograms."""
        ordered = sorted([*self.links, *self.non_links])
        cut = int(TAIL * len(ordered))
        low, high = ordered[cut], ordered[-1 - cut]
        return min(low, high - NARROWEST), high

    def is_flat(self) -> bool:
        """Whether all are equal up to rounding."""
        every = [*self.links, *self.non_links]
        return max(every) - min(every) <= NARROWEST

    def histograms(self) -> tuple[list[float], list[float]]:
        """Of links and of non-links, in equal bins."""
        bounds = self.bounds()
        return (histogram(self.links, *bounds),
                histogram(self.non_links, *bounds))

    def auroc(self) -> float:
        """How well the similarity tells links from non-links; below a half,
        non-links are the more similar."""
        return auroc(self.links, self.non_links) or 0.0

    def overlap(self) -> float:
        """The area that the histograms share: 0 apart, 1 equal."""
        return sum(map(min, *self.histograms()))

    def overlap_by_chance(self) -> float:
        """What the histograms would share if both were samples of one
        distribution. In a bin of probability p the shares of n and m values
        differ by sqrt(2 / pi * p (1 - p) (1 / n + 1 / m)) on average, and half
        of all differences is not shared."""
        n, m = len(self.links), len(self.non_links)
        both = histogram([*self.links, *self.non_links], *self.bounds())
        return 1 - sum(math.sqrt(p * (1 - p) * (1 / n + 1 / m) / math.tau)
                       for p in both)


def histogram(values: Sequence[float], low: float,
              high: float) -> list[float]:
    """The shares of values in equal bins. What is out of the bounds is in the
    outer bins."""
    counts = [0] * BINS
    for value in values:
        at = int((value - low) / (high - low) * BINS)
        counts[min(BINS - 1, max(0, at))] += 1
    return [count / max(len(values), 1) for count in counts]


def _compgcn(version: Version, data: str, seed: int) -> Cell:
    return version.baseline(data, seed, "compgcn", *version.size.compgcn)


def _node2vec(version: Version, data: str, seed: int) -> Cell:
    return version.baseline(data, seed, "node2vec")


def _slice(version: Version, data: str, seed: int) -> Cell:
    return explained(WHOLE.cell(version, data, seed))


def _cells(version: Version) -> list[Cell]:
    return [cell for data in version.sets for seed in version.seeds
            for cell in (_node2vec(version, data, seed),
                         WHOLE.cell(version, data, seed),
                         _slice(version, data, seed),
                         _compgcn(version, data, seed))]


def _of_vectors(figures: Figures) -> Similarities | None:
    found = figures.get("cosines")
    return Similarities(found["links"], found["non_links"]) if found else None


def _of_layer(layer: int, figures: Figures) -> Similarities:
    return Similarities(*([row[layer] for row in
                           figures["layer_cosines"][kind]]
                          for kind in ("links", "non_links")))


def _of_score(figures: Figures) -> Similarities:
    return Similarities(figures["scores"]["links"],
                        figures["scores"]["non_links"])


BEFORE, AFTER, SCORE = "paper, tokens", "paper, last layer", "paper, score"
SOURCES: Mapping[str, tuple[Callable[[Version, str, int], Cell],
                            Callable[[Figures], Similarities | None]]] = {
    "node2vec": (_node2vec, _of_vectors),
    "CompGCN": (_compgcn, _of_vectors),
    BEFORE: (_slice, lambda figures: _of_layer(0, figures)),
    AFTER: (_slice, lambda figures: _of_layer(-1, figures)),
    SCORE: (_slice, _of_score),
}


def _runs(version: Version, found: Found,
          data: str) -> dict[str, list[Similarities]]:
    """{source: its similarities by seed}"""
    runs: dict[str, list[Similarities]] = {}
    for name, (make, read) in SOURCES.items():
        for seed in version.seeds:
            figures = found.get(make(version, data, seed))
            similar = None if figures is None else read(figures)
            if similar is not None and similar.links and similar.non_links:
                runs.setdefault(name, []).append(similar)
    return runs


def _part(version: Version, found: Found) -> Part:
    rows: list[list[str]] = []
    panels: list[Panel] = []
    sentences: list[str] = []
    counts: list[int] = []
    chance: list[float] = []
    flat: list[bool] = []  # by set: whether the last layer makes all alike
    answer: list[str] = []
    told: list[bool] = []  # by set: whether the score tells more than the tokens
    for data in version.sets:
        runs = _runs(version, found, data)
        if not runs:
            continue
        counts += [len(one) for one in runs.values()]
        rows += [[data, name, percent([run.overlap() for run in of], 1),
                  percent([run.auroc() for run in of], 1),
                  plain([mean(run.links) for run in of], 3),
                  plain([mean(run.non_links) for run in of], 3)]
                 for name, of in runs.items()]
        panels.append(RowPanel(
            f"{data}: how much links and non-links overlap",
            [_bars(name, of[0]) for name, of in runs.items()]))
        flat.append(_ends_alike(runs))
        told.append(_score_tells(runs))
        sentences.append(_sentence(data, runs)
                         + _own_score(version, found, data))
        chance += [run.overlap_by_chance() for of in runs.values()
                   for run in of if not run.is_flat()]
    if chance:
        if all(flat):
            answer = ["No: the layers move all ends together, those of non-links "
                      "too.",
                      *(["The score, a projection of all layers, does tell links "
                         "apart better than the tokens do."] if all(told)
                        else [])]
        sentences.append(
            "Links and non-links that do not differ would overlap by "
            f"{100 * min(chance):.0f} to {100 * max(chance):.0f} % in samples of "
            "this size, not by 100. The plot has the first seed that ran."
            + seeds_remark(counts))
    heads = ["", "similarity", "overlap, %", "AUROC, %", "mean of links",
             "mean of non-links"]
    return Part(list(table(heads, rows)) if rows else [],
                chart("Similarity of the two ends, links and non-links", panels)
                if panels else "", sentences, answer=answer)


def _ends_alike(runs: dict[str, list[Similarities]]) -> bool:
    """Whether all ends point the same way after the last layer."""
    return AFTER in runs and all(run.is_flat() for run in runs[AFTER])


def _score_tells(runs: dict[str, list[Similarities]]) -> bool:
    """Whether the score tells links from non-links better than the tokens."""
    if not {SCORE, BEFORE} <= runs.keys():
        return False
    score, tokens = (mean([run.auroc() for run in runs[name]])
                     for name in (SCORE, BEFORE))
    return score > tokens + 0.01


def _bars(name: str, run: Similarities) -> BarPanel:
    return BarPanel(f"{name}: {100 * run.overlap():.0f} %",
                    "logit" if name == SCORE else "cosine",
                    *run.bounds(), *run.histograms())


def _sentence(data: str, runs: dict[str, list[Similarities]]) -> str:
    overlaps = {name: mean([run.overlap() for run in of])
                for name, of in runs.items()}
    aurocs = {name: mean([run.auroc() for run in of])
              for name, of in runs.items()}
    least, _ = extremes({name: one for name, one in overlaps.items()
                         if name != SCORE})
    text = (f"On {data} {least} {'has' if least == 'CompGCN' else 'have'} the "
            "least overlap of the cosines of links and non-links "
            f"({100 * overlaps[least]:.0f} %)"
            + (", but the wrong way round: non-links are the more similar."
               if aurocs[least] < 0.5 else "."))
    if BEFORE not in overlaps:
        return text
    if _ends_alike(runs):
        text += (" After the last layer all ends point the same way: no two "
                 f"cosines differ by more than {NARROWEST:g} (AUROC "
                 f"{100 * aurocs[AFTER]:.0f} %).")
    elif aurocs[AFTER] > aurocs[BEFORE] + 0.01:
        text += (" The last layer tells links from non-links better than the "
                 f"tokens do ({_both(aurocs, BEFORE, AFTER)}).")
    else:
        text += (" The last layer does not tell links from non-links better "
                 f"than the tokens do ({_both(aurocs, BEFORE, AFTER)}).")
    better = "better" if _score_tells(runs) else "no better"
    return text + (" The score, a projection of all layers, tells them apart "
                   f"{better} than the tokens do "
                   f"({_both(aurocs, BEFORE, SCORE)}).")


def _own_score(version: Version, found: Found, data: str) -> str:
    """How well CompGCN tells links apart by its score, as slice does by its."""
    ran = [figures["auroc"] for seed in version.seeds if (
        figures := found.get(_compgcn(version, data, seed))) is not None]
    return (f" By its own score CompGCN has an AUROC of {100 * mean(ran):.0f} % "
            "on all test rows of this page." if ran else "")


def _both(aurocs: Mapping[str, float], one: str, other: str) -> str:
    """From the tokens to what comes after them."""
    return (f"AUROC {100 * aurocs[one]:.0f} % before, "
            f"{100 * aurocs[other]:.0f} % after")


STUDIES = [
    Study(7, "shift", "Similarity shift",
          "Does the network move the ends of links together, and those of "
          "non-links apart? A sample of test has 300 links and 300 non-links; "
          "every row compares their two ends. The rows of node2vec and CompGCN "
          "have the cosine of their vectors, which learn from train links "
          "alone. Elsewhere node2vec is scored by the dot product, which also "
          "sees how long a vector is. *Tokens* and *last layer* are cosines in the network of "
          "slice (preset `paper`), before its first layer and after its last "
          "one. CompGCN scores by DistMult with a vector for each relation, so that its "
          "cosine need not be high for links. The score of slice is the dot "
          "product of the projected layers, a logit and no cosine. The overlap "
          f"is the area that both histograms of {BINS} bins share. The AUROC "
          "is that of the similarity: below 50 % non-links are the more "
          "similar.", _cells, _part),
]
