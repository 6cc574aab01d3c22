"""The part of docs/performance.md about serving, from the JSON of
serving_benchmark.py."""

from instruction_sets import TITLES
from latency_curve import latency_curve
from presets_page import table
from serving_figures import (CURVE, LINKS_PER_RPC, OVERLOAD, OVERLOAD_LINKS,
                             Figures)


def milliseconds(value):
    return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.0f} µs"


def count(value):
    return f"{value:,.0f}"


def ratio(value):
    return f"{value:.2f}"


def overhead(figures):
    rows = [
        ("empty unary RPC, one caller, p50", "overhead.empty.p50",
         milliseconds, ""),
        ("ours, one caller, p50", "overhead.identity.p50", milliseconds, ""),
        ("the difference", "overhead.p50", milliseconds, "≤ 40 µs"),
        ("empty unary RPC, calls/s", "overhead.empty.rpcs", count, ""),
        ("ours, 1 link per RPC, RPC/s", "overhead.links.1", count,
         "≥ 25,000"),
        *((f"ours, {links} links per RPC, links/s", f"overhead.links.{links}",
           count, "≥ 300,000") for links in (64, 256, 1000)),
    ]
    return ["### Overhead",
            "The same client measures two servers in turn: ours around a model "
            "that costs nothing (no context, no feature, no network), and one "
            "of the same library whose empty unary RPC reads nothing and "
            "answers two bytes.", "",
            *marks(figures, rows)]


def marks(figures, rows):
    return table(["", "median (spread)", "mark"],
                 [[title, figures.text(key, form), mark]
                  for title, key, form, mark in rows])


def end_to_end(figures, names):
    rows = [[name, *(figures.text(f"served.{name}.links.{links}", count)
                     for links in LINKS_PER_RPC),
             figures.text(f"served.{name}.alone.p50", milliseconds),
             figures.text(f"served.{name}.full.p50", milliseconds)]
            for name in names]
    return ["", "### End to end",
            "Links per second by links per RPC. Closed loops have enough "
            "callers to keep the server busy and ask for no explanation. The "
            "last two columns are one caller with one link, without "
            "explanation and with FULL. Marks: 20,000 links/s at 64 links per RPC, p50 of one "
            "≤ 1 ms, with FULL ≤ 5 ms.", "",
            *table(["bundle", *map(str, LINKS_PER_RPC), "p50 of one",
                    "p50, FULL"], rows)]


def by_load(figures, name, curve_name):
    rows = []
    for share in CURVE:
        key = f"curve.{name}.{share}"
        rows.append([f"{share} %", figures.text(f"{key}.rpcs", count),
                     *(figures.text(f"{key}.{column}", milliseconds)
                       for column in ("p50", "p99", "late"))])
    return ["", f"### Latency by load, {name}",
            "Single links at random times (a Poisson process), at a share of "
            "the rate that the closed loop reached. Latency counts from the "
            "time a call was due; `late` is how much of its p99 the client "
            "causes. Mark: p50 ≤ 1 ms and p99 ≤ 3 ms at 20 %.", "",
            *table(["share", "RPC/s", "p50", "p99", "late p99"], rows), "",
            f"![Latency by load]({curve_name})"]


def beside_bulk(figures, name):
    rows = [
        ("1 RPC/s, ours, p50", f"direct.{name}.ours", milliseconds, ""),
        ("1 RPC/s, the model called in the handler, p50",
         f"direct.{name}.bare", milliseconds, ""),
        ("their ratio", f"direct.{name}.ratio", ratio, "≤ 1.10"),
        ("single links alone, p99", f"bulk.{name}.alone", milliseconds, ""),
        ("beside bulk work, p99", f"bulk.{name}.beside", milliseconds, ""),
        ("their ratio", f"bulk.{name}.ratio", ratio, "≤ 2"),
    ]
    return ["", f"### Beside others, {name}",
            "Single links: 500 a second, alone and then beside bulk RPCs of "
            "1,000 links that take a tenth of the capacity.", "",
            *marks(figures, rows)]


def overload(figures, name):
    rows = []
    for links in OVERLOAD_LINKS:
        for times in OVERLOAD:
            key = f"overload.{name}.{links}.{times}"
            rows.append([f"{links}", f"{times} ×",
                         figures.text(f"{key}.goodput", ratio),
                         *(figures.text(f"{key}.{part}", milliseconds)
                           for part in ("p99", "rejected", "late",
                                        "recovery"))])
    rows.append(["mark", "", "≥ 0.90", "≤ 100 ms", "≤ 10 ms", "", "≤ 5 s"])
    expired = figures.text(f"overload.{name}.expired_on_model", count)
    return ["", f"### Past the peak, {name}",
            "RPCs with a deadline of 100 ms at a multiple of the rate of a "
            "closed loop. Client and server share two cores, so the server "
            "lacks the time that the client spends on refused calls. The "
            "latency of a refusal counts from the time its call was due, so "
            "it includes the client's lateness. Recovery runs from the end of "
            "the overload to the end of a 200 ms load without a failure, the "
            "start of that load's client included. Links that reached the "
            f"model after their deadline: {expired}.",
            "",
            *table(["links per RPC", "offered", "goodput of the peak",
                    "p99 answered", "p99 rejected", "late p99 of the client",
                    "recovery"], rows)]


def by_set(figures, names, sets):
    titles = [TITLES[name] for name in sets]
    rows = []
    for name in names:
        for title, key, form, goals in (
                ("links/s, 64 per RPC", "links", count,
                 {"avx512": "≥ 45,000", "avx2": "≥ 28,000",
                  "portable": "≥ 10,000"}),
                ("one link, p50", "p50", milliseconds,
                 {"avx512": "≤ 0.20 ms", "avx2": "≤ 0.25 ms",
                  "portable": "≤ 0.40 ms"})):
            rows.append([f"{name}, {title}",
                         *(figures.text(f"set.{one}.{name}.{key}", form)
                           for one in sets),
                         " · ".join(goals[one] for one in sets)])
    goals = {"avx512": "≥ 12,000", "avx2": "≥ 6,000", "portable": "≥ 2,000"}
    rows.append(["the paper's network, 128 callers, RPC/s",
                 *(figures.text(f"set.{one}.paper", count) for one in sets),
                 " · ".join(goals[one] for one in sets)])
    return ["", "### By instruction set",
            "The same server with each set of vector instructions, in turns. "
            "The other tables of this section use the first set.", "",
            *table(["", *titles, "mark"], rows)]


def paper(figures):
    rows = [("128 callers, RPC/s", "paper.rpcs", count, "≥ 7,000"),
            ("one caller, p50", "paper.p50", milliseconds, "≤ 0.7 ms")]
    return ["", "### The paper's network",
            "4 layers of 4 heads, one context per RPC. The bundle is barely "
            "trained, which does not change its speed.", "",
            *marks(figures, rows)]


def peers(figures, names):
    served = f"served.{names[0]}.links.64" if names else ""
    paper_rate = f"{figures.text('paper.rpcs', count)} RPC/s of one link"
    rows = [
        ("the paper's network of four layers, 2 cores: reference "
         "implementation, end to end",
         "490 pairs/s; 2,040 without its metrics and dumps", paper_rate),
        ("a model that does nothing, p50: TorchServe 0.12", "0.86 ms",
         figures.text("overhead.identity.p50", milliseconds)),
        ("the paper's network, one context per request, p50: TorchServe 0.12",
         "1.63 ms", figures.text("paper.p50", milliseconds)),
        ("the same, 128 callers: TorchServe 0.12, batches of 64, 1 ms delay",
         "3,230 requests/s", f"{figures.text('paper.rpcs', count)} RPC/s"),
    ]
    return ["", "### Peers",
            "Both columns run the same network. The peers' figures were "
            "measured once, by hand, on a machine of this kind; no command of "
            "this repository makes them again.", "",
            *table(["", "theirs", "ours"], rows), "",
            "The default network has one layer, and no peer runs it: "
            f"{figures.text(served, count)} links/s with 64 per RPC. The "
            "reference implementation's tensors alone, without cutting "
            "contexts, make 7,150 pairs/s with two threads (measured once, by "
            "hand); ours alone are under Model forward."]


def serving_lines(results, curve_name):
    """The lines of this part of the page, from its heading on."""
    figures = Figures(results["figures"])
    names = results["bundles"]
    lines = ["## Serving",
             "`slice-server` and `slice-client bench` on this machine, over "
             f"loopback: medians of {results['rounds']}, with the smallest "
             "and the largest behind; ratios are taken within one round."]
    if results["quick"]:
        lines.append("**A quick run: too short for figures to rely on.**")
    lines += ["", *overhead(figures)]
    if names:
        lines += [*end_to_end(figures, names),
                  *by_load(figures, names[0], curve_name),
                  *beside_bulk(figures, names[0]),
                  *overload(figures, names[0])]
    if figures.has("paper.p50"):
        lines += paper(figures)
    if results.get("sets"):
        lines += by_set(figures, names, results["sets"])
    return lines + peers(figures, names)


def serving_curve(results):
    """The SVG that the page shows; "" when no bundle was served."""
    if not results["bundles"]:
        return ""
    figures = Figures(results["figures"])
    key = f"curve.{results['bundles'][0]}"
    return latency_curve([
        {name: figures.median(f"{key}.{share}.{name}")
         for name in ("rpcs", "p50", "p99")} for share in CURVE])
