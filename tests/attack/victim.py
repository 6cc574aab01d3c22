"""A server that is attacked, and what an attack may do to it."""

import os
import re
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import attacks  # noqa: E402
import processes  # noqa: E402

MIB = 1 << 20


class Victim(processes.Server):
    """With a short time for calls, so that those nobody reads end soon."""

    def __init__(self, *flags, max_deadline="2s", **options):
        super().__init__("--max-deadline", max_deadline, "--http-listen",
                         "127.0.0.1:0", *flags, **options)

    def _status(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return int(re.search(rf"^{name}:\s*(\d+)", file.read(), re.M)[1])

    def resident(self):
        return self._status("VmRSS") * 1024

    def threads(self):
        return self._status("Threads")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def attack(self, name, seconds, link):
        target = attacks.Target(self.address, self.metrics_address,
                                self.http_address, link, seconds)
        return attacks.Attack(name, target)

    def wait_until(self, holds, what):
        deadline = time.monotonic() + processes.HANG_SECONDS
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(what)
            time.sleep(0.05)
