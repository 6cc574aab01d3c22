"""Settings beside one another: their figures by set and seed, and differences
between two settings that share set and seed."""

from collections.abc import Callable
from dataclasses import dataclass

from presets_page import table
from studies_cells import Cell, Found, Version
from studies_words import mean, percent, spread

# Parts of the test links with fewer links or non-links say little.
FEWEST_LINKS = 20


@dataclass(frozen=True)
class Setting:
    """A row of a table: a preset of fit with flags beside it."""

    label: str
    preset: str
    flags: tuple[str, ...] = ()
    in_full: bool = False  # trains as Size.in_full says

    def cell(self, version: Version, data: str, seed: int) -> Cell:
        return version.fit(self.preset, data, seed, *self.flags,
                           in_full=self.in_full)

    def cells(self, version: Version) -> list[Cell]:
        return version.each(lambda data, seed: self.cell(version, data, seed))


def by_seed(version: Version, found: Found, make: Callable[[int], Cell],
            *keys: str) -> dict[int, float]:
    """One figure by seed, of the seeds that ran."""
    result = {}
    for seed in version.seeds:
        for value in found.values([make(seed)], *keys):
            result[seed] = value
    return result


def values(version: Version, found: Found, setting: Setting, data: str,
           *keys: str) -> list[float]:
    return list(by_seed(version, found,
                        lambda seed: setting.cell(version, data, seed),
                        *keys).values())


def differences(version: Version, found: Found, first: Setting,
                second: Setting, data: str) -> list[float]:
    """The AUROC of the first less that of the second, by seed."""
    def of(setting: Setting) -> dict[int, float]:
        return by_seed(version, found,
                       lambda seed: setting.cell(version, data, seed), "auroc")
    ones, others = of(first), of(second)
    return [ones[seed] - others[seed] for seed in ones if seed in others]


def seed_counts(version: Version, found: Found,
                settings: list[Setting]) -> list[int]:
    return [len(values(version, found, setting, data, "auroc"))
            for setting in settings for data in version.sets]


def auroc_table(version: Version, found: Found,
                settings: list[Setting]) -> list[str]:
    """A row for each setting, a column for each set; AUROC in percent."""
    rows = []
    for setting in settings:
        cells = [percent(values(version, found, setting, data, "auroc"))
                 for data in version.sets]
        if any(cell != "–" for cell in cells):
            rows.append([setting.preset, setting.label, *cells])
    return list(table(["preset", "setting", *version.sets], rows)) if rows else []


def dot(found: list[float], scale: float = 100) -> tuple[float, float]:
    """A mean with its deviation, as charts show them."""
    return scale * mean(found), scale * spread(found)
