"""Measures what running in production costs: TLS and tokens, changes of models
and certificates under load, a hostile identity, many names.

usage: production_benchmark.py --bin DIR --bundle DIR --other DIR --out FILE
                               [--only A,B] [--seconds S] [--rounds N]
                               [--command TEXT]

Replaces the text behind the line "<!-- production -->" of FILE by a table.
`--other` is a second bundle of the same graph.
"""

import argparse
import contextlib
import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "integration"),
                os.path.join(ROOT, "tests", "attack")]

import benchmark_stamp  # noqa: E402
import http2  # noqa: E402
import production_clients as clients  # noqa: E402
from certificates import Authority  # noqa: E402
from serving_loads import Bench, Server  # noqa: E402

MARK = "<!-- production -->"
CALLERS = 64
EVERY_CORE = sorted(os.sched_getaffinity(0))


def digest(token):
    return hashlib.sha256(token.encode()).hexdigest()


class Production:

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.bench = Bench(options.bin, warmup="1s")
        self.authority = Authority(folder)
        self.cert, self.key = self.authority.sign("server", "IP:127.0.0.1")
        self.own = self.authority.sign("good", "URI:spiffe://x/good")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def server(self, name, *flags):
        """A server with two identities, good and bad, known by their tokens;
        anonymous callers may do everything, for the loopback is local."""
        config = self.write("c.yaml", "identities:\n  known:\n" + "".join(
            f"    - {{name: {one}, token-sha256: {digest(one)}, roles: "
            f"[predict, explore]{', uri: spiffe://x/good' * (one == 'good')}}}\n"
            for one in ("good", "bad")))
        return Server(
            os.path.join(self.options.bin, "slice-server"), "--bundle",
            self.options.bundle, "--data-dir", self.path("data-" + name),
            "--listen", "127.0.0.1:0", "--lame-duck", "0s", "--config", config,
            "--admin-listen", f"unix:{self.path(name + '.sock')}", *flags)

    def plain(self, name, *flags):
        return self.server(name, "--metrics-listen", "127.0.0.1:0", *flags)

    def with_tls(self, name, *flags):
        return self.server(
            name, "--tls-cert", self.cert, "--tls-key", self.key,
            "--tls-client-ca", self.authority.path, "--tls-client-auth",
            "require", "--tls-min-version", "1.3", *flags)

    def token(self, name):
        return ("--token-file", self.write("token-" + name, name + "\n"))

    def load(self, server, seconds, *flags, tls=False):
        """One load of `slice-client bench`."""
        if not tls:
            return self.bench.run(server, seconds, *flags)[0]
        command = clients.tls_bench(self.options.bin, server, seconds, *flags)
        return clients.one_load(command + [
            "--cacert", self.authority.path, "--cert", self.own[0], "--key",
            self.own[1], *self.token("good")])

    # --- what is measured: each returns (text of the result, whether the mark
    # is met)

    def tls(self):
        """TLS 1.3, client certificate and token, against plaintext"""
        loads = {False: [], True: []}
        with self.plain("a") as plain, self.with_tls("b") as encrypted:
            for _ in range(self.options.rounds):
                for tls, server in ((False, plain), (True, encrypted)):
                    loads[tls].append([
                        self.load(server, self.options.seconds / 3,
                                  "--concurrency", str(callers), tls=tls)
                        for callers in (1, CALLERS)])

        def median(tls, at, get):
            return statistics.median(get(one[at]) for one in loads[tls])
        added = [1e6 * median(tls, 0, lambda x: x["latency_seconds"]["p50"])
                 for tls in (False, True)]
        rates = [median(True, at, clients.rate) / median(False, at,
                                                         clients.rate)
                 for at in (0, 1)]
        return (f"one caller: p50 {added[0]:.0f} → {added[1]:.0f} µs, rate × "
                f"{rates[0]:.2f}; {CALLERS} callers: rate × {rates[1]:.2f}",
                added[1] - added[0] <= 15 and min(rates) >= .85)

    def reloads(self):
        """Two bundles in turn, while 64 callers ask single links"""
        with self.plain("r") as server:
            before = self.load(server, self.options.seconds, "--concurrency",
                               str(CALLERS))
            watch = clients.Consistency(self, server)
            with watch, clients.Repeating(self.swap, 100,
                                          6 * self.options.seconds) as swaps:
                during = self.load(server, 6 * self.options.seconds,
                                   "--concurrency", str(CALLERS))
            resident = clients.resident_mib(server)
            time.sleep(3)  # requests end, and memory goes back
            after = clients.resident_mib(server)
        ratio = clients.p99(during) / clients.p99(before)
        return (f"{swaps.done} reloads in {6 * self.options.seconds} s, of "
                f"{during['answered']:,} calls {during['failed']} failed; "
                f"{watch.asked} replies of 32 links, {watch.mixed} mixed; p99 × "
                f"{ratio:.2f}; {resident:.0f} MiB held at the end, "
                f"{after:.0f} MiB 3 s later",
                during["failed"] == 0 and watch.mixed == 0 and ratio <= 2
                and swaps.done == 100)

    def swap(self, turn):
        bundle = (self.options.other, self.options.bundle)[turn % 2]
        subprocess.run(
            [os.path.join(self.options.bin, "slice-client"), "--server",
             f"unix:{self.path('r.sock')}", "models", "load", "default",
             os.path.abspath(bundle)], check=True, capture_output=True)

    def rotation(self):
        """The certificate changes, while 64 callers ask and others connect"""
        with self.with_tls("t") as server:
            newcomers = clients.Newcomers(self, server)
            with newcomers, clients.Repeating(self.rotate, 20,
                                              2 * self.options.seconds):
                load = self.load(server, 2 * self.options.seconds,
                                 "--concurrency", str(CALLERS),
                                 "--connections", "8", tls=True)
        return (f"20 certificates in {2 * self.options.seconds} s; of "
                f"{load['answered']:,} calls {load['failed']} failed, and of "
                f"{newcomers.asked} new connections {newcomers.failed}",
                load["failed"] == 0 and newcomers.failed == 0)

    def rotate(self, turn):
        cert, key = self.authority.sign(f"server{turn}", "IP:127.0.0.1")
        os.replace(key, self.key)
        os.replace(cert, self.cert)

    def hostile(self):
        """A hostile identity beside one that asks 200 single links a second"""
        return self.beside_attacks()

    def limited(self):
        """The same, when every identity has a quota"""
        return self.beside_attacks(
            "--links-per-second", "5000", "--links-under-way", "1024",
            "--recommendations-per-second", "5", "--searches-per-second", "100")

    def beside_attacks(self, *flags):
        rows = []
        with self.plain("h", *flags) as server:
            for attack in (None, *clients.ATTACKS):
                with clients.Attackers(self, server, attack):
                    rows.append((attack, self.load(
                        server, self.options.seconds, "--rate", "200",
                        *self.token("good"))))
        alone = clients.p99(rows[0][1])
        worst = max(clients.p99(load) / alone for _, load in rows[1:])
        return ("; ".join(
            f"{attack or 'alone'}: p99 {1e3 * clients.p99(load):.2f} ms, "
            f"{load['failed']} failed" for attack, load in rows),
            worst <= 3 and not any(load["failed"] for _, load in rows))

    def names(self):
        """10,000 client names, tokens and metadata values in 10 s"""
        with self.plain("n") as server:
            self.load(server, 3, "--concurrency", "8")
            before = clients.resident_mib(server)
            most, start, sent = before, time.monotonic(), 0
            connection = http2.Connection(server.address)
            while sent < 10_000:
                calls = []
                for _ in range(50):
                    sent += 1
                    calls.append(connection.call(
                        "/slice.v1.LinkPredictionService/GetModelInfo",
                        extra=(("slice-client", f"client-{sent}"),
                               ("authorization", f"Bearer token-{sent}"),
                               ("x-value", f"value-{sent}"))))
                connection.send(b"".join(calls))
                connection.answer_settings()
                if not connection.open:
                    connection = http2.Connection(server.address)
                most = max(most, clients.resident_mib(server))
                time.sleep(max(0, start + sent / 1000 - time.monotonic()))
            time.sleep(12)  # freed memory goes back every ten seconds
            after = clients.resident_mib(server)
        return (f"in {time.monotonic() - start - 12:.0f} s: memory + "
                f"{most - before:.1f} MiB, and + {after - before:.1f} MiB 12 s "
                "later", most - before <= 10 and after - before <= 10)

    def overload(self):
        """Five times the load that the server can do, 64 links per RPC"""
        return self.past_the_peak(EVERY_CORE, EVERY_CORE)

    def apart(self):
        """The same, the server and its client on cores of their own"""
        half = (len(EVERY_CORE) + 1) // 2
        return self.past_the_peak(EVERY_CORE[:half],
                                  EVERY_CORE[half:] or EVERY_CORE)

    def past_the_peak(self, server_cores, client_cores):
        ratios = []
        links = ("--links-per-rpc", "64")
        with contextlib.ExitStack() as stack:
            stack.callback(os.sched_setaffinity, 0, EVERY_CORE)
            os.sched_setaffinity(0, server_cores)  # inherited by the server
            server = stack.enter_context(self.plain("o"))
            os.sched_setaffinity(0, client_cores)
            for _ in range(self.options.rounds):
                peak = clients.rate(self.load(
                    server, self.options.seconds / 2, "--concurrency", "8",
                    *links))
                over = self.load(
                    server, self.options.seconds / 2, "--rate",
                    f"{5 * peak:.1f}", *links, "--max-time", "0.5")
                ratios.append(clients.rate(over) / peak)
        ratio = statistics.median(ratios)
        return f"answers per second × {ratio:.2f} of the peak", ratio >= .80


MEASURED = ("tls", "reloads", "rotation", "hostile", "limited", "names", "overload",
            "apart")


def page(rows, options):
    lines = [MARK, "", "| what | measured | mark met |", "|---|---|---|"]
    lines += [f"| {what} | {result} | {'yes' if met else 'no'} |"
              for what, result, met in rows]
    lines += ["", f"Commit {benchmark_stamp.commit(ROOT)}, `{options.command}`; "
              f"{benchmark_stamp.machine()}", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    for flag in ("--bin", "--bundle", "--other", "--out"):
        parser.add_argument(flag, required=True)
    parser.add_argument("--only", default=",".join(MEASURED))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--command", default="")
    options = parser.parse_args()
    rows = []
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            measure = getattr(Production(options, folder), name)
            result, met = measure()
            rows.append((measure.__doc__, result, met))
            print(f"{name}: {result} ({'met' if met else 'missed'})",
                  file=sys.stderr, flush=True)
    with open(options.out, encoding="utf-8") as file:
        text = file.read()
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(text[:text.index(MARK)] + page(rows, options))


if __name__ == "__main__":
    main()
