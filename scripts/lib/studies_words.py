"""Figures as words: means with deviations, and sentences that follow from
them."""

import math
import statistics
from collections.abc import Mapping, Sequence

from defaults_page import deviation, shown

# The quantile 0.975 of Student's t by degrees of freedom; beyond 1.96.
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20,
           2.18, 2.16, 2.14, 2.13)
BY_CHANCE = 0.05  # of the differences that are none, so many seem clear


def student(freedom: int) -> float:
    """So many standard errors lie between a mean and each end of its interval
    of 95 %."""
    return STUDENT[freedom - 1] if freedom <= len(STUDENT) else 1.96


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
    """Whether the interval of a mean over two seeds or more leaves out zero."""
    if len(differences) < 2:
        return False
    error = spread(differences) / math.sqrt(len(differences))
    return abs(mean(differences)) > student(len(differences) - 1) * error


def clear_remark(changes: Sequence[Sequence[float]], what: str) -> str:
    """How many of the changes that two seeds or more know are clear of zero,
    as a sentence. `what` says of several what they are."""
    tested = [one for one in changes if len(one) > 1]
    if not tested:
        return ("One seed ran of each, so none is tested: small differences may "
                "be chance.")
    clear = sum(map(is_clear, tested))
    return (f"Of {len(tested)} {what} that ran with two seeds or more, {clear} "
            f"{'is' if clear == 1 else 'are'} clear of zero: an interval of "
            "95 % (Student's t) leaves it out. By chance alone that happens "
            f"about {BY_CHANCE * len(tested):.1g} times.")


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
    return (" This rests on one seed, so that no deviation is known: small "
            "differences may be chance.")
