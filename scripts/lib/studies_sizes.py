"""How much of the studies runs: three sizes, of an hour, of a day or of many.

A size says how long trainings are, how many rows of valid and test they look
at, and how many settings a study has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

HOUR, DAY = 3600, 86400  # seconds


# The context scorer answers, so that a study of contexts measures contexts.
_PRESETS: Mapping[str, tuple[str, ...]] = {
    "paper": ("--full-evaluation",),
    "paper-leaky": ("--full-evaluation",),
    "default": ("--scorer", "context", "--full-evaluation"),
}


@dataclass(frozen=True)
class Size:
    """The defaults are those of the full size."""

    name: str
    sets: tuple[str, ...]
    rows: int | None  # of valid and of test, at most; None: all
    caution: str  # what the page says of such figures
    # Flags of `fit` by preset.
    trainings: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: _PRESETS)
    # Of the published table, and of `default` where relations are compared.
    in_full: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: _PRESETS)
    relations_in_full: bool = True
    context_nodes: tuple[int, ...] = (4, 6, 8, 12)
    contexts_per_link: tuple[int, ...] = (1, 5, 10)
    drawn: tuple[str, ...] = ("random", "walks")  # have several contexts
    fixed: tuple[str, ...] = ("shortest", "pattern")
    planted_links: tuple[int, ...] = (1_000_000, 2_000_000, 5_000_000,
                                      10_000_000, 20_000_000)
    planted_share: int = 1  # a training sees a link in so many
    planted_walks: str = "10"  # of node2vec from each node
    metapaths_everywhere: bool = True
    compgcn: tuple[str, ...] = ()  # flags of `baseline`


def _brief(steps: str, structural: str) -> Mapping[str, tuple[str, ...]]:
    """Trainings of few examples. In small batches `paper` learns most of what
    it can from them: on dblp 10,000 links in each of two epochs have an AUROC
    of 95.4 %, and 70.8 with 4,000 in batches of 512. `default` leaves out what
    it does for the same number of links on every graph."""
    words = (*steps.split(), "--batch-size", "32")
    return {"paper": words, "paper-leaky": words,
            "default": ("--scorer", "context", "--own-pair-links", "hide",
                        "--walk-dim", "0", "--knowledge", "none",
                        "--hard-questions", "0", *structural.split(), *words)}


_SHORT = _brief("--walks-per-node 4 --pretrain-epochs 1 --fine-tune-epochs 2 "
                "--fine-tune-positives 4000",
                "--structural-epochs 2 --structural-positives 4000")
_LEFT_OUT = ("`default` also leaves out what takes as long on every graph: walk "
             "features, the knowledge graph embedding and the ranking network. "
             "Its short trainings hide all links between the two ends, also "
             "where `fit` would choose to show them (Amazon and Twitter).")
_SETS = ("amazon", "dblp", "freebase", "twitter")

SMALL = Size(
    "small", ("umls", "dblp", "amazon"), 3000,
    "**This is a small version.** Its trainings are short: 4,000 links in each "
    "of two epochs, in batches of 32. Of valid and test at most 3,000 rows are "
    "used. " + _LEFT_OUT + " So figures lie below those of the presets "
    "([presets.md](presets.md)) and say how the studies work rather than how "
    "good the method is.",
    trainings=_SHORT, in_full=_SHORT, relations_in_full=False,
    context_nodes=(4, 8),
    contexts_per_link=(1, 5), drawn=("random",), fixed=("shortest",),
    planted_links=(10_000, 20_000, 40_000, 80_000, 120_000),
    metapaths_everywhere=False, compgcn=("--set", "epochs=8"))
MEDIUM = Size(
    "medium", _SETS, 10_000,
    "**This is a middle version.** Its trainings see 10,000 links in each of "
    "two epochs, in batches of 32, and of valid and test at most 10,000 rows "
    "are used. After a short training `fit` measures on fewer rows: `paper` on "
    "6,000, or on 1,000 where it was not, or not yet, fine-tuned. " + _LEFT_OUT
    + " So figures lie below those of whole trainings "
    "([presets.md](presets.md)), and a setting that wins by little may not win "
    "after a whole one. The studies of the published table and of "
    "relations train in full, the latter without the knowledge graph embedding "
    "and the ranking network, which do not use contexts. The study of contexts "
    "leaves out the strategy *walks*, which `--size full` has.",
    trainings=_brief("--walks-per-node 4 --pretrain-epochs 1 "
                     "--fine-tune-epochs 2 --fine-tune-positives 10000",
                     "--structural-epochs 2 --structural-positives 10000"),
    in_full={**_PRESETS, "default": (*_PRESETS["default"], "--knowledge",
                                     "none", "--hard-questions", "0")},
    drawn=("random",), planted_share=100, planted_walks="2")
FULL = Size("full", _SETS, None, "")
SIZES = {size.name: size for size in (SMALL, MEDIUM, FULL)}


def fitting(budget: float | None) -> Size:
    """The size of a budget in seconds; None: no bound."""
    if budget is None:
        return FULL
    return SMALL if budget <= HOUR else MEDIUM if budget <= DAY else FULL
