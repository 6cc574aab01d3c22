"""Three servers behind Envoy, on free ports of the loopback. Envoy runs the files
of deploy/envoy: only addresses and the folder of its files are replaced.

Tests import this.
"""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "integration"),
                os.path.join(ROOT, "scripts", "lib")]

import json_web_tokens  # noqa: E402
import processes  # noqa: E402
from certificates import Authority  # noqa: E402
from envoy_process import EnvoyProcess, wait_until, write  # noqa: E402

SHIPPED = os.path.join(ROOT, "deploy", "envoy")
FOLDER = "/etc/slice-envoy"  # in the shipped files
# In envoy.yaml: {shipped: as the tests need it}. Each must be there once.
ADDRESSES = {"address: 0.0.0.0, port_value: 8443":
             "address: 127.0.0.1, port_value: 0",
             "address: 127.0.0.1, port_value: 9901":
             "address: 127.0.0.1, port_value: 0"}
SERVER_CONFIG = """\
tls:
  tls-cert: {cert}
  tls-key: {key}
  tls-client-ca: {ca}
  tls-client-auth: require
identities:
  anonymous-roles: none
  known:
    - {{name: envoy, dns-name: envoy.example.org, proxy: true,
       subject-roles: [predict]}}
    - {{name: alice, subject: alice@example.org,
       roles: [{roles}]}}
logging: {{access-log: {access}, access-log-share: 1}}
"""


class Stand(contextlib.ExitStack):
    """Certificates, keys, servers and Envoy."""

    def __init__(self, servers=3, bundle=None, lame_duck="5s", flags=(),
                 roles="predict, explore, admin"):
        """`flags` are those of each server, `roles` those of alice."""
        super().__init__()
        self._count, self._lame_duck = servers, lame_duck
        self._flags, self._roles = flags, roles
        self._bundle = bundle or processes.BUNDLE

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            undo.push(super().__exit__)
            self.folder = self.enter_context(tempfile.TemporaryDirectory())
            self._make_secrets()
            self.servers = [None] * self._count
            for number in range(self._count):
                self.start(number)
            self._install()
            self.name_servers()
            self.envoy = self.enter_context(
                EnvoyProcess(self.path("envoy.yaml")))
            self.address = self.envoy.addresses()["public"]
            self.wait_for_servers()
            undo.pop_all()
        return self

    def path(self, name):
        return os.path.join(self.folder, name)

    def _make_secrets(self):
        os.mkdir(self.path("tls.1"))
        os.symlink("tls.1", self.path("tls"))
        self.inside = Authority(self.path("tls"), "servers")
        outside = Authority(self.path("tls"), "public-ca")
        self.authority = outside.path
        outside.sign("public", "IP:127.0.0.1")
        self.own = self.inside.sign("own", "DNS:envoy.example.org")
        self.server_certificate = self.inside.sign("server",
                                                   "DNS:slice.example.org")
        self.signer = json_web_tokens.Signer(self.path("issuer.key"))
        write(self.path("jwks.json"), json.dumps(self.signer.key_set()))
        for number in range(self._count):
            write(self.path(f"server{number}.yaml"), SERVER_CONFIG.format(
                cert=self.server_certificate[0], key=self.server_certificate[1],
                ca=self.inside.path, access=self.path(f"access{number}"),
                roles=self._roles))

    def _install(self):
        """The shipped files, for this folder."""
        subprocess.run([os.path.join(ROOT, "scripts", "descriptors"),
                        self.path("slice.pb")], check=True, capture_output=True)
        os.mkdir(self.path("secrets"))
        for name in ("envoy.yaml", "secrets/public.yaml", "secrets/own.yaml",
                     "secrets/servers.yaml"):
            with open(os.path.join(SHIPPED, name), encoding="utf-8") as file:
                text = file.read()
            if name == "envoy.yaml":
                for shipped, ours in ADDRESSES.items():
                    assert text.count(shipped) == 1, shipped
                    text = text.replace(shipped, ours)
            write(self.path(name), text.replace(FOLDER, self.folder))

    def name_servers(self, *others):
        """Writes endpoints.yaml, as shipped but with the addresses of our
        servers (or `others`)."""
        with open(os.path.join(SHIPPED, "endpoints.yaml"),
                  encoding="utf-8") as file:
            text = file.read()
        shipped = re.findall(r"^ +- endpoint: .*\n", text, re.M)
        ours = ""
        for address in others or [server.address for server in self.servers]:
            host, port = address.rsplit(":", 1)
            ours += re.sub(r"address: \d[\d.]*, port_value: \d+",
                           f"address: {host}, port_value: {port}", shipped[0])
        write(self.path("endpoints.yaml"),
              text.replace("".join(shipped), ours))

    def start(self, number):
        """Starts a server; endpoints.yaml does not name it yet."""
        self.servers[number] = self.enter_context(processes.Server(
            "--config", self.path(f"server{number}.yaml"), *self._flags,
            bundle=self._bundle, data_dir=self.path(f"data{number}"),
            lame_duck=self._lame_duck))
        self.callback(self.servers[number].process.kill)  # at the very end

    def restart(self, number, how, meanwhile=lambda: None):
        """Ends a server with SIGTERM or SIGKILL, calls meanwhile(), and starts
        the server at another port. Until it is up, Envoy has the old address.
        """
        process = self.servers[number].process
        process.send_signal(how)
        meanwhile()
        process.wait(processes.HANG_SECONDS)
        self.start(number)
        self.name_servers()
        self.wait_for_servers()

    def wait_for_servers(self):
        wanted = {server.address for server in self.servers}
        wait_until(lambda: wanted <= self.envoy.well(),
                   "Envoy finds all servers well")

    def reload(self, number):
        self.servers[number].process.send_signal(signal.SIGHUP)

    def token(self, subject="alice@example.org", **changes):
        """The path of a file with a good token, but for `changes`."""
        text = self.signer.token(subject, **changes)
        path = self.path(f"token-{abs(hash(text))}")
        write(path, text + "\n")
        return path

    def command(self, *arguments, token=None):
        token = token or self.token()
        return [os.path.join(processes.BIN, "slice-client"), "--server",
                self.address, "--cacert", self.authority, "--token-file", token,
                *arguments]

    def client(self, *arguments, token=None):
        """Runs slice-client, through Envoy and without retries of its own."""
        return subprocess.run(
            self.command("--retries", "0", *arguments, token=token), text=True,
            capture_output=True, check=False, timeout=processes.HANG_SECONDS)

    def server_calls(self):
        """The access logs of all servers."""
        lines = []
        for number in range(self._count):
            with open(self.path(f"access{number}"), encoding="utf-8") as file:
                lines += map(json.loads, file)
        return lines

    def connect(self, address=None):
        """A connection with HTTP/1.1, as browsers and scripts make it."""
        host, port = (address or self.address).rsplit(":", 1)
        context = ssl.create_default_context(cafile=self.authority)
        return http.client.HTTPSConnection(
            host, int(port), context=context, timeout=processes.HANG_SECONDS)

    def connect_inside(self):
        """A connection with the HTTP listener of the first server, as Envoy
        would make it."""
        context = ssl.create_default_context(cafile=self.inside.path)
        context.load_cert_chain(*self.own)
        host, port = self.servers[0].http_address.rsplit(":", 1)
        connection = http.client.HTTPConnection(
            host, int(port), timeout=processes.HANG_SECONDS)
        connection.sock = context.wrap_socket(
            socket.create_connection((host, int(port))),
            server_hostname="slice.example.org")
        return connection

    def links_file(self, rows):
        path = self.path("links.tsv")
        write(path, "".join("\t".join(row[:3]) + "\n" for row in rows))
        return path

    def post(self, path, body, headers=(), token=None, address=None):
        """Posts JSON, or what `headers` call the body, to a path such as
        "/v1/links:predict", at our Envoy or another `address`. Returns status,
        headers, body."""
        return self._ask("POST", path, body, headers, token, address)

    def get(self, path, token=None, address=None):
        """Asks a path such as "/v1/nodes?prefix=a". As post()."""
        return self._ask("GET", path, b"", {}, token, address)

    def _ask(self, verb, path, body, headers, token, address):
        with open(token or self.token(), encoding="utf-8") as file:
            sent = {"content-type": "application/json",
                    "authorization": "Bearer " + file.read().strip()}
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        connection = self.connect(address)
        try:
            connection.request(verb, path, body,
                               {**sent, **dict(headers)})
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()
        finally:
            connection.close()
