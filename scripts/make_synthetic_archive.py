#!/usr/bin/env python3
"""Prints a small made-up package index in the format of `apt-cache dumpavail`.

For tests only. It has all that the real index has: alternatives, versions,
architectures, virtual packages, folded and braced Tag fields, teams and
persons. It also has a rule to learn: the theme, the language and the toolkit of
a package decide its team, its dependencies and its tags. A third of the
packages have no tags.
"""

import argparse
import random
import sys

LANGUAGES = ("c", "c++", "python", "perl", "rust")
THEMES = ("audio", "image", "text", "network", "game", "science")
TOOLKITS = ("gtk", "qt", "ncurses")


def tag_field(tags, generator):
    """A Tag field in the notations of the real index."""
    facets = {}
    for tag in sorted(tags):
        facet, _, name = tag.partition("::")
        facets.setdefault(facet, []).append(name)
    parts = []
    for facet, names in facets.items():
        if len(names) > 1 and generator.random() < 0.5:
            parts.append(f"{facet}::{{{','.join(names)}}}")
        else:
            parts.extend(f"{facet}::{name}" for name in names)
    lines = [parts[i:i + 2] for i in range(0, len(parts), 2)]
    return ",\n ".join(", ".join(line) for line in lines)


def record(name, maintainer, relations, tags, generator):
    lines = [f"Package: {name}", "Version: 1.0-1", f"Maintainer: {maintainer}",
             "Architecture: all"]
    lines += [f"{field}: {', '.join(targets)}"
              for field, targets in relations.items() if targets]
    lines += [f"Description: made-up package {name}", " Its long description."]
    if tags and generator.random() > 1 / 3:
        lines.append(f"Tag: {tag_field(tags, generator)}")
    return lines + [f"Filename: pool/main/{name}.deb", ""]


def source_package(number, generator):
    """The records of the three packages of one made-up source package."""
    theme = THEMES[number % len(THEMES)]
    language = LANGUAGES[number // len(THEMES) % len(LANGUAGES)]
    toolkit = generator.choice(TOOLKITS)
    base = f"{theme}{number}"
    maintainer = (f"Synthetic {theme.capitalize()} Team <{theme}@example.org>"
                  if generator.random() < 0.8
                  else f"Person {number} <person{number}@example.org>")
    shared = {f"implemented-in::{language}", f"works-with::{theme}"}
    library = record(
        f"lib{base}", maintainer,
        {"Depends": ["base-runtime (>= 1.0)", f"{language}-runtime:any"]},
        shared | {"role::shared-lib"}, generator)
    headers = record(
        f"lib{base}-dev", maintainer,
        {"Depends": [f"lib{base} (= 1.0-1)", f"{language}-compiler"],
         "Suggests": [f"{theme}-doc"]},
        shared | {"role::devel-lib", "devel::library"}, generator)
    program = record(
        base, maintainer,
        {"Pre-Depends": ["base-runtime"],
         "Depends": [f"lib{base}", f"{toolkit}-runtime (>= 2) | virtual-ui"],
         "Recommends": [f"{theme}-doc | other-doc [amd64]"],
         "Enhances": [f"{theme}-doc"]},
        shared | {"role::program", f"uitoolkit::{toolkit}",
                  f"interface::{'text' if toolkit == 'ncurses' else 'x11'}"},
        generator)
    return library + headers + program


def archive(sources, seed):
    """All lines of the index."""
    generator = random.Random(seed)
    core = "Synthetic Core Maintainers <core@example.org>"
    names = ["base-runtime"]
    names += [f"{language}-{part}" for language in LANGUAGES
              for part in ("runtime", "compiler")]
    names += [f"{toolkit}-runtime" for toolkit in TOOLKITS]
    names += [f"{theme}-doc" for theme in THEMES]
    lines = []
    for name in names:
        role = ("role::documentation" if name.endswith("doc")
                else "role::app-data")
        lines += record(name, core, {}, {role}, generator)
    for number in range(sources):
        lines += source_package(number, generator)
    return lines


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sources", type=int, default=200,
                        help="made-up source packages (three packages each)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    sys.stdout.write("\n".join(archive(options.sources, options.seed)) + "\n")


if __name__ == "__main__":
    main()
