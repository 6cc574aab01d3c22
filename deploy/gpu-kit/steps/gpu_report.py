"""The results of gpu_check: gpu_check.json for programs, gpu_check.txt for
readers. No figure is without the host and the commit that it belongs to."""

import collections
import dataclasses
import datetime
import json

import gpu_serving

HEADS = ("check", "status", "found", "mark", "note")


def torch_text(torch):
    return torch.get("none") or f"{torch['version']} in {torch['folder']}"


def host_lines(check):
    host, kit = check.host, check.kit.facts
    if host["device_problem"]:
        device = f"none ({host['device_problem']})"
    else:
        device = (f"{host['device']['name']}, number of devices "
                  f"{host['device']['count']}, driver "
                  f"{host['driver'] or 'unknown'} for CUDA "
                  f"{host['device']['driver_cuda']}")
    return [
        f"kit        slice {kit['version']}, commit {kit['commit']}, CUDA "
        f"{kit['cuda']}, architectures {kit['architectures']}",
        f"device     {device}",
        f"processor  {host['processor']}, {host['cores']} cores",
        f"system     {host['system']}, C library {host['glibc']}",
        f"PyTorch    {torch_text(host['torch'])}",
        f"sanitizer  {host['sanitizer'] or 'compute-sanitizer is not installed'}",
    ]


def aligned(rows):
    """Lines with columns; the last column is not padded."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    return ["  ".join([*(cell.ljust(width) for cell, width
                         in zip(row, widths)), row[-1]]).rstrip()
            for row in rows]


def benchmark_lines(rows):
    cells = [(one["name"], f"{one['contexts_per_second']:,.0f}",
              f"{one['parity']:.1e}")
             for row in rows for one in row.figures.get("benchmarks", [])]
    return [] if not cells else [
        "", *aligned([("benchmark", "contexts/s", "parity"), *cells])]


def load_lines(rows):
    cells = [(row.name, gpu_serving.options_text(load),
              f"{gpu_serving.rate(load):,.0f}",
              gpu_serving.milliseconds(load, "p50"),
              gpu_serving.milliseconds(load, "p99"))
             for row in rows for load in row.figures.get("loads", [])]
    return [] if not cells else [
        "", *aligned([("load", "options", "links/s", "p50 ms", "p99 ms"),
                      *cells])]


def summary(rows):
    counted = collections.Counter(row.status for row in rows)
    return ", ".join(f"{counted[status]} {status}" for status
                     in ("passed", "missed", "failed", "skipped"))


def text(check, rows):
    table = aligned([HEADS, *((row.name, row.status, row.found, row.mark,
                               row.note) for row in rows)])
    quick = (["quick run: the figures are no measurements"]
             if check.options.quick else [])
    return "\n".join([*host_lines(check), *quick, "", *table,
                      *benchmark_lines(rows), *load_lines(rows), "",
                      f"{summary(rows)}; {check.seconds():.0f} s", ""])


def write(check, rows):
    """Writes both files, and says where they are."""
    with open(check.path("gpu_check.json"), "w", encoding="utf-8") as file:
        json.dump({
            "kit": check.kit.facts, "host": check.host,
            "finished": datetime.datetime.now(datetime.timezone.utc).isoformat(
                timespec="seconds"),
            "seconds": round(check.seconds(), 1),
            "limit_seconds": check.options.limit,
            "quick": check.options.quick,
            "rows": [dataclasses.asdict(row) for row in rows],
        }, file, indent=1)
        file.write("\n")
    table = text(check, rows)
    with open(check.path("gpu_check.txt"), "w", encoding="utf-8") as file:
        file.write(table)
    print(f"\n{table}\n{check.path('gpu_check.json')}\n"
          f"{check.path('gpu_check.txt')}")
