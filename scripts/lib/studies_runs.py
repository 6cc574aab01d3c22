"""Runs the cells of the studies, several at once, until the budget is spent.

Each cell has one thread, so that it gives the same figures again, and as many
cells run at once as --jobs says. Those who work on cells take the next one that
may run: not one whose bundle another is making or reading.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

from benchmark_stamp import commit, machine
from studies_cells import Cell, Found
from studies_commands import Commands, Unfinished
from studies_places import Places, read_json
from studies_record import brief
from text_files import write_text


POLL = 0.2  # seconds


@contextlib.contextmanager
def _on_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Calls `stop` when the process is told to end. An exception instead would
    break into the wait for a thread, which then takes it for ended."""
    before = {one: signal.signal(one, lambda *_: stop())
              for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class Runner:
    """Runs cells; `jobs` of them at once."""

    def __init__(self, places: Places, budget: float | None,
                 jobs: int = 1) -> None:
        self._places = places
        self._end = None if budget is None else time.monotonic() + budget
        self._stopped = False  # by a signal
        self._error: Exception | None = None  # that ended a worker
        self._jobs = jobs
        self._commands = Commands(places, self.left)
        self._about = {"commit": commit(places.root), "machine": machine(),
                       "jobs": jobs}
        self._changed = threading.Condition()
        self._waiting: list[Cell] = []
        self._busy: set[Cell] = set()  # the owners of bundles in use
        self._cells: list[Cell] = []
        self._took: dict[Cell, float] = {}  # seconds of finished cells

    def run(self, cells: list[Cell]) -> None:
        """Runs what is not finished. A cell that would not fit any more is left
        out, with the readers of its bundle; a smaller one after it may still
        run. After SIGINT or SIGTERM programs end, nothing else begins, and
        KeyboardInterrupt is raised. OSError where not even the reason of a
        failure could be written."""
        self._cells = cells
        self._waiting = [cell for cell in cells if not self.finished(cell)]
        workers = [threading.Thread(target=self._work)
                   for _ in range(self._jobs)]
        with _on_signal(self._stop):
            for worker in workers:
                worker.start()
            for worker in workers:
                # A signal that comes just before an endless wait begins would
                # not be seen until the wait is over.
                while worker.is_alive():
                    worker.join(POLL)
        if self._error is not None:
            raise self._error
        if self._stopped:
            raise KeyboardInterrupt

    def _stop(self) -> None:
        self._end = time.monotonic()
        self._stopped = True

    def finished(self, cell: Cell) -> bool:
        return os.path.exists(self._places.figures_file(cell.key))

    def left(self) -> float | None:
        return None if self._end is None else self._end - time.monotonic()

    def _work(self) -> None:
        while (cell := self._take()) is not None:
            try:
                self._run(cell)
            except OSError as error:
                self._error = error
                self._end = time.monotonic()
            finally:
                with self._changed:
                    self._busy.discard(cell.owner)
                    self._drop_bundle(cell.owner)
                    self._changed.notify_all()

    def _take(self) -> Cell | None:
        """The next cell that may run; None when there is none any more."""
        with self._changed:
            while self._waiting:
                cell = next((one for one in self._waiting
                             if one.owner not in self._busy), None)
                if cell is None:
                    self._changed.wait()
                    continue
                self._waiting.remove(cell)
                if cell.bundle_of and not self.finished(cell.bundle_of):
                    print(f"    {cell.key}: its training has not run",
                          file=sys.stderr)
                    continue
                if self._fits(cell):
                    self._busy.add(cell.owner)
                    return cell
                print(f"    {cell.key}: no time left", file=sys.stderr)
            return None

    def _fits(self, cell: Cell) -> bool:
        """By the time of the most similar cells that ran."""
        left = self.left()
        if left is None or left <= 1:
            return left is None
        for other in self._cells:
            if other not in self._took and self.finished(other):
                self._took[other] = read_json(
                    self._places.figures_file(other.key))["wall_seconds"]
        expected = expected_seconds(cell, list(self._took.items()),
                                    self._places.links)
        return left > (expected or 0.0)

    def _run(self, cell: Cell) -> None:
        print(f"==> {cell.key} {' '.join(cell.flags)}", file=sys.stderr)
        begin = time.monotonic()
        try:
            figures = self._commands.figures(cell)
            about = {**self._about, "command": cell.command, "data": cell.data,
                     "seed": cell.seed, "flags": list(cell.flags),
                     "wall_seconds": time.monotonic() - begin}
            write_text(self._places.figures_file(cell.key),
                       brief({**figures, **about}) + "\n")
        except Unfinished:
            print(f"    {cell.key}: the budget is spent", file=sys.stderr)
        except Exception as error:  # of any kind: the other cells go on
            if self._stopped:
                print(f"    {cell.key}: interrupted", file=sys.stderr)
            else:
                self._fail(cell, error)

    def _fail(self, cell: Cell, error: Exception) -> None:
        """Keeps the reason: the last line of the log where a program failed."""
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        if isinstance(error, subprocess.CalledProcessError):
            reason = self._commands.last_line(cell) or reason
        print(f"    {cell.key}: {reason}", file=sys.stderr)
        write_text(self._places.failure_file(cell), reason + "\n")

    def _drop_bundle(self, owner: Cell) -> None:
        """Removes a bundle when no unfinished cell reads it any more."""
        needed = any(cell.owner == owner and not self.finished(cell)
                     for cell in self._cells)
        if not needed:
            shutil.rmtree(self._places.bundle(owner), ignore_errors=True)


def expected_seconds(cell: Cell, done: list[tuple[Cell, float]],
                     links: Callable[[str], int]) -> float | None:
    """The longest of the cells of the same command that agree most: in preset
    and set, else in the preset, scaled by the links of the sets. None where no
    such cell ran."""
    alike = [(other, seconds) for other, seconds in done
             if other.command == cell.command
             and other.flags[:2] == cell.flags[:2]]
    same = [seconds for other, seconds in alike if other.data == cell.data]
    if same:
        return max(same)
    return max((seconds * max(1.0, links(cell.data) / max(links(other.data), 1))
                for other, seconds in alike), default=None)


def load(places: Places, cells: list[Cell]) -> Found:
    return Found({cell.key: read_json(places.figures_file(cell.key))
                  for cell in cells
                  if os.path.exists(places.figures_file(cell.key))})


def failures(places: Places, cells: list[Cell]) -> list[tuple[Cell, str]]:
    found = []
    for cell in cells:
        path = places.failure_file(cell)
        if (os.path.exists(path)
                and not os.path.exists(places.figures_file(cell.key))):
            with open(path, encoding="utf-8") as file:
                found.append((cell, file.read().strip()))
    return found
