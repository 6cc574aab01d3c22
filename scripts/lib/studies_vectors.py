"""What the studies read of the files that `slice-trainer baseline` and `compare`
leave: the cosines of the ends of links, and the AUROC by degree."""

import ast
import functools
import glob
import math
import os
import struct
from array import array
from collections.abc import Mapping, Sequence

from studies_cells import Compared, Figures
from studies_explained import Row, read_rows

DEGREE_GROUPS = 10  # the last one: 256 neighbours and above


def read_npy(path: str) -> tuple["array[float]", int]:
    """The values of a matrix of float32, and how many a row has."""
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise ValueError(f"{path} is not a .npy file")
        major, _ = file.read(2)
        size = struct.unpack("<H" if major == 1 else "<I",
                             file.read(2 if major == 1 else 4))[0]
        about = ast.literal_eval(file.read(size).decode("latin-1"))
        if about["descr"] != "<f4" or about["fortran_order"]:
            raise ValueError(f"{path} does not hold rows of float32")
        values = array("f", file.read())
    return values, about["shape"][1]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """0 where a vector is zero."""
    lengths = math.hypot(*one) * math.hypot(*other)
    return (sum(a * b for a, b in zip(one, other, strict=True)) / lengths
            if lengths else 0.0)


def cosines_of(folder: str, rows: Sequence[Row]) -> Figures | None:
    """The cosines of the ends of these rows, by the vectors in a folder. None
    where the method left none. A node without a vector has cosine 0."""
    path = os.path.join(folder, "embeddings.npy")
    if not os.path.exists(path):
        return None
    values, dim = read_npy(path)
    with open(os.path.join(folder, "embeddings.keys"),
              encoding="utf-8") as file:
        at = {key.rstrip("\n"): i for i, key in enumerate(file)}

    def vector(key: str) -> Sequence[float]:
        begin = dim * at[key] if key in at else len(values)
        return values[begin:begin + dim] or [0.0] * dim

    found: dict[str, list[float]] = {"links": [], "non_links": []}
    for row in rows:
        found["links" if row.positive else "non_links"].append(
            round(cosine(vector(row.source), vector(row.target)), 5))
    return found


@functools.lru_cache(maxsize=1)
def neighbours_of(train: str) -> dict[str, set[str]]:
    """The distinct neighbours of each node."""
    found: dict[str, set[str]] = {}
    for row in read_rows(train):
        found.setdefault(row.source, set()).add(row.target)
        found.setdefault(row.target, set()).add(row.source)
    return found


def degree_name(neighbours: int) -> str:
    """The group of a degree, such as "4-7", as reports call it."""
    group = min(neighbours.bit_length(), DEGREE_GROUPS - 1)
    if group < 2:
        return str(group)
    low = 1 << (group - 1)
    return f"{low}+" if group == DEGREE_GROUPS - 1 else f"{low}-{2 * low - 1}"


def degree_of(row: Row, neighbours: Mapping[str, set[str]]) -> int:
    """The neighbours of the less connected end, without the other end."""
    ends = [neighbours.get(node, set()) for node in (row.source, row.target)]
    linked = row.source != row.target and row.target in ends[0]
    return min(map(len, ends)) - (1 if linked else 0)


def degree_rows(folder: str, train: str, test: str) -> dict[str, Figures]:
    """As the report of a fit has them, from the scores that a method left in a
    folder; {} where it left none."""
    path = os.path.join(folder, "test_scores.npy")
    if not os.path.exists(path):
        return {}
    values, width = read_npy(path)
    neighbours = neighbours_of(train)
    by_group: dict[str, tuple[list[float], list[float]]] = {}
    for i, row in enumerate(read_rows(test)):
        links, others = by_group.setdefault(
            degree_name(degree_of(row, neighbours)), ([], []))
        (links if row.positive else others).append(values[width * i])
    return {name: {"positives": len(links), "negatives": len(others),
                   "auroc": auroc(links, others), "structural": None}
            for name, (links, others) in by_group.items()}


def compared_methods(comparison: str, data_dir: str,
                     sets: Sequence[str]) -> Compared:
    """Of what slice-trainer compare left in a folder: each method's AUROC by
    degree, from its scores of the test links in the order of the file."""
    found: dict[str, dict[str, list[Figures]]] = {}
    for data in sets:
        files = [os.path.join(data_dir, data, f"{part}.txt")
                 for part in ("train", "test")]
        for path in sorted(glob.glob(os.path.join(
                glob.escape(comparison), data, "*", "seed-*", "report.json"))):
            folder = os.path.dirname(path)
            if rows := degree_rows(folder, *files):
                found.setdefault(data, {}).setdefault(
                    path.split(os.sep)[-3], []).append({"degree": rows})
    return found


def auroc(links: Sequence[float], others: Sequence[float]) -> float | None:
    """The share of pairs of a link and a non-link that the scores put in order;
    equal scores count half. None without a link, without a non-link, and where
    a score is not a number."""
    if not links or not others or any(map(math.isnan, (*links, *others))):
        return None
    order = sorted([(score, True) for score in links]
                   + [(score, False) for score in others])
    ranks, at = 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and order[end][0] == order[at][0]:
            end += 1
        alike = sum(one for _, one in order[at:end])
        ranks += alike * (at + end + 1) / 2  # the mean of ranks that begin at 1
        at = end
    least = len(links) * (len(links) + 1) / 2
    return (ranks - least) / (len(links) * len(others))
