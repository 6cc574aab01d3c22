"""Study 9: the cost by the size of the graph, and whether it is linear."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from presets_page import table
from studies_cells import PLANTED, Cell, Found, Part, Study, Version, scored
from studies_charts import LinePanel, Panel, Series, chart
from studies_words import mean, plain, spread, student

# One epoch of each training over a share of the links; what looks at a fixed
# number of links is left out.
LOOKED_AT = "links"  # stands for the number of links that a training sees
TRAININGS: Mapping[str, tuple[str, ...]] = {
    "paper": ("--pretrain-epochs", "1", "--fine-tune-epochs", "1",
              "--fine-tune-positives", LOOKED_AT),
    "default": ("--structural-epochs", "1", "--structural-positives", LOOKED_AT,
                "--fine-tune-epochs", "1", "--fine-tune-positives", LOOKED_AT,
                "--scorer", "context", "--own-pair-links", "hide",
                "--walk-dim", "0", "--knowledge", "none",
                "--hard-questions", "0"),
}
RANK_CHANGES = 2_000_000  # links: FitOptions::SpectralRank


def _cell(version: Version, preset: str, links: int, seed: int) -> Cell:
    share = version.size.planted_share
    seen = "0" if share == 1 else str(links // share)  # 0: all
    training = [seen if flag == LOOKED_AT else flag
                for flag in TRAININGS[preset]]
    return Cell("fit", f"{PLANTED}{links}", seed,
                ("--preset", preset, "--walks-per-node",
                 version.size.planted_walks, *training))


def _cells(version: Version) -> list[Cell]:
    return [one for links in version.size.planted_links
            for seed in version.seeds for preset in TRAININGS
            for cell in [_cell(version, preset, links, seed)]
            for one in (cell, scored(cell))]


TOO_WIDE = 1  # of the interval of a power, which then says next to nothing


@dataclass(frozen=True)
class Slope:
    """Of log y over log x, with its interval of 95 %."""

    slope: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


def fitted(points: Sequence[tuple[float, float]]) -> Slope | None:
    """Least squares on logarithms; None with fewer than three points."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logs}) < 3:
        return None
    mean_x, mean_y = mean([x for x, _ in logs]), mean([y for _, y in logs])
    square = sum((x - mean_x) ** 2 for x, _ in logs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / square
    rest = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in logs)
    free = len(logs) - 2
    error = student(free) * math.sqrt(rest / free / square)
    return Slope(slope, slope - error, slope + error)


@dataclass(frozen=True)
class Run:
    """What the cells of one preset and size took, by seed."""

    links: float  # of the train file
    training: list[float]  # processor seconds
    link: list[float]  # microseconds of processor time
    peak: list[float]  # MiB


def _run(version: Version, found: Found, preset: str,
         size: int) -> Run | None:
    """None when no training of this size ran."""
    fits = [_cell(version, preset, size, seed) for seed in version.seeds]
    links = found.values(fits, "train_links")
    speeds = found.values([scored(cell) for cell in fits], "links_per_second")
    return Run(links[0], found.values(fits, "cpu_seconds"),
               [1e6 / speed for speed in speeds],
               found.values(fits, "peak_mib")) if links else None


def _share(version: Version) -> str:
    share = version.size.planted_share
    return ("all links" if share == 1 else
            f"one link in {share}; walks and pre-training start from every node")


def _part(version: Version, found: Found) -> Part:
    runs = {preset: [run for size in version.size.planted_links if (
        run := _run(version, found, preset, size)) is not None]
        for preset in TRAININGS}
    rows = [[preset, f"{run.links:,.0f}", plain(run.training, 0),
             plain([1e6 * one / run.links for one in run.training], 0),
             plain(run.link, 0), plain(run.peak, 0)]
            for preset, of in runs.items() for run in of]
    heads = ["preset", "train links", "training, processor seconds",
             "µs for each train link of the graph", "inference, µs of a link",
             "peak MiB"]
    return Part(list(table(heads, rows)) if rows else [],
                chart("Cost by the size of the graph", _panels(runs))
                if rows else "",
                [f"A training is one epoch over {_share(version)}.",
                 *_sentences(runs)] if rows else [], [
                    "What training does for a fixed number of links, however "
                    "large the graph, is left out: walk features, the ranking "
                    "network, the knowledge graph embedding.",
                    *_rank_remark(version)], _answer(runs))


def _rank_remark(version: Version) -> list[str]:
    return (["`default` lowers its spectral rank from 128 to 64 beyond 2 million "
             "train links, and to 32 beyond 8 million (`--spectral-rank`). So "
             "its power is that of the preset, and says nothing of a network "
             "that stays the same."]
            if max(version.size.planted_links) > RANK_CHANGES else [])


def _panels(runs: dict[str, list[Run]]) -> list[Panel]:
    training, link = (
        [Series(preset, [(run.links, mean(values), spread(values))
                         for run in of if (values := getattr(run, name))])
         for preset, of in runs.items()] for name in ("training", "link"))
    for series in training[:1]:
        first = series.points[:1]
        if first:
            training.append(Series(f"{series.name}, if linear", [
                (x, first[0][1] * x / first[0][0], 0.0)
                for x, _, _ in series.points], dashed=True))
    panels: list[Panel] = [LinePanel(
        "Training", "train links", "processor seconds", training,
        log_x=True, log_y=True)]
    if any(series.points for series in link):
        panels.append(LinePanel("Inference", "train links",
                                "µs of processor time of a link", link,
                                log_x=True))
    return panels


def _slope_of(of: list[Run], name: str) -> Slope | None:
    return fitted([(run.links, value) for run in of
                   for value in getattr(run, name)])


def _sentences(runs: dict[str, list[Run]]) -> list[str]:
    sentences = []
    for preset, of in runs.items():
        training, link = (_slope_of(of, name) for name in ("training", "link"))
        if training is None:
            if of:
                sentences.append(f"Fewer than three sizes of `{preset}` ran, so "
                                 "that no power is known.")
            continue
        text = _further_sentence(preset, of)
        if link is not None:
            text += (" The time to score a link grows to the power "
                     f"{_interval(link)}.")
        sentences.append(text)
    return sentences


def _answer(runs: dict[str, list[Run]]) -> list[str]:
    """The power of the training time of each preset."""
    slopes = {preset: _slope_of(of, "training") for preset, of in runs.items()}
    return [f"The training time of `{preset}` grows with the number of links to "
            f"the power {_interval(slope)}{_over_the_largest(runs[preset])}."
            for preset, slope in slopes.items() if slope is not None]


def _further_sentence(preset: str, of: list[Run]) -> str:
    """What a link more costs, from each size to the next."""
    steps = [1e6 * (mean(after.training) - mean(before.training))
             / (after.links - before.links)
             for before, after in itertools.pairwise(of)
             if after.training and before.training]
    return (f"With `{preset}` a further train link costs {min(steps):.0f} to "
            f"{max(steps):.0f} µs, from each size to the next." if steps else "")


def _verdict(training: Slope) -> str:
    wide = training.high - training.low > TOO_WIDE
    return ("linear cost (1) is within the interval"
            + (", which is too wide to tell more" if wide else "")
            if training.holds(1) else
            "it grows more slowly than the graph" if training.high < 1
            else "it grows faster than the graph")


def _over_the_largest(of: list[Run]) -> str:
    """The power where what does not grow with the graph weighs least."""
    largest = sorted(of, key=lambda run: run.links)[-3:]
    slope = _slope_of(largest, "training") if len(of) > len(largest) else None
    return ("" if slope is None else "; over the three largest graphs alone it "
            f"is {_interval(slope)}: {_verdict(slope)}")


def _interval(slope: Slope) -> str:
    text = f"{slope.slope:.2f} (95 %: {slope.low:.2f} to {slope.high:.2f})"
    return text.replace("-", "−")


STUDIES = [
    Study(9, "cost", "Cost",
          "Is the cost linear in the number of links, as the paper says? "
          "`slice-graph generate` plants graphs of 20 links per node. The time "
          "of a training is that of `slice-trainer fit`, with the reading of "
          "files and a small evaluation. Times are processor time of one "
          "thread. Each was measured once for each seed, beside other programs; "
          "a single one may be off by a quarter. Inference is that of the "
          "context scorer. The power is the slope of "
          "a line through the logarithms. What each run takes whatever the "
          "graph is weighs most in the smallest graphs, and lowers the power.",
          _cells,
          _part),
]
