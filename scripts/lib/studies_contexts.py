"""Study 3: the length and the number of contexts, and what they cost."""

from itertools import product

from presets_page import table
from studies_cells import Cell, Found, Part, Study, Version, scored
from studies_charts import LinePanel, Panel, Series, chart
from studies_compare import (
    Setting,
    by_seed,
    differences,
    dot,
    seed_counts,
    values,
)
from studies_words import (
    extremes,
    listed,
    mean,
    percent,
    plain,
    points,
    seeds_remark,
)

NEAR = 0.005  # of AUROC: as good as the best
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
    """Test links that are scored in a second."""
    setting = _setting(choice, length)
    return list(by_seed(version, found, lambda seed: scored(
        setting.cell(version, data, seed)), "links_per_second").values())


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
                        *(plain([times * one for one in _speeds(
                            version, found, choice, length, data)], 0)
                          for times in (1, choice[1]))])
    return list(table(["", "strategy", "contexts a link", "nodes at most",
                       "AUROC, %", "fit, processor seconds",
                       "links scored a second",
                       "contexts scored a second"],
                      rows)) if rows else []


def _panels(version: Version, found: Found, data: str) -> list[Panel]:
    quality, cost = [], []
    for choice in _choices(version):
        name = f"{choice[0]}, {choice[1]} a link"
        aurocs = {length: values(version, found, _setting(choice, length),
                                 data, "auroc")
                  for length in version.size.context_nodes}
        speeds = {length: _speeds(version, found, choice, length, data)
                  for length in version.size.context_nodes}
        quality.append(Series(name, [(length, *dot(one))
                                     for length, one in aurocs.items() if one]))
        cost.append(Series(name, [(length, *dot(one, 1))
                                  for length, one in speeds.items() if one]))
    panels: list[Panel] = []
    if any(series.points for series in quality):
        panels.append(LinePanel(f"{data}: quality", "nodes of a context at most",
                                "AUROC, %", quality))
    if any(series.points for series in cost):
        panels.append(LinePanel(f"{data}: speed of scoring",
                                "nodes of a context at most", "links/s",
                                cost, log_y=True))
    return panels


def _part(version: Version, found: Found) -> Part:
    panels = [panel for data in version.sets
              for panel in _panels(version, found, data)]
    settings = _settings(version)
    return Part(
        table=_table(version, found),
        plot=chart("Contexts: quality and cost", panels) if panels else "",
        answer=_effect_sentences(version, found),
        sentences=_sentences(version, found, settings),
        missing=["Strategies that do not draw (`shortest`, `pattern`) have one "
                 "context for each link, so they have no row for more.",
                 *_untimed(version, found),
                 *_not_run(version, found)])


def _untimed(version: Version, found: Found) -> list[str]:
    """The settings that trained and have no time."""
    gone = [f"{setting.label} on {data}" for data in version.sets
            for setting in _settings(version)
            if values(version, found, setting, data, "auroc")
            and not values(version, found, setting, data, "cpu_seconds")]
    return (["A dash in place of a time: the training was interrupted and went "
             f"on later, or ran on another machine ({'; '.join(gone)})."]
            if gone else [])


def _not_run(version: Version, found: Found) -> list[str]:
    """The settings without a training, by set."""
    gone = {data: [setting.label for setting in _settings(version)
                   if not values(version, found, setting, data, "auroc")]
            for data in version.sets}
    return [f"Not run on {data}: {'; '.join(labels)}."
            for data, labels in gone.items() if labels]


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
        best_of.append(f"on {data} {best} ({100 * quality[best]:.2f} %)")
        near = {label: seconds[label] for label, one in quality.items()
                if label in seconds and quality[best] - one <= NEAR}
        if near:
            cheap, (_, dear) = extremes(near)[0], extremes(seconds)
            against = ("" if dear == cheap else
                       f", against {seconds[dear]:.0f} s of the dearest whose "
                       f"time is known, {dear}")
            cheap_of.append(f"on {data} {cheap} ({seconds[cheap]:.0f} s"
                            f"{against})")
    if not best_of:
        return []
    ran = listed([*version.size.fixed, *version.size.drawn])
    return [f"The best settings of the strategies {ran}: {'; '.join(best_of)}. "
            f"{_paths_sentence(version, found, settings)}",
            (f"The cheapest ones within {100 * NEAR:.1f} points of them: "
             f"{'; '.join(cheap_of)}." if cheap_of else
             "The time of no training is known."),
            *filter(None, [seeds_remark(seed_counts(version, found, settings))
                           .strip()])]


def _paths_sentence(version: Version, found: Found,
                    settings: list[Setting]) -> str:
    """Where the strategy that only study 1 has is ahead of all of these."""
    paths = Setting("paths", "paper", ("--context paths",))
    ahead = [f"on {data} ({100 * mean(one):.2f} %)" for data in version.sets
             if (one := values(version, found, paths, data, "auroc"))
             and mean(one) > max((mean(other) for setting in settings if (
                 other := values(version, found, setting, data, "auroc"))),
                 default=1)]
    return ("The strategy *paths*, of study 1, has a higher AUROC than all of "
            f"these {listed(ahead)}." if ahead else
            "Study 1 also has the strategy *paths*.")


def _effect_sentences(version: Version, found: Found) -> list[str]:
    """What longer and what more contexts change, over pairs of settings that
    differ in nothing else."""
    lengths, numbers = version.size.context_nodes, version.size.contexts_per_link
    longer = [((choice, lengths[0]), (choice, lengths[-1]))
              for choice in _choices(version)]
    more = [(((strategy, numbers[0]), length), ((strategy, numbers[-1]), length))
            for strategy in version.size.drawn for length in lengths]
    sentences: list[str] = []
    for what, pairs in (
            (f"{lengths[-1]} nodes instead of {lengths[0]}", longer),
            (f"{numbers[-1]} contexts of a link instead of {numbers[0]}", more)):
        changes = [points(mean(one)) + f" on {data}" for data in version.sets
                   if (one := [mean(change) for first, second in pairs if (
                       change := differences(version, found, _setting(*second),
                                             _setting(*first), data))])]
        if changes:
            sentences.append(
                f"{what} change the AUROC by {listed(changes)}"
                + (" (points; mean over pairs of the same seed that differ in "
                   "nothing else)." if not sentences else "."))
    return sentences


STUDIES = [
    Study(3, "contexts", "Contexts",
          "How long and how many should the contexts of a link be, and what do "
          "they cost? The preset is `paper`. Times are processor time of one "
          "thread: of `fit` with all its steps, and of `slice-trainer score` "
          "on the test links, less that of one link, which is the time of "
          "reading the bundle. So each row is two cells. Each time was measured "
          "once for each seed, beside other programs, and may be off by a "
          "quarter.", _cells, _part),
]
