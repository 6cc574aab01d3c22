"""What a study is made of: cells, which are run, and a part of the page.

A cell is one command of slice-trainer on one data set with one seed, or
questions to a server with the bundle of such a command. Studies that ask for
equal cells share them: a cell is run once. The version of the page says which
sets and seeds there are, and whether trainings are short.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from studies_sizes import Size

Figures = dict[str, Any]
# {set: {method: its figures by seed}}
Compared = Mapping[str, Mapping[str, list[Figures]]]
SAMPLE = 300  # links of test that are looked at one by one
PLANTED = "planted-"  # and a number of links: a set that slice-graph makes

# What a preset sets. A flag that repeats it is left out, so that cells which
# mean the same are equal.
PRESETS: Mapping[str, Mapping[str, str]] = {
    "paper": {"--context": "shortest", "--max-context-nodes": "6",
              "--contexts-per-link": "1", "--layers": "4", "--heads": "4"},
    "paper-leaky": {},
    "default": {"--context": "paths"},
}


@dataclass(frozen=True)
class Cell:
    """A run: `fit`, `leak` or `baseline` on a data set, or `score`, `explain`
    or `case` by the bundle of a `fit`. Of a baseline, the first flag is the
    method; of explanations, the flags are the numbers of links and non-links;
    of a case, source, relation and target."""

    command: str
    data: str
    seed: int
    flags: tuple[str, ...] = ()
    bundle_of: "Cell | None" = None
    rows: int | None = None  # of valid and of test, at most; None: all

    @property
    def key(self) -> str:
        """The name of the cell's files."""
        parts = [self.command, self.data, str(self.seed), str(self.rows),
                 *self.flags]
        if self.bundle_of is not None:
            parts.append(self.bundle_of.key)
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
        return f"{self.data}-seed-{self.seed}-{self.command}-{digest}"

    @property
    def owner(self) -> "Cell":
        """The cell that makes the bundle which this one makes or reads."""
        return self.bundle_of or self


@dataclass(frozen=True)
class Version:
    """What the page covers."""

    sets: tuple[str, ...]  # from the smallest to the largest
    seeds: tuple[int, ...]
    size: Size
    # The methods of slice-trainer compare.
    compared: Compared = field(default_factory=dict)
    case_set: str = ""  # the set of the case study; "" where it is not there

    def fit(self, preset: str, data: str, seed: int, *settings: str,
            in_full: bool = False) -> Cell:
        """A training; a setting beside the preset is "--flag value" or
        "--flag", and takes the place of the same flag of the version. One in
        full can be longer than those of other studies, and its held-out files
        are whole: a leak is that of whole files, and a part of them has few
        links of a relation."""
        chosen = sorted(tuple(setting.split(" ", 1)) for setting in settings)
        names = {one[0] for one in chosen}
        known = set(PRESETS[preset].items())
        flags = ["--preset", preset]
        trainings = self.size.in_full if in_full else self.size.trainings
        for pair in _pairs(trainings[preset]):
            if pair[0] not in names:
                flags += pair
        for one in chosen:
            if one not in known:
                flags += one
        return Cell("fit", data, seed, tuple(flags),
                    rows=None if in_full else self.size.rows)

    def baseline(self, data: str, seed: int, *flags: str) -> Cell:
        """A method of others; the first flag is its name."""
        return Cell("baseline", data, seed, flags, rows=self.size.rows)

    def each(self, make: Callable[[str, int], Cell]) -> list[Cell]:
        """A cell for each set and seed."""
        return [make(data, seed) for data in self.sets for seed in self.seeds]


def _pairs(flags: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Each flag with its value, where it has one."""
    at = 0
    while at < len(flags):
        end = at + 1
        while end < len(flags) and not flags[end].startswith("--"):
            end += 1
        yield flags[at:end]
        at = end


def scored(cell: Cell) -> Cell:
    """Scoring the test links by the bundle of a training, for its speed."""
    return Cell("score", cell.data, cell.seed, bundle_of=cell, rows=cell.rows)


def explained(cell: Cell, links: int = SAMPLE,
              non_links: int = SAMPLE) -> Cell:
    """Explaining samples of the test links and of the non-links by the bundle
    of a training."""
    return Cell("explain", cell.data, cell.seed, (str(links), str(non_links)),
                bundle_of=cell, rows=cell.rows)


class Found:
    """The figures of the cells that ran."""

    def __init__(self, figures: Mapping[str, Figures]) -> None:
        self._figures = figures

    def get(self, cell: Cell) -> Figures | None:
        return self._figures.get(cell.key)

    def all(self, cells: list[Cell]) -> list[Figures]:
        """Those of the cells that ran."""
        return [figures for cell in cells
                if (figures := self.get(cell)) is not None]

    def values(self, cells: list[Cell], *keys: str) -> list[float]:
        """One figure of those of the cells that have it."""
        found = []
        for cell in cells:
            value: Any = self.get(cell)
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                found.append(float(value))
        return found


@dataclass
class Part:
    """A study's part of the page."""

    table: list[str] = field(default_factory=list)
    plot: str = ""  # an SVG; "" without figures
    sentences: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    # The answer to the study's question in at most two sentences, which stand
    # before the plot.
    answer: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Study:
    number: int
    name: str  # of the plot's file, and for --studies
    title: str
    question: str
    cells: Callable[[Version], list[Cell]]
    part: Callable[[Version, Found], Part]


def breadth_first(lists: list[list[Cell]],
                  size: Callable[[str], int]) -> list[Cell]:
    """The cells of all studies, each once: by seed, then first the smallest set
    of each study, then its second one, and so on, and of these one of each
    study in turn. The planted graphs are one set. So each study has figures
    early."""
    ordered: dict[Cell, None] = {}
    for seed in sorted({cell.seed for cells in lists for cell in cells}):
        by_set = [_by_set([cell for cell in cells if cell.seed == seed], size)
                  for cells in lists]
        for sets in zip_longest(*by_set, fillvalue=[]):
            for turn in zip_longest(*sets):
                ordered.update((cell, None) for cell in turn
                               if cell is not None)
    return list(ordered)


def _by_set(cells: list[Cell], size: Callable[[str], int]) -> list[list[Cell]]:
    sets: dict[str, list[Cell]] = {}
    for cell in sorted(cells, key=lambda cell: (size(cell.data), cell.data)):
        planted = cell.data.startswith(PLANTED)
        sets.setdefault(PLANTED if planted else cell.data, []).append(cell)
    return list(sets.values())
