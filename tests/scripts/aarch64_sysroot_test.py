"""Tests of scripts/lib/aarch64_sysroot.sh: the sysroot appears whole or not at
all, and nothing in it leads to the files of the build machine.

apt-get is a stand-in that "downloads" a package made here, or fails.
"""

import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest

from stand_ins import ROOT, write

LIBRARIES = "usr/lib/aarch64-linux-gnu"
SKIPPED = 77

APT_STAND_IN = """\
    #!/bin/bash
    echo "$*" >>"{folder}/calls"
    [[ ! -e "{folder}/apt_fails" ]] || exit 100
    [[ "$*" == *--download-only* ]] || exit 0
    for option in "$@"; do
      [[ "$option" != Dir::Cache=* ]] ||
        cp "{folder}/libtoy.deb" "${{option#Dir::Cache=}}/archives/"
    done
    """


class SysrootTest(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.sysroot = self.path("deps/aarch64/sysroot")
        write(self.path("bin/apt-get"),
              textwrap.dedent(APT_STAND_IN).format(folder=self.folder), 0o755)
        package = self.path("package")
        write(os.path.join(package, "DEBIAN/control"),
              "Package: libtoy\nVersion: 1\nArchitecture: arm64\n"
              "Maintainer: nobody <nobody@localhost>\nDescription: toy\n")
        write(os.path.join(package, LIBRARIES, "libtoy.so.1"), "machine code")
        os.symlink(f"/{LIBRARIES}/libtoy.so.1",
                   os.path.join(package, LIBRARIES, "libtoy.so"))
        write(os.path.join(package, LIBRARIES, "cmake/toy/toyTargets.cmake"),
              'set(_IMPORT_PREFIX "/usr")\n'
              f'set(at "/{LIBRARIES}/libtoy.so;/{LIBRARIES}/libbz2.so")\n')
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", package,
                        self.path("libtoy.deb")],
                       check=True, capture_output=True)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def install(self, *names):
        script = self.path("install")
        write(script, textwrap.dedent(f"""\
            set -euo pipefail
            source {ROOT}/scripts/lib/common.sh
            source {ROOT}/scripts/lib/aarch64_sysroot.sh
            install_aarch64_sysroot {" ".join(names)}
            """))
        return subprocess.run(
            ["bash", script], text=True, capture_output=True, check=False,
            env={**os.environ, "SLICE_DEPS_DIR": self.path("deps"),
                 "PATH": f"{self.path('bin')}:{os.environ['PATH']}"})

    def read(self, *parts):
        with open(os.path.join(self.sysroot, *parts), encoding="utf-8") as file:
            return file.read()

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read()

    def test_links_stay_within_the_sysroot(self):
        result = self.install("libtoy")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            os.readlink(os.path.join(self.sysroot, LIBRARIES, "libtoy.so")),
            "libtoy.so.1")
        self.assertEqual(self.read(LIBRARIES, "libtoy.so"), "machine code")

    def test_files_for_cmake_name_the_sysroot(self):
        self.install("libtoy")
        self.assertEqual(
            self.read(LIBRARIES, "cmake/toy/toyTargets.cmake"),
            'set(_IMPORT_PREFIX "${CMAKE_SYSROOT}/usr")\n'
            f'set(at "${{CMAKE_SYSROOT}}/{LIBRARIES}/libtoy.so;'
            f'${{CMAKE_SYSROOT}}/{LIBRARIES}/libbz2.so")\n')

    def test_apt_uses_no_state_of_the_machine(self):
        self.install("libtoy")
        for call in self.calls().splitlines():
            self.assertIn("APT::Architecture=arm64", call)
            self.assertIn(f"Dir::State={self.folder}", call)
            self.assertIn(f"Dir::State::status={self.folder}", call)
            self.assertIn(f"Dir::Cache={self.folder}", call)

    def test_the_second_run_downloads_nothing_other_names_do(self):
        self.install("libtoy")
        first = self.calls()
        self.assertEqual(self.install("libtoy").stderr, "")
        self.assertEqual(self.calls(), first)
        self.install("libtoy", "libother")
        self.assertIn("install libtoy libother", self.calls())

    def test_a_failed_download_leaves_no_sysroot(self):
        write(self.path("apt_fails"), "")
        result = self.install("libtoy")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot read Debian's arm64 package lists",
                      result.stderr.splitlines()[-1])
        self.assertFalse(os.path.exists(self.sysroot))


if __name__ == "__main__":
    if not shutil.which("dpkg-deb"):
        print("skipped: dpkg-deb is not installed")
        raise SystemExit(SKIPPED)
    unittest.main()
