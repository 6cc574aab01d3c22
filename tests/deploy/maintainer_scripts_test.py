"""deploy/debian: what dpkg runs tells systemd what changed, and does not fail
when systemd does. Each script runs with a systemctl that only notes its calls.
"""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
# What the names of the files of each package begin with.
PREFIXES = {"slice-server": "", "slice-trainer": "slice-trainer."}
SCRIPTS = ("postinst", "prerm", "postrm")
FOLDER = os.path.join(ROOT, "deploy", "debian")
SYSTEMD = "/run/systemd/system"
SYSTEMCTL = """#!/bin/sh
echo "$@" >>"$CALLS"
[ "$1" != "$FAILS" ]
"""


class MaintainerScriptsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        path = os.path.join(self.folder, "systemctl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SYSTEMCTL)
        os.chmod(path, 0o755)

    def run_script(self, name, *arguments, fails="", systemd=True):
        """What it asked of systemctl, and what it said."""
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            script = file.read()
        self.assertIn(SYSTEMD, script)
        script = script.replace(
            SYSTEMD, self.folder if systemd else self.folder + "/absent")
        calls = os.path.join(self.folder, "calls")
        open(calls, "w", encoding="utf-8").close()
        result = subprocess.run(
            ["sh", "-c", script, name, *arguments], text=True,
            capture_output=True, check=False,
            env={"PATH": f"{self.folder}:/usr/bin:/bin", "CALLS": calls,
                 "FAILS": fails})
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(calls, encoding="utf-8") as file:
            return file.read().splitlines(), result.stderr

    def test_an_installation_starts_nothing(self):
        for prefix in PREFIXES.values():
            calls, said = self.run_script(prefix + "postinst", "configure", "")
            self.assertEqual((calls, said), (["daemon-reload"], ""))

    def test_an_upgrade_starts_a_server_that_runs_again(self):
        calls, said = self.run_script("postinst", "configure", "0.1.0")
        self.assertEqual((calls, said), (
            ["daemon-reload", "try-restart slice-server.service"], ""))

    def test_a_server_that_does_not_start_leaves_the_package_installed(self):
        _, said = self.run_script("postinst", "configure", "0.1.0",
                                  fails="try-restart")
        self.assertIn("journalctl -u slice-server", said)

    def test_before_the_trainer_goes_its_timer_and_its_training_end(self):
        calls, _ = self.run_script("slice-trainer.prerm", "remove")
        self.assertEqual(
            calls, ["stop slice-retrain.timer slice-retrain.service"])
        calls, _ = self.run_script("slice-trainer.prerm", "upgrade", "0.3.0")
        self.assertEqual(calls, [])

    def test_systemd_forgets_the_units_that_went(self):
        for prefix in PREFIXES.values():
            calls, _ = self.run_script(prefix + "postrm", "remove")
            self.assertEqual(calls, ["daemon-reload"])

    def test_a_systemd_that_does_not_answer_is_only_reported(self):
        for name in ("postinst", "postrm", "slice-trainer.postinst",
                     "slice-trainer.postrm"):
            _, said = self.run_script(name, "configure", "",
                                      fails="daemon-reload")
            self.assertIn("daemon-reload failed", said)
        _, said = self.run_script("slice-trainer.prerm", "remove",
                                  fails="stop")
        self.assertIn("could not be stopped", said)

    def test_both_packages_get_them(self):
        path = os.path.join(ROOT, "scripts/lib/package_trees.sh")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for package, prefix in PREFIXES.items():
            command = f'maintainer_scripts "${{root}}" {prefix}'.rstrip()
            self.assertIn(f"  {command}\n", text)
            root = os.path.join(self.folder, package)
            os.makedirs(os.path.join(root, "DEBIAN"))
            subprocess.run(
                ["bash", "-c", f'. {path}; maintainer_scripts "$@"', "bash",
                 root, prefix], check=True,
                env={**os.environ, "SLICE_ROOT": ROOT})
            for name in SCRIPTS:
                self.assertTrue(os.access(os.path.join(root, "DEBIAN", name),
                                          os.X_OK))

    def test_without_systemd_nothing_is_asked(self):
        for prefix in PREFIXES.values():
            for name in SCRIPTS:
                calls, _ = self.run_script(prefix + name, "remove",
                                           systemd=False)
                self.assertEqual(calls, [])


if __name__ == "__main__":
    unittest.main()
