"""The step "loss": what is said and done when there is no device, and when the
device is lost. A kernel that breaks the device shows the latter inside of one
process; for the server, the library lost_device.so lets calls fail."""

import gpu_tests
from gpu_runs import failed, passed, skipped
from gpu_serving import Served, error_row
from serving_loads import LoadError

START_SECONDS = 30
LOST_EXIT = 3  # exit status of a server that lost its device
LOAD_SECONDS = 1


def absent_row(check):
    """A server that is to use a device where there is none must say so."""
    name = "loss: no device at the start"
    row = check.no_time(name)
    if row:
        return row
    ran = check.run(
        name.replace(":", ""),
        [check.kit.program("slice-server"), "--bundle",
         check.kit.bundle(check.kit.facts["bundles"][0]), "--data-dir",
         check.data("absent"), "--device", "cuda", "--listen",
         "127.0.0.1:0"], START_SECONDS, CUDA_VISIBLE_DEVICES="")
    row = ran.row_if_ended(name)
    if row:
        return row
    line = ran.last_line()
    if ran.status != 1 or "no CUDA device is present" not in ran.output:
        return failed(name, f"exit status {ran.status} instead of 1: {line}")
    return passed(name, f"exit status 1: {line}")


def broken_row(check):
    name = "loss: a kernel breaks the device"
    problem = check.host["device_problem"]
    if problem:
        return skipped(name, f"no device: {problem}")
    row = (gpu_tests.torch_row(check, name, "cuda_loss_test") or
           check.no_time(name))
    if row:
        return row
    ran = check.run("loss test", [check.kit.program("cuda_loss_test")], 30)
    return gpu_tests.test_row(name, ran, True, problem)


def lose(check, policy):
    """A server under load whose device is lost: ("" or what is wrong)."""
    signal_file = check.data(f"lost-{policy}")
    flags = ["--on-device-loss", policy]
    with Served(check, check.kit.facts["bundles"][0], "cuda", *flags,
                variables={
                    "LD_PRELOAD": check.kit.library("liblost_device.so"),
                    "SLICE_LOSE_DEVICE": signal_file}) as server:
        before = server.load(f"loss {policy} before", 8, 4, LOAD_SECONDS)
        if before["failed"]:
            return f"calls failed before the loss: {before['errors']}"
        with open(signal_file, "w", encoding="utf-8"):
            pass
        try:
            after = server.load(f"loss {policy} after", 8, 4, LOAD_SECONDS, 0,
                                "--until-unavailable")
        except LoadError as error:
            after = {"failed": 1, "errors": str(error)}
        if policy == "exit":
            status = server.exit_status(15)
            return "" if status == LOST_EXIT else (
                f"exit status {status} instead of {LOST_EXIT}")
        if after["failed"] or after["link_errors"]:
            return f"calls failed after the loss: {after['errors']}"
        lost = server.metric("slice_gpu_lost")
        return "" if lost == 1 else f"slice_gpu_lost is {lost:g} instead of 1"


def server_row(check, policy):
    name = f"loss: server with --on-device-loss {policy}"
    if check.host["device_problem"]:
        return skipped(name, f"no device: {check.host['device_problem']}")
    row = check.no_time(name, 20)
    if row:
        return row
    try:
        wrong = lose(check, policy)
    except LoadError as error:
        return error_row(check, name, error)
    if wrong:
        return failed(name, wrong)
    return passed(name, "ended with status 3" if policy == "exit" else
                  "went on on the CPU")


def loss(check):
    yield absent_row(check)
    yield broken_row(check)
    for policy in ("exit", "cpu"):
        yield server_row(check, policy)
