"""Where a class lives: one header for each source, no circles, no twin names."""

import re

import layering

# Sources that implement no header of their own name, and why.
WITHOUT_HEADER = re.compile(r"(^|/)(main|no_source)\.cc$")
# Base names that several folders may use.
SHARED_NAMES = {"main.cc"}


def stem(path):
    return re.sub(r"\.[a-z]+$", "", path)


def cycles(root, paths):
    """Groups of files that know each other, directly or through others.

    A header and its source count as one file.
    """
    known = set(paths)
    graph = {stem(path): set() for path in paths}
    for path in paths:
        graph[stem(path)] |= {
            stem(header) for _, _, header in layering.includes(root, path)
            if header in known and stem(header) != stem(path)}
    reached = {name: reachable(graph, name) for name in graph}
    groups = {frozenset(other for other in reached[name]
                        if name in reached[other]) | {name}
              for name in graph}
    return [f"{', '.join(sorted(group))} include each other in a circle"
            for group in sorted(groups, key=sorted) if len(group) > 1]


def reachable(graph, start):
    """All that `start` leads to; itself only by a circle."""
    seen, waiting = set(), [start]
    while waiting:
        for name in graph[waiting.pop()]:
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def check_homes(paths):
    """Sources without a header of their name, and names that exist twice."""
    known, problems, seen = set(paths), [], {}
    for path in paths:
        name = path.split("/")[-1]
        if path.endswith(".cc") and not WITHOUT_HEADER.search(path) and \
                stem(path) + ".h" not in known:
            problems.append(f"{path}: implements no header of its own name")
        if name in seen and name not in SHARED_NAMES:
            problems.append(f"{path}: {seen[name]} has the same name")
        seen[name] = path
    return problems


def check_tree(root):
    """All breaches below a root, as lines for a reader."""
    paths = layering.sources(root)
    return cycles(root, paths) + check_homes(paths)
