"""The step "serving": slice-server under the load of slice-client bench, on the
device, or on the CPU where there is none."""

import json
import os
import subprocess

import gpu_tests
from gpu_runs import (MISSED, PASSED, Row, failed, last_line, passed,
                      skipped)
from serving_loads import LoadError, Server

# Links per second, end to end, of the default network on one H200.
MARK, MARK_CORES = 300_000, 16
# (links per call, calls under way) of one load after the other.
# All ask for fewer links at once than the server grants one client.
LOADS = ((1, 1), (64, 8), (64, 32), (64, 128), (256, 16))
QUICK_LOADS = ((1, 1), (64, 8))
SECONDS, WARMUP_SECONDS = 5, 1
QUICK_SECONDS = 0.5
CONNECTIONS = 8
START_SECONDS = 45


class Served:
    """A server of a bundle; it is stopped at the end of a `with` block.
    `variables` are added to its environment."""

    def __init__(self, check, bundle, device, *flags, variables=()):
        self._check = check
        self._server = Server(
            check.kit.program("slice-server"), "--bundle",
            check.kit.bundle(bundle), "--data-dir", check.data(bundle),
            "--device", device, "--listen", "127.0.0.1:0", "--metrics-listen",
            "127.0.0.1:0", "--lame-duck", "0s", "--drain-timeout", "5s",
            *flags, variables=variables,
            start_seconds=max(1, min(START_SECONDS, check.left())))

    def __enter__(self):
        self._server.__enter__()
        return self

    def __exit__(self, *_):
        with open(self._check.path("logs", "server.log"), "a",
                  encoding="utf-8") as file:
            file.write(self._server.output())
        self._server.__exit__()

    def metric(self, name):
        return self._server.metric(name)

    def exit_status(self, seconds):
        """The exit status of the server, None when it still runs."""
        try:
            return self._server.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def load(self, name, links, calls, seconds, warmup=0, *flags):
        """Runs a load and returns what the client says of it. Raises LoadError
        when the client did not end well."""
        ran = self._check.run(
            name, [self._check.kit.program("slice-client"), "--server",
                   self._server.address, "bench", "--plaintext", "--format",
                   "json", "--links-per-rpc", str(links), "--concurrency",
                   str(calls), "--connections", str(min(calls, CONNECTIONS)),
                   "--warmup", f"{warmup}s", "--duration", f"{seconds}s",
                   *flags],
            seconds + warmup + 30)
        if ran.status is None:
            raise LoadError(f"the load did not end within {ran.seconds:.0f} s")
        return read_load(ran)


def read_load(ran):
    """The JSON object among the lines of the client."""
    for line in ran.output.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    raise LoadError(f"exit status {ran.status}: {ran.last_line()}")


def rate(load):
    return load["links_per_second"] or 0


def options_text(load):
    options = load["options"]
    return (f"{options['concurrency']} calls of {options['links_per_rpc']} "
            "links at once")


def milliseconds(load, quantile):
    seconds = load["latency_seconds"][quantile]
    return "–" if seconds is None else f"{1e3 * seconds:.2f}"


def measure(check, bundle, device):
    """The loads that time was left for."""
    quick = check.options.quick or device == "cpu"
    seconds, warmup = ((QUICK_SECONDS, 0) if quick
                       else (SECONDS, WARMUP_SECONDS))
    loads = []
    with Served(check, bundle, device) as server:
        for links, calls in QUICK_LOADS if quick else LOADS:
            if check.no_time("", seconds + warmup + 5):
                break
            loads.append(server.load(
                f"load {bundle} {device} {links}x{calls}", links, calls,
                seconds, warmup))
    return loads


def broken(load, device):
    """What is wrong with a load, "" when nothing is."""
    if load["failed"] or load["link_errors"]:
        return (f"{load['failed']} calls failed under {options_text(load)}: "
                f"{load['errors']} {load['link_errors']}")
    if not load["answered"]:
        return f"no call was answered under {options_text(load)}"
    if load["device"] != device:
        return f"the server ran on {load['device']} instead of {device}"
    return ""


def judge(check, name, bundle, loads):
    """The row of the loads on a bundle."""
    if not loads:
        return skipped(name, "no time left")
    figures = {"loads": loads}
    device = "cpu" if check.host["device_problem"] else "cuda"
    wrong = next(filter(None, (broken(load, device) for load in loads)), "")
    if wrong:
        return failed(name, wrong, figures=figures)
    top = max(loads, key=rate)
    found = f"{rate(top):,.0f} links/s"
    note = (f"{options_text(top)}; one link alone: p50 "
            f"{milliseconds(loads[0], 'p50')} ms")
    if bundle != "default" or check.options.quick or device == "cpu":
        return passed(name, f"{found}; {note}", figures=figures)
    mark = f"≥ {MARK:,} links/s"
    if check.host["cores"] < MARK_CORES and rate(top) < MARK:
        return skipped(name, f"the mark is for {MARK_CORES} cores, this host "
                       f"has {check.host['cores']}; {note}", mark=mark,
                       found=found, figures=figures)
    return Row(name, PASSED if rate(top) >= MARK else MISSED, note, mark, found,
               figures)


def error_row(check, name, error):
    """A load that ended because no time was left is no failure."""
    return check.no_time(name) or failed(name, last_line(error))


def bundle_rows(check, bundle):
    problem = check.host["device_problem"]
    device = "cpu" if problem else "cuda"
    if problem:
        yield skipped(f"serving {bundle} on cuda", f"no device: {problem}",
                      mark=f"≥ {MARK:,} links/s" if bundle == "default" else "")
    name = f"serving {bundle} on {device}"
    row = check.no_time(name, 15)
    if not row:
        try:
            row = judge(check, name, bundle, measure(check, bundle, device))
        except LoadError as error:
            row = error_row(check, name, error)
    yield row


def torch_script_row(check):
    """A short load on the server with the network as TorchScript, which LibTorch
    runs. It shows that the server finds LibTorch; the speed has no mark."""
    bundle = check.kit.facts["bundles"][0]
    device = "cpu" if check.host["device_problem"] else "cuda"
    name = f"serving {bundle} by TorchScript on {device}"
    row = (gpu_tests.torch_row(check, name, "forward_benchmark") or
           check.no_time(name, 15))
    if row:
        return row
    try:
        with Served(check, bundle, device, "--forward", "torchscript") as server:
            load = server.load(name, *QUICK_LOADS[-1], QUICK_SECONDS)
    except LoadError as error:
        return error_row(check, name, error)
    wrong = broken(load, device)
    if wrong:
        return failed(name, wrong)
    return passed(name, f"{rate(load):,.0f} links/s; {options_text(load)}",
                  figures={"loads": [load]})


def serving(check):
    for bundle in check.kit.facts["bundles"]:
        yield from bundle_rows(check, bundle)
    yield torch_script_row(check)
