"""A server with TLS whose every metric has something to show: it answers calls
of each kind, refuses some, and is asked to reload.
"""

import datetime
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import metric_names

sys.path.insert(0, os.path.join(metric_names.ROOT, "tests", "integration"))

import nats_server  # noqa: E402
import processes  # noqa: E402
from certificates import Authority  # noqa: E402

REPEATED_LINKS = 20000
# The token of an identity that nobody uses expires soon.
CONFIG = """\
tls:
  tls-cert: {cert}
  tls-key: {key}
  tls-client-ca: {ca}
  tls-client-auth: request
identities:
  anonymous-roles: predict,explore,update,metrics,admin
  known:
    - {{name: shop, token-sha256: {token}, expires: {expires}, roles: [predict]}}
limits: {{max-queue-items: 1024, result-cache-bytes: 1000000}}
models:
  served:
    - name: second
      bundle: {bundle}
      canary: {{bundle: {other}, share: 0.5, by: link}}
    - name: third
      bundle: {bundle}
      shadow: {{bundle: {other}, share: 1}}
"""


class LoadedServer:
    """Use as a `with` block."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        folder = self._folder.name
        authority = Authority(folder)
        self.ca = authority.path
        self._cert, self._key = authority.sign("server", "IP:127.0.0.1")
        self._config = os.path.join(folder, "slice.yaml")
        tomorrow = datetime.date.today() + datetime.timedelta(days=1)
        self._expires = tomorrow.isoformat()
        self._write_config()
        self._admin = f"unix:{folder}/admin.sock"
        if nats_server.find() is None:
            print("skipped: nats-server is not installed")
            sys.exit(77)
        self._nats = nats_server.NatsCluster(nodes=1)
        self._server = processes.Server("--config", self._config,
                                        "--admin-listen", self._admin,
                                        "--accept-updates",
                                        "--feed", self._nats.feed())
        self._relation, self._source, self._target, _ = processes.toy_rows(
            "headline_test.tsv")[0]

    def __enter__(self):
        self._nats.__enter__()
        self._server.__enter__()
        return self

    def __exit__(self, *error):
        self._server.__exit__(*error)
        self._nats.__exit__(*error)
        self._folder.cleanup()

    @property
    def metrics_address(self):
        return self._server.metrics_address

    def _write_config(self, more=""):
        with open(self._config, "w", encoding="utf-8") as file:
            file.write(CONFIG.format(
                cert=self._cert, key=self._key, ca=self.ca, token="0" * 64,
                expires=self._expires, bundle=processes.BUNDLE,
                other=os.path.join(processes.TOY, "bundle2")) + more)

    def _client(self, *arguments, stdin=None):
        return self._server.client(*arguments, "--cacert", self.ca, stdin=stdin)

    def _admin_client(self, *arguments):
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self._admin, *arguments], text=True, capture_output=True,
            check=False)

    def ask(self):
        """One call of each kind, with names that exist and that do not."""
        relation, source, target = self._relation, self._source, self._target
        for arguments in (
                ("predict", source, relation, target),
                ("explain", source, relation, target),
                ("predict", source, relation, "no-such-node"),
                ("predict", source, "no-such-relation", target),
                ("info",), ("health",), ("neighbors", source), ("find", "lib"),
                ("relations",),
                ("recommend", "--source", source, "--relation", relation),
                ("update", "node", "brand-new"),
                ("update", "add", "brand-new", "no-such-relation", target)):
            self._client(*arguments)

    def try_candidates(self):
        """Requests that a canary or a shadow answers too, and a bundle that
        is not there."""
        for model in ("second", "third"):
            for row in processes.toy_rows("test.tsv")[:20]:
                relation, source, target = row[:3]
                self._client("--model", model, "predict", source, relation,
                             target)
        self._admin_client("models", "load", "second", "/nowhere/bundle")

    def overload(self):
        """Several clients at once with more links than the queue may hold."""
        rows = [row[:3] for row in processes.toy_rows("test.tsv")]
        rows = (rows * (REPEATED_LINKS // len(rows) + 1))[:REPEATED_LINKS]
        links = "".join("\t".join(row) + "\n" for row in rows)
        clients = [self._server.start_client(
            "--cacert", self.ca, "--retries", "0", "predict", "--links", "-")
            for _ in range(6)]
        for client in clients:
            client.communicate(links, timeout=processes.HANG_SECONDS)

    def reload(self):
        """Once with a good configuration, twice with a bad one: by AdminService
        and by SIGHUP."""
        for more, code in (("", 0), ("nonsense: {}\n", 67)):
            self._write_config(more)
            result = self._admin_client("reload")
            assert result.returncode == code, result.stderr
        self._server.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + processes.HANG_SECONDS
        while 'slice_config_reloads_total{result="refused"} 2' not in (
                self.scrape()):
            assert time.monotonic() < deadline, self._server.output()
        self._write_config()

    def scrape(self):
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(
                context=ssl.create_default_context(cafile=self.ca)))
        with opener.open(f"https://{self.metrics_address}/metrics",
                         timeout=processes.HANG_SECONDS) as reply:
            return reply.read().decode()
