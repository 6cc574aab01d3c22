"""Where the studies find programs, data sets and runs.

RUNS/cells/<key>.json holds the figures of a finished cell, <key>.failed the
last line that a failed one printed; RUNS/compared.json those of the methods of
slice-trainer compare. Bundles lie in RUNS/bundles for as long as
a cell needs them, logs in RUNS/logs, planted graphs in RUNS/planted, samples of
held-out files in RUNS/samples.
"""

import hashlib
import json
import os
import subprocess
import threading
from dataclasses import dataclass, field
from typing import Any

from studies_cells import PLANTED, Cell
from text_files import write_text

SPLIT = ("train", "valid", "test")
PROGRAMS = ("slice-trainer", "slice-server", "slice-client", "slice-graph")


@dataclass
class Places:
    """Where programs, data sets and runs are."""

    root: str
    programs: str
    data_dir: str
    runs: str
    _counted: dict[str, int] = field(default_factory=dict)
    _making: threading.Lock = field(default_factory=threading.Lock)

    def program(self, name: str) -> str:
        own = os.environ.get("SLICE_TRAINER") if name == "slice-trainer" else ""
        return own or os.path.join(self.programs, name)

    def missing_programs(self) -> list[str]:
        """The paths of programs that cannot be run."""
        paths = map(self.program, PROGRAMS)
        return [path for path in paths if not os.access(path, os.X_OK)]

    def figures_file(self, key: str) -> str:
        """Of the cell with this key."""
        return os.path.join(self.runs, "cells", f"{key}.json")

    @property
    def compared_file(self) -> str:
        """The figures of the methods of slice-trainer compare."""
        return os.path.join(self.runs, "compared.json")

    def failure_file(self, cell: Cell) -> str:
        return os.path.join(self.runs, "cells", f"{cell.key}.failed")

    def bundle(self, cell: Cell) -> str:
        return os.path.join(self.runs, "bundles", cell.key)

    def links(self, data: str) -> int:
        """The train links of a set, by which sets are ordered; 0 without."""
        if data.startswith(PLANTED):
            return int(data.removeprefix(PLANTED))
        if data not in self._counted:
            try:
                with open(os.path.join(self.data_dir, data, "train.txt"),
                          "rb") as file:
                    self._counted[data] = sum(1 for _ in file)
            except OSError:
                return 0
        return self._counted[data]

    def files(self, cell: Cell) -> dict[str, str]:
        """The files of a cell's set by flag. A planted graph is made here, and
        so are samples of held-out files that have more rows than the cell
        wants."""
        data = cell.data
        folder, ending = os.path.join(self.data_dir, data), ".txt"
        if data.startswith(PLANTED):
            with self._making:
                folder, ending = self._planted(data), ".tsv"
        found = {f"--{part}": os.path.join(folder, part + ending)
                 for part in SPLIT}
        if cell.rows is not None:
            with self._making:
                for part in ("--valid", "--test"):
                    found[part] = self._sample(data, found[part], cell.rows)
        nodes = os.path.join(folder, "nodes.tsv")
        return {**found, "--nodes": nodes} if os.path.exists(nodes) else found

    def _sample(self, data: str, path: str, most: int) -> str:
        """A file of so many lines of a file without a header, drawn by a hash
        of the line; the file itself when it has no more."""
        sample = os.path.join(self.runs, "samples", data, str(most),
                              os.path.basename(path))
        if os.path.exists(sample):
            return sample
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
        if len(lines) <= most:
            return path
        drawn = set(sorted(range(len(lines)), key=lambda at: hashlib.sha256(
            lines[at].encode()).digest())[:most])
        write_text(sample, "".join(line for at, line in enumerate(lines)
                                   if at in drawn))
        return sample

    def _planted(self, data: str) -> str:
        """Twenty links per node and 500 nodes per community, as scripts/scaling
        has them."""
        folder = os.path.join(self.runs, "planted", data)
        if not os.path.exists(folder):
            links = self.links(data)
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            subprocess.run(
                [self.program("slice-graph"), "generate", "--out",
                 folder + ".part", "--force", "--links", str(links), "--nodes",
                 str(links // 20), "--communities", str(max(links // 10000, 2))],
                check=True, stdout=subprocess.DEVNULL)
            os.replace(folder + ".part", folder)
        return folder


def read_json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
