"""What scripts/package makes of this build: contents, dependencies, parts
lists, the same bytes again, and a slim image that runs.

Needs dpkg-dev, xz and spdx-tools; exits 77 without them.
"""

import filecmp
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import private_python

private_python.require("spdx_tools")

from spdx_tools.spdx.parser.parse_anything import parse_file  # noqa: E402
from spdx_tools.spdx.validation.document_validator import \
    validate_full_spdx_document  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ["SLICE_BIN_DIR"])
IMAGE_MB = 80


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(slice VERSION ([\d.]+)", file.read())[1]


def run(*command, **more):
    return subprocess.run(command, text=True, check=True, capture_output=True,
                          **more).stdout


def files_below(folder):
    return {os.path.relpath(os.path.join(at, name), folder)
            for at, _, names in os.walk(folder) for name in names}


class PackagesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.image = os.path.join(folder.name, "image")
        cls.debs = []
        for at in ("one", "two"):
            out = os.path.join(folder.name, at)
            more = ["--image-root", cls.image] if at == "one" else []
            made = subprocess.run(
                [os.path.join(ROOT, "scripts/package"), "--slim", "--deb",
                 "--build", BUILD, "--out", out, *more], text=True, check=False,
                capture_output=True,
                env={**os.environ, "SOURCE_DATE_EPOCH": "1764000000"})
            if made.returncode:
                raise AssertionError(made.stderr)
            cls.debs.append(os.path.join(
                out, f"slice-server_{version()}_amd64.deb"))
        cls.deb = os.path.join(folder.name, "unpacked")
        run("dpkg-deb", "-R", cls.debs[0], cls.deb)

    def test_the_same_build_gives_the_same_bytes(self):
        self.assertTrue(filecmp.cmp(*self.debs, shallow=False))

    def test_a_debian_package_holds_what_a_server_needs(self):
        files = files_below(self.deb)
        for program in ("slice-server", "slice-client", "slice-graph"):
            for path in (f"usr/bin/{program}",
                         f"usr/share/man/man1/{program}.1.gz",
                         f"usr/share/bash-completion/completions/{program}",
                         f"usr/share/zsh/vendor-completions/_{program}",
                         f"usr/share/fish/vendor_completions.d/{program}.fish"):
                self.assertIn(path, files)
        self.assertIn("lib/systemd/system/slice-server.service", files)
        self.assertFalse([path for path in files if "torch" in path.lower()])

    def test_changes_to_the_configuration_survive_an_upgrade(self):
        with open(os.path.join(self.deb, "DEBIAN/conffiles"),
                  encoding="utf-8") as file:
            self.assertEqual(file.read(), "/etc/slice/server.yaml\n")

    def test_it_depends_on_what_its_programs_load(self):
        depends = run("dpkg-deb", "-f", self.debs[0], "Depends")
        for package in ("libc6", "libgrpc++1.51", "librocksdb7.8", "libssl3"):
            self.assertRegex(depends, rf"(^|, ){re.escape(package)}\b")

    def test_its_digests_are_those_of_its_files(self):
        with open(os.path.join(self.deb, "DEBIAN/md5sums"),
                  encoding="utf-8") as file:
            lines = dict(line.rstrip("\n").split("  ")[::-1] for line in file)
        self.assertEqual(
            set(lines), {path for path in files_below(self.deb)
                         if not path.startswith("DEBIAN/")})
        for path, digest in lines.items():
            with open(os.path.join(self.deb, path), "rb") as file:
                self.assertEqual(
                    hashlib.file_digest(file, "md5").hexdigest(), digest)

    def test_its_scripts_are_sound(self):
        for name in ("postinst", "prerm", "postrm"):
            path = os.path.join(self.deb, "DEBIAN", name)
            self.assertTrue(os.access(path, os.X_OK))
            run("sh", "-n", path)

    def test_the_lists_of_parts_are_spdx_and_name_every_licence(self):
        for path, most in (
                (os.path.join(self.deb, "usr/share/doc/slice-server/"
                              "slice-server.spdx.json"), 0),
                (os.path.join(self.image, "opt/slice/share/doc/slice/"
                              "slice.spdx.json"), 20)):
            document = parse_file(path)
            self.assertEqual(validate_full_spdx_document(document), [])
            names = {package.name: package for package in document.packages}
            self.assertIn("libgrpc++1.51", names)
            for package in document.packages:
                self.assertTrue(package.version, package.name)
                self.assertNotIn("NO", str(package.license_declared)[:2],
                                 package.name)
            self.assertGreater(len(document.files), most)

    def test_the_image_lists_the_digest_of_each_library_in_it(self):
        document = parse_file(os.path.join(
            self.image, "opt/slice/share/doc/slice/slice.spdx.json"))
        listed = {os.path.basename(file.name): {
            sum.value for sum in file.checksums} for file in document.files}
        found = 0
        for path in files_below(self.image):
            if ".so" not in os.path.basename(path):
                continue
            with open(os.path.join(self.image, path), "rb") as file:
                self.assertIn(hashlib.file_digest(file, "sha256").hexdigest(),
                              listed[os.path.basename(path)], path)
            found += 1
        self.assertGreater(found, 20)

    def test_the_slim_image_is_small_and_has_no_shell(self):
        size = sum(os.path.getsize(os.path.join(self.image, path))
                   for path in files_below(self.image))
        self.assertLessEqual(size / 1e6, IMAGE_MB)
        names = {os.path.basename(path) for path in files_below(self.image)}
        self.assertFalse(names & {"sh", "bash", "dash", "busybox"})

    def test_the_programs_of_the_image_need_only_what_is_in_it(self):
        if os.geteuid() != 0 or shutil.which("chroot") is None:
            self.skipTest("only root may use the image as its root")
        # The loader alone, since the image has no ldd.
        for program in ("slice-server", "slice-client", "slice-graph"):
            said = run("chroot", self.image, "/lib64/ld-linux-x86-64.so.2",
                       "--library-path", "/opt/slice/lib/slice",
                       f"/opt/slice/bin/{program}", "--version")
            self.assertEqual(said, f"{program} {version()}\n")

    def test_manifests_and_pages_name_this_version(self):
        image = r"slice(?:-bundle|-cuda)?"
        tags = re.compile(rf"(?:{image}:|newName: {image}\s+newTag: |"
                          r"slice-server_|slice-trainer_)(\d+\.\d+\.\d+)")
        named = 0
        for path in run("git", "-C", ROOT, "ls-files", "deploy", "README.md",
                        "docs/operations.md").split():
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                for tag in tags.findall(file.read()):
                    self.assertEqual(tag, version(), path)
                    named += 1
        self.assertGreater(named, 5)


if __name__ == "__main__":
    for program in ("dpkg-shlibdeps", "dpkg-deb", "xz", "strip", "git"):
        if shutil.which(program) is None:
            private_python.skip(f"no {program}")
    if not os.path.exists(os.path.join(BUILD, "bin", "slice-server")):
        sys.exit("SLICE_BIN_DIR names no build")
    unittest.main()
