"""Links in data frames of pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from slice_client.requests import LinkLike
from slice_client.results import Prediction

if TYPE_CHECKING:
    import pandas

COLUMNS = ("source", "relation", "target")


def links_of(frame: pandas.DataFrame) -> Iterator[LinkLike]:
    """The rows as links. ValueError for a missing column or a missing value,
    naming it."""
    for column in COLUMNS:
        if column not in frame.columns:
            raise ValueError(
                f"the data frame has no column '{column}', only: "
                f"{', '.join(map(str, frame.columns))}")
        missing = frame[column].isna()
        if missing.any():
            raise ValueError(f"column '{column}' has no value in row "
                             f"{missing.idxmax()}")
    rows = zip(*(frame[column] for column in COLUMNS), strict=True)
    return ((str(source), str(relation), str(target))
            for source, relation, target in rows)


def status_of(prediction: Prediction) -> str:
    error = prediction.error
    return "OK" if error is None else f"{error.code}: {error.message}"


def with_predictions(frame: pandas.DataFrame,
                     predictions: Iterable[Prediction]) -> pandas.DataFrame:
    """A copy of the frame with the answers as further columns. The scores of a
    link without an answer are missing."""
    import pandas

    answers = list(predictions)

    def column(name: str) -> list[object]:
        return [None if one.error is not None else getattr(one, name)
                for one in answers]

    return frame.assign(
        probability=pandas.array(column("probability"), dtype="Float64"),
        probability_among_kind=pandas.array(
            column("probability_among_kind"), dtype="Float64"),
        decision=pandas.array(column("decision"), dtype="boolean"),
        status=[status_of(one) for one in answers])
