"""The packages in a clean Debian 12: the portable archive runs there, and the
Debian package is installed, upgraded, removed and purged.

Needs root, the network and debootstrap, or a root made by it (variable
SLICE_CLEAN_ROOT; the test works on a copy). Exits 77 without them.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ["SLICE_BIN_DIR"])
BUNDLE = os.path.join(os.environ["SLICE_TOY_DIR"], "bundle")
READY = os.environ.get("SLICE_CLEAN_ROOT", "")
MIRROR = "http://deb.debian.org/debian"
NEXT = "99.0.0"
CONFIG = "/etc/slice/server.yaml"
SERVE = """
set -e
mkdir -p /run/slice
rm -f /tmp/log  # of another start
{0}/slice-server {1} --data-dir /tmp/data --listen 127.0.0.1:0 \
  --metrics-listen 127.0.0.1:0 --lame-duck 0s >/tmp/log 2>&1 &
server=$!
until grep -q '^listening' /tmp/log; do
  kill -0 $server || {{ cat /tmp/log; exit 1; }}
  sleep 0.1
done
{0}/slice-client --server "$(sed -n 's/^listening on //p' /tmp/log)" --json info
kill -TERM $server
wait $server
"""


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def run(*command, **more):
    result = subprocess.run(command, text=True, check=False,
                            capture_output=True, **more)
    if result.returncode:
        raise AssertionError(f"{command}: {result.stdout}{result.stderr}")
    return result.stdout


class CleanRootTest(unittest.TestCase):
    """The tests build on each other, in the order of their names."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="slice-clean-root-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        cls.root = os.path.join(folder, "root")
        if READY:
            run("cp", "-a", READY, cls.root)
        else:
            run("debootstrap", "--variant=minbase", "bookworm", cls.root,
                MIRROR)
        shutil.copy("/etc/resolv.conf", cls.root + "/etc/resolv.conf")
        for path in glob.glob("/etc/apt/apt.conf.d/*proxy*"):
            shutil.copy(path, cls.root + "/etc/apt/apt.conf.d/")
        run("mount", "-t", "proc", "proc", cls.root + "/proc")
        cls.addClassCleanup(run, "umount", cls.root + "/proc")
        shutil.copytree(BUNDLE, cls.root + "/usr/local/share/slice/bundle")
        out = os.path.join(folder, "out")
        run(os.path.join(ROOT, "scripts/package"), "--slim", "--build", BUILD,
            "--out", out)
        cls.deb = glob.glob(out + "/slice-server_*.deb")[0]
        cls.archive = glob.glob(out + "/slice-*.tar.xz")[0]
        cls.version = re.search(r"_([\d.]+)_", cls.deb)[1]

    def inside(self, *command):
        variables = {name: value for name, value in os.environ.items()
                     if name.lower().endswith("_proxy")}
        return run("chroot", self.root, *command, env={
            **variables, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root", "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive"})

    def exists(self, path):
        return os.path.lexists(self.root + path)

    def serve(self, folder, flags):
        """Starts the server, asks it, stops it; what `info` prints."""
        return self.inside("sh", "-c", SERVE.format(folder, flags))

    def install(self, deb, version):
        """Installs a copy of the package under this version."""
        unpacked = deb + ".d"
        run("dpkg-deb", "-R", deb, unpacked)
        control = unpacked + "/DEBIAN/control"
        with open(control, encoding="utf-8") as file:
            text = file.read()
        with open(control, "w", encoding="utf-8") as file:
            file.write(text.replace(f"Version: {self.version}\n",
                                    f"Version: {version}\n"))
        run("dpkg-deb", "--root-owner-group", "-Znone", "-b", unpacked,
            self.root + "/tmp/slice-server.deb")
        shutil.rmtree(unpacked)
        self.inside("apt-get", "-qq", "update")
        self.inside("apt-get", "-qq", "install", "-y",
                    "--no-install-recommends", "/tmp/slice-server.deb")

    def test_1_the_portable_archive_runs_where_no_library_is_installed(self):
        self.assertFalse(glob.glob(self.root + "/usr/lib/*/libgrpc*"))
        run("tar", "-C", self.root + "/opt", "-xf", self.archive)
        info = self.serve(f"/opt/slice-{self.version}/bin",
                          "--bundle /usr/local/share/slice/bundle")
        self.assertIn('"native"', info)

    def test_2_the_package_is_installed_with_what_it_needs(self):
        self.install(self.deb, self.version)
        self.assertEqual(self.inside("slice-server", "--version"),
                         f"slice-server {self.version}\n")
        self.assertNotIn("not found", self.inside("ldd",
                                                  "/usr/bin/slice-server"))
        self.inside("slice-server", "--config", CONFIG, "--check-config")
        info = self.serve("/usr/bin", f"--config {CONFIG}")
        self.assertIn('"native"', info)

    def test_3_an_upgrade_keeps_a_changed_configuration(self):
        with open(self.root + CONFIG, "a", encoding="utf-8") as file:
            file.write("logging:\n  log-level: warning\n")
        self.install(self.deb, NEXT)
        self.assertEqual(self.inside("dpkg-query", "-W", "-f", "${Version}",
                                     "slice-server"), NEXT)
        with open(self.root + CONFIG, encoding="utf-8") as file:
            self.assertIn("log-level: warning", file.read())

    def test_4_removing_leaves_configuration_and_data_and_purging_none(self):
        data = "/var/lib/private/slice"
        os.makedirs(self.root + data)
        os.symlink("private/slice", self.root + "/var/lib/slice")
        self.inside("apt-get", "-qq", "remove", "-y", "slice-server")
        self.assertFalse(self.exists("/usr/bin/slice-server"))
        self.assertFalse(self.exists("/lib/systemd/system/slice-server.service"))
        self.assertTrue(self.exists(CONFIG))
        self.assertTrue(self.exists(data))
        self.inside("apt-get", "-qq", "purge", "-y", "slice-server")
        for path in (CONFIG, data, "/var/lib/slice", "/etc/slice"):
            self.assertFalse(self.exists(path), path)


if __name__ == "__main__":
    if os.geteuid() != 0:
        skip("only root can install a package in a clean root")
    if not READY and shutil.which("debootstrap") is None:
        skip("debootstrap is not installed")
    if shutil.which("dpkg-shlibdeps") is None:
        skip("dpkg-dev is not installed")
    unittest.main()
