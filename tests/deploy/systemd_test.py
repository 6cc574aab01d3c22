"""deploy/systemd: the units are hardened, the configuration is good, and the
server tells a service manager what the type of its unit asks for."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "integration"))
import processes  # noqa: E402  (beside the other tests of processes)

UNIT = os.path.join(ROOT, "deploy/systemd/slice-server.service")
RETRAIN = os.path.join(ROOT, "deploy/systemd/slice-retrain.service")
TIMER = os.path.join(ROOT, "deploy/systemd/slice-retrain.timer")
SCRIPT = os.path.join(ROOT, "deploy/retrain/slice-retrain")
CONFIG = os.path.join(ROOT, "deploy/debian/server.yaml")
MOST_EXPOSURE = 2.0


def settings(unit=UNIT):
    """{key: its last value} of the unit."""
    with open(unit, encoding="utf-8") as file:
        return dict(re.findall(r"^(\w+)=(.*)$", file.read(), re.MULTILINE))


def without_offline_analysis():
    """Why systemd-analyze cannot rate a file here, or nothing."""
    if shutil.which("systemd-analyze") is None:
        return "systemd-analyze is not installed"
    asked = subprocess.run(["systemd-analyze", "security", "--offline=true",
                            UNIT], capture_output=True, check=False)
    return None if asked.returncode == 0 else asked.stderr.decode().strip()


class ExposureTest(unittest.TestCase):

    def test_systemd_rates_the_exposure_of_the_services_low(self):
        why = without_offline_analysis()
        if why:
            self.skipTest(why)
        for unit in (UNIT, RETRAIN):
            rated = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", unit],
                text=True, capture_output=True, check=True).stdout
            exposure = re.search(r"Overall exposure level for .*: ([\d.]+)",
                                 rated)
            self.assertLess(float(exposure[1]), MOST_EXPOSURE, rated)


class VisibleFilesTest(unittest.TestCase):

    def test_the_programs_can_read_what_the_machine_has(self):
        for unit in (UNIT, RETRAIN):
            self.assertEqual(settings(unit).get("ProcSubset", "all"), "all")
            self.assertEqual(settings(unit)["ProtectProc"], "invisible")


class UnitTest(unittest.TestCase):

    def test_it_has_a_user_of_its_own_and_a_watchdog(self):
        unit = settings()
        self.assertEqual(unit["DynamicUser"], "yes")
        self.assertEqual(unit["Type"], "notify")
        self.assertGreater(int(unit["WatchdogSec"]), 0)

    def test_it_may_write_where_the_configuration_says(self):
        with open(CONFIG, encoding="utf-8") as file:
            config = file.read()
        unit = settings()
        self.assertIn(f"data-dir: /var/lib/{unit['StateDirectory']}\n", config)
        self.assertIn(f"unix:/run/{unit['RuntimeDirectory']}/", config)

    def test_a_stop_is_given_the_time_that_it_takes(self):
        lame_duck, drain = 5, 20  # seconds; the defaults of the flags
        self.assertGreater(int(settings()["TimeoutStopSec"]), lame_duck + drain)

    def test_the_configuration_is_good(self):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-server"), "--config", CONFIG,
             "--check-config"], text=True, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)


class RetrainTest(unittest.TestCase):

    def test_systemd_understands_the_timer_and_its_service(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")
        with tempfile.TemporaryDirectory() as folder:
            with open(RETRAIN, encoding="utf-8") as file:
                service = file.read()
            # The program need not be installed here.
            service = service.replace("/usr/bin/slice-retrain", SCRIPT)
            path = os.path.join(folder, "slice-retrain.service")
            with open(path, "w", encoding="utf-8") as file:
                file.write(service)
            timer = shutil.copy(TIMER, folder)
            result = subprocess.run(
                ["systemd-analyze", "verify", "--man=no", path, timer],
                text=True, capture_output=True, check=False)
        about = [line for line in result.stderr.splitlines()
                 if "slice-retrain" in line]
        self.assertEqual((about, result.returncode), ([], 0), result.stderr)

    def test_it_is_the_user_of_the_server_with_its_folder(self):
        server, retrain = settings(), settings(RETRAIN)
        self.assertEqual(retrain["User"] + ".service", os.path.basename(UNIT))
        for key in ("DynamicUser", "StateDirectory", "StateDirectoryMode",
                    "UMask"):
            self.assertEqual(retrain[key], server[key], key)

    def test_its_command_names_that_folder_and_flags_that_exist(self):
        command = settings(RETRAIN)["ExecStart"].split()
        state = "/var/lib/" + settings(RETRAIN)["StateDirectory"]
        flags = dict(zip(command[1::2], command[2::2]))
        self.assertEqual(flags["--models"], state + "/models")
        self.assertEqual(flags["--data-dir"], state)
        said = subprocess.run([SCRIPT, "--help"], text=True,
                              capture_output=True, check=True).stdout
        for flag in flags:
            self.assertIn(f"\n  {flag} ", said)

    def test_it_may_take_the_night(self):
        self.assertRegex(settings(RETRAIN)["TimeoutStartSec"], r"^\d+h$")
        self.assertRegex(settings(TIMER)["OnCalendar"], r" 0\d:\d\d$")


class NotifyTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.socket.close)
        self.socket.bind(path)
        self.socket.settimeout(processes.HANG_SECONDS)
        self.variables = {"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"}

    def receive(self, start):
        """The next message that begins so, past those of the watchdog."""
        while True:
            message = self.socket.recv(4096).decode()
            if message.startswith(start):
                return message
            self.assertEqual(message, "WATCHDOG=1")

    def test_start_reload_life_and_stop_are_told(self):
        with processes.Server(variables=self.variables) as server:
            self.assertIn("STATUS=serving", self.receive("READY=1"))
            self.receive("WATCHDOG=1")
            server.process.send_signal(signal.SIGHUP)
            self.receive("RELOADING=1\nMONOTONIC_USEC=")
            self.receive("READY=1")
            self.receive("WATCHDOG=1")
            server.process.send_signal(signal.SIGTERM)
            self.receive("STOPPING=1")
            self.assertEqual(server.process.wait(processes.HANG_SECONDS), 0)

    def test_a_stopped_process_gives_no_sign_of_life(self):
        with processes.Server(variables=self.variables) as server:
            self.receive("READY=1")
            self.receive("WATCHDOG=1")
            server.process.send_signal(signal.SIGSTOP)
            self.socket.settimeout(1)
            with self.assertRaises(TimeoutError):
                while True:
                    self.receive("WATCHDOG=1")
            server.process.send_signal(signal.SIGCONT)


if __name__ == "__main__":
    unittest.main()
