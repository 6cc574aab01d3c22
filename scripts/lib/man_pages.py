#!/usr/bin/env python3
"""Writes a man page for each program, made of its --help.

usage: scripts/lib/man_pages.py BIN OUT VERSION DATE [PROGRAM ...]

BIN is the folder of the programs, OUT gets slice-server.1 and so on. DATE is
like 2026-11-24.
"""

import os
import sys

import program_help


def escape(text):
    """Text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


def entry(one):
    names = ", ".join(f"\\fB{escape(name)}\\fR" for name in one.names)
    value = f" \\fI{escape(one.value)}\\fR" if one.value else ""
    return [".TP", names + value, escape(one.text) or "\\&"]


def section(level, title, entries):
    lines = [f".{level} {escape(title)}"]
    for one in entries:
        lines += entry(one)
    return lines


def page(program, pages, version, date):
    """The man page of a program as text."""
    own = pages[""]
    others = ", ".join(f"\\fB{escape(name)}\\fR(1)"
                       for name in program_help.PROGRAMS if name != program)
    lines = [
        f'.TH {program.upper()} 1 "{date}" "slice {version}" "User Commands"',
        ".SH NAME",
        f"{escape(program)} \\- {escape(own.summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        escape(own.usage)]
    for title, entries in own.sections.items():
        if title != "Commands":
            lines += section("SH", title.upper(), entries)
    commands = own.sections.get("Commands", [])
    if commands:
        lines += [".SH COMMANDS"]
    for command in commands:
        name = command.names[0]
        lines += [f".SS {escape(name)}", escape(command.text), ".PP",
                  escape(pages[name].usage)]
        for title, entries in pages[name].sections.items():
            # Every command has --help.
            entries = [one for one in entries if "--help" not in one.names]
            for one in entries:
                lines += entry(one)
    if own.notes:
        lines += [".SH NOTES"]
        for note in own.notes:
            lines += [escape(note), ".br"]
        lines.pop()
    return "\n".join([*lines, ".SH SEE ALSO", others, ""])


def main():
    folder, out, version, date, *programs = sys.argv[1:]
    for program in programs or program_help.PROGRAMS:
        text = page(program, program_help.read(folder, program), version, date)
        with open(os.path.join(out, f"{program}.1"), "w",
                  encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
