"""Runs the studies of the SLiCE paper and writes docs/studies.md: scripts/studies.

A study is a list of cells, which studies_runs.py runs, and a part of the page:
a table, a plot and sentences, which follow from the figures by rule. The page
is written from whatever cells are finished.
"""

import argparse
import os
import re
import shlex
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import studies_ablations
import studies_case
import studies_contexts
import studies_cost
import studies_degree
import studies_metapaths
import studies_published
import studies_relations
import studies_shift
from benchmark_stamp import commit
from presets_page import table
from studies_cells import (
    Cell,
    Compared,
    Figures,
    Found,
    Part,
    Study,
    Version,
    breadth_first,
)
from studies_places import Places, read_json
from studies_record import brief, read_record, take_over, write_record
from studies_repeat import (
    Outcome,
    again_page,
    agreement,
    drawn,
    forget_others,
    is_good,
    is_same_run,
    line_of,
    seeds_of,
    with_trainings,
)
from studies_runs import Runner, failures, load
from studies_sizes import SIZES, fitting
from studies_vectors import compared_methods
from studies_words import listed
from text_files import write_text

STUDIES: list[Study] = sorted(
    (*studies_ablations.STUDIES, *studies_case.STUDIES,
     *studies_contexts.STUDIES, *studies_cost.STUDIES, *studies_degree.STUDIES,
     *studies_metapaths.STUDIES, *studies_published.STUDIES,
     *studies_relations.STUDIES, *studies_shift.STUDIES),
    key=lambda study: study.number)
CASE_SET = "dblp"
AGAIN = "studies-again.md"  # the page of --repeat
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(words: str) -> float:
    """Of a duration such as 90s, 30m or 1h."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", words)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"'{words}' is no time such as 90s, 30m or 1h")
    return float(match[1]) * UNITS[match[2]]


def numbers_of(words: str) -> list[int]:
    if not re.fullmatch(r"\d+(,\d+)*", words):
        raise argparse.ArgumentTypeError(
            f"'{words}' must be numbers, separated by commas")
    return list(dict.fromkeys(map(int, words.split(","))))


def studies_of(words: str) -> list[Study]:
    """The studies of a list of numbers or names."""
    found = []
    for word in words.split(","):
        chosen = [study for study in STUDIES
                  if word in (str(study.number), study.name)]
        if not chosen:
            names = ", ".join(f"{study.number} ({study.name})"
                              for study in STUDIES)
            raise argparse.ArgumentTypeError(
                f"no study '{word}'; the studies are {names}")
        found += chosen
    return sorted(set(found), key=lambda study: study.number)


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0))


def record_of(page: str) -> str:
    """The file with the figures of a page's cells."""
    return os.path.splitext(page)[0] + ".json"


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="studies", allow_abbrev=False)
    parser.add_argument("--root", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--data-dir", default=os.environ.get("SLICE_DATASETS",
                                                             ""))
    parser.add_argument("--studies", type=studies_of, default=STUDIES)
    parser.add_argument("--sets")
    parser.add_argument("--seeds", type=numbers_of, default=[1, 2, 3])
    parser.add_argument("--budget", type=seconds_of)
    parser.add_argument("--size", choices=sorted(SIZES))
    parser.add_argument("--jobs", type=int, default=processors())
    parser.add_argument("--comparison", default="")
    parser.add_argument("--from", dest="record")
    parser.add_argument("--runs")
    parser.add_argument("--out")
    parser.add_argument("--table-only", action="store_true")
    parser.add_argument("--repeat", type=int)
    options = parser.parse_args(arguments)
    options.runs = options.runs or os.path.join(
        options.root, "runs",
        "studies" if options.repeat is None else "studies-again")
    options.out = options.out or os.path.join(
        options.root, "docs",
        "studies.md" if options.repeat is None else AGAIN)
    if options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}; it must be 1 or more")
    if options.comparison and not os.path.isdir(options.comparison):
        parser.error(f"no folder '{options.comparison}'")
    if options.record and not os.path.isfile(options.record):
        parser.error(f"no file '{options.record}'")
    if options.repeat is not None and options.repeat < 1:
        parser.error(f"--repeat is {options.repeat}; it must be 1 or more")
    if options.repeat and not options.record:
        parser.error("--repeat needs --from FILE, whose cells it runs again")
    if options.repeat and os.path.realpath(
            record_of(options.out)) == os.path.realpath(options.record):
        parser.error("--out is the page of --from, which --repeat would replace")
    return options


def version_of(options: argparse.Namespace, places: Places) -> Version:
    size = (SIZES[options.size] if options.size else fitting(options.budget))
    names = (list(dict.fromkeys(options.sets.split(","))) if options.sets
             else size.sets)
    if not options.table_only:
        if missing := places.missing_programs():
            sys.exit(f"studies: cannot run {listed(missing)}; SLICE_PROGRAMS "
                     "must name a folder with the built programs, or be unset")
        for name in names:
            if not places.links(name):
                sys.exit(f"studies: no links in "
                         f"{os.path.join(places.data_dir, name, 'train.txt')}; "
                         "--data-dir must hold one folder per data set")
    by_size = sorted(names, key=lambda name: (places.links(name), name))
    return Version(tuple(by_size), tuple(options.seeds), size,
                   compared_by(options, places, by_size),
                   CASE_SET if places.links(CASE_SET) else "")


def compared_by(options: argparse.Namespace, places: Places,
                sets: Sequence[str]) -> Compared:
    """What the study of degrees shows of other methods; kept for the next run.
    A comparison replaces its own methods alone, so that a table may come of
    several."""
    known: dict[str, dict[str, list[Figures]]] = {}
    if os.path.exists(places.compared_file):
        known = read_json(places.compared_file)
    if options.comparison:
        for data, methods in compared_methods(
                options.comparison, places.data_dir, sets).items():
            known.setdefault(data, {}).update(methods)
        write_text(places.compared_file, brief(known) + "\n")
        known = read_json(places.compared_file)  # with the digits of the record
    return {data: known[data] for data in sets if data in known}


def command_of(arguments: Sequence[str]) -> str:
    """The command of the page, without the folders of this machine."""
    folders = ("--root", "--programs", "--data-dir", "--runs", "--out",
               "--comparison", "--from")
    shown, hidden = [], False  # whether the next word is a folder
    for word in arguments:
        if not hidden and word not in (*folders, "--table-only"):
            shown.append(word)
        hidden = not hidden and word in folders
    return shlex.join(["scripts/studies", *shown])


def stamp(arguments: Sequence[str], version: Version,
          figures: Sequence[Figures], record: str) -> list[str]:
    """What made the figures: they may be those of several commits."""
    def every(key: str, between: str = "; ") -> str:
        return between.join(sorted({str(one[key])
                                    for one in figures})) or "none"
    minutes = sum(one["wall_seconds"] for one in figures) / 60
    return [f"- command: `{command_of(arguments)}`",
            f"- commit: {every('commit')}",
            f"- machine: {every('machine')}; each cell has one thread, cells at "
            f"once: {every('jobs')}",
            f"- sets: {', '.join(version.sets)}; seeds asked for: "
            f"{', '.join(map(str, version.seeds))}; seeds that ran: "
            f"{every('seed', ', ')}",
            f"- time of the cells that ran, added up: {minutes:.0f} min",
            f"- figures of each cell, with its commit: [{record}]({record})"]


def again_line(page: str) -> list[str]:
    """A link to the page of --repeat, where it is beside this one."""
    return ([f"- cells that ran again: [{AGAIN}]({AGAIN})"]
            if os.path.exists(os.path.join(os.path.dirname(page), AGAIN)) else [])


def headline(version: Version) -> list[str]:
    lines = ["# Studies", "",
             "The studies of the SLiCE paper, made by `scripts/studies`; run it "
             "again rather than edit this page. Figures are mean ± deviation "
             "over seeds, and the rules behind them are in "
             "[leakage.md](leakage.md). The script writes the sentences "
             "under the tables from the figures. What the presets `paper` and `default` "
             "are: [training.md](training.md#presets). A cell is one run: a "
             "training, or questions to a trained network. A dash (–) is what has "
             "not run, is not known, or rests on too few links."]
    if version.size.caution:
        lines += ["", version.size.caution]
    return lines


def ran_line(version: Version, cells: Sequence[Cell], found: Found) -> str:
    """How many cells of a study ran, and the sets on which none did."""
    distinct = set(cells)
    ran = {cell for cell in distinct if found.get(cell) is not None}
    empty = [data for data in version.sets
             if any(cell.data == data for cell in distinct)
             and all(cell.data != data for cell in ran)]
    text = f"{len(ran)} of {len(distinct)} cells ran"
    return (f"{text}, none of them on {listed(empty, 'or')}."
            if ran and empty else f"{text}.")


def shown_version(study: Study, version: Version, found: Found) -> Version:
    """With the seeds of which all cells of the study ran, or else all
    trainings. A mean over other seeds than those of its neighbours cannot be
    compared with them. Where no seed is whole, all stay."""
    by_seed = {seed: study.cells(replace(version, seeds=(seed,)))
               for seed in version.seeds}
    trained = {seed: [cell for cell in cells if cell.owner == cell]
               for seed, cells in by_seed.items()}
    for cells_of in (by_seed, trained):
        whole = tuple(seed for seed, cells in cells_of.items()
                      if cells and all(map(found.get, cells)))
        if whole:
            return replace(version, seeds=whole)
    return version


def shown_line(study: Study, version: Version, shown: Version,
               found: Found) -> str:
    """Which seeds are shown, and how many cells are left out for it."""
    if shown.seeds == version.seeds:
        return ""
    seeds = listed(list(map(str, shown.seeds)))
    seen = set(study.cells(shown))
    left = sum(cell not in seen and found.get(cell) is not None
               for cell in set(study.cells(version)))
    what = ("all" if all(map(found.get, seen)) else "all trainings")
    return (f" Shown {'is seed' if len(shown.seeds) == 1 else 'are seeds'} "
            f"{seeds}, of which {what} ran."
            + (f" {left} cells of other seeds ran as well; their figures are in "
               "the JSON file alone." if left > 1 else
               " One cell of another seed ran as well; its figures are in the "
               "JSON file alone." if left else ""))


def paragraphs(sentences: Sequence[str], sets: Sequence[str]) -> list[str]:
    """Lines of Markdown: a list of what is said of one set each, and what is
    said of all before or after it."""
    starts = tuple(f"On {data} " for data in sets)
    lines = []
    for of_a_set, group in groupby(sentences, lambda one: one.startswith(starts)):
        lines += ["", *([f"- {one}" for one in group] if of_a_set
                        else [" ".join(group)])]
    return lines


def study_lines(study: Study, part: Part, ran: str, folder: str,
                sets: Sequence[str]) -> list[str]:
    lines = ["", f"## {study.number}. {study.title}", "", study.question, "",
             ran]
    if part.answer:
        lines += ["", f"**Answer.** {' '.join(part.answer)}"]
    if part.plot:
        lines += ["", f"![{study.title}]({folder}/{study.name}.svg)"]
    if part.table:
        lines += ["", *part.table]
    if part.sentences:
        lines += paragraphs(part.sentences, sets)
    elif not part.table:
        lines += ["", "No figures yet."]
    if part.missing:
        lines += ["", "Missing, and to note:", "",
                  *(f"- {one}" for one in part.missing)]
    return lines


def failure_lines(failed: Sequence[tuple[Cell, str]]) -> list[str]:
    if not failed:
        return []
    rows = [[cell.data, str(cell.seed),
             f"`{shlex.join([cell.command, *cell.flags])}`",
             reason.replace("|", "\\|")] for cell, reason in failed]
    return ["", "## Cells that failed", "",
            *table(["", "seed", "command", "reason"], rows)]


def write(options: argparse.Namespace, arguments: Sequence[str],
          version: Version, places: Places) -> None:
    folder = os.path.splitext(os.path.basename(options.out))[0]
    lists = [study.cells(version) for study in options.studies]
    every = list(dict.fromkeys(cell for cells in lists for cell in cells))
    found = load(places, every)
    figures = [one for cell in every if (one := found.get(cell)) is not None]
    record = record_of(options.out)
    lines = [*headline(version), "",
             *stamp(arguments, version, figures, os.path.basename(record)),
             *again_line(options.out)]
    for study, cells in zip(options.studies, lists, strict=True):
        shown = shown_version(study, version, found)
        part = study.part(shown, found)
        if part.plot:
            write_text(os.path.join(os.path.dirname(options.out), folder,
                                    f"{study.name}.svg"), part.plot)
        lines += study_lines(study, part, ran_line(version, cells, found)
                             + shown_line(study, version, shown, found), folder,
                             version.sets)
    lines += failure_lines(failures(places, every))
    write_text(options.out, "\n".join(lines) + "\n")
    write_record(record, {cell.key: one for cell in every
                  if (one := found.get(cell)) is not None}, version.compared)


def repeat(options: argparse.Namespace, arguments: Sequence[str],
           version: Version, places: Places) -> int:
    """Prints how cells of the record come out again, and writes the page about
    it; 1 if one does not."""
    record, _ = read_record(options.record)
    chosen = drawn(options.studies, version, record, options.repeat)
    if not chosen:
        sys.exit(f"studies: '{options.record}' has no cell of these options; "
                 "give them as its page says")
    cells = [cell for _, cell in chosen]
    seeds = seeds_of(record)
    forget_others(with_trainings(cells), places, commit(places.root))
    Runner(places, options.budget, options.jobs).run(with_trainings(cells))
    again = load(places, cells)
    outcomes: list[Outcome] = []
    ran: list[Figures] = []
    for study, cell in chosen:
        figures = again.get(cell)
        found = None
        if figures is not None and not is_same_run(figures, record[cell.key]):
            found = agreement(cell, record, figures, seeds)
            ran.append(figures)
        outcomes.append((study, cell, found))
        print(line_of(study, cell, found))
    page = os.path.splitext(os.path.basename(options.record))[0] + ".md"
    if os.path.exists(os.path.join(os.path.dirname(options.out), page)):
        page = f"[{page}]({page})"
    command = (f"{command_of(arguments)} --from "
               f"{os.path.basename(options.record)}")
    write_text(options.out, again_page(command, page, options.repeat, outcomes,
                                       ran))
    return 0 if all(is_good(found) for _, _, found in outcomes) else 1


def main(arguments: Sequence[str]) -> int:
    try:
        return run(parsed(arguments), arguments)
    except (ValueError, OSError) as error:  # of the record; of writing
        sys.exit(f"studies: {error}")
    except KeyboardInterrupt:
        return 130


def run(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    places = Places(options.root, options.programs, options.data_dir,
                    options.runs)
    # The end of the process, too, ends the programs that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if options.repeat:
        return repeat(options, arguments, version_of(options, places), places)
    if options.record:
        take_over(options.record, places)
    version = version_of(options, places)
    cells = breadth_first([study.cells(version) for study in options.studies],
                          places.links)
    if not options.table_only:
        try:
            Runner(places, options.budget, options.jobs).run(cells)
        except KeyboardInterrupt:
            write(options, arguments, version, places)
            raise
    write(options, arguments, version, places)
    return 1 if failures(places, cells) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
