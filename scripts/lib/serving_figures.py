"""The figures that serving_benchmark.py measures and serving_page.py shows."""

import statistics

LINKS_PER_RPC = (1, 16, 64, 256, 1000)
CURVE = (5, 10, 20, 40, 60, 80, 90)  # percent of the peak
OVERLOAD = (2, 5)  # times the peak
OVERLOAD_LINKS = (64, 256)  # per RPC: the client can send 5 times the peak


class Figures:
    """The values of each figure, by its name: one value for each round."""

    def __init__(self, values=None):
        self.values = {} if values is None else values

    def add(self, name, value):
        self.values.setdefault(name, []).append(value)

    def has(self, name):
        return bool(self.values.get(name))

    def median(self, name):
        return statistics.median(self.values[name])

    def text(self, name, form):
        """The median, the least and the largest value, each written by `form`,
        such as "25,100 (24,800 – 25,300)"; a dash for what was not measured."""
        if not self.has(name):
            return "–"
        values = self.values[name]
        text = form(self.median(name))
        if len(values) == 1:
            return text
        return f"{text} ({form(min(values))} – {form(max(values))})"
