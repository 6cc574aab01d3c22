"""The part of docs/performance.md about busy neighbours and quotas, from the
JSON of neighbours_benchmark.py."""

from serving_figures import Figures
from serving_page import count, marks, milliseconds, ratio


def seconds(value):
    return f"{value:.1f} s"


def percent(value):
    return f"{100 * value:.1f} %"


def beside(figures, results):
    rows = [
        ("quiet: single links/s", "quiet.single", count, ""),
        ("quiet: interactive, links/s", "quiet.interactive", count, ""),
        ("quiet: bulk, links/s", "quiet.bulk", count, ""),
        ("beside: single links, share of the quiet rate",
         "beside.single.share", ratio, "≥ 0.35"),
        ("beside: interactive, share of the quiet rate",
         "beside.interactive.share", ratio, "≥ 0.35"),
        ("beside: bulk, share of the quiet rate", "beside.bulk.share", ratio,
         "≥ 0.15"),
        ("quiet, both at once: interactive", "quiet.both.interactive", ratio,
         ""),
        ("quiet, both at once: bulk", "quiet.both.bulk", ratio, "≥ 0.10"),
        ("beside, both at once: interactive", "beside.both.interactive",
         ratio, ""),
        ("beside, both at once: bulk", "beside.both.bulk", ratio, ""),
        ("beside: 500 single links/s, p99", "beside.p99", milliseconds, ""),
        ("beside: twice the peak, goodput of the peak", "beside.goodput",
         ratio, ""),
        ("beside: twice the peak, admitted and late", "beside.late", percent,
         ""),
        ("quiet: `predict --links`", "quiet.listed.seconds", seconds, ""),
        ("beside: `predict --links`", "beside.listed.seconds", seconds, ""),
        ("beside: its exit status", "beside.listed.status", count, "0"),
        ("beside: links it did not score", "beside.listed.missing", count,
         "0"),
    ]
    return ["### Beside a busy neighbour",
            f"Other programs keep {results['cores']} threads of ordinary "
            f"priority busy on {results['cores']} cores. Interactive: 64 "
            "links per RPC, 8 callers; bulk: 1,000 links per RPC, 4 callers; "
            f"`predict --links`: {results['listed_links']:,} links. At twice "
            "the peak, requests have a deadline of 100 ms.", "",
            *marks(figures, rows)]


def inside(figures, results):
    title = ["", "### Inside a quota of one core"]
    quota = results["quota"]
    if "skipped" in quota:
        return [*title, f"Skipped: {quota['skipped']}."]
    rows = [
        ("single links, share of the rate without quota", "quota.single.share",
         ratio, "≥ 0.40"),
        ("interactive, share of the rate without quota", "quota.interactive.share",
         ratio, "≥ 0.40"),
        ("bulk, share of the rate without quota", "quota.bulk.share", ratio,
         "≥ 0.40"),
        ("periods in which these loads used up the quota", "quota.throttled",
         percent, ""),
        ("single links at 20 % of their rate, p99", "quota.p99", milliseconds,
         "≤ 10 ms"),
        ("twice the peak, goodput of the peak", "quota.goodput", ratio, ""),
        ("twice the peak, admitted and late", "quota.late", percent, ""),
    ]
    return [*title,
            "The server runs alone in a control group that gets 100 ms of "
            "processor time in each period of 100 ms. The loads are those "
            "above; just before, the same loads run without quota.", "",
            f"The server logs: `{quota['log']}`", "",
            *marks(figures, rows)]


def neighbours_lines(results):
    """The lines of this part of the page, from its heading on."""
    figures = Figures(results["figures"])
    lines = [f"## Neighbours, {results['bundle']}",
             f"Medians of {results['rounds']}, with the smallest and the "
             "largest behind; ratios are taken within one round."]
    if results["quick"]:
        lines.append("**A quick run: too short for figures to rely on.**")
    return [*lines, "", *beside(figures, results), *inside(figures, results)]
