"""The real server takes the configuration of every overlay, and the overlay
with TLS lets in whom it should.

Needs kubectl and PyYAML; exits 77 without them.
"""

import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import private_python

private_python.require("yaml")

import rendered  # noqa: E402

sys.path.insert(0, os.path.join(rendered.ROOT, "tests", "integration"))

import processes  # noqa: E402
from certificates import Authority  # noqa: E402

MOUNT = "/etc/slice/tls"


class Secret:
    """A folder as the kubelet mounts a secret of cert-manager: each file is a
    link by way of the link ..data, which is replaced at a change."""

    def __init__(self, folder, authority):
        self.path = os.path.join(folder, "tls")
        self._authority = authority
        self._times = 0
        os.mkdir(self.path)
        for name in ("tls.crt", "tls.key", "ca.crt"):
            os.symlink(os.path.join("..data", name),
                       os.path.join(self.path, name))

    def write(self, alternatives):
        self._times += 1
        name = f"..{self._times}"
        made = os.path.join(self.path, name)
        os.mkdir(made)
        cert, key = self._authority.sign(f"server{self._times}", alternatives)
        shutil.copy(cert, os.path.join(made, "tls.crt"))
        shutil.copy(key, os.path.join(made, "tls.key"))
        os.chmod(os.path.join(made, "tls.key"), 0o440)
        shutil.copy(self._authority.path, os.path.join(made, "ca.crt"))
        os.symlink(name, os.path.join(self.path, "..new"))
        os.rename(os.path.join(self.path, "..new"),
                  os.path.join(self.path, "..data"))


def alternatives_of(certificate):
    return ",".join([f"DNS:{n}" for n in certificate["spec"].get("dnsNames", [])]
                    + [f"URI:{u}" for u in certificate["spec"].get("uris", [])])


class ConfigTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.secret = Secret(self.folder, Authority(self.folder))
        self.secret.write("DNS:localhost")

    def check(self, text):
        path = os.path.join(self.folder, "slice.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(MOUNT, self.secret.path))
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-server"), "--check-config",
             "--config", path], text=True, capture_output=True, check=False)

    @rendered.each_overlay
    def test_the_server_takes_the_configuration(self, it):
        result = self.check(it.config_text)
        self.assertEqual(result.returncode, 0, result.stderr)

    @rendered.each_overlay
    def test_the_check_finds_mistakes(self, it):
        result = self.check(it.config_text.replace("lame-duck", "lame-dog"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("lame-dog", result.stderr)


class TlsTest(unittest.TestCase):
    """A server with the configuration of the overlay, on the loopback."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.it = rendered.rendered("overlays/tls")
        cls.authority = Authority(cls.folder)
        cls.secret = Secret(cls.folder, cls.authority)
        cls.secret.write(cls.names("slice-server"))
        config = os.path.join(cls.folder, "slice.yaml")
        with open(config, "w", encoding="utf-8") as file:
            # On the loopback, where this server listens, auto is everything.
            file.write(cls.it.config_text.replace(MOUNT, cls.secret.path)
                       .replace("anonymous-roles: auto",
                                "anonymous-roles: none"))
        cls.server = processes.Server(
            "--config", config, "--admin-listen",
            f"unix:{cls.folder}/admin.sock")
        cls.enterClassContext(cls.server)

    @classmethod
    def names(cls, certificate):
        return alternatives_of(cls.it.one("Certificate", certificate))

    @property
    def address(self):
        return "localhost:" + self.server.address.rpartition(":")[2]

    def own(self, certificate):
        cert, key = self.authority.sign(certificate, self.names(certificate))
        return ("--cacert", self.authority.path, "--cert", cert, "--key", key)

    def ask(self, *arguments):
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.address, *arguments], text=True, capture_output=True,
            check=False, timeout=processes.HANG_SECONDS)

    def test_probes_find_the_server_well(self):
        for name in ("startupProbe", "readinessProbe", "livenessProbe"):
            probe = self.it.server[name]["exec"]["command"]
            command = [part.replace(MOUNT, self.secret.path)
                       .replace("localhost:8500", self.address)
                       for part in probe]
            command[0] = os.path.join(processes.BIN, command[0])
            result = subprocess.run(command, text=True, capture_output=True,
                                    check=False)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_caller_predicts(self):
        result = self.ask(*self.own("slice-caller"), "info")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_prometheus_does_not_predict(self):
        result = self.ask(*self.own("slice-prometheus"), "info")
        self.assertIn("PERMISSION_DENIED", result.stderr)

    def test_without_a_certificate_there_is_no_connection(self):
        result = self.ask("--cacert", self.authority.path, "info")
        self.assertIn("UNAVAILABLE", result.stderr)

    def test_the_certificate_of_another_authority_is_worth_nothing(self):
        other = Authority(self.folder, "other")
        cert, key = other.sign("stranger", self.names("slice-caller"))
        result = self.ask("--cacert", self.authority.path, "--cert", cert,
                          "--key", key, "info")
        self.assertIn("UNAVAILABLE", result.stderr)

    def scrape(self, certificate):
        context = ssl.create_default_context(cafile=self.authority.path)
        cert, key = self.authority.sign(certificate, self.names(certificate))
        context.load_cert_chain(cert, key)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context))
        port = self.server.metrics_address.rpartition(":")[2]
        with opener.open(f"https://localhost:{port}/metrics",
                         timeout=processes.HANG_SECONDS) as reply:
            return reply.read().decode()

    def test_prometheus_scrapes_and_callers_do_not(self):
        self.assertIn("slice_ready 1", self.scrape("slice-prometheus"))
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.scrape("slice-caller")
        caught.exception.close()
        self.assertEqual(caught.exception.code, 403)

    def test_a_renewed_secret_is_taken(self):
        before = self.reloads()
        self.secret.write(self.names("slice-server"))
        deadline = time.monotonic() + processes.HANG_SECONDS
        while self.reloads() == before:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)  # the server looks at its files once a second
        self.assertIn("slice_tls_reload_failures_total 0",
                      self.scrape("slice-prometheus"))

    def reloads(self):
        text = self.scrape("slice-prometheus")
        (line,) = [line for line in text.splitlines()
                   if line.startswith("slice_tls_reloads_total ")]
        return float(line.split()[1])


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
