"""What the studies keep of explanations: the metapaths between the ends of
links, and how near the ends come to each other in the network.

A path is a path token of a context of paths, or a path over the links of a
context of nodes. Its attention is what an end pays to a token of it, the mean
over both ends and the tokens. The change of the logit is the logit less that
without the path: of nodes, the mean over the nodes between the ends, each of
which is hidden.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from studies_cells import Figures

LONGEST = 3  # links of a path
LEAST = 5  # paths that a metapath of a relation must have


@dataclass(frozen=True)
class Row:
    """A line of a file of links."""

    relation: str
    source: str
    target: str
    positive: bool = True


def read_rows(path: str) -> Iterator[Row]:
    """Lines "relation source target [label]"; a header is left out."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            relation, source, target, *label = line.split()
            if (relation, source) != ("relation", "source"):
                yield Row(relation, source, target, label != ["0"])


def sampled_rows(path: str, links: int, non_links: int) -> list[Row]:
    """At most so many links and non-links of a file, drawn by a hash of their
    names: the same in every run."""
    drawn: dict[bool, list[tuple[str, Row]]] = {True: [], False: []}
    for row in read_rows(path):
        name = f"{row.relation}\n{row.source}\n{row.target}"
        drawn[row.positive].append(
            (hashlib.sha256(name.encode()).hexdigest(), row))
    return [row for positive, most in ((True, links), (False, non_links))
            for _, row in sorted(drawn[positive],
                                 key=lambda one: one[0])[:most]]


def asked_row(row: Row) -> Figures:
    """A link of a question, in the JSON of the server."""
    return {"source": {"key": row.source}, "relation": row.relation,
            "target": {"key": row.target}}


@dataclass
class _Path:
    name: str
    attention: float
    change: float


def digest(rows: Sequence[Row], answers: Sequence[Any],
           typed: bool) -> Figures:
    """The metapaths of the links, by relation, the scores of all rows, and the
    cosines of their ends: of the tokens, and after the last layer. A metapath
    is called by the types of its nodes where the graph has types, else by its
    relations."""
    found: dict[tuple[str, str], list[_Path]] = {}
    asked: dict[str, int] = {}
    cosines: dict[str, list[list[float]]] = {"links": [], "non_links": []}
    scores: dict[str, list[float]] = {"links": [], "non_links": []}
    for row, answer in zip(rows, answers, strict=True):
        explanation = answer.get("explanation") or {}
        if row.positive:
            asked[row.relation] = asked.get(row.relation, 0) + 1
            for path in paths_of(explanation, typed):
                found.setdefault((row.relation, path.name), []).append(path)
        layers = end_cosines(explanation)
        if layers:
            kind = "links" if row.positive else "non_links"
            cosines[kind].append([layers[0], layers[-1]])
            scores[kind].append(round(answer["logit"], 4))
    return {"asked": asked, "layer_cosines": cosines, "scores": scores,
            "metapaths": [
        {"relation": relation, "metapath": name, "paths": len(paths),
         "attention": sum(path.attention for path in paths) / len(paths),
         "change": sum(path.change for path in paths) / len(paths)}
        for (relation, name), paths in sorted(found.items())
        if len(paths) >= LEAST]}


def paths_of(explanation: Any, typed: bool) -> list[_Path]:
    """The paths of the context from one end to the other."""
    tokens = explanation.get("tokens", [])
    found = [_token_path(token, tokens, typed) for token in tokens
             if token["kind"] == "TOKEN_KIND_PATH"]
    return found or _node_paths(explanation, tokens, typed)


def _token_path(token: Any, tokens: Sequence[Any], typed: bool) -> _Path:
    source = next(one["node"] for one in tokens
                  if one["role"] == "TOKEN_ROLE_SOURCE")
    steps = token["path"]
    nodes = [source, *(step["node"] for step in steps)]
    arcs = [(step["relation"], step["direction"] != "DIRECTION_IN")
            for step in steps]
    return _Path(_name(nodes, arcs, typed), _attention(token),
                 token["logit_effect"])


def _attention(token: Any) -> float:
    both: float = token["attention_from_source"] + token["attention_from_target"]
    return both / 2


def _name(nodes: Sequence[Any], arcs: Sequence[tuple[str, bool]],
          typed: bool) -> str:
    if typed:
        return " – ".join(node["type"] for node in nodes)
    return " ".join(f"{relation}>" if forward else f"<{relation}"
                    for relation, forward in arcs)


def _node_paths(explanation: Any, tokens: Sequence[Any],
                typed: bool) -> list[_Path]:
    """Each path of nodes between the ends counts once, by its first links."""
    arcs: dict[int, list[tuple[int, str, bool]]] = {}
    for edge in explanation.get("edges", []):
        for begin, end, forward in ((edge["source"], edge["target"], True),
                                    (edge["target"], edge["source"], False)):
            arcs.setdefault(begin, []).append((end, edge["relation"], forward))
    role = {token["role"]: i for i, token in enumerate(tokens)
            if token["role"] != "TOKEN_ROLE_BETWEEN"}
    begin, end = role.get("TOKEN_ROLE_SOURCE"), role.get("TOKEN_ROLE_TARGET")
    found: dict[tuple[int, ...], _Path] = {}
    if begin is None or end is None:
        return []
    for nodes, steps in _walks(arcs, [begin], end):
        between = [tokens[i] for i in nodes[1:-1]]
        if between and tuple(nodes) not in found:
            found[tuple(nodes)] = _Path(
                _name([tokens[i]["node"] for i in nodes], steps, typed),
                sum(map(_attention, between)) / len(between),
                sum(token["logit_effect"] for token in between) / len(between))
    return list(found.values())


def _walks(arcs: dict[int, list[tuple[int, str, bool]]], nodes: list[int],
           end: int) -> Iterator[tuple[list[int], list[tuple[str, bool]]]]:
    """Paths from the last of these nodes, none twice, to the end."""
    if nodes[-1] == end:
        yield nodes, []
        return
    if len(nodes) > LONGEST:
        return
    for follower, relation, forward in arcs.get(nodes[-1], []):
        if follower not in nodes:
            for reached, steps in _walks(arcs, [*nodes, follower], end):
                yield reached, [(relation, forward), *steps]


def end_cosines(explanation: Any) -> list[float]:
    """The cosine of the two ends, first of their tokens, then after each layer;
    [] for a self loop and where the server says nothing."""
    tokens = explanation.get("tokens", [])
    cosines = explanation.get("token_cosines", [])
    end = next((i for i, token in enumerate(tokens)
                if token["role"] == "TOKEN_ROLE_TARGET"), None)
    if end is None or not cosines:
        return []
    layer = 2 * len(tokens)
    return [round(cosines[at + 2 * end], 5)
            for at in range(0, len(cosines), layer)]
