"""What neighbours_benchmark.py puts around a server: busy programs, a control
group with a quota of processor time, and a list of links to score."""

import json
import os
import random
import re
import subprocess

from serving_loads import LoadError

PERIOD_MICROSECONDS = 100_000  # the period that containers get
BUSY_LOOP = "while :; do :; done"
LONGEST_SECONDS = 900  # ends a busy program when the benchmark was killed


class BusyNeighbours:
    """For a `with` block: programs of one thread each that never wait. They
    have ordinary priority and belong to the same session as the server."""

    def __init__(self, count):
        self._count = count
        self.programs = []

    def __enter__(self):
        for _ in range(self._count):
            self.programs.append(subprocess.Popen(
                ["sh", "-c", f"ulimit -t {LONGEST_SECONDS}; {BUSY_LOOP}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
        return self

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()
            program.wait()


class NoQuota(Exception):
    """No control group can be made here; the text says why."""


def cpu_hierarchy(mounts="/proc/mounts"):
    """(folder, version) of the hierarchy of control groups in which a quota of
    processor time can be set. Raises NoQuota when there is none."""
    with open(mounts, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    for _, folder, kind, options, *_ in rows:
        if kind == "cgroup" and "cpu" in options.split(","):
            return folder, 1
    for _, folder, kind, *_ in rows:
        if kind != "cgroup2":
            continue
        control = os.path.join(folder, "cgroup.subtree_control")
        try:
            with open(control, encoding="utf-8") as file:
                if "cpu" in file.read().split():
                    return folder, 2
        except OSError:
            pass
    raise NoQuota("no control group hierarchy with the cpu controller")


class QuotaGroup:
    """For a `with` block: a control group that gets `cores` seconds of
    processor time per second. Raises NoQuota where none can be made."""

    def __init__(self, cores):
        parent, self._version = cpu_hierarchy()
        self.folder = os.path.join(parent, f"slice-benchmark-{os.getpid()}")
        self._quota = int(cores * PERIOD_MICROSECONDS)

    def __enter__(self):
        try:
            os.mkdir(self.folder)
        except OSError as error:
            raise NoQuota(f"cannot make {self.folder}: {error.strerror}")
        try:
            if self._version == 1:
                self._write("cpu.cfs_period_us", PERIOD_MICROSECONDS)
                self._write("cpu.cfs_quota_us", self._quota)
            else:
                self._write("cpu.max", f"{self._quota} {PERIOD_MICROSECONDS}")
        except OSError as error:
            os.rmdir(self.folder)
            raise NoQuota(f"cannot set a quota: {error.strerror}")
        return self

    def __exit__(self, *_):
        os.rmdir(self.folder)  # the programs of the group have ended

    def _write(self, name, value):
        with open(os.path.join(self.folder, name), "w",
                  encoding="utf-8") as file:
            file.write(str(value))

    def command(self, *command):
        """The command that runs `command` in the group."""
        return ("sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"',
                self.folder, *command)

    def throttled_share(self):
        """The share of periods in which the quota was used up, among the
        periods in which something ran."""
        with open(os.path.join(self.folder, "cpu.stat"),
                  encoding="utf-8") as file:
            numbers = dict(line.split() for line in file)
        periods = int(numbers["nr_periods"])
        return int(numbers["nr_throttled"]) / periods if periods else 0.0


class LinkList:
    """A file of links between nodes of the server's graph, and how fast
    `slice-client predict --links` scores it."""

    def __init__(self, client, server, path, count):
        self._client = client
        self._path = path
        self._count = count
        relations = self._ask(server, "relations")["relations"]
        nodes = self._ask(server, "find", "--limit", "100000")["nodes"]
        keys = [node["key"] for node in nodes]
        draw = random.Random(1)
        with open(path, "w", encoding="utf-8") as file:
            for i in range(count):
                relation = relations[i % len(relations)]["name"]
                source, target = draw.choice(keys), draw.choice(keys)
                file.write(f"{relation}\t{source}\t{target}\n")

    def _run(self, server, *arguments):
        return subprocess.run(
            [self._client, "--server", server.address, *arguments],
            stdin=subprocess.DEVNULL, text=True, capture_output=True,
            check=False)

    def _ask(self, server, *arguments):
        result = self._run(server, *arguments, "--json")
        if result.returncode != 0:
            raise LoadError(f"slice-client {arguments[0]}: "
                            f"{result.stderr.strip()[-500:]}")
        return json.loads(result.stdout)

    def score(self, server, clock):
        """Scores the list once; returns (exit status, seconds, number of links
        that have a score)."""
        start = clock()
        result = self._run(server, "predict", "--keys", "--links", self._path)
        seconds = clock() - start
        lines = result.stdout.splitlines()
        scored = sum(not re.search(r"\tnan$", line) for line in lines)
        return result.returncode, seconds, scored
