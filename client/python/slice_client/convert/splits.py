"""Train, valid and test, without a leak between them: all links between two
nodes are on one side."""

from __future__ import annotations

import hashlib
import pathlib
from collections.abc import Callable

from slice_client.convert.files import (
    LINKS,
    Folder,
    Graph,
    GraphLink,
    read_links,
    write,
)

_PARTS = ("train", "valid", "test")


def _pair(link: GraphLink) -> tuple[str, str]:
    return min(link.source, link.target), max(link.source, link.target)


def _share(pair: tuple[str, str], seed: int) -> float:
    """A number in [0, 1) that is the same in every run."""
    text = f"{seed}\t{pair[0]}\t{pair[1]}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8]) / 2 ** 64


def _time(link: GraphLink) -> tuple[int, float, str]:
    if link.time is None:
        raise ValueError(f"the link {link.source} {link.relation} "
                         f"{link.target} has no time")
    try:
        return 0, float(link.time), ""
    except ValueError:
        return 1, 0.0, link.time  # dates sort as texts


def _by_time(path: pathlib.Path, valid: float,
             test: float) -> Callable[[GraphLink], int]:
    """A pair goes where its first link goes; equal times stay together."""
    first: dict[tuple[str, str], tuple[int, float, str]] = {}
    for link in read_links(path):
        pair, time = _pair(link), _time(link)
        first[pair] = min(first.get(pair, time), time)
    times = sorted(first.values())
    ends = [times[min(len(times) - 1, int(share * len(times)))]
            for share in (1 - valid - test, *((1 - test,) if test else ()))]
    return lambda link: sum(first[_pair(link)] >= end for end in ends)


def split(folder: Folder, *, by: str = "random", valid: float = 0.1,
          test: float = 0.1, seed: int = 1) -> dict[str, int]:
    """Deals links.tsv of a folder into train/links.tsv, valid/links.tsv and
    test/links.tsv below it, and returns how many links each has.

    by "random": pairs of nodes are drawn by a hash. by "time": the latest pairs
    are held out. A part whose share is 0 is not written.
    """
    if not (0 <= valid < 1 and 0 <= test < 1 and 0 < valid + test < 1):
        raise ValueError(f"valid ({valid}) and test ({test}) must be shares "
                         "whose sum is below 1")
    root = pathlib.Path(folder)
    path = root / LINKS
    if by == "time":
        part_of = _by_time(path, valid, test)
    elif by == "random":
        def part_of(link: GraphLink) -> int:
            share = _share(_pair(link), seed)
            return (share < valid + test) + (share < test)
    else:
        raise ValueError(f"by is {by!r}; it must be 'random' or 'time'")
    counts = {}
    shares = {"valid": valid, "test": test}
    for number, part in enumerate(_PARTS):
        if shares.get(part) == 0:
            continue
        links = (link for link in read_links(path) if part_of(link) == number)
        try:
            counts[part] = write(Graph(links), root / part).links
        except ValueError as error:
            if "no links" not in str(error):
                raise
            raise ValueError(f"{part} would be empty: the graph has too few "
                             "links, or one time for most of them") from None
    return counts
