"""The Python client against a live server."""

import asyncio
import math
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402, F401  (before what it finds)
import grpc  # noqa: E402
import pandas  # noqa: E402
import processes  # noqa: E402
from certificates import Authority  # noqa: E402
from google.rpc import error_details_pb2, status_pb2  # noqa: E402
from slice_client import (  # noqa: E402
    NO_RETRIES, AsyncClient, Client, Explanation, InvalidArgumentError, Key, Node,
    NoEffectWarning, NotFoundError, ResourceExhaustedError, RetryPolicy, SliceError,
    UnauthenticatedError, UnavailableError, errors, questions)
from slice_client.connection import Connection  # noqa: E402
from slice_client.retries import Attempts  # noqa: E402
from slice_client.wire.slice.v1 import link_prediction_pb2  # noqa: E402


def link(row):
    relation, source, target = row[:3]
    return source, relation, target


class ClientTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = processes.Server("--accept-updates")
        cls.enterClassContext(cls.server)
        cls.client = Client(cls.server.address)
        cls.addClassCleanup(cls.client.close)
        cls.links = [link(row) for row in processes.toy_rows("test.tsv")]

    def test_scores_are_those_of_slice_client(self):
        lines = self.server.client("predict", "--links", "-", stdin="".join(
            f"{relation}\t{source}\t{target}\n"
            for source, relation, target in self.links))
        expected = [float(line.split("\t")[-1])
                    for line in lines.stdout.splitlines()
                    if not line.startswith(("#", "relation", "source"))]
        found = self.client.predict_links(self.links)
        self.assertEqual(len(found), len(self.links))
        for one, probability in zip(found, expected, strict=True):
            self.assertAlmostEqual(one.probability, probability, 6)

    def test_any_number_of_links_keeps_its_order(self):
        many = (self.links * 20)[:5000]
        found = self.client.predict_links(iter(many))
        self.assertEqual([(one.source.key, one.relation, one.target.key)
                          for one in found], many)

    def test_one_link_raises_what_is_wrong(self):
        source, relation, target = self.links[0]
        with self.assertRaises(NotFoundError) as raised:
            self.client.predict(source + "x", relation, target)
        self.assertEqual(raised.exception.code, "NOT_FOUND")
        self.assertIn(source, raised.exception.near_misses)
        with self.assertRaises(NotFoundError):
            self.client.explain(source, "no-such-relation", target)
        with self.assertRaises(TypeError):
            self.client.predict_links([(source, target)])

    def test_a_link_that_fails_keeps_its_question(self):
        source, relation, target = self.links[0]
        good, bad = self.client.predict_links(
            [self.links[0], (source, relation, "nobody-at-all")])
        self.assertIsNone(good.error)
        self.assertEqual((bad.source.name, bad.relation, bad.target.name),
                         (source, relation, "nobody-at-all"))
        self.assertTrue(math.isnan(bad.probability))
        self.assertIsInstance(bad.error, NotFoundError)

    def test_a_wrong_setting_names_its_field(self):
        with Client(self.server.address, scorer="best") as client:
            with self.assertRaises(InvalidArgumentError) as raised:
                client.predict(*self.links[0])
        self.assertEqual(raised.exception.field, "scorer")

    def test_nodes_are_named_in_several_ways(self):
        source, relation, target = self.links[0]
        node = next(one for one in self.client.find(source)
                    if one.key == source)
        scores = {self.client.predict(one, relation, target).probability
                  for one in (source, Key(source), node,
                              f"{node.type}:{source}")}
        self.assertEqual(len(scores), 1)

    def test_an_explanation_has_its_parts(self):
        explanation = self.client.explain(*self.links[0])
        self.assertTrue(explanation.summary)
        self.assertTrue(explanation.reasons)
        tokens = len(explanation.tokens)
        for layer in explanation.attention:
            for head in layer:
                self.assertEqual(len(head), tokens)
                for row in head:
                    self.assertAlmostEqual(sum(row), 1, 4)
        graph = explanation.to_networkx()
        self.assertIn(explanation.prediction.source.key, graph)
        for _, _, data in graph.edges(data=True):
            self.assertLess(data["token"], tokens)

    def test_a_notebook_draws_it_and_runs_no_markup(self):
        explanation = self.client.explain(*self.links[0])
        hostile = Node("k", "<script>alert(1)</script>", "t")
        html = explanation._repr_html_()
        self.assertIn("<table>", html)
        from dataclasses import replace
        html = replace(explanation, prediction=replace(
            explanation.prediction, source=hostile))._repr_html_()
        self.assertNotIn("<script>", html)

    def test_a_question_may_imagine_changes(self):
        source, relation, target = self.links[0]
        paths = [token.path for token in
                 self.client.explain(source, relation, target).tokens
                 if token.path]
        first = paths[0][0]
        struck = (source, first.relation, first.node.key)
        if not first.forward:
            struck = struck[::-1]
        now = self.client.predict(source, relation, target)
        imagined = self.client.predict(source, relation, target,
                                       remove=[struck])
        self.assertNotEqual(now.logit, imagined.logit)

    def test_a_change_that_changes_nothing_is_told(self):
        source, relation, target = self.links[0]
        nothing = [(source, relation, source)]
        for ask in (lambda: self.client.predict(source, relation, target,
                                                remove=nothing),
                    lambda: self.client.explain(source, relation, target,
                                                remove=nothing),
                    lambda: self.client.recommend(source, relation,
                                                  remove=nothing)):
            with self.assertWarnsRegex(NoEffectWarning,
                                       "to remove .* lacks this link"):
                ask()

    def test_explanations_say_how_representations_move(self):
        explanation = self.client.explain(*self.links[0])
        layers = len(explanation.attention)
        self.assertEqual(len(explanation.cosines), layers + 1)
        for layer in explanation.cosines:
            self.assertEqual(len(layer), len(explanation.tokens))
            self.assertAlmostEqual(layer[0][0], 1, places=3)
            self.assertAlmostEqual(layer[0][1], layer[1][0], places=5)

    def test_recommendations_are_ranked(self):
        source, relation, target = self.links[0]
        found = self.client.recommend(source, relation, k=5)
        self.assertEqual([one.rank for one in found], [1, 2, 3, 4, 5])
        self.assertTrue(self.client.recommend(target=target,
                                              relation=relation, k=1))
        self.assertFalse(any(one.best_so_far for one in found))
        with self.assertRaises(TypeError):
            self.client.recommend(relation=relation)

    def test_recommendations_say_that_time_ran_out(self):
        reply = link_prediction_pb2.RecommendLinksResponse(best_so_far=True)
        reply.recommendation.rank = 1
        one, = questions.recommendations([reply])
        self.assertTrue(one.best_so_far)

    def test_pages_are_joined(self):
        self.assertEqual(len(self.client.find(limit=300)), 300)
        count = self.client.info().node_count
        self.assertEqual(len(self.client.find(limit=10**6)), count)
        source = self.links[0][0]
        self.assertEqual(self.client.neighbors(source, limit=2),
                         self.client.neighbors(source)[:2])

    def test_a_frame_is_scored_row_by_row(self):
        frame = pandas.DataFrame(self.links[:4],
                                 columns=["source", "relation", "target"],
                                 index=[7, 5, 3, 1])
        frame.loc[3, "target"] = "nobody-at-all"
        scored = self.client.predict_frame(frame)
        self.assertEqual(list(scored.index), [7, 5, 3, 1])
        self.assertTrue(pandas.isna(scored.loc[3, "probability"]))
        self.assertIn("NOT_FOUND: target", scored.loc[3, "status"])
        self.assertEqual(scored.loc[7, "status"], "OK")
        with self.assertRaisesRegex(ValueError, "no column 'target'"):
            self.client.predict_frame(frame.drop(columns="target"))
        frame.loc[5, "source"] = None
        with self.assertRaisesRegex(ValueError, "no value in row 5"):
            self.client.predict_frame(frame)

    def test_the_graph_changes(self):
        node = Node("py-test-node", "A node of the test", "package")
        relation, known = self.links[0][1], self.links[0][2]
        added = self.client.update(add_nodes=[node],
                                   add=[(node, relation, Key(known))])
        self.assertEqual(added.without_effect, ())
        self.assertEqual(added.added_types, ())
        self.assertEqual([one.node.key for one in
                          self.client.neighbors("py-test-node")], [known])
        # A text is a key, as changes name nodes.
        removed = self.client.update(remove=[("py-test-node", relation, known)])
        self.assertEqual(removed.without_effect, ())
        removed = self.client.update(remove_nodes=["py-test-node"])
        self.assertGreater(removed.graph_version, added.graph_version)
        with self.assertRaises(NotFoundError):
            self.client.neighbors("py-test-node")

    def test_near_misses_have_quotes_and_question_marks(self):
        films = [Node("film1", "Schindler's List", "package"),
                 Node("film2", "Who's there?", "package")]
        self.client.update(add_nodes=films)
        for film, asked in zip(films, ("Schindlers List", "Whos there?"),
                               strict=True):
            with self.assertRaises(NotFoundError) as raised:
                self.client.predict(asked, *self.links[0][1:])
            self.assertIn(film.name, raised.exception.near_misses)
        self.client.update(remove_nodes=[film.key for film in films])

    def test_asyncio_answers_alike(self):
        async def ask():
            async with AsyncClient(self.server.address) as client:
                found = await asyncio.gather(
                    *(client.predict(*one) for one in self.links[:20]))
                explained = await client.explain(*self.links[0])
                nodes = await client.find(limit=30)
                ranked = await client.recommend(*self.links[0][:2], k=3)
                return found, explained.summary, nodes, ranked

        found, summary, nodes, ranked = asyncio.run(ask())
        self.assertEqual(found, self.client.predict_links(self.links[:20]))
        self.assertEqual(summary, self.client.explain(*self.links[0]).summary)
        self.assertEqual(nodes, self.client.find(limit=30))
        self.assertEqual([one.node for one in ranked], [
            one.node for one in self.client.recommend(*self.links[0][:2],
                                                      k=3)])


class SecureTest(unittest.TestCase):

    def test_tls_and_tokens(self):
        import hashlib
        with tempfile.TemporaryDirectory() as folder:
            authority = Authority(folder)
            cert, key = authority.sign("server", "IP:127.0.0.1")
            digest = hashlib.sha256(b"secret").hexdigest()
            config = os.path.join(folder, "config.yaml")
            with open(config, "w", encoding="utf-8") as file:
                file.write("identities:\n  anonymous-roles: none\n  known:\n"
                           f"    - {{name: web, token-sha256: {digest}, "
                           "roles: [predict, explore]}\n")
            with processes.Server("--config", config, "--tls-cert", cert,
                                  "--tls-key", key) as server:
                with Client(server.address, ca=authority.path,
                            token="secret") as client:
                    self.assertTrue(client.find(limit=1))
                with Client(server.address, ca=authority.path) as client:
                    with self.assertRaises(UnauthenticatedError):
                        client.find()

    def test_a_token_is_not_sent_in_the_clear(self):
        for address in ("slice.example.org:443", "localhost.example.org:443",
                        "127.example.org:443", "10.0.0.1:443"):
            with self.assertRaisesRegex(ValueError, "in the clear"):
                Client(address, token="secret")
        for address in ("localhost:1", "127.0.0.1:1", "127.8.0.1", "[::1]:1",
                        "::1", "unix:/run/slice.sock"):
            Client(address, token="secret").close()
        with self.assertRaisesRegex(ValueError, "belong together"):
            Client("localhost:1", cert="x")

    def test_what_is_secret_is_not_shown(self):
        shown = repr(Connection("localhost:1", cert=b"pem", key=b"private",
                                token="swordfish"))
        self.assertIn("localhost:1", shown)
        self.assertNotIn("swordfish", shown)
        self.assertNotIn("private", shown)

    def test_a_token_is_taken_as_a_file_has_it(self):
        for token in ("swordfish\n", " swordfish\r\n"):
            with Client("localhost:1", token=token) as client:
                self.assertEqual(client.connection.metadata,
                                 (("authorization", "Bearer swordfish"),))
        for token, words in (("sword\nfish", r"character 6 .* U\+000A"),
                             ("swordf\u00efsh", r"character 7 .* U\+00EF"),
                             ("\n", "the token is blank")):
            with self.assertRaisesRegex(ValueError, words) as raised:
                Client("localhost:1", token=token)
            self.assertNotIn("sword", str(raised.exception))


class RetriesTest(unittest.TestCase):

    def test_nobody_answers(self):
        with Client("127.0.0.1:1", timeout=20, retries=NO_RETRIES) as client:
            with self.assertRaisesRegex(UnavailableError,
                                        "is slice-server running"):
                client.info()

    def test_what_may_have_been_done_is_not_repeated(self):
        class Failed(grpc.RpcError):
            def __init__(self, code):
                self._code = code

            def code(self):
                return self._code

            def details(self):
                return ""

            def trailing_metadata(self):
                return ()

        for code, repeatable, again in (
                (grpc.StatusCode.UNAVAILABLE, True, True),
                (grpc.StatusCode.UNAVAILABLE, False, False),
                (grpc.StatusCode.RESOURCE_EXHAUSTED, False, True)):
            attempts = Attempts(RetryPolicy(), 20, repeatable)
            if again:
                self.assertGreater(attempts.delay_after(Failed(code)), 0)
            else:
                with self.assertRaises(UnavailableError):
                    attempts.delay_after(Failed(code))

    def test_delays(self):
        policy = RetryPolicy(jitter=0)
        self.assertIsNone(policy.delay_after(NotFoundError("x"), 1))
        delays = [policy.delay_after(UnavailableError("x"), attempt)
                  for attempt in (1, 2, 3, 4)]
        self.assertEqual(delays, [0.1, 0.2, 0.4, None])
        named = ResourceExhaustedError("x", retry_after=3)
        self.assertEqual(policy.delay_after(named, 9), 5)
        self.assertEqual(policy.delay_after(named, 1), 3)
        self.assertIsNone(policy.delay_after(named, 10))


class ContextsTest(unittest.TestCase):

    def explanation(self, contexts):
        result = link_prediction_pb2.LinkResult(probability=0.75)
        result.source.key, result.target.key = "a", "b"
        for key in ("a", "b"):
            result.explanation.tokens.add().node.key = key
        for number in range(contexts):
            one = result.explanation.contexts.add(
                logit=float(number), probability=0.5 + number / 4)
            for key in ("a", "b", f"<b>between {number}</b>"):
                one.tokens.add(attention_from_source=1 / 3).node.key = key
            one.attention.layers = one.attention.heads = 1
            one.attention.tokens = 3
            one.attention.weights.extend(range(9))
            result.explanation.context_pooling = "max"
        return Explanation.of(result, link_prediction_pb2.LinkRef())

    def test_each_of_several_contexts_is_read(self):
        explanation = self.explanation(2)
        self.assertEqual(explanation.context_pooling, "max")
        self.assertEqual([(one.logit, one.probability)
                          for one in explanation.contexts],
                         [(0, 0.5), (1, 0.75)])
        second = explanation.contexts[1]
        self.assertEqual(second.tokens[2].node.key, "<b>between 1</b>")
        self.assertEqual(second.attention, [[[[0, 1, 2], [3, 4, 5],
                                              [6, 7, 8]]]])

    def test_a_notebook_lists_several_contexts(self):
        html = self.explanation(2)._repr_html_()
        self.assertIn("<td>2</td><td>+1.000</td><td>0.7500</td>", html)
        self.assertIn("&lt;b&gt;between 1&lt;/b&gt;</td>", html)
        self.assertNotIn("<b>between", html)

    def test_one_context_is_that_of_the_explanation(self):
        explanation = self.explanation(0)
        self.assertEqual(explanation.contexts, ())
        self.assertNotIn("nodes between the ends", explanation._repr_html_())


class ErrorsTest(unittest.TestCase):

    def test_details_are_read(self):
        status = status_pb2.Status(code=8, message="too much")
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(1500)
        status.details.add().Pack(retry)
        error = errors.from_status(status)
        self.assertIsInstance(error, ResourceExhaustedError)
        self.assertEqual(error.retry_after, 1.5)

    def test_every_code_of_grpc_has_a_name(self):
        for code in grpc.StatusCode:
            error = errors.from_status(status_pb2.Status(code=code.value[0]))
            self.assertIsInstance(error, SliceError)
            if code is not grpc.StatusCode.OK:
                self.assertEqual(error.code, code.name)

    def test_near_misses_are_read_as_the_server_writes_them(self):
        said = "links[0].source: no node has the key or name 'Is itt'"
        for names in (["curl"], ["curl", "libcurl4", "cur"],
                      ["Schindler's List", "Who's there?"], ["Is it?", "it's"],
                      ["'", "?", "a\nb", 'a "b"'], ["a or b", "''"]):
            found = " or ".join(f"'{name}'" for name in names)
            self.assertEqual(errors.near_misses_of(
                f"{said}; did you mean {found}?"), tuple(names))
        for other in ("", said, f"{said}; there is 'a', 'b' and 7 more",
                      "did you mean it?"):
            self.assertEqual(errors.near_misses_of(other), ())

    def test_stubs_do_not_clash(self):
        # Another program's own stubs of the same contract, and googleapis.
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(installed.ROOT, "proto")
            subprocess.run(
                [sys.executable, "-m", "grpc_tools.protoc", f"-I{root}",
                 f"--python_out={folder}", f"--grpc_python_out={folder}",
                 "slice/v1/link_prediction.proto", "slice/v1/graph.proto"],
                check=True)
            script = ("import slice_client\n"
                      "from slice.v1 import link_prediction_pb2\n"
                      "from google.rpc import status_pb2\n")
            subprocess.run([sys.executable, "-c", script], check=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(
                               [folder, os.path.join(installed.CLIENT,
                                                     "site")])})


if __name__ == "__main__":
    unittest.main()
