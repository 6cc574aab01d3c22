"""Tests of scripts/build: what needs no LibTorch is compiled while it comes.

A copy of scripts/ is run with stand-ins for cmake, ninja and the download,
which write down how they are called.
"""

import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from stand_ins import ROOT, write

STAND_INS = {
    # Leaves what the real one leaves for scripts/build to look at.
    "cmake": """\
        case "$1" in
          --preset)
            mkdir -p "build/$2"
            touch "build/$2/build.ninja"
            later=OFF
            [[ " $* " != *" -DSLICE_LIBTORCH_LATER=ON "* ]] || later=ON
            echo "SLICE_LIBTORCH_LATER:BOOL=${later}" \\
              >"build/$2/CMakeCache.txt" ;;
        esac
        """,
    "ninja": """\
        if [[ " $* " == *" -t inputs "* ]]; then
          printf '%s\\n' a/a.cc a/CMakeFiles/a.dir/a.cc.o \\
            b/CMakeFiles/b_torch.dir/b.cc.o c/CMakeFiles/c.dir/c.cc.o
        elif [[ -e "${calls}.compiling_never_ends" ]]; then
          trap 'echo "ninja ended" >>"${calls}"; exit 1' TERM
          touch "${calls}.compiling"
          # A signal that came before one long wait would not end it.
          while :; do sleep .05; done
        elif [[ -e "${calls}.compiling_fails" ]]; then
          exit 1
        fi
        """,
}
# In the place of scripts/lib/libtorch.sh.
DOWNLOAD = """\
    has_libtorch() { [[ -e "${SLICE_DEPS_DIR}/libtorch" ]]; }
    install_libtorch() {
      ! has_libtorch || return 0
      echo "download" >>"CALLS"
      if [[ -e "CALLS.no_network" ]]; then
        until [[ -e "CALLS.compiling" ]]; do :; done
        die "no network"
      fi
      mkdir "${SLICE_DEPS_DIR}/libtorch"
    }
    """


class BuildTest(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.calls_file = self.path("calls")
        shutil.copytree(os.path.join(ROOT, "scripts"), self.path("scripts"))
        write(self.path("CMakePresets.json"), "{}")
        write(self.path("scripts/lib/debian_packages.sh"), """\
            SLICE_BUILD_PACKAGES=()
            install_packages() { :; }
            """)
        write(self.path("scripts/lib/libtorch.sh"),
              DOWNLOAD.replace("CALLS", self.calls_file))
        for name, body in STAND_INS.items():
            write(self.path("bin", name),
                  f"#!/bin/bash\ncalls={self.calls_file}\n"
                  f'echo {name} "$@" >>"${{calls}}"\n'
                  + textwrap.dedent(body), 0o755)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def say(self, what):
        write(f"{self.calls_file}.{what}", "")

    def build(self, *options):
        """Runs it; returns the result and the calls it made."""
        write(self.calls_file, "")
        result = subprocess.run(
            ["bash", self.path("scripts/build"), *options], text=True,
            capture_output=True, check=False, timeout=60,
            env={**os.environ, "SLICE_DEPS_DIR": self.path("deps"),
                 "SLICE_JOBS": "3",
                 "PATH": self.path("bin") + ":" + os.environ["PATH"]})
        return result, self.calls()

    def calls(self):
        with open(self.calls_file, encoding="utf-8") as file:
            return file.read().splitlines()

    def configured(self, later):
        return (f"cmake --preset release -DSLICE_DEPS_DIR={self.path('deps')} "
                f"-DSLICE_LIBTORCH_LATER={later}")

    def test_the_first_run_compiles_what_needs_no_libtorch_meanwhile(self):
        result, calls = self.build("--binaries")
        self.assertEqual(result.returncode, 0, result.stderr)
        programs = "slice-graph slice-trainer slice-server slice-client"
        early = ("ninja -C build/release -j 3 a/CMakeFiles/a.dir/a.cc.o "
                 "c/CMakeFiles/c.dir/c.cc.o")
        self.assertEqual(calls[:2], [
            self.configured("ON"),
            f"ninja -C build/release -t inputs {programs}"])
        # At once, in either order.
        self.assertEqual(sorted(calls[2:4]), ["download", early])
        self.assertEqual(calls[4:], [
            self.configured("OFF"),
            "cmake --build build/release --parallel 3 --target " + programs])

    def test_without_targets_all_is_built(self):
        _, calls = self.build()
        self.assertIn("ninja -C build/release -t inputs all", calls)
        self.assertEqual(calls[-1], "cmake --build build/release --parallel 3")

    def test_the_second_run_only_builds(self):
        self.build()
        _, calls = self.build("--targets", "one two")
        self.assertEqual(calls, ["cmake --build build/release --parallel 3 "
                                 "--target one two"])

    def test_a_run_that_ended_in_the_download_is_configured_again(self):
        self.build()
        write(self.path("build/release/CMakeCache.txt"),
              "SLICE_LIBTORCH_LATER:BOOL=ON\n")
        _, calls = self.build()
        self.assertEqual(calls[0], self.configured("OFF"))

    def test_an_error_while_it_comes_is_left_to_the_build(self):
        self.say("compiling_fails")
        result, calls = self.build()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(calls[-1], "cmake --build build/release --parallel 3")

    def test_a_failed_download_ends_the_compiling(self):
        self.say("no_network")
        self.say("compiling_never_ends")
        result, calls = self.build()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.splitlines()[-1], "build: no network")
        self.assertNotIn("cmake --build build/release --parallel 3", calls)
        while "ninja ended" not in calls:  # in a moment, or the test hangs
            calls = self.calls()

    def test_deps_only_compiles_nothing(self):
        _, calls = self.build("--deps-only")
        self.assertEqual(calls, ["download"])


class RepositoryTest(unittest.TestCase):
    """The build folder that this test is of."""

    def test_what_is_compiled_meanwhile_needs_no_file_of_libtorch(self):
        objects = [name for name in inputs_of("all")
                   if name.endswith(".o") and "_torch.dir/" not in name]
        self.assertGreater(len(objects), 500)
        self.assertEqual([name for name in inputs_of(*objects)
                          if "libtorch" in name], [])


def inputs_of(*targets):
    build = os.path.dirname(os.environ["SLICE_BIN_DIR"])
    result = subprocess.run(["ninja", "-C", build, "-t", "inputs", *targets],
                            text=True, capture_output=True, check=True)
    return result.stdout.splitlines()


if __name__ == "__main__":
    unittest.main()
