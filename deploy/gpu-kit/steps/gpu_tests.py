"""The steps "tests" and "sanitizers": the GoogleTest programs of the kit, alone
and under the four tools of compute-sanitizer."""

import re

import gpu_host
from gpu_runs import failed, passed, skipped

# Program -> (seconds, whether it needs a device).
TESTS = {"device_forward_test": (60, False), "cuda_forward_test": (90, True)}
# The cases with small shapes. The network with scratch in global memory is
# large; under a tool it would take too long.
SMALL_SHAPES = ("CudaForwardTest.EqualsTheTorchScriptInEveryBucket:"
                "CudaForwardTest.StructuralEqualsTheTorchScript")
TOOLS = ("memcheck", "synccheck", "initcheck", "racecheck")
# The tools share what time is left, because how long they take is not known.
TOOL_SECONDS = 300
TOOL_FOUND = 9  # exit status when a tool found an error


def torch_row(check, name, program):
    """A row when the program cannot load LibTorch, else None."""
    torch = check.host["torch"]
    if "none" in torch:
        return skipped(name, torch["none"])
    missing = gpu_host.missing_libraries(check.kit.program(program))
    if missing:
        return failed(name, f"{program} does not find {missing} (PyTorch "
                      f"{torch['version']} in {torch['folder']})")
    return None


def counts(output):
    """(tests that passed, that were skipped, that failed) of GoogleTest."""
    found = []
    for word in ("PASSED", "SKIPPED", "FAILED"):
        line = re.search(rf"\[\s*{word}\s*\] (\d+) tests?[.,]", output)
        found.append(int(line[1]) if line else 0)
    return tuple(found)


def test_row(name, ran, needs_device, problem):
    """The row of a program of tests that ran. `problem`: why there is no
    device."""
    ended = ran.row_if_ended(name)
    if ended:
        return ended
    good, left_out, bad = counts(ran.output)
    if ran.status != 0 or bad:
        first = re.search(r"^\[  FAILED  \] ([A-Za-z]\S*)", ran.output, re.M)
        what = first[1] if first else ran.last_line()
        return failed(name, f"failed tests: {bad}, exit status {ran.status}: "
                      f"{what}")
    if needs_device and problem:
        return skipped(name, f"no device: {problem}; the {good} tests that "
                       "need none passed")
    if left_out:
        why = re.search(r": Skipped\n(.+)", ran.output)
        return failed(name, f"{left_out} tests were skipped although there is "
                      f"a device: {why[1].strip() if why else 'no reason'}")
    return passed(name, f"{good} tests in {ran.seconds:.0f} s")


def run_tests(check, program):
    name = f"test {program}"
    seconds, needs_device = TESTS[program]
    row = torch_row(check, name, program) or check.no_time(name)
    if row:
        return row
    ran = check.run(name, [check.kit.program(program)], seconds)
    return test_row(name, ran, needs_device, check.host["device_problem"])


def tests(check):
    for program in TESTS:
        yield run_tests(check, program)


def sanitizer_row(check, tool):
    """The row of one tool, which leaves time for those after it."""
    name = f"sanitizer {tool}"
    if check.host["device_problem"]:
        return skipped(name, f"no device: {check.host['device_problem']}")
    if not check.host["sanitizer"]:
        return skipped(name, "compute-sanitizer is neither in PATH nor below "
                       "/usr/local/cuda")
    row = torch_row(check, name, "cuda_forward_test") or check.no_time(name)
    if row:
        return row
    ran = check.run(
        name, [check.host["sanitizer"], "--tool", tool, "--error-exitcode",
               str(TOOL_FOUND), check.kit.program("cuda_forward_test"),
               f"--gtest_filter={SMALL_SHAPES}"], TOOL_SECONDS,
        sharers=len(TOOLS) - TOOLS.index(tool))
    return judge_tool(name, ran)


def judge_tool(name, ran):
    ended = ran.row_if_ended(name)
    if ended:
        return ended
    summary = re.findall(r"ERROR SUMMARY: .+|RACECHECK SUMMARY: .+", ran.output)
    said = summary[-1] if summary else ran.last_line()
    good, left_out, _ = counts(ran.output)
    if ran.status != 0:
        return failed(name, f"exit status {ran.status}: {said}")
    if left_out or not good:
        return failed(name, "the test did not run under the tool: "
                      f"{ran.last_line()}")
    return passed(name, f"{said} ({ran.seconds:.0f} s)")


def sanitizers(check):
    for tool in TOOLS:
        yield sanitizer_row(check, tool)
