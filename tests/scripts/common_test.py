"""Tests of scripts/lib/common.sh: a failed run ends with one clear line."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
COMMON = os.path.join(ROOT, "scripts", "lib", "common.sh")


def run(body):
    """Runs a script with `body` after the usual first lines."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "example")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/usr/bin/env bash\n# Does things.\n#\n"
                       "#   --flag  a flag\nset -euo pipefail\n"
                       f"source {COMMON}\n{body}\n")
        return subprocess.run(["bash", script], text=True, check=False,
                              capture_output=True)


class CommonTest(unittest.TestCase):

    def test_die_prints_its_line_last_and_exits_1(self):
        result = run('step "one"; die "no disk left"; echo unreachable')
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "==> one\nexample: no disk left\n")
        self.assertEqual(result.stdout, "")

    def test_die_in_a_substitution_prints_one_line(self):
        result = run('value=$(die "no value"); echo "unreachable ${value}"')
        self.assertEqual((result.returncode, result.stderr),
                         (1, "example: no value\n"))

    def test_a_failing_command_names_the_step_and_keeps_its_status(self):
        result = run('step "counting"\n(exit 7)\necho unreachable')
        self.assertEqual(result.returncode, 7)
        self.assertEqual(
            result.stderr.splitlines()[-1],
            "example: failed (exit 7, line 8) while: counting")
        self.assertEqual(result.stdout, "")

    def test_a_failure_deep_in_functions_prints_one_line(self):
        result = run('inner() { false; }\nouter() { inner; echo no; }\nouter')
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_success_is_silent(self):
        result = run("true")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_usage_prints_the_comment_at_the_top(self):
        self.assertEqual(run('usage "$0"').stdout,
                         "Does things.\n\n  --flag  a flag\n")

    def test_jobs_are_bounded_by_cores_and_memory(self):
        self.assertEqual(run("parallel_jobs 1000000000").stdout, "1\n")
        cores = len(os.sched_getaffinity(0))
        self.assertLessEqual(int(run("parallel_jobs 1").stdout), cores)


if __name__ == "__main__":
    unittest.main()
