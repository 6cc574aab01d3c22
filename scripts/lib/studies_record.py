"""The figures of the cells in one file beside the page, studies.json.

{"cells": {key: figures}, "compared": {set: {method: [figures by seed]}}}

Another run takes cells over from it, so that a page of many days needs no
folder of runs, and anybody can hold a cell of their own against it.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

from studies_cells import Compared, Figures
from studies_places import Places, read_json
from text_files import write_text

DIGITS = 6  # of a figure, which the page shows with four at most


def rounded(value: Any) -> Any:
    """The same with DIGITS significant digits in each number."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return value


def write_record(path: str, cells: Mapping[str, Figures],
                 compared: Compared) -> None:
    """One line a cell, so that a change of one is a change of a line."""
    lines = ",\n".join(f"{json.dumps(key)}: {brief(cells[key])}"
                       for key in sorted(cells))
    write_text(path, f'{{"cells": {{\n{lines}\n}},\n'
                     f'"compared": {brief(compared)}}}\n')


def brief(value: Any) -> str:
    """JSON of rounded figures, so that a page is the same from a record as from
    the runs."""
    return json.dumps(rounded(value), separators=(",", ":"),
                      ensure_ascii=False)


def read_record(path: str) -> tuple[dict[str, Figures], Compared]:
    """Raises ValueError where the file is not such a record."""
    try:
        record = read_json(path)
        return record["cells"], record["compared"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"'{path}' is not a file that scripts/studies wrote: "
                         f"{error}") from error


def take_over(path: str, places: Places) -> None:
    """Makes the cells of a record finished cells of these runs, where there are
    none yet."""
    cells, compared = read_record(path)
    for key, figures in cells.items():
        file = places.figures_file(key)
        if not os.path.exists(file):
            write_text(file, brief(figures) + "\n")
    known = (read_json(places.compared_file)
             if os.path.exists(places.compared_file) else {})
    for data, methods in compared.items():
        known[data] = {**methods, **known.get(data, {})}
    if known:
        write_text(places.compared_file, brief(known) + "\n")
