"""Figures as words: means with deviations, and sentences that follow from
them."""

import math
import statistics
from collections.abc import Mapping, Sequence

from defaults_page import deviation, shown

# A mean difference is clear when it is more than two standard errors from zero.
# With many seeds, a 95 % interval is about as wide.
CLEAR = 2


def percent(values: Sequence[float], digits: int = 2) -> str:
    """Such as "98.07 ± 0.02"; a dash without values."""
    return str(shown(list(values), 100, digits)) if values else "–"


def plain(values: Sequence[float], digits: int = 1) -> str:
    return str(shown(list(values), 1, digits)) if values else "–"


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def spread(values: Sequence[float]) -> float:
    """The deviation over seeds; 0 of one value."""
    return float(deviation(list(values)))


def is_clear(differences: Sequence[float]) -> bool:
    """Whether a mean over two seeds or more is clearly not zero."""
    if len(differences) < 2:
        return False
    error = spread(differences) / math.sqrt(len(differences))
    return abs(mean(differences)) > CLEAR * error


def clear_remark(changes: Sequence[Sequence[float]], what: str) -> str:
    """How many of the changes that two seeds or more know are clear of zero,
    as a sentence. `what` says of several what they are."""
    tested = [one for one in changes if len(one) > 1]
    if not tested:
        return ("One seed ran of each, so none is tested: small differences may "
                "be chance.")
    clear = sum(map(is_clear, tested))
    return (f"Of {len(tested)} {what} that ran with two seeds or more, {clear} "
            f"{'is' if clear == 1 else 'are'} clear of zero by two standard "
            "errors.")


def points(value: float, digits: int = 2) -> str:
    """A difference of AUROCs in points, with its sign."""
    return f"{100 * value:+z.{digits}f}".replace("-", "−")


def listed(names: Sequence[str], last: str = "and") -> str:
    """Such as "a, b and c"; "none" for no name."""
    if len(names) < 2:
        return names[0] if names else "none"
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def extremes(means: Mapping[str, float]) -> tuple[str, str]:
    """The names with the least and the largest value."""
    return min(means, key=means.__getitem__), max(means, key=means.__getitem__)


def seeds_remark(counts: Sequence[int]) -> str:
    """A sentence where deviations are not known."""
    if not counts or max(counts) > 1:
        return ""
    return (" One seed ran, so that no deviation is known: small differences "
            "may be chance.")
