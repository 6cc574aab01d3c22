"""Studies 1 and 4: what each part of the method is worth, and how many layers
and heads it needs."""

from studies_cells import Cell, Found, Part, Study, Version
from studies_charts import DotPanel, MapPanel, Panel, chart
from studies_compare import (
    Setting,
    auroc_table,
    differences,
    dot,
    values,
)
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
    panels: list[Panel] = [
        DotPanel(f"preset {preset}", "change of the AUROC, points",
                 [(label, {data: dot(one) for data, one in changes.items()})
                  for label, changes in by_setting.items()],
                 series=list(version.sets))
        for preset, by_setting in by_preset.items() if by_setting]
    return Part(
        table=auroc_table(version, found, SETTINGS),
        plot=chart("What each part of the method is worth", panels)
        if panels else "",
        sentences=_ablation_sentences(by_preset),
        missing=["`default` without fine-tuning: `fit` refuses it, because "
                 "only the dot head can score before it is fine-tuned."])


def _ablation_sentences(
        by_preset: dict[str, dict[str, dict[str, list[float]]]]) -> list[str]:
    sentences = []
    for preset, by_setting in by_preset.items():
        means = {label: mean([mean(one) for one in changes.values()])
                 for label, changes in by_setting.items()}
        if not means:
            continue
        worst, best = extremes(means)
        if max(map(abs, means.values())) < NOTHING:
            sentences.append(
                f"With `{preset}` no change moves the AUROC by more than "
                f"{100 * NOTHING:.1f} points. There the context scorer adds "
                "to the structural one, which these changes leave as it is.")
            continue
        sentences.append(
            f"With `{preset}`, *{worst}* has the lowest AUROC beside the whole "
            f"({points(means[worst])} points, seed by seed, mean over the sets "
            f"that ran) and *{best}* the highest ({points(means[best])}).")
    every = [one for by_setting in by_preset.values()
             for changes in by_setting.values() for one in changes.values()]
    if every:
        sentences.append(clear_remark(every, "differences"))
    return sentences


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


def _depth_part(version: Version, found: Found) -> Part:
    panels: list[Panel] = []
    winners = []
    ranges = []
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
        worst, best = extremes(means)
        winners.append(f"{best} on {data} ({100 * means[best]:.2f})")
        ranges.append(f"{100 * (means[best] - means[worst]):.2f} on {data}")
        changes += [one for row in GRID for setting in row
                    if setting != PRESET_DEPTH
                    and (one := differences(version, found, setting,
                                            PRESET_DEPTH, data))]
    settings = [setting for row in GRID for setting in row]
    return Part(
        table=auroc_table(version, found, settings),
        plot=chart("AUROC by layers and heads", panels) if panels else "",
        sentences=[
            f"The highest mean AUROC is that of {listed(winners)}.",
            "Between the best and the worst of the settings that ran lie "
            f"{listed(ranges)} points.",
            clear_remark(changes, "differences from the preset's setting")]
        if panels else [])


STUDIES = [
    Study(1, "ablations", "Ablations",
          "What is each part of the method worth? Each row changes one thing. "
          "*Without global features* trains random vectors in the place of "
          "node2vec's. The AUROC is that of the context scorer on the "
          "published negatives of test.", _ablation_cells, _ablation_part),
    Study(4, "layers", "Layers and heads",
          "How deep and how wide must the attention be? The preset is `paper`, "
          "which has 4 layers and 4 heads of 64 numbers.", _depth_cells,
          _depth_part),
]
