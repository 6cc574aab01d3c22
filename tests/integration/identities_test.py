"""A server with TLS and identities, asked by slice-client: who gets in, and
what those who do not are told."""

import hashlib
import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import processes  # noqa: E402
from certificates import Authority  # noqa: E402

TOKEN = "a-token-of-the-test"
CONFIG = """\
tls:
  tls-cert: {cert}
  tls-key: {key}
  tls-client-ca: {ca}
  tls-client-auth: request
identities:
  anonymous-roles: none
  known:
    - {{name: shop, uri: "spiffe://test/shop", roles: [predict]}}
    - {{name: web, token-sha256: {token}, roles: [predict, explore, metrics]}}
    - {{name: old, token-sha256: {old}, expires: 2020-01-01, roles: [predict]}}
    - {{name: other, token-sha256: {other}, roles: [predict], models: [m2]}}
logging: {{audit-log: {audit}, access-log: {access}, access-log-share: 1}}
"""


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class IdentitiesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.authority = Authority(cls.folder)
        cls.cert, cls.key = cls.authority.sign("server", "IP:127.0.0.1")
        cls.config = cls.write("config.yaml", CONFIG.format(
            cert=cls.cert, key=cls.key, ca=cls.authority.path,
            token=sha256(TOKEN), old=sha256("old"), other=sha256("other"),
            audit=os.path.join(cls.folder, "audit"),
            access=os.path.join(cls.folder, "access")))
        cls.admin = f"unix:{cls.folder}/admin.sock"
        cls.server = processes.Server("--config", cls.config,
                                      "--admin-listen", cls.admin,
                                      "--http-listen", "127.0.0.1:0")
        cls.enterClassContext(cls.server)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def ask(self, *arguments, token=None, ca=None):
        if token is not None:
            arguments += ("--token-file", self.write("token", token + "\n"))
        return self.server.client(*arguments, "--cacert",
                                  ca or self.authority.path)

    def assertRefused(self, result, code, words):
        self.assertIn(code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertNotEqual(result.returncode, 0)

    def test_a_token_opens_what_its_roles_allow(self):
        self.assertEqual(self.ask("info", token=TOKEN).returncode, 0)
        self.assertEqual(self.ask("find", "a", token=TOKEN).returncode, 0)

    def test_the_variable_holds_a_token_too(self):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.server.address, "--cacert", self.authority.path, "info"],
            env={**os.environ, "SLICE_TOKEN": TOKEN}, text=True,
            capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_certificate_opens_what_its_roles_allow(self):
        cert, key = self.authority.sign("shop", "URI:spiffe://test/shop")
        own = ("--cert", cert, "--key", key)
        self.assertEqual(self.ask("info", *own).returncode, 0)
        self.assertRefused(self.ask("find", "a", *own), "PERMISSION_DENIED",
                           "lacks the role 'explore'")

    def test_those_without_credentials_are_told_what_to_show(self):
        self.assertRefused(self.ask("info"), "UNAUTHENTICATED",
                           "slice-client --token-file FILE")
        self.assertEqual(self.ask("health").returncode, 0)

    def test_a_certificate_of_no_identity_is_named(self):
        cert, key = self.authority.sign("guest", "DNS:guest.test")
        self.assertRefused(self.ask("info", "--cert", cert, "--key", key),
                           "UNAUTHENTICATED", "no identity (DNS name "
                           "'guest.test')")

    def test_wrong_tokens_are_told_apart(self):
        self.assertRefused(self.ask("info", token="x"), "UNAUTHENTICATED",
                           "no identity has this token")
        self.assertRefused(self.ask("info", token="old"), "UNAUTHENTICATED",
                           "the token of 'old' expired at 2020-01-01")

    def test_a_unix_socket_needs_no_tls(self):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.admin, "queue"], text=True, capture_output=True, check=False)
        self.assertRefused(result, "UNAUTHENTICATED", "lacks the role 'admin'")

    def test_a_model_is_for_those_who_may_ask_it(self):
        self.assertRefused(self.ask("info", token="other"), "PERMISSION_DENIED",
                           "'other' may not ask the model 'default'")

    def test_calls_and_refusals_are_logged(self):
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        self.ask("info", "-H", f"traceparent: 00-{trace}-00f067aa0ba902b7-01",
                 token=TOKEN)
        self.ask("info", token="nobody's")
        calls = [line for line in self.lines("access")
                 if line["trace"] == trace]
        self.assertEqual(len(calls), 1)
        self.assertEqual(
            (calls[0]["identity"], calls[0]["code"], calls[0]["method"]),
            ("web", "OK", "slice.v1.LinkPredictionService/GetModelInfo"))
        refused = self.lines("audit")[-1]
        self.assertEqual((refused["event"], refused["code"]),
                         ("refused", "UNAUTHENTICATED"))
        self.assertNotIn("nobody's", json.dumps(refused))

    def lines(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_an_unknown_authority_of_the_server(self):
        other = Authority(self.folder, "other-ca").path
        self.assertRefused(self.ask("info", token=TOKEN, ca=other),
                           "UNAVAILABLE", "--cacert")

    def test_an_unknown_authority_of_the_client(self):
        cert, key = Authority(self.folder, "third-ca").sign(
            "stranger", "URI:spiffe://test/shop")
        self.assertRefused(self.ask("info", "--cert", cert, "--key", key),
                           "UNAVAILABLE", "not accept the certificate of "
                           "--cert")

    def test_a_wrong_certificate_is_refused_before_it_is_sent(self):
        cert, _ = self.authority.sign("one", "URI:spiffe://test/shop")
        _, key = self.authority.sign("two", "URI:spiffe://test/shop")
        self.assertRefused(
            self.ask("info", "--cert", cert, "--key", key), "error: ",
            f"{key}: the key does not belong to the certificate {cert}")
        self.assertRefused(self.ask("info", "--cert", key, "--key", key),
                           f"error: {key}: ", "holds no certificate in PEM")

    def test_the_server_may_have_another_name(self):
        cert, key = self.authority.sign("elsewhere", "DNS:slice.example.org")
        with processes.Server("--tls-cert", cert, "--tls-key", key) as server:
            wrong = server.client("--cacert", self.authority.path, "info")
            self.assertRefused(wrong, "UNAVAILABLE", "--server-name")
            right = server.client("--cacert", self.authority.path,
                                  "--server-name", "slice.example.org",
                                  "info")
        self.assertEqual(right.returncode, 0, right.stderr)

    def get(self, path, *own, **headers):
        """Status and JSON of the HTTP API; own: certificate and key."""
        context = ssl.create_default_context(cafile=self.authority.path)
        if own:
            context.load_cert_chain(*own)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context))
        request = urllib.request.Request(
            f"https://{self.server.http_address}{path}", headers=headers)
        try:
            with opener.open(request,
                             timeout=processes.HANG_SECONDS) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def test_http_knows_tokens(self):
        status, answer = self.get("/v1/nodes?prefix=a",
                                  Authorization=f"Bearer {TOKEN}")
        self.assertEqual((status, "nodes" in answer), (200, True))
        status, answer = self.get("/v1/model", Authorization="Bearer x")
        self.assertEqual((status, answer["code"]), (401, 16))
        self.assertIn("no identity has this token", answer["message"])
        self.assertEqual(self.get("/v1/model")[0], 401)

    def test_http_knows_certificates(self):
        own = self.authority.sign("shop", "URI:spiffe://test/shop")
        self.assertEqual(self.get("/v1/model", *own)[0], 200)
        status, answer = self.get("/v1/nodes", *own)
        self.assertEqual(status, 403)
        self.assertIn("lacks the role 'explore'", answer["message"])

    def test_http_asks_only_the_models_that_the_caller_may(self):
        status, answer = self.get("/v1/model", Authorization="Bearer other")
        self.assertEqual(status, 403)
        self.assertIn("'other' may not ask the model 'default'",
                      answer["message"])

    def test_calls_over_http_are_logged_with_their_callers(self):
        trace = "5bf92f3577b34da6a3ce929d0e0e4736"
        self.get("/v1/model", Authorization=f"Bearer {TOKEN}",
                 traceparent=f"00-{trace}-00f067aa0ba902b7-01")
        calls = [line for line in self.lines("access")
                 if line["trace"] == trace]
        self.assertEqual(
            [(call["identity"], call["code"], call["method"])
             for call in calls],
            [("web", "OK", "slice.v1.LinkPredictionService/GetModelInfo")])
        self.assertRegex(calls[0]["peer"], r"^ipv4:127\.0\.0\.1:\d+$")

    def test_metrics_obey_the_same_rules(self):
        context = ssl.create_default_context(cafile=self.authority.path)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=context))
        url = f"https://{self.server.metrics_address}/metrics"
        with self.assertRaises(urllib.error.HTTPError) as refused:
            opener.open(url, timeout=processes.HANG_SECONDS)
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        line = self.lines("audit")[-1]
        self.assertEqual((line["event"], line["method"]),
                         ("refused", "/metrics"))
        self.assertRegex(line["peer"], r"^ipv4:127\.0\.0\.1:\d+$")
        opener.addheaders = [("Authorization", f"Bearer {TOKEN}")]
        with opener.open(url, timeout=processes.HANG_SECONDS) as reply:
            text = reply.read().decode()
        self.assertIn("slice_tls_certificate_expiry_timestamp_seconds", text)
        self.assertIn("\nslice_tls_client_ca_expiry_timestamp_seconds 1", text)
        self.assertIn("slice_identity_token_expiry_timestamp_seconds{"
                      'identity="old"} 1577836800', text)
        self.assertNotIn('timestamp_seconds{identity="web"}', text)
        self.assertRegex(text, r'(?m)^slice_access_refused_total\{grpc_code='
                         r'"UNAUTHENTICATED"\} [1-9]')

    def test_a_token_is_not_sent_in_the_clear_to_another_machine(self):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             "192.0.2.1:1", "--token-file", self.write("token", TOKEN),
             "info"], text=True, capture_output=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("must not be sent in the clear", result.stderr)


class ReloadTest(unittest.TestCase):
    """The configuration of a running server changes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("")
        self.admin = f"unix:{self.folder}/admin.sock"
        self.server = processes.Server(
            "--config", os.path.join(self.folder, "c.yaml"),
            "--admin-listen", self.admin)
        self.enterContext(self.server)

    def write(self, more):
        with open(os.path.join(self.folder, "c.yaml"), "w",
                  encoding="utf-8") as file:
            file.write(f"""\
identities:
  anonymous-roles: ""
  known:
    - {{name: web, token-sha256: {sha256(TOKEN)}, roles: [predict]}}
    - {{name: op, token-sha256: {sha256("op")}, roles: [admin]}}
""" + more)

    def ask(self, *arguments, token, server=None):
        path = os.path.join(self.folder, "token")
        with open(path, "w", encoding="utf-8") as file:
            file.write(token)
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             server or self.server.address, "--token-file", path, *arguments],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)

    def reload(self, token="op"):
        return self.ask("reload", token=token, server=self.admin)

    def test_an_identity_comes_and_another_goes(self):
        self.assertEqual(self.ask("info", token="new").returncode, 64 + 16)
        self.write(f"    - {{name: n, token-sha256: {sha256('new')}, "
                   "roles: [predict]}\n")
        result = self.reload()
        self.assertEqual(result.stdout, "applied\tidentities\n", result.stderr)
        self.assertEqual(self.ask("info", token="new").returncode, 0)
        self.write("")
        self.server.process.send_signal(signal.SIGHUP)
        self.wait_until(lambda: self.ask("info", token="new").returncode != 0)
        self.assertEqual(self.ask("info", token=TOKEN).returncode, 0)

    def test_what_needs_a_restart_is_named(self):
        self.write("limits: {max-queue-items: 7000, max-batch-size: 3}\n")
        result = self.reload()
        self.assertEqual(
            result.stdout, "applied\tmax-queue-items\n"
            "needs a restart\tmax-batch-size\n", result.stderr)

    def test_quotas_hold_at_once_and_for_each_identity(self):
        link = ("predict", "libaudio0-dev", "tagged", "role::devel-lib")
        self.write(f"    - {{name: n, token-sha256: {sha256('new')}, "
                   "roles: [predict, metrics], "
                   "limits: {links-per-second: 0}}\n"
                   "limits: {links-per-second: 0.001, "
                   "searches-per-second: 0.001}\n")
        self.assertEqual(self.reload().stdout, "applied\tidentities, "
                         "links-per-second, searches-per-second\n")
        for question, kind in ((link, "links"), (("info",), "searches")):
            question = ("--retries", "0", *question)
            self.assertEqual(self.ask(*question, token=TOKEN).returncode, 0)
            refused = self.ask(*question, token=TOKEN)
            self.assertEqual(refused.returncode, 64 + 8, refused.stderr)
            self.assertIn(f"'web' has used up its quota of 0.001 {kind} per "
                          "second", refused.stderr)
        for _ in range(3):
            self.assertEqual(self.ask(*link, token="new").returncode, 0)
        text = self.server.scrape(token="new")
        self.assertIn('slice_quota_refused_total{identity="web",kind="links"} '
                      "1", text)
        self.assertIn('slice_quota_charged_total{identity="n",kind="links"} 3',
                      text)

    def test_a_mistake_changes_nothing(self):
        self.write("limits: {max-queue-items: 7000, max-bach-size: 3}\n")
        result = self.reload()
        self.assertEqual(result.returncode, 64 + 3)
        self.assertIn("c.yaml:6:33: section 'limits' has no key "
                      "'max-bach-size'", result.stderr)
        self.assertEqual(self.ask("info", token=TOKEN).returncode, 0)
        self.write("")
        self.assertEqual(self.reload().stdout, "applied\tnothing\n")

    def test_only_an_admin_reloads(self):
        result = self.reload(token=TOKEN)
        self.assertEqual(result.returncode, 64 + 7, result.stderr)
        self.assertIn("lacks the role 'admin'", result.stderr)

    def wait_until(self, holds):
        deadline = time.monotonic() + processes.HANG_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline)


class RefusedConfigurationTest(unittest.TestCase):
    """Each mistake in one line, with its place, and exit status 2 or 1."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        authority = Authority(self.folder)
        self.cert, self.key = authority.sign("server", "IP:127.0.0.1")

    def start(self, *flags, check=False):
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-server"), "--bundle",
             processes.BUNDLE, "--data-dir", os.path.join(self.folder, "data"),
             "--listen", "127.0.0.1:0", *flags,
             *(["--check-config"] if check else [])],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)

    def config(self, text):
        path = os.path.join(self.folder, "c.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return ["--config", path]

    def assertSays(self, result, words):
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_mistakes_of_the_file(self):
        for text, words in (
                ("limits: {max-batch-sise: 3}\n",
                 "c.yaml:1:10: section 'limits' has no key 'max-batch-sise'; "
                 "did you mean 'max-batch-size'"),
                ("limits: {max-deadline: 30}\n", "such as 5s or 200ms"),
                ("tls: {tls-cert: x}\n", "--tls-cert: needs --tls-key"),
                ("identities: {token-file: /nowhere}\n", "/nowhere"),
                ("identities:\n  known:\n  - {name: a, token-sha256: secret}\n",
                 "c.yaml:3:29: this is no SHA-256"),
                ("identities:\n  known:\n  - {name: a, uri: u}\n"
                 "  - {name: a, uri: v}\n",
                 "c.yaml:4:5: two identities are called 'a'"),
                ("identities:\n  known:\n  - {name: a, uri: u, limits: "
                 "{link-per-second: 3}}\n",
                 "c.yaml:3:32: there is no limit 'link-per-second'; did you "
                 "mean 'links-per-second'"),
                ("identities:\n  known:\n  - {name: a, uri: u, limits: "
                 "{links-per-second: 3k}}\n",
                 "c.yaml:3:50: '3k' is no number"),
                ("identities:\n  known:\n  - {name: a, uri: u, limits: "
                 "{links-per-second: -3}}\n",
                 "c.yaml:3:50: -3 is no limit: a number from 0 (no limit)"),
                ("limits: {links-per-second: -3}\n", "links-per-second"),
                ("server: {admin-listen: /run/x.sock}\n",
                 "write unix:/run/x.sock for a Unix socket"),
                ("server: {listen: '0.0.0.0:1'}\nidentities: [\n", "c.yaml:3:1"
                 )):
            with self.subTest(text=text):
                flags = self.config(text)
                result = subprocess.run(
                    [os.path.join(processes.BIN, "slice-server"), "--bundle",
                     "b", "--data-dir", "d", *flags, "--check-config"],
                    text=True, capture_output=True, check=False)
                self.assertSays(result, words)
                self.assertNotIn("secret", result.stderr)

    def test_a_missing_file(self):
        self.assertSays(self.start("--config", "/nowhere.yaml", check=True),
                        "/nowhere.yaml")

    def test_plaintext_beyond_this_machine(self):
        self.assertSays(self.start("--listen", "0.0.0.0:0"),
                        "--allow-plaintext")

    def test_keys_that_do_not_fit_or_that_all_can_read(self):
        flags = ["--tls-cert", self.cert, "--tls-key", self.key]
        os.chmod(self.key, 0o644)
        self.assertSays(self.start(*flags), "chmod 640")
        os.chmod(self.key, 0o600)
        _, other = Authority(self.folder, "b").sign("c", "IP:127.0.0.1")
        self.assertSays(self.start("--tls-cert", self.cert, "--tls-key", other),
                        "the key does not belong to the certificate")


if __name__ == "__main__":
    unittest.main()
