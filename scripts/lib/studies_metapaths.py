"""Study 5: what the network learned, as metapaths between the ends of links."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from presets_page import table
from studies_cells import (
    SAMPLE,
    Cell,
    Figures,
    Found,
    Part,
    Study,
    Version,
    explained,
)
from studies_charts import DotPanel, Panel, chart
from studies_compare import Setting
from studies_explained import LEAST
from studies_words import listed, mean, plain, seeds_remark, spread

# A network that has seen a few links at rates of almost zero is untrained.
STILL = ("--pretrain-epochs 0", "--fine-tune-epochs 1",
         "--fine-tune-positives 200", "--learning-rate 1e-7")
STILL_DEFAULT = (*STILL, "--structural-epochs 1", "--structural-positives 200",
                 "--structural-learning-rate 1e-7", "--knowledge none",
                 "--hard-questions 0", "--walk-dim 0", "--own-pair-links hide")
PRESETS = {"paper": (Setting("before", "paper", STILL),
                     Setting("after", "paper")),
           "default": (Setting("before", "default", STILL_DEFAULT),
                       Setting("after", "default"))}
STEP = " – "  # between the types of a metapath
TIMES = ("before", "after")
FEW = 150  # links of a sample with `default`, which has much evidence
MOST_RELATIONS, TOP = 4, 3
EQUAL = 0.03  # attention that differs by less names no first metapath
LITTLE = 0.1  # of the logit: a path whose absence changes less carries nothing
MEASURES = {"attention": "attention of the ends",
            "change": "fall of the logit without the path"}


def _sets(version: Version) -> list[str]:
    """The small version has the smallest set and that with node types."""
    if version.size.metapaths_everywhere:
        return list(version.sets)
    return list(dict.fromkeys([*version.sets[:1],
                               *filter(None, [version.case_set])]))


def _explained(version: Version, setting: Setting, data: str,
               seed: int) -> Cell:
    cell = setting.cell(version, data, seed)
    if setting == PRESETS["paper"][1]:
        return explained(cell)  # with the non-links of study 7
    return explained(cell, SAMPLE if setting.preset == "paper" else FEW, 0)


def _cells(version: Version) -> list[Cell]:
    return [cell for data in _sets(version) for seed in version.seeds
            for settings in PRESETS.values() for setting in settings
            for cell in (setting.cell(version, data, seed),
                         _explained(version, setting, data, seed))]


@dataclass
class Metapath:
    """One metapath of a relation: by measure, its values by seed."""

    relation: str
    name: str
    values: dict[str, list[float]]
    paths: int = 0  # that these values are means over

    def mean(self, measure: str) -> float:
        return mean(self.values[measure])


Metapaths = dict[str, Metapath]  # by name


def _learned(version: Version, found: Found, setting: Setting,
             data: str) -> dict[str, Metapaths]:
    """{relation: its metapaths}, of the relations with the most links."""
    ran: list[Figures] = [
        figures for seed in version.seeds if (figures := found.get(
            _explained(version, setting, data, seed))) is not None]
    asked: dict[str, int] = {}
    learned: dict[str, Metapaths] = {}
    for figures in ran:
        for relation, count in figures["asked"].items():
            asked[relation] = asked.get(relation, 0) + count
        for row in figures["metapaths"]:
            one = learned.setdefault(row["relation"], {}).setdefault(
                row["metapath"], Metapath(row["relation"], row["metapath"],
                                          {name: [] for name in MEASURES}))
            one.paths += row["paths"]
            for name in MEASURES:
                one.values[name].append(row[name])
    order = sorted(learned, key=lambda name: (-asked[name], name))
    return {name: learned[name] for name in order[:MOST_RELATIONS]}


def _ranked(metapaths: Metapaths, measure: str) -> list[Metapath]:
    return sorted(metapaths.values(),
                  key=lambda one: (-one.mean(measure), one.name))


def _part(version: Version, found: Found) -> Part:
    rows: list[list[str]] = []
    panels: list[Panel] = []
    sentences: list[str] = []
    places: list[FirstPlaces] = []
    counts: list[int] = []
    for data in _sets(version):
        for preset, settings in PRESETS.items():
            before, after = (_learned(version, found, setting, data)
                             for setting in settings)
            if not after:
                continue
            counts += [len(one.values["change"]) for metapaths in after.values()
                       for one in metapaths.values()]
            rows += [[data, preset, _with_types(relation, after[relation]),
                      *(_best(learned.get(relation, {}), measure)
                        for measure in MEASURES
                        for learned in (before, after))]
                     for relation in after]
            panels.append(_panel(f"{data}, preset {preset}", before, after))
            places.append(_first_places(before, after))
            sentences.append(_sentence(data, preset, before, after))
    heads = ["", "preset", "relation",
             *(f"by {what}, {time} training"
               for what in MEASURES.values() for time in TIMES)]
    if sentences:
        sentences.append(
            "The answer counts relations with several metapaths, where both "
            "measures tell these apart. "
            f"Metapaths with fewer than {LEAST} paths in the sample are left "
            "out." + seeds_remark(counts))
    return Part(list(table(heads, rows)) if rows else [],
                chart("What the network learned", panels) if panels else "",
                sentences, _missing(version),
                answer=_together(places).sentences())


def _best(metapaths: Metapaths, measure: str) -> str:
    return "<br>".join(
        f"{_shown(one.name)} ({plain(one.values[measure], 2)}; {one.paths})"
        for one in _ranked(metapaths, measure)[:TOP]) or "–"


def _with_types(relation: str, metapaths: Metapaths) -> str:
    """Such as "3 (paper – term)", where metapaths name the types of nodes."""
    types = next(iter(metapaths)).split(STEP)
    return (f"{relation} ({types[0]}{STEP}{types[-1]})" if len(types) > 1
            else _shown(relation))


def _shown(name: str) -> str:
    return name.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")


def _panel(title: str, before: dict[str, Metapaths],
           after: dict[str, Metapaths]) -> Panel:
    """The metapaths that carry most for each relation after training, and what
    they carried before."""
    rows: list[tuple[str, dict[str, tuple[float, float]]]] = []
    for relation, metapaths in after.items():
        for one in _ranked(metapaths, "change")[:TOP]:
            known = before.get(relation, {}).get(one.name)
            dots = {time: (learned.mean("change"),
                           spread(learned.values["change"]))
                    for time, learned in zip(TIMES, (known, one), strict=True)
                    if learned is not None}
            rows.append((_row_name(relation, one.name), dots))
    return DotPanel(title, MEASURES["change"], rows, series=list(TIMES))


def _row_name(relation: str, name: str) -> str:
    text = f"{relation}: {name}"
    return text if len(text) <= 56 else text[:55] + "…"


def _sentence(data: str, preset: str, before: dict[str, Metapaths],
              after: dict[str, Metapaths]) -> str:
    attention = [one.mean("attention") for metapaths in after.values()
                 for one in metapaths.values()]
    first = _first_places(before, after)
    best = max((_ranked(metapaths, "change")[0]
                for metapaths in after.values()),
               key=lambda one: one.mean("change"))
    most = best.mean("change")
    text = (f"On {data} with `{preset}` no metapath carries much "
            f"(less than {LITTLE:g}): without one of its paths the logit falls "
            f"by {max(most, 0):.2f} at most."
            if most < LITTLE else
            f"On {data} with `{preset}` the metapath that carries most is "
            f"{_shown(best.name)} of the relation "
            f"{_with_types(best.relation, after[best.relation])}: without one "
            f"of its paths the logit falls by {most:.2f} (mean of {best.paths} "
            "paths).")
    if max(attention) - min(attention) < EQUAL:
        return text + (" Attention hardly tells metapaths apart: all "
                       "metapaths of these relations, also those not shown, get "
                       f"between {min(attention):.2f} and "
                       f"{max(attention):.2f}.")
    if not first.several:
        return text
    if preset == "default":
        text += (" The fall is that of the structural score and of the context "
                 "together, and attention is of the context alone.")
    return " ".join([text, *first.sentences()])


@dataclass
class FirstPlaces:
    """Which metapath stands first, over relations with several metapaths."""

    several: int = 0  # such relations
    agreed: int = 0  # both measures put the same one first
    chance: float = 0  # so many would agree by chance
    known: int = 0  # of which the metapaths before training are known
    moved: int = 0  # training changed the first one by the logit

    def sentences(self) -> list[str]:
        if self.several == 0:
            return []
        text = (f"the same metapath first for {self.agreed} of {self.several} "
                f"relations; chance alone gives {self.chance:.2g}."
                if self.several > 1 else
                f"{'the same metapath' if self.agreed else 'different metapaths'} "
                "first for the one relation with several.")
        return [f"Attention and the change of the logit put {text}",
                *(["Training changed which one comes first by the logit for "
                   f"{self.moved} of {self.known} relations."]
                  if self.known > 1 else [])]


def _first_places(before: dict[str, Metapaths],
                  after: dict[str, Metapaths]) -> FirstPlaces:
    """Zeros where the metapaths are alike by one of the measures."""
    every = [one for metapaths in after.values() for one in metapaths.values()]
    attention = [one.mean("attention") for one in every]
    places = FirstPlaces()
    if (max(attention) - min(attention) < EQUAL
            or max(one.mean("change") for one in every) < LITTLE):
        return places
    for relation, metapaths in after.items():
        if len(metapaths) < 2:
            continue
        first = _ranked(metapaths, "change")[0].name
        places.several += 1
        places.agreed += _ranked(metapaths, "attention")[0].name == first
        places.chance += 1 / len(metapaths)
        if relation in before:
            places.known += 1
            places.moved += _ranked(before[relation], "change")[0].name != first
    return places


def _together(every: Sequence[FirstPlaces]) -> FirstPlaces:
    return FirstPlaces(*(sum(of) for of in zip(*map(astuple, every),
                                               strict=True)))


def _missing(version: Version) -> list[str]:
    missing = ["A context of `paper` holds nodes. So a path of `paper` is hidden "
               "by hiding the links of a node between the ends. Other paths "
               "through this node go too."]
    absent: Sequence[str] = [] if version.case_set else ["dblp"]
    if absent:
        missing.append(f"There is no set {listed(absent)}, which alone has node "
                       "types and the paper's metapaths.")
    return missing


STUDIES = [
    Study(5, "metapaths", "What it learned",
          "Which metapaths does a link rest on? A sample of test links (300 "
          "with `paper`, 150 with `default`) is explained by slice-server (FULL, "
          "[serving.md](serving.md#explanations)). The metapaths of each "
          "relation are ranked twice: by the attention that the ends pay to a "
          "path, and by how much the logit falls when the path is hidden. How "
          "often they come does not count; the table has the mean and, behind it, "
          "the number of paths. A metapath is the types of its nodes; where all "
          "nodes are of one type it is its relations, with `>` after one that is followed "
          "from source to target and `<` before one that is followed back. "
          "Attention is the share of an end's attention that a node or path "
          "gets, by rollout over the layers, the mean of both ends. \"Before "
          "training\" is a network that saw 200 links at a learning rate of "
          "1e-7, which leaves its first weights as they are.", _cells, _part),
]
