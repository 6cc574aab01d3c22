"""The step "forward": the network alone, for each bucket and batch. Without a
device it shows with the CPU reference of the kernel that the benchmark works."""

import json
import math
import os

import gpu_tests
from gpu_runs import FAILED, MISSED, PASSED, Row, failed, passed, skipped

# Contexts per second on one H200.
MARKS = {"default": 1_000_000, "paper": 250_000}
PARITY_MARK = 1e-4
SECONDS = 60
# What runs on each device, of one network. The CPU reference is slow, so it runs
# little.
FILTERS = {"cuda": "/{}/cuda/",
           "reference": "Forward/{0}/reference/8/|Call/{0}/reference/4x8/"}


def read_benchmarks(path):
    """[{"name", "contexts_per_second", "parity"}]. Raises ValueError with the
    message of a benchmark that failed."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)["benchmarks"]
    for entry in entries:
        if entry.get("error_occurred"):
            raise ValueError(f"{entry['name']}: {entry['error_message']}")
    return [{"name": entry["name"].replace("/real_time", ""),
             "contexts_per_second": entry["contexts/s"],
             "parity": entry["parity"]} for entry in entries]


def best(benchmarks, kind):
    """The fastest benchmark whose name begins with `kind`."""
    return max((one for one in benchmarks if one["name"].startswith(kind)),
               key=lambda one: one["contexts_per_second"], default=None)


def rate_row(name, network, benchmarks, quick):
    """The row of the best batches. Calls alone are faster; they are a note."""
    batches, calls = best(benchmarks, "DeviceForward"), best(benchmarks,
                                                             "DeviceCall")
    if not batches or not calls:
        return failed(name, "the benchmark printed no figures")
    rate, mark = batches["contexts_per_second"], MARKS[network]
    note = (f"best of {batches['name']}; calls alone "
            f"{calls['contexts_per_second']:,.0f} ({calls['name']})")
    figures = {"benchmarks": benchmarks}
    if quick:
        return passed(name, note, figures=figures)
    return Row(name, PASSED if rate >= mark else MISSED, note,
               f"≥ {mark:,} contexts/s", f"{rate:,.0f} contexts/s", figures)


def parity_row(name, benchmarks):
    worst = max((one["parity"] for one in benchmarks), default=math.nan)
    if not math.isfinite(worst):
        return failed(name, "a logit is not a number")
    # A wrong result is a failure, not a missed mark.
    return Row(name, PASSED if worst <= PARITY_MARK else FAILED,
               "largest difference from the CPU's float32 logits",
               f"≤ {PARITY_MARK:g}", f"{worst:.1e}")


def run_benchmark(check, name, network, device):
    """A row that ends the measurement, or else the benchmarks."""
    row = (gpu_tests.torch_row(check, name, "forward_benchmark") or
           check.no_time(name))
    if row:
        return row, []
    quick = check.options.quick or device == "reference"
    out = check.path("logs", name.replace(" ", "_") + ".json")
    if os.path.exists(out):  # of an earlier run
        os.remove(out)
    ran = check.run(
        name, [check.kit.program("forward_benchmark"), f"--device={device}",
               f"--benchmark_filter={FILTERS[device].format(network)}",
               f"--benchmark_min_time={0.001 if quick else 0.2}",
               f"--benchmark_out={out}", "--benchmark_out_format=json"],
        SECONDS)
    row = ran.row_if_ended(name)
    if row:
        return row, []
    if ran.status != 0:
        return failed(name, f"exit status {ran.status}: {ran.last_line()}"), []
    try:
        return None, read_benchmarks(out)
    except (OSError, ValueError, KeyError) as error:
        return failed(name, str(error)), []


def network_rows(check, network):
    name = f"forward {network}"
    problem = check.host["device_problem"]
    if not problem:
        row, benchmarks = run_benchmark(check, name, network, "cuda")
        yield row or rate_row(name, network, benchmarks, check.options.quick)
        if not row:
            yield parity_row(f"parity {network}", benchmarks)
        return
    yield skipped(name, f"no device: {problem}",
                  mark=f"≥ {MARKS[network]:,} contexts/s")
    name = f"parity {network}, CPU reference of the kernel"
    row, benchmarks = run_benchmark(check, name, network, "reference")
    yield row or parity_row(name, benchmarks)


def forward(check):
    for network in MARKS:
        yield from network_rows(check, network)
