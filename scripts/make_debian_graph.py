#!/usr/bin/env python3
"""Makes the demo graph from this machine's Debian package index.

Nodes (key, type, name): packages (`curl`), debtags (`role::devel-lib`), teams
that maintain packages (`team:debian-python-team`; display names only, persons
and e-mail addresses are left out). Links (relation, source, target): depends,
pre-depends, recommends, suggests, enhances, maintained-by, tagged. Every
alternative of `a | b` counts as one link; virtual packages are left out.

Files written to --out, all tab-separated:
  nodes.tsv          key, type, name
  links.tsv          every link
  train.tsv          every link that is not held out
  valid.tsv test.tsv relation, source, target, label: the held-out links
                     (label 1), each followed by a link of the same source that
                     does not exist (label 0)
  headline_test.tsv  positives of test.tsv whose package has no tag in train
  links_test.tsv     positives of test.tsv whose package has other tags
  untagged_lib_dev.txt, untagged_librust_dev.txt
                     packages named lib*-dev that nobody has tagged
What is held out depends on the seed and on the names alone, so that a package
index of another day changes little.
"""

import argparse
import collections
import hashlib
import os
import random
import re
import subprocess
import sys

LINK_FIELDS = {
    "Pre-Depends": "pre-depends",
    "Depends": "depends",
    "Recommends": "recommends",
    "Suggests": "suggests",
    "Enhances": "enhances",
}
WANTED_FIELDS = frozenset(LINK_FIELDS) | {"Package", "Maintainer", "Tag"}

# A maintainer is a team when its name says so or its address is a team's
# mailing list. Everybody else is a person and stays out of the graph.
TEAM_WORDS = re.compile(
    r"\b(team|maintainers|group|project|developers|packagers|task force|crew"
    r"|community)\b", re.IGNORECASE)
TEAM_ADDRESS = re.compile(
    r"team\+[^@]*@tracker\.debian\.org|@(alioth-lists\.debian\.net"
    r"|lists\.alioth\.debian\.org)", re.IGNORECASE)

# All tags of a headline package are held out.
HEADLINE_TEST_SHARE = 0.05  # of the packages that have tags
HEADLINE_VALID_SHARE = 0.025
# Of the other packages single tags are held out.
LINKS_TEST_SHARE = 0.02  # of the tags of those that have two tags or more
LINKS_VALID_SHARE = 0.01

Link = collections.namedtuple("Link", "relation source target")
Split = collections.namedtuple("Split", "headline links")


def parse_records(lines):
    """Yields one {field: value} per record of a Debian control file."""
    record, field = {}, None
    for line in lines:
        line = line.rstrip("\n")
        if not line:
            if "Package" in record:
                yield record
            record, field = {}, None
        elif line[0] in " \t":
            if field:
                record[field] += line
        else:
            field, _, value = line.partition(":")
            if field in WANTED_FIELDS:
                record[field] = value.strip()
            else:
                field = None
    if "Package" in record:
        yield record


def expand_tags(value):
    """Splits a Tag field; `works-with::{image, text}` are two tags."""
    tags = []
    for item in re.findall(r"[^\s,{}]*\{[^}]*\}|[^\s,{}]+", value):
        facet, brace, names = item.partition("{")
        if not brace:
            tags.append(item)
            continue
        names = [name.strip() for name in names.rstrip("}").split(",")]
        tags.extend(facet + name for name in names if name)
    return [tag for tag in tags if "::" in tag]


def package_names(value):
    """The package names of a relationship field, without versions."""
    names = []
    for alternative in re.split(r"[,|]", value):
        name = re.split(r"[\s(\[<:]", alternative.strip(), maxsplit=1)[0]
        if name:
            names.append(name)
    return names


def team_name(maintainer):
    """The display name of a team, or None for a person."""
    name, _, address = maintainer.partition("<")
    name = " ".join(name.replace('"', " ").split())
    if not name or "@" in name:
        return None
    outside_brackets = re.sub(r"\([^)]*\)", "", name)
    if TEAM_WORDS.search(outside_brackets) or TEAM_ADDRESS.search(address):
        return name
    return None


def team_key(name):
    return "team:" + re.sub(r"[^a-z0-9+.]+", "-", name.lower()).strip("-")


def build_graph(records):
    """Returns nodes [(key, type, name)] and the sorted, distinct links."""
    packages = {record["Package"]: record for record in records}
    team_names = collections.defaultdict(collections.Counter)
    tags, links = set(), set()
    for package, record in packages.items():
        for field, relation in LINK_FIELDS.items():
            for target in package_names(record.get(field, "")):
                if target in packages:
                    links.add(Link(relation, package, target))
        team = team_name(record.get("Maintainer", ""))
        if team:
            team_names[team_key(team)][team] += 1
            links.add(Link("maintained-by", package, team_key(team)))
        for tag in expand_tags(record.get("Tag", "")):
            tags.add(tag)
            links.add(Link("tagged", package, tag))
    nodes = [(package, "package", package) for package in sorted(packages)]
    nodes += [(tag, "tag", tag) for tag in sorted(tags)]
    for key in sorted(team_names):
        # Several spellings of a team share one key; the most frequent spelling
        # becomes the name.
        counts = team_names[key]
        nodes.append((key, "team", min(counts, key=lambda n: (-counts[n], n))))
    return nodes, sorted(links)


def rank(item, seed, purpose):
    """A hash to sort by: it looks random, but is the same on every machine."""
    text = "\t".join([str(seed), purpose, *item])
    return hashlib.sha256(text.encode()).digest()


def hold_out(links, seed):
    """Returns (valid, test), each a Split of tagged links."""
    tags_of = collections.defaultdict(list)
    for link in links:
        if link.relation == "tagged":
            tags_of[link.source].append(link)

    packages = sorted(tags_of, key=lambda p: rank([p], seed, "headline"))
    test_end = round(HEADLINE_TEST_SHARE * len(packages))
    valid_end = test_end + round(HEADLINE_VALID_SHARE * len(packages))

    # Every other package keeps at least one tag in train.
    single, several_count = [], 0
    for package in packages[valid_end:]:
        if len(tags_of[package]) > 1:
            several_count += len(tags_of[package])
            single += sorted(tags_of[package],
                             key=lambda link: rank(link, seed, "keep"))[1:]
    single.sort(key=lambda link: rank(link, seed, "links"))
    single_test = round(LINKS_TEST_SHARE * several_count)
    single_valid = single_test + round(LINKS_VALID_SHARE * several_count)

    def all_tags(names):
        return [link for name in sorted(names) for link in tags_of[name]]
    return (Split(all_tags(packages[test_end:valid_end]),
                  sorted(single[single_test:single_valid])),
            Split(all_tags(packages[:test_end]), sorted(single[:single_test])))


def labelled(split, links, tags, seed):
    """The rows of a split: each held-out link with the label 1, then a link of
    the same source that does not exist, with the label 0."""
    known = collections.defaultdict(set)
    for link in links:
        if link.relation == "tagged":
            known[link.source].add(link.target)
    generator = random.Random(seed)
    rows = []
    for link in split.headline + split.links:
        rows.append((*link, "1"))
        choices = [tag for tag in tags if tag not in known[link.source]]
        if choices:
            rows.append(("tagged", link.source, generator.choice(choices), "0"))
    return rows


def untagged_dev(nodes, links):
    """The names of the untagged lib*-dev packages, as two lists: those that do
    not start with librust-, and those that do."""
    tagged = {link.source for link in links if link.relation == "tagged"}
    names = [key for key, kind, _ in nodes
             if kind == "package" and key not in tagged
             and key.startswith("lib") and key.endswith("-dev")]
    return ([name for name in names if not name.startswith("librust-")],
            [name for name in names if name.startswith("librust-")])


def write_rows(path, rows):
    partial = path + ".partial"
    with open(partial, "w", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)
    os.replace(partial, path)


def write_graph(out, nodes, links, seed):
    valid, test = hold_out(links, seed)
    held_out = {link for split in (valid, test)
                for part in split for link in part}
    tags = [key for key, kind, _ in nodes if kind == "tag"]
    others, librust = untagged_dev(nodes, links)
    files = {
        "nodes.tsv": [("key", "type", "name")] + nodes,
        "links.tsv": links,
        "train.tsv": [link for link in links if link not in held_out],
        "valid.tsv": labelled(valid, links, tags, seed + 1),
        "test.tsv": labelled(test, links, tags, seed + 2),
        "headline_test.tsv": [(*link, "1") for link in test.headline],
        "links_test.tsv": [(*link, "1") for link in test.links],
        "untagged_lib_dev.txt": [(name,) for name in others],
        "untagged_librust_dev.txt": [(name,) for name in librust],
    }
    os.makedirs(out, exist_ok=True)
    for name, rows in files.items():
        write_rows(os.path.join(out, name), rows)
    return {name: len(rows) for name, rows in files.items()}


def print_counts(nodes, links, rows):
    print(f"{len(nodes):,} nodes")
    for kind, count in collections.Counter(n[1] for n in nodes).items():
        print(f"  {kind:<14} {count:>9,}")
    print(f"{len(links):,} links")
    for relation, count in sorted(
            collections.Counter(link.relation for link in links).items()):
        print(f"  {relation:<14} {count:>9,}")
    tagged = {link.source for link in links if link.relation == "tagged"}
    packages = sum(kind == "package" for _, kind, _ in nodes)
    print(f"{packages - len(tagged):,} of {packages:,} packages have no tag")
    print("held out of train: "
          f"{rows['headline_test.tsv']:,} links of packages that keep no tag, "
          f"{rows['links_test.tsv']:,} single links (test); "
          f"{rows['valid.tsv'] // 2:,} links (valid)")


def read_index(path):
    """The records of the file at `path`, or of apt's package index when there
    is no path."""
    if path:
        with open(path, encoding="utf-8", errors="replace") as file:
            return list(parse_records(file))
    try:
        dump = subprocess.run(["apt-cache", "dumpavail"], check=True,
                              stdout=subprocess.PIPE)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"make_debian_graph.py: apt-cache dumpavail failed: {error}")
    return list(parse_records(
        dump.stdout.decode("utf-8", errors="replace").splitlines()))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", required=True, help="folder to write to")
    parser.add_argument("--input", help="a package index in the format of\n"
                        "`apt-cache dumpavail` (default: run that)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--min-packages", type=int, default=10000,
                        help="fail when the index has fewer packages\n"
                        "(default: 10000)")
    options = parser.parse_args(arguments)

    nodes, links = build_graph(read_index(options.input))
    packages = sum(kind == "package" for _, kind, _ in nodes)
    if packages < options.min_packages:
        sys.exit(f"make_debian_graph.py: the index has only {packages:,} "
                 f"packages, but at least {options.min_packages:,} are needed; "
                 "run `apt-get update` first")
    rows = write_graph(options.out, nodes, links, options.seed)
    print_counts(nodes, links, rows)


if __name__ == "__main__":
    main()
