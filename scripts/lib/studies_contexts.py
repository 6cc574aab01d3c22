"""Study 3: the length and the number of contexts, and what they cost."""

from itertools import product

from presets_page import table
from studies_cells import Cell, Found, Part, Study, Version, scored
from studies_charts import LinePanel, Panel, Series, chart
from studies_compare import Setting, by_seed, dot, seed_counts, values
from studies_words import (
    extremes,
    listed,
    mean,
    percent,
    plain,
    seeds_remark,
)

Choice = tuple[str, int]  # strategy, contexts per link


def _choices(version: Version) -> list[Choice]:
    size = version.size
    return [*product(size.fixed, (1,)),
            *product(size.drawn, size.contexts_per_link)]


def _setting(choice: Choice, length: int) -> Setting:
    strategy, number = choice
    return Setting(f"{strategy}, {number} × {length} nodes", "paper",
                   (f"--context {strategy}", f"--contexts-per-link {number}",
                    f"--max-context-nodes {length}"))


def _settings(version: Version) -> list[Setting]:
    return [_setting(choice, length) for choice in _choices(version)
            for length in version.size.context_nodes]


def _cells(version: Version) -> list[Cell]:
    trained = [cell for setting in _settings(version)
               for cell in setting.cells(version)]
    return [one for cell in trained for one in (cell, scored(cell))]


def _speeds(version: Version, found: Found, choice: Choice, length: int,
            data: str) -> list[float]:
    """Contexts per second when test links are scored."""
    setting = _setting(choice, length)
    links = by_seed(version, found,
                    lambda seed: scored(setting.cell(version, data, seed)),
                    "links_per_second")
    return [choice[1] * one for one in links.values()]


def _table(version: Version, found: Found) -> list[str]:
    rows = []
    for data in version.sets:
        for choice in _choices(version):
            for length in version.size.context_nodes:
                setting = _setting(choice, length)
                auroc = values(version, found, setting, data, "auroc")
                if auroc:
                    rows.append([
                        data, choice[0], str(choice[1]), str(length),
                        percent(auroc),
                        plain(values(version, found, setting, data,
                                     "cpu_seconds"), 0),
                        plain(_speeds(version, found, choice, length, data),
                              0)])
    return list(table(["", "strategy", "contexts a link", "nodes at most",
                       "AUROC, %", "fit, processor seconds",
                       "contexts scored a second"],
                      rows)) if rows else []


def _panels(version: Version, found: Found, data: str) -> list[Panel]:
    quality, cost = [], []
    for choice in _choices(version):
        name = f"{choice[0]}, {choice[1]} a link"
        points = {length: values(version, found, _setting(choice, length),
                                 data, "auroc")
                  for length in version.size.context_nodes}
        speeds = {length: _speeds(version, found, choice, length, data)
                  for length in version.size.context_nodes}
        quality.append(Series(name, [(length, *dot(one))
                                     for length, one in points.items() if one]))
        cost.append(Series(name, [(length, *dot(one, 1))
                                  for length, one in speeds.items() if one]))
    panels: list[Panel] = []
    if any(series.points for series in quality):
        panels.append(LinePanel(f"{data}: quality", "nodes of a context at most",
                                "AUROC, %", quality))
    if any(series.points for series in cost):
        panels.append(LinePanel(f"{data}: speed of scoring",
                                "nodes of a context at most", "contexts/s",
                                cost, log_y=True))
    return panels


def _part(version: Version, found: Found) -> Part:
    panels = [panel for data in version.sets
              for panel in _panels(version, found, data)]
    settings = _settings(version)
    return Part(
        table=_table(version, found),
        plot=chart("Contexts: quality and cost", panels) if panels else "",
        sentences=_sentences(version, found, settings),
        missing=["Strategies that do not draw (`shortest`, `pattern`) have one "
                 "context for each link, so they have no row for more."])


def _sentences(version: Version, found: Found,
               settings: list[Setting]) -> list[str]:
    best_of, cheap_of = [], []
    for data in version.sets:
        quality = {setting.label: mean(one) for setting in settings
                   if (one := values(version, found, setting, data, "auroc"))}
        seconds = {setting.label: mean(one) for setting in settings
                   if (one := values(version, found, setting, data,
                                     "cpu_seconds"))}
        if not quality:
            continue
        _, best = extremes(quality)
        best_of.append(f"{best} on {data} ({100 * quality[best]:.2f} %)")
        if not seconds:
            continue
        cheap, dear = extremes(seconds)
        below = ("which is also the best" if cheap == best else
                 f"{100 * (quality[best] - quality[cheap]):.2f} points of AUROC "
                 "below the best")
        cheap_of.append(f"On {data} the cheapest training is that of {cheap} "
                        f"({seconds[cheap]:.0f} s), {below}; the dearest is "
                        f"that of {dear} ({seconds[dear]:.0f} s).")
    if not best_of:
        return []
    return [f"The highest mean AUROC is that of {listed(best_of)}.",
            *(cheap_of or ["The time of no training is known."]),
            *filter(None, [seeds_remark(seed_counts(version, found, settings))
                           .strip()])]


STUDIES = [
    Study(3, "contexts", "Contexts",
          "How long and how many should the contexts of a link be, and what do "
          "they cost? The preset is `paper`. Times are processor time of one "
          "thread: of `fit` with all its steps, and of `slice-trainer score` "
          "on the test links, less that of one link, which is the time of "
          "reading the bundle.", _cells, _part),
]
