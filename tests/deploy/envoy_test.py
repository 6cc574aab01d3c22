"""Envoy, as deploy/envoy configures it, before three servers: who gets in, in
which protocols, and what is too much."""

import contextlib
import json
import os
import struct
import subprocess
import threading
import time
import unittest

import envoy_process
import envoy_stand  # the path of the next
import json_web_tokens
import processes

METHODS = "/slice.v1.LinkPredictionService/"
GRPC_WEB = {"content-type": "application/grpc-web+proto", "x-grpc-web": "1"}
EMPTY_MESSAGE = b"\0\0\0\0\0"  # in gRPC's frame
OK, INVALID_ARGUMENT, DEADLINE_EXCEEDED, PERMISSION_DENIED = 0, 3, 4, 7
RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL, UNAUTHENTICATED = 8, 12, 13, 16


def setUpModule():
    global STAND
    STAND = envoy_stand.Stand(flags=("--http-listen", "127.0.0.1:0"))
    unittest.enterModuleContext(STAND)


def a_link():
    """As JSON, and as arguments of slice-client."""
    relation, source, target, _ = processes.toy_rows("headline_test.tsv")[0]
    return ({"source": {"name": source}, "relation": relation,
             "target": {"name": target}}, (source, relation, target))


class EnvoyTest(unittest.TestCase):

    def assertCode(self, result, code, words=""):
        self.assertEqual(result.returncode, code and 64 + code, result.stderr)
        self.assertIn(words, result.stderr)


class TokensTest(EnvoyTest):

    def test_a_valid_token_opens(self):
        self.assertCode(STAND.client("info"), OK)

    def test_the_token_for_a_first_try_opens(self):
        script = os.path.join(envoy_stand.ROOT, "scripts", "try-token")
        made = subprocess.run([script, STAND.folder, "alice@example.org"],
                              text=True, check=True, capture_output=True)
        token = STAND.path("try-token")
        envoy_process.write(token, made.stdout)
        self.assertCode(STAND.client("find", "a", token=token), OK)

    def test_a_call_without_a_token_is_refused(self):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             STAND.address, "--cacert", STAND.authority, "info"],
            text=True, capture_output=True, check=False)
        self.assertCode(result, UNAUTHENTICATED, "Jwt is missing")

    def test_an_expired_token(self):
        token = STAND.token(exp=int(time.time()) - 3600)
        self.assertCode(STAND.client("info", token=token), UNAUTHENTICATED,
                        "Jwt is expired")

    def test_a_token_without_an_end(self):
        self.assertCode(STAND.client("info", token=STAND.token(exp=None)),
                        UNAUTHENTICATED)

    def test_a_token_for_another_audience(self):
        self.assertCode(STAND.client("info", token=STAND.token(aud="shop")),
                        PERMISSION_DENIED, "Audiences in Jwt are not allowed")

    def test_a_token_of_another_issuer(self):
        token = STAND.token(iss="https://login.example.com")
        self.assertCode(STAND.client("info", token=token), UNAUTHENTICATED)

    def test_a_token_signed_with_another_key(self):
        signer = json_web_tokens.Signer(STAND.path("other.key"))
        token = STAND.path("other-token")
        envoy_process.write(token, signer.token("alice@example.org"))
        self.assertCode(STAND.client("info", token=token), UNAUTHENTICATED,
                        "Jwt verification fails")

    def test_a_token_of_nobody_has_no_role(self):
        self.assertCode(STAND.client("info", token=STAND.token(None)),
                        PERMISSION_DENIED, "'envoy' may not call")

    def test_the_subject_decides_what_the_server_allows(self):
        self.assertCode(STAND.client("find", "a"), OK)
        self.assertCode(STAND.client("find", "a", token=STAND.token("bob")),
                        PERMISSION_DENIED, "'subject:bob' may not call")

    def test_a_subject_that_the_client_sets_is_ignored(self):
        for subject, words in (("bob", "'subject:bob' may not call"),
                               (None, "'envoy' may not call")):
            self.assertCode(
                STAND.client("find", "a", "-H",
                             "x-slice-subject: alice@example.org",
                             token=STAND.token(subject)),
                PERMISSION_DENIED, words)

    def test_a_subject_is_removed_where_no_token_is_asked_for(self):
        parent = "00-7bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        self.assertCode(
            STAND.client("health", "-H", "x-slice-subject: alice@example.org",
                         "-H", f"traceparent: {parent}"), OK)
        call = envoy_process.wait_until(
            lambda: [call for call in STAND.envoy.calls()
                     if call["traceparent"] == parent], "an access line")[0]
        self.assertIsNone(call["subject"])

    def test_a_server_lets_nobody_in_but_envoy(self):
        server = STAND.servers[0].address
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--retries", "0",
             "--server", server, "--cacert", STAND.inside.path, "info"],
            text=True, capture_output=True, check=False)
        self.assertNotEqual(result.returncode, 0)

    def test_whether_it_serves_is_for_everybody(self):
        health = [os.path.join(processes.BIN, "slice-client"), "--server",
                  STAND.address, "--cacert", STAND.authority, "health"]
        for more, code in (([], 0), (["--watch"], 3)):
            result = subprocess.run(health + more, text=True, check=False,
                                    capture_output=True)
            self.assertEqual(result.returncode, code, result.stderr)


class ProtocolsTest(EnvoyTest):

    def test_json_gets_the_same_answer_as_grpc(self):
        link, arguments = a_link()
        status, headers, body = STAND.post("/v1/links:predict",
                                           {"links": [link]})
        self.assertEqual((status, headers["content-type"]),
                         (200, "application/json"))
        by_grpc = STAND.client("predict", *arguments).stdout.split("\t")
        self.assertAlmostEqual(
            json.loads(body)["results"][0]["probability"], float(by_grpc[-1]))

    def test_many_answers_agree_with_the_server_and_with_grpc(self):
        rows = processes.toy_rows("test.tsv")[:200]
        by_grpc = STAND.client(
            "predict", "--links", STAND.links_file(rows), "--json")
        lines = [json.loads(line) for line in by_grpc.stdout.splitlines()]
        self.assertEqual(len(lines), 200)
        with contextlib.closing(STAND.connect_inside()) as server:
            for (relation, source, target, *_), line in zip(rows, lines,
                                                            strict=True):
                body = json.dumps({"links": [{
                    "source": {"key": source}, "relation": relation,
                    "target": {"key": target}}]}).encode()
                server.request("POST", "/v1/links:predict", body, {
                    "content-type": "application/json",
                    "x-slice-subject": "alice@example.org"})
                ours = server.getresponse().read()
                theirs = STAND.post("/v1/links:predict", body)[2]
                # As texts: to the last digit.
                self.assertEqual(json.loads(ours, parse_float=str),
                                 json.loads(theirs, parse_float=str))
                self.assertEqual(*(
                    struct.pack("f", one["probability"])
                    for one in (line, json.loads(ours)["results"][0])))

    def test_a_stream_is_a_list_in_json(self):
        link, _ = a_link()
        status, _, body = STAND.post(
            "/v1/links:recommend",
            {"source": link["source"], "relation": link["relation"], "k": 2})
        self.assertEqual(status, 200)
        self.assertEqual([one["recommendation"]["rank"]
                          for one in json.loads(body)], [1, 2])

    def test_an_error_is_told_in_json(self):
        status, _, body = STAND.post("/v1/links:predict", {"links": []})
        error = json.loads(body)
        self.assertEqual((status, error["code"]), (400, INVALID_ARGUMENT))
        self.assertEqual(error["details"][0]["field_violations"][0]["field"],
                         "links")

    def test_grpc_web(self):
        status, _, body = STAND.post(METHODS + "GetModelInfo",
                                     EMPTY_MESSAGE, GRPC_WEB)
        self.assertEqual((status, body[0]), (200, 0))
        size = int.from_bytes(body[1:5], "big")
        self.assertIn(b"default", body[5:5 + size])
        trailers = body[5 + size:]
        self.assertEqual(trailers[0], 0x80)
        self.assertIn(b"grpc-status:0\r\n", trailers)

    def test_a_refusal_in_grpc_web(self):
        _, headers, _ = STAND.post(METHODS + "GetModelInfo", EMPTY_MESSAGE,
                                   GRPC_WEB, token=STAND.token(aud="shop"))
        self.assertEqual(headers["grpc-status"], str(PERMISSION_DENIED))

    def test_pages_of_the_site_may_call_and_others_not(self):
        for origin, allowed in (("https://app.example.org", True),
                                ("https://example.com", False)):
            connection = STAND.connect()
            connection.request(
                "OPTIONS", "/v1/links:predict", headers={
                    "origin": origin, "access-control-request-method": "POST"})
            reply = connection.getresponse()
            self.assertEqual(reply.getheader("access-control-allow-origin"),
                             origin if allowed else None)
            connection.close()

    def test_the_trace_reaches_the_server(self):
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        parent = f"00-{trace}-00f067aa0ba902b7-01"
        self.assertCode(STAND.client("info", "-H", f"traceparent: {parent}"),
                        OK)
        self.assertEqual([call["identity"] for call in STAND.server_calls()
                          if call["trace"] == trace], ["alice"])
        call = envoy_process.wait_until(
            lambda: [call for call in STAND.envoy.calls()
                     if call["traceparent"] == parent], "an access line")[0]
        self.assertEqual((call["subject"], call["grpc_status"], call["code"]),
                         ("alice@example.org", "OK", 200))


class NotExposedTest(EnvoyTest):

    def test_admin_service(self):
        self.assertCode(STAND.client("queue"), UNIMPLEMENTED)
        self.assertCode(STAND.client("reload"), UNIMPLEMENTED)
        self.assertEqual(STAND.post("/slice.v1.AdminService/ReloadConfig", {})[0], 404)

    def test_what_is_no_method(self):
        for method in (METHODS + "Train", "/slice.v1.X/Y"):
            self.assertEqual(STAND.post(method, {})[0], 404)
            _, headers, _ = STAND.post(
                method, EMPTY_MESSAGE, {"content-type": "application/grpc"})
            self.assertEqual(headers["grpc-status"], str(UNIMPLEMENTED))


class LimitsTest(EnvoyTest):

    def test_headers(self):
        big = "x" * 9000
        self.assertEqual(
            STAND.post(METHODS + "GetModelInfo", {}, {"big": big})[0], 431)
        self.assertCode(STAND.client("info", "-H", f"big: {big}"), INTERNAL)
        many = {f"h{number}": "x" for number in range(70)}
        self.assertEqual(STAND.post(METHODS + "GetModelInfo", {}, many)[0], 431)

    def test_body(self):
        before = STAND.envoy.stat("cluster.slice.upstream_rq_total")
        body = b"x" * 4_200_000
        self.assertEqual(STAND.post(METHODS + "PredictLinks", body)[0], 413)
        status, headers, _ = STAND.post(
            METHODS + "PredictLinks", body, {"content-type": "application/grpc"})
        self.assertEqual((status, headers["grpc-status"]),
                         (200, str(RESOURCE_EXHAUSTED)))
        self.assertEqual(STAND.post(METHODS + "PredictLinks", body, GRPC_WEB)[0],
                         413)
        self.assertEqual(STAND.envoy.stat("cluster.slice.upstream_rq_total"),
                         before)

    def test_half_a_request_reaches_no_server(self):
        before = STAND.envoy.stat("cluster.slice.upstream_rq_total")
        active = "http.public.downstream_rq_active"
        idle = STAND.envoy.stat(active)
        with open(STAND.token(), encoding="utf-8") as file:
            token = file.read().strip()
        connection = STAND.connect()
        connection.putrequest("POST", METHODS + "PredictLinks")
        for name, value in (("authorization", f"Bearer {token}"),
                            ("content-type", "application/grpc"),
                            ("grpc-timeout", "1S"), ("content-length", "9999")):
            connection.putheader(name, value)
        connection.endheaders(b"\0\0\0\0")
        envoy_process.wait_until(lambda: STAND.envoy.stat(active) > idle,
                               "Envoy has the half")
        reply = connection.getresponse()  # once its deadline is over
        self.assertEqual(reply.getheader("grpc-status"),
                         str(DEADLINE_EXCEEDED))
        connection.close()
        self.assertEqual(STAND.envoy.stat("cluster.slice.upstream_rq_total"),
                         before)

    def flood(self, token, done):
        """Calls, one after the other. No server has the method, so that Envoy
        answers itself and fast."""
        with open(token, encoding="utf-8") as file:
            headers = {"authorization": "Bearer " + file.read().strip(),
                       "content-type": "application/json"}
        with contextlib.closing(STAND.connect()) as connection:
            while not done.is_set():
                connection.request("POST", "/v1/nothing", b"", headers)
                connection.getresponse().read()

    def test_calls_of_one_subject_leave_room_for_another(self):
        flooder, done = STAND.token("flooder"), threading.Event()
        flood = threading.Thread(target=self.flood, args=(flooder, done))
        flood.start()
        self.addCleanup(flood.join)
        self.addCleanup(done.set)
        envoy_process.wait_until(
            lambda: STAND.post("/v1/links:predict", {}, token=flooder)[0]
            == 429, "refused in JSON")
        envoy_process.wait_until(
            lambda: "RESOURCE_EXHAUSTED: local_rate_limited" in
            STAND.client("info", token=flooder).stderr, "refused in gRPC")
        for _ in range(10):
            self.assertCode(STAND.client("info"), OK)

    def test_envoy_watches_its_memory_and_connections(self):
        for monitor in ("fixed_heap", "global_downstream_max_connections"):
            self.assertEqual(
                STAND.envoy.stat(f"overload.envoy.resource_monitors.{monitor}"
                                 ".failed_updates"), 0)
        self.assertGreater(STAND.envoy.stat(
            "overload.envoy.resource_monitors.fixed_heap.pressure"), 0)


if __name__ == "__main__":
    envoy_process.skip_without_envoy()
    unittest.main()
