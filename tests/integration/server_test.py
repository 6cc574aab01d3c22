"""The server and the client as a user meets them."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

import processes
from processes import Server


def links(name="test.tsv"):
    return [row[:3] for row in processes.toy_rows(name)]


def as_text(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def scores(result):
    """The last column of a `predict --links` run, as printed."""
    return [line.rsplit("\t", 1)[1] for line in result.stdout.splitlines()]


def start_refused(*flags, data_dir, bundle=processes.BUNDLE,
                  listen="127.0.0.1:0"):
    """Runs a server that must not start; (exit status, lines of stderr)."""
    result = subprocess.run(
        [os.path.join(processes.BIN, "slice-server"), "--bundle", bundle,
         "--data-dir", data_dir, "--listen", listen, *flags],
        text=True, capture_output=True, check=False, timeout=processes.HANG_SECONDS)
    errors = [line for line in result.stderr.splitlines()
              if line.startswith("slice-server: ")]
    return result.returncode, errors


class AnswersTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = Server().__enter__()
        cls.addClassCleanup(cls.server.__exit__)

    def test_a_file_of_links_is_scored_in_order(self):
        rows = links()
        result = self.server.client("predict", "--links", "-",
                                    stdin=as_text(rows))
        self.assertEqual(result.returncode, 0, result.stderr)
        printed = [line.split("\t") for line in result.stdout.splitlines()]
        self.assertEqual([row[:3] for row in printed], rows)
        for row in printed:
            self.assertTrue(0 <= float(row[-1]) <= 1, row)
        self.assertGreater(len({row[-1] for row in printed}), len(rows) // 10)

    def test_alone_and_in_a_file_a_link_scores_the_same(self):
        rows = links()[:20]
        together = scores(self.server.client("predict", "--links", "-",
                                             stdin=as_text(rows)))
        for (relation, source, target), score in zip(rows, together):
            alone = self.server.client("predict", source, relation, target)
            self.assertAlmostEqual(float(scores(alone)[0]), float(score),
                                   delta=1e-5)

    def test_an_unknown_node_spoils_no_other_link(self):
        rows = links()[:3]
        rows[1] = [rows[1][0], "no-such-package", rows[1][2]]
        result = self.server.client("predict", "--links", "-",
                                    stdin=as_text(rows))
        not_found = 64 + 5
        self.assertEqual(result.returncode, not_found)
        self.assertIn("no-such-package", result.stderr)
        values = [float(score) for score in scores(result)]
        self.assertEqual([value == value for value in values],
                         [True, False, True])

    def test_a_misspelt_name_is_answered_with_near_ones(self):
        result = self.server.client("predict", "libaudio0-dve", "tagged",
                                    "role::devel-lib")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("libaudio0-dev", result.stderr)

    def test_an_explanation_names_the_ends_and_is_whole_in_json(self):
        relation, source, target = links()[0]
        drawn = self.server.client("explain", source, relation, target)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn(source, drawn.stdout)
        self.assertIn(target, drawn.stdout)
        dot = self.server.client("explain", "--dot", source, relation, target)
        self.assertIn("graph", dot.stdout)

    def test_the_paths_of_an_explanation_lead_from_source_to_target(self):
        explained = 0
        for relation, source, target in links()[:8]:
            result = self.server.client("--json", "explain", source, relation,
                                        target)
            self.assertEqual(result.returncode, 0, result.stderr)
            explanation = json.loads(result.stdout)["explanation"]
            tokens = explanation["tokens"]
            self.assertEqual([token["node"]["key"] for token in tokens[:2]],
                             [source, target])
            paths = tokens[2:]
            for token in paths:
                self.assertEqual(token["kind"], "PATH")
                self.assertEqual(token["path"][-1]["node"]["key"], target)
                self.assertGreater(token["path_count"], 0)
            if not paths:
                self.assertEqual(explanation["metapath"], [])
                continue
            effects = {item["token"]: item["logit_effect"]
                       for item in explanation["evidence"]
                       if item["kind"] == "PATHS"}
            best = max(effects, key=effects.get)
            if effects[best] <= 0:
                continue  # then attention decides
            most = tokens[best]
            self.assertEqual([step["node"] for step in most["path"]],
                             [step["node"]
                              for step in explanation["metapath"][1:]])
            self.assertEqual(most["path_count"], explanation["metapath_count"])
            explained += 1
        self.assertGreater(explained, 0)

    def test_evidence_says_what_carries_the_score(self):
        for relation, source, target in links()[:8]:
            result = self.server.client("--json", "explain", source, relation,
                                        target)
            answer = json.loads(result.stdout)
            explanation = answer["explanation"]
            evidence = explanation["evidence"]
            effects = [abs(item["logit_effect"]) for item in evidence]
            self.assertEqual(effects, sorted(effects, reverse=True))
            self.assertTrue(all(item["description"] for item in evidence))
            named = [item for item in evidence if item["named"]]
            self.assertLessEqual(len(named), 3)
            if named:
                self.assertIn(" becomes ", explanation["summary"])
            else:
                self.assertIn("No reason can be named", explanation["summary"])
                self.assertAlmostEqual(
                    explanation["probability_without_named"],
                    answer["probability"], places=5)

    def test_every_pair_feature_is_described(self):
        info = json.loads(self.server.client("--json", "info").stdout)
        relation, source, target = links()[0]
        result = self.server.client("--json", "explain", source, relation,
                                    target)
        features = json.loads(result.stdout)["explanation"]["pair_features"]
        self.assertEqual([feature["name"] for feature in info["pair_features"]],
                         list(features))
        for feature in info["pair_features"]:
            self.assertTrue(feature["description"], feature)

    def test_features_say_what_they_contribute(self):
        relation, source, target = links()[0]
        result = self.server.client("--json", "explain", source, relation,
                                    target)
        explanation = json.loads(result.stdout)["explanation"]
        contributions = explanation["pair_feature_contributions"]
        self.assertEqual(list(contributions), list(explanation["pair_features"]))
        self.assertTrue(any(abs(value) > 1e-3
                            for value in contributions.values()))
        for name, value in explanation["pair_features"].items():
            if value == 0:
                self.assertAlmostEqual(contributions[name], 0, places=5)

    def test_a_request_chooses_its_scorer(self):
        relation, source, target = links()[0]
        scores = {}
        for scorer in ("context", "ends", "structural"):
            result = self.server.client("--json", "predict", "--scorer", scorer,
                                        source, relation, target)
            self.assertEqual(result.returncode, 0, result.stderr)
            scores[scorer] = json.loads(result.stdout)
            self.assertEqual(scores[scorer]["scorer"], scorer)
        self.assertEqual(scores["structural"]["logit_context"], 0)
        self.assertEqual(len({score["logit_structural"]
                              for score in scores.values()}), 1)
        self.assertEqual(len({score["logit"] for score in scores.values()}), 3)
        default = json.loads(self.server.client(
            "--json", "predict", source, relation, target).stdout)
        self.assertAlmostEqual(default["logit"],
                               scores[default["scorer"]]["logit"], places=5)

    def test_an_unknown_scorer_is_an_invalid_argument(self):
        relation, source, target = links()[0]
        result = self.server.client("predict", "--scorer", "oracle", source,
                                    relation, target)
        self.assertEqual(result.returncode, 64 + 3)
        self.assertIn("unknown scorer 'oracle'", result.stderr)

    def test_info_says_whose_threshold_it_shows(self):
        info = json.loads(self.server.client("info", "--json").stdout)
        self.assertTrue(info["relation_calibrations"])
        self.assertIn(
            f"decision threshold\t{info['decision_threshold']:.6g} for all "
            "relations together; each relation may have its own (see --json)\n",
            self.server.client("info").stdout)

    def test_health_is_serving(self):
        for service in ((), ("slice.v1.LinkPredictionService",),
                        ("slice.v1.GraphService",)):
            result = self.server.client("health", *service)
            self.assertEqual((result.returncode, result.stdout),
                             (0, "SERVING\n"), service)


class LifecycleTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.data_dir = os.path.join(self.folder, "data")

    def copied_bundle(self):
        bundle = os.path.join(self.folder, "bundle")
        shutil.copytree(processes.BUNDLE, bundle)
        return bundle

    def test_the_graph_is_served_from_the_data_directory(self):
        bundle, asked = self.copied_bundle(), as_text(links())

        def answers(server):
            result = server.client("predict", "--links", "-", stdin=asked)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [float(score) for score in scores(result)]

        with Server(bundle=bundle, data_dir=self.data_dir) as server:
            first = answers(server)
            shutil.rmtree(os.path.join(bundle, "graph"))
            second = answers(server)
        with Server(bundle=bundle, data_dir=self.data_dir) as server:
            third = answers(server)
        self.assertEqual(len(first), len(links()))
        for values in zip(first, second, third):
            self.assertLess(max(values) - min(values), 1e-5)

    @unittest.skipIf(os.environ["SLICE_SANITIZE"], "sanitizers allocate")
    def test_its_memory_is_that_of_jemalloc(self):
        with Server() as server:
            with open(f"/proc/{server.process.pid}/maps",
                      encoding="utf-8") as maps:
                self.assertIn("libjemalloc", maps.read())

    def test_the_log_says_why_there_are_fewer_threads_than_cores(self):
        cores = os.sched_getaffinity(0)
        if len(cores) < 2:
            self.skipTest("this machine lets tests use one core alone")
        self.addCleanup(os.sched_setaffinity, 0, cores)
        os.sched_setaffinity(0, {min(cores)})  # inherited by the server
        with Server() as server:
            self.assertRegex(
                server.output(),
                r"threads for 1 of \d+ cores: executors 1, context workers 1, "
                r"responders 1, recommend workers 1; because of an? ")

    def test_a_stop_under_load_answers_what_was_admitted(self):
        rows = links()
        asked = as_text(rows * (4000 // len(rows) + 1))
        results = []
        with Server(lame_duck="1s") as server:
            clients = [server.start_client("--retries", "0", "predict",
                                           "--links", "-") for _ in range(4)]
            threads = [threading.Thread(target=lambda c=c: results.append(
                (c.communicate(asked, timeout=processes.HANG_SECONDS), c))) for c in clients]
            for thread in threads:
                thread.start()
            # Stop once the first answers are out.
            while server.scored() == 0:
                pass
            status = server.stop()
            for thread in threads:
                thread.join()
            self.assertEqual(status, 0, server.output())
        unavailable, exhausted = 64 + 14, 64 + 8
        for (_, errors), client in results:
            # All answered, or refused as a whole call; never cut off.
            self.assertIn(client.returncode, (0, unavailable, exhausted),
                          errors)

    def test_a_data_directory_in_use_is_refused(self):
        with Server(data_dir=self.data_dir):
            status, errors = start_refused(data_dir=self.data_dir)
        self.assertEqual((status, len(errors)), (1, 1), errors)
        self.assertIn(self.data_dir, errors[0])

    def test_a_port_in_use_is_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            status, errors = start_refused(listen=address,
                                           data_dir=self.data_dir)
        self.assertEqual((status, len(errors)), (1, 1), errors)
        self.assertIn(address, errors[0])

    def test_every_member_with_a_changed_byte_is_refused_by_name(self):
        members = [os.path.relpath(os.path.join(at, name), processes.BUNDLE)
                   for at, _, names in os.walk(processes.BUNDLE)
                   for name in names if name != "MANIFEST.json"]
        self.assertGreater(len(members), 3)
        bundle = self.copied_bundle()
        for member in members:
            path = os.path.join(bundle, member)
            with open(path, "r+b") as file:
                original = file.read(1)
                file.seek(0)
                file.write(bytes([original[0] ^ 1]))
            with self.subTest(member=member):
                status, errors = start_refused(bundle=bundle,
                                               data_dir=self.data_dir)
                self.assertEqual((status, len(errors)), (1, 1), errors)
                self.assertIn(member, errors[0])
            with open(path, "r+b") as file:
                file.write(original)

    def test_a_missing_member_is_refused_by_name(self):
        bundle = self.copied_bundle()
        os.remove(os.path.join(bundle, "model.pt"))
        status, errors = start_refused(bundle=bundle, data_dir=self.data_dir)
        self.assertEqual((status, len(errors)), (1, 1), errors)
        self.assertIn("model.pt", errors[0])

    def test_cuda_on_a_cpu_build_is_refused(self):
        status, errors = start_refused("--device", "cuda",
                                       data_dir=self.data_dir)
        self.assertEqual((status, len(errors)), (1, 1), errors)
        self.assertIn("cuda", errors[0])


if __name__ == "__main__":
    unittest.main()
