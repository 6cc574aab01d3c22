"""The charts of the studies, as SVG: lines, dots, bars and maps of cells.

Every chart is made of panels beside or below one another. A panel knows where
its values lie; a function draws each kind of chart into it.
"""

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from svg_parts import start, text

COLORS = ("#1f5fa8", "#c1440e", "#3c8031", "#7b3fa0", "#b08900", "#00838f",
          "#ad1457", "#5d4037", "#546e7a", "#222222")
GRID, WIDTH, LEFT, RIGHT = "#ddd", 720, 64, 16
PANEL_HEIGHT, ABOVE, BELOW, LINE = 230, 40, 46, 16


@dataclass
class Series:
    """A line: points (x, y, deviation of y)."""

    name: str
    points: list[tuple[float, float, float]]
    dashed: bool = False


@dataclass
class LinePanel:
    """Lines. Each has the colour of its place in `series`; a line without
    points keeps its colour free."""

    title: str
    x_label: str
    y_label: str
    series: list[Series]
    x_names: Sequence[str] = ()  # of x 0, 1, 2, …, where x counts categories
    log_x: bool = False
    log_y: bool = False


@dataclass
class DotPanel:
    """Rows of dots: (name, {series: (value, deviation)})."""

    title: str
    x_label: str
    rows: list[tuple[str, dict[str, tuple[float, float]]]]
    zero: bool = True  # draws the line at 0
    series: list[str] = field(default_factory=list)


@dataclass
class MapPanel:
    """A grid of cells, dark where the value is large."""

    title: str
    rows: list[str]
    columns: list[str]
    values: list[list[float | None]]
    digits: int = 2
    bounds: tuple[float, float] | None = None  # of the shades; None: of values


@dataclass
class BarPanel:
    """Two histograms over each other: links and non-links."""

    title: str
    x_label: str
    lower: float
    upper: float
    links: list[float]
    non_links: list[float]


@dataclass
class RowPanel:
    """Histograms beside one another."""

    title: str
    panels: list[BarPanel]


Panel = LinePanel | DotPanel | MapPanel | BarPanel | RowPanel


def chart(title: str, panels: Sequence[Panel]) -> str:
    """An SVG of panels, one below the other."""
    body: list[str] = []
    top = 0.0
    for panel in panels:
        drawn, height = _draw(panel, top)
        body += drawn
        top += height
    return "\n".join([*start(html.escape(title), WIDTH, math.ceil(top)),
                      *body, "</svg>"]) + "\n"


def _draw(panel: Panel, top: float) -> tuple[list[str], float]:
    heading = [f'<g font-weight="bold">'
               f'{text(LEFT, top + 18, "start", html.escape(panel.title))}</g>']
    if isinstance(panel, LinePanel):
        drawn, height = _lines(panel, top + ABOVE)
    elif isinstance(panel, DotPanel):
        drawn, height = _dots(panel, top + ABOVE)
    elif isinstance(panel, MapPanel):
        drawn, height = _map(panel, top + ABOVE)
    elif isinstance(panel, BarPanel):
        drawn, height = _bars(panel, top + ABOVE)
    else:
        drawn, height = _row(panel, top + ABOVE)
    return heading + drawn, height + ABOVE


def ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two bounds."""
    if high <= low:
        return [low]
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10)
                if power * factor >= rough)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [step * count for count in range(first, last + 1)]


class _Axis:
    """Values to places along one direction."""

    def __init__(self, values: Sequence[float], begin: float, end: float,
                 log: bool = False) -> None:
        self._log = log
        scaled = [self._scale(value) for value in values] or [0.0]
        low, high = min(scaled), max(scaled)
        margin = (high - low) * 0.06 or (0.5 if not log else 0.1)
        self.low, self.high = low - margin, high + margin
        self._begin, self._end = begin, end

    def _scale(self, value: float) -> float:
        return math.log10(max(value, 1e-9)) if self._log else value

    def at(self, value: float) -> float:
        """A value beyond the axis, such as the lower end of a deviation on a
        logarithmic one, is at its end."""
        scaled = min(max(self._scale(value), self.low), self.high)
        share = (scaled - self.low) / (self.high - self.low)
        return self._begin + share * (self._end - self._begin)

    def ticks(self) -> list[float]:
        if not self._log:
            return ticks(self.low, self.high)
        powers = range(math.floor(self.low), math.ceil(self.high) + 1)
        wide = self.high - self.low > 2.5
        found = [factor * 10.0 ** power for power in powers
                 for factor in ((1,) if wide else (1, 2, 5))]
        found = [value for value in found
                 if self.low <= math.log10(value) <= self.high]
        return found if len(found) > 1 else ticks(10 ** self.low,
                                                  10 ** self.high)


def number(value: float) -> str:
    """A number of an axis, such as 0.05 or 20,000."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _frame_y(axis: _Axis, right: float, label: str, top: float) -> list[str]:
    parts = [text(LEFT, top - 4, "start", html.escape(label), "#777")]
    for tick in axis.ticks():
        parts.append(f'<path d="M{LEFT} {axis.at(tick):.1f}H{right:.1f}" '
                     f'stroke="{GRID}"/>')
        parts.append(text(LEFT - 6, axis.at(tick) + 4, "end", number(tick)))
    return parts


@dataclass(frozen=True)
class _Ink:
    """How a series is drawn. When the colours are used up they begin again,
    hollow and dashed."""

    color: str
    hollow: bool

    def dot(self, x: float, y: float, radius: float) -> str:
        fill = (f'fill="#fff" stroke="{self.color}" stroke-width="1.5"'
                if self.hollow else f'fill="{self.color}"')
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {fill}/>'


def _ink(position: int) -> _Ink:
    return _Ink(COLORS[position % len(COLORS)], position >= len(COLORS))


def _legend(names: Sequence[str], inks: Sequence[_Ink], x: float,
            top: float) -> list[str]:
    parts = []
    for i, (name, ink) in enumerate(zip(names, inks, strict=True)):
        at = top + 10 + LINE * i
        parts.append(ink.dot(x, at - 4, 4))
        parts.append(text(x + 9, at, "start", html.escape(name), ink.color))
    return parts


def _legend_width(names: Sequence[str]) -> float:
    return 30 + 6.6 * max((len(name) for name in names), default=0)


def _lines(panel: LinePanel, top: float) -> tuple[list[str], float]:
    drawn = [series for series in panel.series if series.points]
    inks = [_ink(i) for i, series in enumerate(panel.series) if series.points]
    names = [series.name for series in drawn]
    right = WIDTH - RIGHT - _legend_width(names)
    height = max(PANEL_HEIGHT, LINE * len(names) + 10)
    bottom = top + height
    points = [point for series in drawn for point in series.points]
    x = _Axis([point[0] for point in points], LEFT, right, panel.log_x)
    y = _Axis([value for point in points
               for value in (point[1] - point[2], point[1] + point[2])
               if value > 0 or not panel.log_y], bottom, top, panel.log_y)
    parts = _frame_y(y, right, panel.y_label, top)
    marks = ([(float(i), name) for i, name in enumerate(panel.x_names)]
             or [(value, number(value))
                 for value in sorted({point[0] for point in points})])
    parts += [text(x.at(value), bottom + 16, "middle", html.escape(name))
              for value, name in marks]
    parts.append(text((LEFT + right) / 2, bottom + 34, "middle",
                      html.escape(panel.x_label), "#777"))
    for series, ink in zip(drawn, inks, strict=True):
        parts += _line(series, ink, x, y)
    parts += _legend(names, inks, right + 18, top)
    return parts, height + BELOW


def _line(series: Series, ink: _Ink, x: _Axis, y: _Axis) -> list[str]:
    drawn = [(x.at(at), y.at(value)) for at, value, _ in series.points]
    path = " ".join(f"{px:.1f},{py:.1f}" for px, py in drawn)
    dashed = series.dashed or ink.hollow
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    parts = [f'<polyline points="{path}" fill="none" stroke="{ink.color}" '
             f'stroke-width="2"{dash}/>']
    for (px, py), (_, value, deviation) in zip(drawn, series.points,
                                               strict=True):
        if deviation:
            parts.append(f'<path d="M{px:.1f} {y.at(value - deviation):.1f}'
                         f'V{y.at(value + deviation):.1f}" '
                         f'stroke="{ink.color}"/>')
        parts.append(ink.dot(px, py, 3))
    return parts


def _dots(panel: DotPanel, top: float) -> tuple[list[str], float]:
    names = panel.series or list(dict.fromkeys(
        name for _, dots in panel.rows for name in dots))
    left = 24 + 6.6 * max((len(name) for name, _ in panel.rows), default=0)
    right = WIDTH - RIGHT - _legend_width(names)
    step = max(22, 7 * len(names) + 8)
    height = max(step * len(panel.rows), LINE * len(names) + 4)
    bottom = top + height
    values = [bound for _, dots in panel.rows for mean, spread in dots.values()
              for bound in (mean - spread, mean + spread)]
    x = _Axis([*values, *([0.0] if panel.zero else [])], left, right)
    parts = []
    for tick in x.ticks():
        heavy = panel.zero and abs(tick) < 1e-12
        parts.append(f'<path d="M{x.at(tick):.1f} {top:.1f}V{bottom:.1f}" '
                     f'stroke="{"#888" if heavy else GRID}"/>')
        parts.append(text(x.at(tick), bottom + 16, "middle", number(tick)))
    parts.append(text((left + right) / 2, bottom + 34, "middle",
                      html.escape(panel.x_label), "#777"))
    for row, (name, dots) in enumerate(panel.rows):
        middle = top + step * (row + 0.5)
        parts.append(text(left - 8, middle + 4, "end", html.escape(name)))
        for i, series in enumerate(names):
            if series in dots:
                at = middle + 7 * (i - (len(names) - 1) / 2)
                parts += _dot(x, at, *dots[series], _ink(i))
    parts += _legend(names, list(map(_ink, range(len(names)))), right + 18,
                     top)
    return parts, height + BELOW


def _dot(x: _Axis, at: float, mean: float, spread: float,
         ink: _Ink) -> list[str]:
    parts = []
    if spread:
        parts.append(f'<path d="M{x.at(mean - spread):.1f} {at:.1f}'
                     f'H{x.at(mean + spread):.1f}" stroke="{ink.color}"/>')
    return [*parts, ink.dot(x.at(mean), at, 3.5)]


def _map(panel: MapPanel, top: float) -> tuple[list[str], float]:
    left = 24 + 6.6 * max((len(name) for name in panel.rows), default=0)
    known = [value for row in panel.values for value in row
             if value is not None]
    low, high = panel.bounds or (min(known, default=0.0),
                                 max(known, default=1.0))
    width = min(110.0, (WIDTH - RIGHT - left) / max(len(panel.columns), 1))
    side = 30.0
    parts = [text(left + width * (i + 0.5), top + 10, "middle",
                  html.escape(name)) for i, name in enumerate(panel.columns)]
    for r, (name, row) in enumerate(zip(panel.rows, panel.values, strict=True)):
        y = top + 18 + side * r
        parts.append(text(left - 8, y + side / 2 + 4, "end",
                          html.escape(name)))
        for c, value in enumerate(row):
            share = (0.0 if value is None
                     else (value - low) / ((high - low) or 1))
            x = left + width * c
            shown = "–" if value is None else f"{value:.{panel.digits}f}"
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" '
                         f'width="{width - 2:.1f}" height="{side - 2:.1f}" '
                         f'fill="#1f5fa8" fill-opacity="{share:.2f}" '
                         'stroke="#ccc"/>')
            parts.append(text(x + width / 2 - 1, y + side / 2 + 3, "middle",
                              shown, "#fff" if share > 0.7 else "#333"))
    return parts, 18 + side * len(panel.rows) + 14


CLASSES = ("links", "non-links")
CLASS_INKS = (_ink(0), _ink(1))


def _bars(panel: BarPanel, top: float) -> tuple[list[str], float]:
    right = WIDTH - RIGHT - _legend_width(CLASSES)
    bottom = top + PANEL_HEIGHT * 0.7
    return [*_histogram(panel, LEFT, right, top, bottom),
            *_legend(CLASSES, CLASS_INKS, right + 18, top)
            ], PANEL_HEIGHT * 0.7 + BELOW


def _row(panel: RowPanel, top: float) -> tuple[list[str], float]:
    """At most five histograms in a line, which share one legend."""
    gap, most = 16, 5
    wide = (WIDTH - 2 * gap) / most
    height = PANEL_HEIGHT * 0.5 + ABOVE + BELOW
    parts = _legend(CLASSES, CLASS_INKS,
                    WIDTH - 2 * _legend_width(CLASSES), top - 24)
    for i, one in enumerate(panel.panels):
        left = gap + wide * (i % most)
        begin = top + 22 + height * (i // most)
        parts.append(f'<g font-size="11">'
                     f'{text(left, begin, "start", html.escape(one.title))}</g>')
        parts += _histogram(one, left, left + wide - gap, begin + 10,
                            begin + 10 + PANEL_HEIGHT * 0.5)
    return parts, 22 + height * math.ceil(len(panel.panels) / most)


def _histogram(panel: BarPanel, left: float, right: float, top: float,
               bottom: float) -> list[str]:
    """Shares of links and of non-links over each other, the highest of which
    reaches the top, above an axis with its bounds."""
    x = _Axis([panel.lower, panel.upper], left, right)
    most = max([*panel.links, *panel.non_links, 1e-9])
    wide = (panel.upper - panel.lower) / max(len(panel.links), 1)
    parts = []
    for color, shares in zip(COLORS, (panel.links, panel.non_links),
                             strict=False):
        for i, share in enumerate(shares):
            begin = x.at(panel.lower + wide * i)
            end = x.at(panel.lower + wide * (i + 1))
            tall = (bottom - top) * share / most
            parts.append(f'<rect x="{begin:.1f}" y="{bottom - tall:.1f}" '
                         f'width="{end - begin:.1f}" height="{tall:.1f}" '
                         f'fill="{color}" fill-opacity="0.5"/>')
    parts.append(f'<path d="M{left:.1f} {bottom:.1f}H{right:.1f}" '
                 'stroke="#888"/>')
    parts += [text(at, bottom + 16, anchor, f"{value:.4g}")
              for at, anchor, value in ((left, "start", panel.lower),
                                        (right, "end", panel.upper))]
    about = f"{panel.x_label}; highest {100 * most:.0f} %"
    parts.append(text((left + right) / 2, bottom + 34, "middle",
                      html.escape(about), "#777"))
    return parts
