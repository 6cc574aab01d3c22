"""Rows of the trainer's files, with tabs between the fields.

A field that begins with a quote is written in quotes. So is the first field of
a row that begins with #, where a comment would begin. Quotes count in a file
whose header has them.
"""

from __future__ import annotations

import csv
import pathlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from types import TracebackType
from typing import Self

_ENDS = ("source", "target")


def _needs_quotes(field: str, first: bool) -> bool:
    return field.lstrip(" ").startswith('"') or (first and
                                                 field.startswith("#"))


def _quoted(field: str) -> str:
    return '"' + field.replace('"', '""') + '"'


class Rows:
    """The rows of a file that is written. They wait in a temporary file, since
    the header depends on all of them."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115 (__exit__)
            "w+", encoding="utf-8", newline="\n", dir=folder)
        self._has_quotes = False
        self._taken: set[str] = set()  # names that the columns cannot have
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._file.close()

    def append(self, fields: Sequence[str]) -> None:
        row = []
        for place, field in enumerate(fields):
            needs = _needs_quotes(field, first=place == 0)
            self._has_quotes |= needs
            row.append(_quoted(field) if needs else field)
            if field.rstrip("_") in _ENDS:
                self._taken.add(field)
        self._file.write("\t".join(row) + "\n")
        self.count += 1

    def save(self, path: pathlib.Path, columns: Sequence[str]) -> None:
        names = [self._free(name) for name in columns]
        if self._has_quotes:
            names = [_quoted(name) for name in names]
        self._file.seek(0)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write("\t".join(names) + "\n")
            shutil.copyfileobj(self._file, file)

    def _free(self, name: str) -> str:
        """The name of a column that no field has: a reader would take a row
        with such fields for a second header."""
        while name in self._taken:
            name += "_"
        return name


def read(path: pathlib.Path) -> Iterator[dict[str, str]]:
    """The rows that were saved, by the names of the columns."""
    with path.open(encoding="utf-8", newline="") as file:
        first = next(file, "")
        reader = csv.reader(
            chain([first], file), delimiter="\t", strict=True,
            quoting=csv.QUOTE_MINIMAL if first.startswith('"')
            else csv.QUOTE_NONE)
        try:
            header = [name.rstrip("_") for name in next(reader, [])]
            for row in reader:
                if len(row) != len(header):
                    raise ValueError(
                        f"{path}:{reader.line_num}: {len(row)} columns, the "
                        f"header has {len(header)}")
                yield dict(zip(header, row, strict=True))
        except csv.Error as error:
            raise ValueError(f"{path}:{reader.line_num}: {error}") from None
