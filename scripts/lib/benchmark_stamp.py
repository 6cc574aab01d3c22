"""Says how, when and on which machine a benchmark was run, in Markdown.

usage: benchmark_stamp.py --command TEXT --root DIR --out FILE
"""

import argparse
import os
import re
import subprocess
import time

from instruction_sets import processor_flags, vector_flags


def first_match(path, pattern, default="unknown"):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.MULTILINE)
    except OSError:
        return default
    return found.group(1).strip() if found else default


def git(root: str, *arguments: str) -> str:
    """What git prints; "" when it fails or is not installed."""
    try:
        result = subprocess.run(["git", "-C", root, *arguments], text=True,
                                capture_output=True, check=False)
    except FileNotFoundError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def commit(root: str) -> str:
    name = git(root, "rev-parse", "--short=12", "HEAD") or "unknown"
    if git(root, "status", "--porcelain", "--untracked-files=no", "--", ".",
           ":!docs"):  # except docs, where the figures go
        name += " with changes"
    return name


def caches():
    """The caches of the first processor, such as "L1d 48K, L2 2048K"."""
    folder = "/sys/devices/system/cpu/cpu0/cache"
    found = []
    for index in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        def read(name, index=index):
            return first_match(os.path.join(folder, index, name), r"^(.*)$", "")
        kind = {"Data": "d", "Instruction": "i"}.get(read("type"), "")
        if read("level"):
            found.append(f"L{read('level')}{kind} {read('size')}")
    return ", ".join(found)


def machine() -> str:
    model = first_match("/proc/cpuinfo", r"^model name\s*: (.*)$")
    memory = first_match("/proc/meminfo", r"^MemTotal:\s+(\d+)", "0")
    return (f"{os.cpu_count()} × {model}, {int(memory) / 2**20:.0f} GiB; "
            f"{caches()}")


def compiler(root):
    cache = os.path.join(root, "build", "release", "CMakeCache.txt")
    path = first_match(cache, r"^CMAKE_CXX_COMPILER:\w+=(.*)$", "c++")
    flags = first_match(cache, r"^CMAKE_CXX_FLAGS_RELEASE:\w+=(.*)$", "")
    version = subprocess.run([path, "--version"], text=True,
                             capture_output=True, check=False).stdout
    return f"{version.splitlines()[0] if version else path}, `{flags}`"


def stamp(command, root):
    """First the lines that are the same for all runs on one machine, then the
    line about this run."""
    return [
        f"- machine: {machine()}",
        f"- vector instructions of the processor: "
        f"{' '.join(vector_flags(processor_flags())) or 'unknown'}",
        f"- compiler: {compiler(root)}",
        f"- commit {commit(root)}, {time.strftime('%Y-%m-%d')}, `{command}`, "
        "load after: " + ", ".join(f"{load:.2f}" for load in os.getloadavg()),
    ]


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--command", "--root", "--out"):
        parser.add_argument(flag, required=True)
    arguments = parser.parse_args()
    with open(arguments.out, "w", encoding="utf-8") as file:
        file.write("\n".join(stamp(arguments.command, arguments.root)) + "\n")


if __name__ == "__main__":
    main()
