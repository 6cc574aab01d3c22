"""Runs cells of a record again and holds both figures against each other:
scripts/studies --repeat.

A cell has one thread, so on a processor of the same kind its figures come out
again to the last digit. Elsewhere sums round otherwise, and a training drifts. A
figure agrees when it is within a hundredth of itself, or when two runs may
differ so much: within the interval of 95 % that its deviation over the seeds of
the record gives. How many lie beyond one deviation is said. Figures of fewer
links than the page shows, and times, are not judged.
"""

import math
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import stdev
from typing import Any

from presets_page import table
from studies_cells import Cell, Figures, Study, Version
from studies_compare import FEWEST_LINKS
from studies_places import Places, read_json
from studies_words import student

NEAR = 0.01  # of a figure
# What depends on the machine and its load, or says where a cell ran.
LEFT_OUT = {"commit", "machine", "jobs", "flags", "seed", "wall_seconds",
            "cpu_seconds", "seconds", "steps", "peak_mib", "loading_seconds",
            "links_per_second"}
COUNTS = ("positives", "negatives")
TIMES = ("cpu_seconds", "links_per_second")

Path = tuple[str, ...]


def drawn(studies: Sequence[Study], version: Version,
          record: Mapping[str, Figures],
          number: int) -> list[tuple[str, Cell]]:
    """The names of the studies, with so many of the cells of each that a record
    has, by a lot that is the same in every run."""
    lot = random.Random(number)
    chosen = []
    for study in studies:
        known = [cell for cell in dict.fromkeys(study.cells(version))
                 if cell.key in record]
        chosen += [(study.name, cell)
                   for cell in lot.sample(known, min(number, len(known)))]
    return chosen


def with_trainings(cells: Sequence[Cell]) -> list[Cell]:
    """Each cell after the training whose bundle it reads."""
    return list(dict.fromkeys(one for cell in cells
                              for one in (cell.owner, cell)))


@dataclass(frozen=True)
class Agreement:
    """What came out again of a cell."""

    figures: int  # that both have
    equal: int  # of these
    beyond: int  # one deviation, of these
    apart: tuple[str, ...]  # names and values of those that do not agree
    times: str


def agreement(cell: Cell, record: Mapping[str, Figures], again: Figures,
              seeds: Sequence[int]) -> Agreement:
    earlier, now = (dict(numbers(one)) for one in (record[cell.key], again))
    others = [dict(numbers(record[key])) for key in
              (of_seed(cell, seed).key for seed in seeds) if key in record]
    apart = [f"{'.'.join(path)} is in one of them only"
             for path in sorted(earlier.keys() ^ now.keys())]
    shared = [path for path in earlier if path in now]
    beyond = 0
    for path in shared:
        values = [one[path] for one in others if path in one]
        deviation = stdev(values) if len(values) > 1 else 0.0
        near = NEAR * abs(earlier[path])
        difference = abs(earlier[path] - now[path])
        beyond += difference > max(deviation, near)
        if difference > max(of_two_runs(deviation, len(values)), near):
            apart.append(f"{'.'.join(path)}: {earlier[path]:.6g} in the record, "
                         f"{now[path]:.6g} again")
    return Agreement(len(shared),
                     sum(earlier[path] == now[path] for path in shared), beyond,
                     tuple(apart), _times(record[cell.key], again))


def of_two_runs(deviation: float, seeds: int) -> float:
    """How far two runs are apart in 95 of 100 cases, when so many seeds have
    this deviation."""
    return (student(seeds - 1) * math.sqrt(2) * deviation if seeds > 1
            else 0.0)


def _times(earlier: Figures, again: Figures) -> str:
    return ", ".join(f"{name} {earlier[name]:.4g} → {again[name]:.4g}"
                     for name in TIMES
                     if earlier.get(name) and again.get(name))


def forget_others(cells: Sequence[Cell], places: Places, commit: str) -> None:
    """Removes figures of cells that ran again at another commit."""
    for cell in cells:
        path = places.figures_file(cell.key)
        if os.path.exists(path) and read_json(path)["commit"] != commit:
            os.remove(path)


def seeds_of(record: Mapping[str, Figures]) -> list[int]:
    return sorted({one["seed"] for one in record.values()})


def is_same_run(one: Figures, other: Figures) -> bool:
    """Whether one is a copy of the other: no two runs take the same time."""
    return all(one.get(name) == other.get(name)
               for name in ("wall_seconds", "commit"))


def of_seed(cell: Cell, seed: int) -> Cell:
    """The same cell of another seed."""
    reads = cell.bundle_of
    return replace(cell, seed=seed, bundle_of=(
        replace(reads, seed=seed) if reads is not None else None))


def numbers(value: Any, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """Every number of the figures of a cell with its place in them. Of groups
    with few links or non-links, the counts alone."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, Mapping):
        says_little = any(value.get(key, FEWEST_LINKS) < FEWEST_LINKS for key in COUNTS)
        for key, one in value.items():
            if (path or key not in LEFT_OUT) and (key in COUNTS
                                                  or not says_little):
                yield from numbers(one, (*path, str(key)))
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from numbers(one, (*path, str(i)))
    else:
        yield path, float(value)


Outcome = tuple[str, Cell, Agreement | None]  # study; None: has not run again


def again_page(command: str, page: str, number: int,
               outcomes: Sequence[Outcome],
               figures: Sequence[Figures]) -> str:
    """The page about cells of another page that ran again."""
    def every(key: str) -> str:
        return "; ".join(sorted({str(one[key]) for one in figures})) or "none"
    good = sum(is_good(found) for _, _, found in outcomes)
    rows = [[study, cell.key, *_row(found)] for study, cell, found in outcomes]
    return "\n".join([
        "# Studies, run again", "",
        f"**{good} of {len(outcomes)} cells came out again.** They were drawn by "
        f"lot from those of {page}, {number} of each study, and ran from a "
        "checkout of the commit below. Each cell has many figures. One agrees "
        "when it is within a hundredth of itself, or within the interval of 95 % "
        "that two runs of this deviation have; the deviation is that over the "
        "seeds of the record. Times, and groups of fewer than "
        f"{FEWEST_LINKS} links or non-links, are not judged.", "",
        f"- command: `{command}`",
        f"- commit: {every('commit')}",
        f"- machine: {every('machine')}; each cell has one thread, cells at "
        f"once: {every('jobs')}", "",
        *table(["study", "cell", "figures", "equal", "beyond one deviation",
                "do not agree"], rows)]) + "\n"


def is_good(found: Agreement | None) -> bool:
    return found is not None and not found.apart


def _row(found: Agreement | None) -> list[str]:
    if found is None:
        return ["has not run again", "–", "–", "–"]
    return [*map(str, (found.figures, found.equal, found.beyond)),
            "<br>".join(found.apart) or "none"]


def line_of(study: str, cell: Cell, found: Agreement | None) -> str:
    """What is printed of a cell; None where it has not run again."""
    name = f"{study}: {cell.key}"
    if found is None:
        return f"{name}: has not run again"
    words = [f"{found.equal} of {found.figures} figures equal"]
    if found.apart:
        words.append(f"{len(found.apart)} DO NOT AGREE ({found.apart[0]})")
    elif found.equal < found.figures:
        words.append("the others agree")
    if found.beyond > len(found.apart):
        words.append(f"{found.beyond} beyond one deviation")
    if found.times:
        words.append(found.times)
    return f"{name}: {'; '.join(words)}"
