"""Studies 1 and 4: what each part of the method is worth, and how many layers
and heads it needs."""

from collections.abc import Iterable

from studies_cells import PRESETS, Cell, Found, Part, Study, Version
from studies_charts import DotPanel, MapPanel, Panel, chart
from studies_compare import (
    Setting,
    auroc_table,
    differences,
    dot,
    values,
)
from studies_published import PUBLISHED_VARIANTS
from studies_words import clear_remark, extremes, listed, mean, points

WHOLE = {preset: Setting("whole", preset) for preset in ("paper", "default")}
ABLATIONS = [
    Setting("without global features", "paper", ("--without-global-features",)),
    Setting("without fine-tuning", "paper", ("--without-fine-tuning",)),
    Setting("without pre-training", "paper", ("--pretrain-epochs 0",)),
    Setting("contexts: random", "paper", ("--context random",)),
    Setting("contexts: pattern", "paper", ("--context pattern",)),
    Setting("contexts: paths", "paper", ("--context paths",)),
    Setting("plain tokens", "paper", ("--plain-tokens",)),
    Setting("without global features", "default",
            ("--without-global-features",)),
    Setting("without pre-training", "default", ("--pretrain-epochs 0",)),
    Setting("contexts: shortest", "default", ("--context shortest",)),
    Setting("contexts: random", "default", ("--context random",)),
    Setting("contexts: pattern", "default", ("--context pattern",)),
    Setting("plain tokens", "default", ("--plain-tokens",)),
]
SETTINGS = [*WHOLE.values(), *ABLATIONS]
DEPTHS = ("1", "2", "4")
NOTHING = 0.001  # of AUROC: a mean change that teaches nothing
LARGE = 0.1  # of AUROC: a change that would hide the others on one axis
CHANCE = 0.6  # of AUROC: a whole below it shows nothing that could be lost
PREFIX = "contexts: "  # of settings that change the strategy


def _ablation_cells(version: Version) -> list[Cell]:
    return [cell for setting in SETTINGS for cell in setting.cells(version)]


def _changes(version: Version, found: Found,
             setting: Setting) -> dict[str, list[float]]:
    """{set: by how much the AUROC changes against the whole, by seed}"""
    every = {data: differences(version, found, setting, WHOLE[setting.preset],
                               data) for data in version.sets}
    return {data: one for data, one in every.items() if one}


def _ablation_part(version: Version, found: Found) -> Part:
    by_preset = {
        preset: {setting.label: changes for setting in ABLATIONS
                 if setting.preset == preset
                 and (changes := _changes(version, found, setting))}
        for preset in WHOLE}
    panels = [panel for preset, by_setting in by_preset.items()
              if by_setting and not _is_nothing(by_setting)
              for panel in _ablation_panels(version, preset, by_setting)]
    return Part(
        table=auroc_table(version, found, SETTINGS),
        plot=chart("What each part of the method is worth", panels)
        if panels else "",
        sentences=[*_ablation_sentences(by_preset, _near_chance(version, found)),
                   *(_published_sentence(version, by_preset["paper"])
                   if panels else [])],
        answer=_ablation_answer(by_preset, _near_chance(version, found)),
        missing=["`default` without fine-tuning: `fit` refuses it, because "
                 "only the dot head can score before it is fine-tuned."])


def _ablation_panels(version: Version, preset: str,
                     by_setting: dict[str, dict[str, list[float]]]) -> list[Panel]:
    """Large changes have a panel, and so an axis, of their own."""
    large = {label for label, changes in by_setting.items()
             if max(abs(mean(one)) for one in changes.values()) > LARGE}
    smaller = by_setting.keys() - large
    return [DotPanel(f"preset {preset}: {what} changes",
                     "change of the AUROC, points",
                     [(label, {data: dot(one) for data, one in changes.items()})
                      for label, changes in by_setting.items()
                      if label in labels], series=list(version.sets))
            for what, labels in (("large", large), ("smaller", smaller))
            if labels]


def _published_sentence(version: Version,
                        here: dict[str, dict[str, list[float]]]) -> list[str]:
    sets = [data for data in version.sets if data in PUBLISHED_VARIANTS["whole"]]
    said = [f"{variant} {listed([f'{one[data]:.2f}' for data in sets])}"
            for variant, one in PUBLISHED_VARIANTS.items()]
    return [f"The paper printed these AUROC for {listed(sets)}, in its own "
            f"protocol: {listed(said)}.{_order_sentence(sets, here)}"
            ] if sets else []


def _order_sentence(sets: list[str],
                    here: dict[str, dict[str, list[float]]]) -> str:
    """Whether both of the paper's variants cost as much as in the paper."""
    variants = [name for name in PUBLISHED_VARIANTS if name != "whole"]
    if not all(here.get(name, {}).keys() >= set(sets) for name in variants):
        return ""
    paper = {name: mean([PUBLISHED_VARIANTS[name][data]
                         - PUBLISHED_VARIANTS["whole"][data]
                         for data in sets]) / 100 for name in variants}
    own = {name: mean([mean(here[name][data]) for data in sets])
           for name in variants}
    text = "".join(f" In the paper *{name}* changes the AUROC by "
                   f"{points(paper[name])} points (mean), here by "
                   f"{points(own[name])}." for name in variants)
    if extremes(paper) == extremes(own):
        return text
    return text + (
        " So the order is the reverse of the paper's; what can explain that is "
        "in [paper.md](paper.md#ablations-table-3).")


def _is_nothing(by_setting: dict[str, dict[str, list[float]]]) -> bool:
    return all(abs(mean(one)) < NOTHING for changes in by_setting.values()
               for one in changes.values())


def _reach(changes: dict[str, list[float]]) -> str:
    """Such as "−36.86 on amazon to −3.61 on dblp"."""
    means = {data: mean(one) for data, one in changes.items()}
    low, high = extremes(means)
    return (f"{points(means[low])} on {low}" if low == high else
            f"{points(means[low])} on {low} to {points(means[high])} on {high}")


def _near_chance(version: Version, found: Found) -> dict[str, dict[str, float]]:
    """{preset: {set: the AUROC of a whole that is near chance}}"""
    means = {preset: {data: mean(one) for data in version.sets if (
        one := values(version, found, whole, data, "auroc"))}
        for preset, whole in WHOLE.items()}
    return {preset: {data: one for data, one in of.items() if one < CHANCE}
            for preset, of in means.items()}


def _without(by_setting: dict[str, dict[str, list[float]]],
             sets: Iterable[str]) -> dict[str, dict[str, list[float]]]:
    left = {label: {data: one for data, one in changes.items()
                    if data not in sets}
            for label, changes in by_setting.items()}
    return {label: changes for label, changes in left.items() if changes}


def _left_out(near: dict[str, float]) -> str:
    names = [f"{data} ({100 * one:.1f} %)" for data, one in near.items()]
    return (f" Not counted here: {listed(names)}, where the whole is near "
            "chance." if names else "")


def _ablation_answer(by_preset: dict[str, dict[str, dict[str, list[float]]]],
                     near_chance: dict[str, dict[str, float]]) -> list[str]:
    """For each preset, what costs and what gains most."""
    answer = []
    for preset, every_set in by_preset.items():
        by_setting = _without(every_set, near_chance.get(preset, {}))
        means = {label: mean([mean(one) for one in changes.values()])
                 for label, changes in by_setting.items()}
        if not means:
            continue
        worst, best = extremes(means)
        answer.append(
            f"With `{preset}` no part is worth {100 * NOTHING:.1f} points on any "
            "set." if _is_nothing(every_set) else
            f"With `{preset}`, *{worst}* "
            f"{'gains least' if means[worst] > 0 else 'costs most'} "
            f"({points(means[worst])} points of AUROC, mean over the sets) and "
            f"*{best}* {'gains most' if means[best] > 0 else 'costs least'} "
            f"({points(means[best])}).")
    return answer


def _ablation_sentences(
        by_preset: dict[str, dict[str, dict[str, list[float]]]],
        near_chance: dict[str, dict[str, float]]) -> list[str]:
    sentences = []
    for preset, every_set in by_preset.items():
        near = near_chance.get(preset, {})
        by_setting = _without(every_set, near)
        means = {label: mean([mean(one) for one in changes.values()])
                 for label, changes in by_setting.items()}
        if not means:
            continue
        if _is_nothing(every_set):
            sentences.append(
                f"With `{preset}` no change moves the AUROC of any set by more "
                f"than {100 * NOTHING:.1f} points, so its plot is left out."
                + (" There the score is the structural score plus a term of the "
                   "context, and only that term was changed."
                   if preset == "default" else ""))
            continue
        worst, best = extremes(means)
        sentences.append(
            f"With `{preset}`, *{worst}* "
            f"{'gains least' if means[worst] > 0 else 'costs most'}: the AUROC "
            "changes by "
            f"{points(means[worst])} points (mean over "
            f"{listed(list(by_setting[worst]))}; "
            f"{_reach(by_setting[worst])}). *{best}* "
            f"{'gains most' if means[best] > 0 else 'costs least'}: "
            f"{points(means[best])} ({_reach(by_setting[best])})."
            + _pretraining_sentence(by_setting)
            + _strategy_sentence(preset, by_setting) + _left_out(near))
    every = [one for by_setting in by_preset.values()
             for changes in by_setting.values() for one in changes.values()]
    if every:
        sentences.append(clear_remark(every, "differences"))
    return sentences


def _pretraining_sentence(by_setting: dict[str, dict[str, list[float]]]) -> str:
    worth = [f"{points(-mean(one))} on {data}" for data, one in
             by_setting.get("without pre-training", {}).items()]
    return f" Pre-training is worth {listed(worth)}." if worth else ""


def _strategy_sentence(preset: str,
                       by_setting: dict[str, dict[str, list[float]]]) -> str:
    """The rank of the whole's strategy of contexts among all."""
    others = {label: changes for label, changes in by_setting.items()
              if label.startswith(PREFIX)}
    ranks = []
    for data in dict.fromkeys(data for changes in others.values()
                              for data in changes):
        gains = [mean(changes[data]) for changes in others.values()
                 if data in changes]
        ranks.append(f"{1 + sum(gain > 0 for gain in gains)} of "
                     f"{1 + len(gains)} on {data}")
    return (f" The preset cuts contexts by the strategy "
            f"{PRESETS[preset]['--context']}, which ranks {listed(ranks)}."
            if ranks else "")


def _count(number: str, thing: str) -> str:
    return f"{number} {thing}" if number == "1" else f"{number} {thing}s"


def _depth(layers: str, heads: str) -> Setting:
    return Setting(f"{_count(layers, 'layer')}, {_count(heads, 'head')}",
                   "paper",
                   (f"--layers {layers}", f"--heads {heads}"))


GRID = [[_depth(layers, heads) for heads in DEPTHS] for layers in DEPTHS]
PRESET_DEPTH = GRID[-1][-1]


def _depth_cells(version: Version) -> list[Cell]:
    return [cell for row in GRID for setting in row
            for cell in setting.cells(version)]


def _once(changes: list[list[float]]) -> str:
    return "" if any(len(one) > 1 for one in changes) else ", with one seed each"


def _depth_part(version: Version, found: Found) -> Part:
    panels: list[Panel] = []
    near = _near_chance(version, found)["paper"]
    winners = []
    ranges = []
    ranks = []  # of the preset's setting
    changes = []
    for data in version.sets:
        grid = [[values(version, found, setting, data, "auroc")
                 for setting in row] for row in GRID]
        means = {setting.label: mean(one) for names, row in zip(
            GRID, grid, strict=True) for setting, one in zip(
                names, row, strict=True) if one}
        if not means:
            continue
        panels.append(MapPanel(
            f"{data}: AUROC, %",
            [_count(layers, "layer") for layers in DEPTHS],
            [_count(heads, "head") for heads in DEPTHS],
            [[100 * mean(one) if one else None for one in row]
             for row in grid]))
        if data in near or len(means) < 2:
            continue
        worst, best = extremes(means)
        winners.append(f"on {data} {best} ({100 * means[best]:.2f} %)")
        ranges.append(f"{100 * (means[best] - means[worst]):.2f} on {data}")
        if own := means.get(PRESET_DEPTH.label):
            higher = sum(one > own for one in means.values())
            ranks.append(f"{higher + 1} of {len(means)} on {data}")
        changes += [one for row in GRID for setting in row
                    if setting != PRESET_DEPTH
                    and (one := differences(version, found, setting,
                                            PRESET_DEPTH, data))]
    settings = [setting for row in GRID for setting in row]
    return Part(
        table=auroc_table(version, found, settings),
        plot=chart("AUROC by layers and heads", panels) if panels else "",
        answer=[
            "The best and the worst setting differ by these points of AUROC: "
            f"{listed(ranges)}.",
            *([f"The setting of the preset ranks {listed(ranks)}{_once(changes)}."]
              if ranks else [])] if winners else [],
        sentences=[
            f"The best settings by AUROC: {'; '.join(winners)}.",
            *([_left_out(near).strip()] if near else []),
            clear_remark(changes, "differences from the preset's setting")]
        if winners else [])


STUDIES = [
    Study(1, "ablations", "Ablations",
          "What is each part of the method worth? Each row changes one thing; "
          "the whole `paper` has shortest contexts, the whole `default` paths. "
          "*Without global features* trains random vectors in the place of "
          "node2vec's. The AUROC is that of the context scorer on the "
          "published negatives of test.", _ablation_cells, _ablation_part),
    Study(4, "layers", "Layers and heads",
          "How deep and how wide must the attention be? The preset is `paper`, "
          "which has 4 layers and 4 heads of 64 numbers. Fewer heads "
          "also mean a narrower attention.", _depth_cells,
          _depth_part),
]
