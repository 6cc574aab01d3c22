#!/usr/bin/env python3
"""Writes completions for bash, zsh and fish, made of the programs' --help.

usage: scripts/lib/completions.py BIN OUT [PROGRAM ...]

OUT gets bash/slice-server, zsh/_slice-server, fish/slice-server.fish and so on.
"""

import os
import re
import sys

import program_help

# Placeholders of values that are files or folders.
FILES = {"FILE", "FILES", "PATH"}
FOLDERS = {"DIR"}


def choices(flag):
    """The words that a flag takes, when its text lists them."""
    listed = re.search(r"(?:one of|:) ((?:[\w.-]+, )*[\w.-]+ (?:or|and) "
                       r"[\w.-]+)(?: \[|$)",
                       re.sub(r" \([^)]*\)", "", flag.text))
    if flag.value not in ("NAME", "TEXT", "DEVICE") or not listed:
        return []
    return re.split(r", | or | and ", listed[1])


def bash_values(flags):
    """Cases of the word before the cursor."""
    lines = []
    for flag in flags:
        if not flag.value:
            continue
        if flag.value in FILES:
            action = 'COMPREPLY=($(compgen -f -- "${word}"))'
        elif flag.value in FOLDERS:
            action = 'COMPREPLY=($(compgen -d -- "${word}"))'
        elif choices(flag):
            action = (f'COMPREPLY=($(compgen -W "{" ".join(choices(flag))}" '
                      '-- "${word}"))')
        else:
            action = "COMPREPLY=()"
        lines.append(f'    {"|".join(flag.names)}) {action}; return ;;')
    return lines


def bash(program, pages):
    function = "_" + program.replace("-", "_")
    commands = [one.names[0]
                for one in pages[""].sections.get("Commands", [])]
    own = program_help.flags(pages[""])
    every = {flag.names[-1]: flag for page in pages.values()
             for flag in program_help.flags(page)}
    lines = [
        f"# bash completion of {program}, made of its --help.",
        f"{function}() {{",
        '  local word="${COMP_WORDS[COMP_CWORD]}"',
        '  local before="${COMP_WORDS[COMP_CWORD - 1]}" command="" each',
        '  case "${before}" in', *bash_values(every.values()), "  esac",
        f'  for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do',
        f'    case " {" ".join(commands)} " in',
        '      *" ${each} "*) command="${each}"; break ;;', "    esac",
        "  done", '  local words=""', '  case "${command}" in']
    for command in ["", *commands]:
        flags = program_help.flags(pages[command])
        words = [name for flag in flags for name in flag.names]
        if command == "":
            words += commands
        elif program == "slice-client":
            words += [name for flag in own for name in flag.names]
        lines.append(f'    "{command}") words="{" ".join(dict.fromkeys(words))}"'
                     " ;;")
    return "\n".join([
        *lines, "  esac", '  COMPREPLY=($(compgen -W "${words}" -- "${word}"))',
        "}", f"complete -o bashdefault -o default -F {function} {program}", ""])


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_flag(flag):
    text = re.sub(r"([\[\]:\\])", r"\\\1", flag.text)
    value = ""
    if flag.value:
        action = ("_files" if flag.value in FILES else
                  "_files -/" if flag.value in FOLDERS else
                  f"({' '.join(choices(flag))})" if choices(flag) else " ")
        value = f":{flag.value.replace(':', ' ')}:{action}"
    return [quote(f"{name}[{text}]{value}") for name in flag.names]


def zsh(program, pages):
    lines = [f"#compdef {program}", f"# Made of {program} --help.",
             "local curcontext=$curcontext state line", "typeset -A opt_args"]
    own = [each for flag in program_help.flags(pages[""])
           for each in zsh_flag(flag)]
    commands = pages[""].sections.get("Commands", [])
    if not commands:
        return "\n".join([*lines, "_arguments -s \\",
                          " \\\n".join("  " + each for each in own), ""])
    lines += ["_arguments -C -s \\", *(f"  {each} \\" for each in own),
              "  '1:command:->command' '*::argument:->argument'",
              "case $state in", "  command)", "    local -a commands=("]
    lines += ["      " + quote(one.names[0] + ":" + one.text.replace(":", "\\:"))
              for one in commands]
    lines += ["    )", "    _describe command commands ;;", "  argument)",
              "    case $words[1] in"]
    for command in commands:
        flags = [each for flag in program_help.flags(pages[command.names[0]])
                 for each in zsh_flag(flag)]
        lines += [f"      {command.names[0]}) _arguments -s \\",
                  *(f"        {each} \\" for each in flags),
                  "        '*:argument:_files' ;;"]
    return "\n".join([*lines, "    esac ;;", "esac", ""])


def fish_flag(program, flag, condition):
    line = f"complete -c {program}{condition}"
    for name in flag.names:
        line += (f" -l {name[2:]}" if name.startswith("--") else
                 f" -s {name[1:]}")
    if flag.value:
        line += " -r"
        if choices(flag):
            line += f" -f -a {quote(' '.join(choices(flag)))}"
        elif flag.value not in FILES | FOLDERS:
            line += " -f"
    return f"{line} -d {quote(flag.text)}"


def fish(program, pages):
    lines = [f"# fish completion of {program}, made of its --help."]
    commands = pages[""].sections.get("Commands", [])
    lines += [fish_flag(program, flag, "")
              for flag in program_help.flags(pages[""])]
    for command in commands:
        name = command.names[0]
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f "
                     f"-a {name} -d {quote(command.text)}")
        seen = f" -n '__fish_seen_subcommand_from {name}'"
        lines += [fish_flag(program, flag, seen)
                  for flag in program_help.flags(pages[name])]
    return "\n".join([*lines, ""])


def main():
    folder, out, *programs = sys.argv[1:]
    for program in programs or program_help.PROGRAMS:
        pages = program_help.read(folder, program)
        for path, text in ((f"bash/{program}", bash(program, pages)),
                           (f"zsh/_{program}", zsh(program, pages)),
                           (f"fish/{program}.fish", fish(program, pages))):
            path = os.path.join(out, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
