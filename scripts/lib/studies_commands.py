"""How the figures of a cell come about: the programs that it runs.

`fit`, `leak` and `baseline` are commands of slice-trainer. `score` reads the
bundle of a training. `explain` and `case` ask a slice-server on the loopback
with that bundle; it ends with the question, and by itself after a while.
"""

import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from serving_loads import Server
from studies_cells import SAMPLE, Cell, Figures
from studies_explained import asked_row, digest, sampled_rows
from studies_figures import of_report
from studies_places import Places
from studies_vectors import cosines_of, degree_rows
from text_files import write_text

SERVER_SECONDS = 900  # after which a server ends by itself
LINKS_PER_CALL = 32
LEAST_SCORED = 10_000  # links, at some ten thousand a second
POLL = 0.02  # seconds
# The exit codes when a signal has ended a program. The Ctrl-C of a terminal reaches
# the programs too, so one may end before this process knows of it.
TOLD_TO_END = {code for one in (signal.SIGINT, signal.SIGTERM)
               for code in (-one, 128 + one)}


class Unfinished(Exception):
    """The time was over before the command ended."""


class Commands:
    """Runs the programs of cells. Thread-safe for cells of different owners.
    `left` says how many seconds there are; None: no bound."""

    def __init__(self, places: Places,
                 left: Callable[[], float | None]) -> None:
        self._places = places
        self._left = left

    def figures(self, cell: Cell) -> Figures:
        """Raises Unfinished, and CalledProcessError of a program that fails."""
        makers: dict[str, Callable[[Cell], Figures]] = {
            "fit": self._fit, "leak": self._leak, "baseline": self._baseline,
            "score": self._score, "explain": self._explain, "case": self._case}
        return makers[cell.command](cell)

    def last_line(self, cell: Cell) -> str:
        """The last line that a program of this cell logged; "" without one."""
        try:
            with open(self._log(cell), encoding="utf-8",
                      errors="replace") as file:
                lines = file.read().strip().splitlines()
        except OSError:
            return ""
        return lines[-1] if lines else ""

    def _train(self, cell: Cell) -> tuple[str, float]:
        """What a command of slice-trainer on the files of a set prints."""
        files = [word for pair in self._places.files(cell).items()
                 for word in pair]
        out = ([] if cell.command == "leak"
               else ["--out", self._places.bundle(cell)])
        return self._call(cell, "slice-trainer", [
            cell.command, *cell.flags, *files, "--seed", str(cell.seed),
            "--threads", "1", "--json", *out])

    def _fit(self, cell: Cell) -> Figures:
        """Of a training that goes on from an interruption, the whole processor
        time is not known."""
        work = self._places.bundle(cell) + ".work"
        goes_on = os.path.exists(work)
        report, seconds = self._train(cell)
        shutil.rmtree(work, ignore_errors=True)
        with open(self._places.files(cell)["--train"], "rb") as file:
            links = sum(1 for _ in file)
        return {**of_report(json.loads(report)), "train_links": links,
                "cpu_seconds": None if goes_on else seconds}

    def _leak(self, cell: Cell) -> Figures:
        figures: Figures = json.loads(self._train(cell)[0])
        return figures

    def _baseline(self, cell: Cell) -> Figures:
        """Its vectors give cosines, its scores the AUROC by degree."""
        report, seconds = self._train(cell)
        out, files = self._places.bundle(cell), self._places.files(cell)
        return {**of_report(json.loads(report)), "cpu_seconds": seconds,
                "degree": degree_rows(out, files["--train"], files["--test"]),
                "cosines": cosines_of(out, sampled_rows(files["--test"],
                                                        SAMPLE, SAMPLE))}

    def _bundle_of(self, cell: Cell) -> str:
        """The bundle that a cell reads; it is made again when it is gone."""
        assert cell.bundle_of is not None
        bundle = self._places.bundle(cell.bundle_of)
        if not os.path.exists(bundle):
            self._fit(cell.bundle_of)
        return bundle

    def _score(self, cell: Cell) -> Figures:
        """The processor time of all test links less that of one, which is the
        time of reading the bundle. Few links are scored several times, so that
        their time is clear of the noise of the other one."""
        bundle = self._bundle_of(cell)
        with open(self._places.files(cell)["--test"], encoding="utf-8") as file:
            rows = file.readlines()
        times = math.ceil(LEAST_SCORED / len(rows))
        seconds = []
        with tempfile.TemporaryDirectory() as folder:
            for links in (rows[:1], rows * times):
                asked = os.path.join(folder, "links.tsv")
                write_text(asked, "".join(links))
                seconds.append(self._call(cell, "slice-trainer", [
                    "score", "--bundle", bundle, "--links", asked, "--keys",
                    "--threads", "1", "--out",
                    os.path.join(folder, "scores")])[1])
        return {"rows": len(rows), "loading_seconds": seconds[0],
                "links_per_second": (len(rows) * times - 1)
                / max(seconds[1] - seconds[0], 1e-3)}

    def _serve(self, cell: Cell) -> tuple[Server, tempfile.TemporaryDirectory[
            str]]:
        folder = tempfile.TemporaryDirectory()
        return Server(
            "timeout", SERVER_SECONDS, self._places.program("slice-server"),
            "--bundle", self._bundle_of(cell), "--data-dir", folder.name,
            "--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0",
            "--lame-duck", "0s"), folder

    def _explain(self, cell: Cell) -> Figures:
        """What the explanations of a sample of the test rows say."""
        files = self._places.files(cell)
        rows = sampled_rows(files["--test"], *map(int, cell.flags))
        server, folder = self._serve(cell)
        answers: list[Any] = []
        with folder, server:
            url = f"http://{server.said('http on')}/v1/links:predict"
            for at in range(0, len(rows), LINKS_PER_CALL):
                self._check_time()
                body = {"links": [asked_row(row) for row in
                                  rows[at:at + LINKS_PER_CALL]],
                        "explanation_level": "EXPLANATION_LEVEL_FULL"}
                answers += _posted(url, body)["results"]
        return digest(rows, answers, typed="--nodes" in files)

    def _case(self, cell: Cell) -> Figures:
        """What slice-client says about the link of the cell's flags."""
        server, folder = self._serve(cell)
        with folder, server:
            answer, _ = self._call(cell, "slice-client", [
                "--server", server.address, "--json", "explain", "--keys",
                *cell.flags])
        return {"answer": json.loads(answer)}

    def _check_time(self) -> None:
        left = self._left()
        if left is not None and left <= 0:
            raise Unfinished

    def _log(self, cell: Cell) -> str:
        return os.path.join(self._places.runs, "logs", f"{cell.key}.log")

    def _call(self, cell: Cell, program: str,
              arguments: list[str]) -> tuple[str, float]:
        """What a program prints, and the seconds of processor time that it
        took. A command that the budget cuts short is interrupted; slice-trainer
        keeps its finished steps, and goes on another time."""
        for folder in ("bundles", "logs"):
            os.makedirs(os.path.join(self._places.runs, folder), exist_ok=True)
        command = [self._places.program(program), *arguments]
        with (open(self._log(cell), "a", encoding="utf-8") as log,
              tempfile.TemporaryFile("w+", encoding="utf-8") as out):
            with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                  stdout=out, stderr=log) as process:
                seconds = self._wait(process)
            if process.returncode != 0:
                raise subprocess.CalledProcessError(process.returncode, command)
            out.seek(0)
            return out.read(), seconds

    def _wait(self, process: "subprocess.Popen[bytes]") -> float:
        """Waits for a program; its seconds of processor time."""
        interrupted = False
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                process.returncode = os.waitstatus_to_exitcode(status)
                if interrupted or process.returncode in TOLD_TO_END:
                    raise Unfinished
                return used.ru_utime + used.ru_stime
            left = self._left()
            if left is not None and left <= 0 and not interrupted:
                process.terminate()
                interrupted = True
            time.sleep(POLL)


def _posted(url: str, body: Any) -> Any:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=SERVER_SECONDS) as answer:
        return json.load(answer)
