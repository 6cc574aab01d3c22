"""The --help of the programs, taken apart: what man pages and completions are
made of."""

import collections
import os
import re
import subprocess
import sys

# A flag or command with its text. `names` are all spellings; `value` is the
# placeholder of what follows a flag, or "".
Entry = collections.namedtuple("Entry", "names value text")
# `summary` is the first line. `sections` maps a heading to its entries. `notes`
# are the paragraphs after the last section.
Help = collections.namedtuple("Help", "summary usage sections notes")

PROGRAMS = ("slice-server", "slice-client", "slice-graph", "slice-trainer")
FIRST_COLUMN = re.compile(r"^  (\S.*)$")
FLAG = re.compile(r"^(--?[\w-]+(?:, --?[\w-]+)*)(?: (\S+))?$")


def help_text(folder, *line):
    """What `line --help` prints without any SLICE_ variable set."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SLICE_")}
    program = os.path.join(folder, line[0])
    try:
        return subprocess.run(
            [program, *line[1:], "--help"], env=environment, text=True,
            capture_output=True, check=True, timeout=120).stdout
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"{program}: {error}")


def entry_of(first, rest):
    """An entry of its first line and the lines below it."""
    name, _, text = re.sub(r" {2,}", "  ", first).partition("  ")
    match = FLAG.match(name)
    words = " ".join([text.strip(), *(line.strip() for line in rest)]).strip()
    if match:
        return Entry(match[1].split(", "), match[2] or "", words)
    return Entry([name], "", words)


def parse(text):
    """Help of what a program printed."""
    lines = text.rstrip("\n").split("\n")
    sections, notes, usage = {}, [], ""
    heading, waiting = None, []

    def finish():
        if waiting:
            sections[heading].append(entry_of(waiting[0], waiting[1:]))
            waiting.clear()

    for line in lines[1:]:
        if line.startswith("Usage: "):
            usage = line.removeprefix("Usage: ")
        elif not line:
            finish()
            heading = None
        elif line.endswith(":") and not line.startswith(" ") and not heading:
            heading = line[:-1]
            sections[heading] = []
        elif heading and FIRST_COLUMN.match(line):
            finish()
            waiting.append(line.strip())
        elif heading and waiting:
            waiting.append(line)
        else:
            notes.append(line.strip())
    finish()
    return Help(lines[0], usage, sections, notes)


def read(folder, program):
    """{"": Help of the program, command: Help of the command, ...}"""
    found = {"": parse(help_text(folder, program))}
    for entry in found[""].sections.get("Commands", []):
        found[entry.names[0]] = parse(
            help_text(folder, program, entry.names[0]))
    return found


def flags(page):
    """The entries of all sections that hold flags."""
    return [entry for entries in page.sections.values() for entry in entries
            if entry.names[0].startswith("-")]
