"""The figures that a cell keeps of a report of slice-trainer."""

from collections.abc import Mapping
from typing import Any

from studies_cells import Figures


def of_report(report: Mapping[str, Any]) -> Figures:
    """What the studies show; the rest of the report is not kept."""
    steps = {step["step"]: step["seconds"] for step in report.get("steps", [])}
    return {
        "auroc": report["overall"]["auroc"],
        "f1": report["overall"]["f1"],
        "typed": _reach(report, "typed", "auroc"),
        "degree_matched": _reach(report, "degree_matched", "auroc"),
        "structural": _reach(report, "scorers", "structural", "published",
                             "auroc"),
        "steps": steps,
        "seconds": sum(steps.values()),
        "peak_mib": max((step["peak_mib"] for step in report.get("steps", [])),
                        default=None),
        "degree": _rows(_reach(report, "splits", "degree")),
        "relations": _rows(report.get("relations")),
    }


def _reach(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _rows(rows: Any) -> dict[str, Figures]:
    """Of each part of the test links: how many there are, the AUROC of the
    scorer that answers, and that of the structural one."""
    return {name: {"positives": row["positives"],
                   "negatives": row["negatives"],
                   "auroc": row["auroc"],
                   "structural": _reach(row, "structural", "auroc")}
            for name, row in (rows or {}).items()}
