"""Models change while a real server answers: by AdminService, by a link that
is watched, by the configuration."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import processes  # noqa: E402

ONE = processes.BUNDLE
TWO = os.path.join(processes.TOY, "bundle2")


def id_of(bundle):
    with open(os.path.join(bundle, "MANIFEST.json"), encoding="utf-8") as file:
        return json.load(file)["bundle_id"]


class ModelsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.admin = f"unix:{self.folder}/admin.sock"

    def start(self, *flags, bundle=ONE):
        self.server = processes.Server("--admin-listen", self.admin, *flags,
                                       bundle=bundle)
        self.enterContext(self.server)

    def models(self, *arguments, code=0):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.admin, "--json", "models", *arguments],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)
        self.assertEqual(result.returncode, code, result.stderr)
        if code != 0:
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            return result.stderr
        return [json.loads(line) for line in result.stdout.splitlines()]

    def served(self, *flags):
        info = self.server.client("--json", *flags, "info")
        return json.loads(info.stdout)["bundle_id"]

    def wait_until(self, holds):
        deadline = time.monotonic() + processes.HANG_SECONDS
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_load_roll_back_and_unload(self):
        self.start()
        [model] = self.models()
        self.assertEqual((model["name"], model["is_default"]),
                         ("default", True))
        self.assertEqual(self.served(), id_of(ONE))
        [model] = self.models("load", "default", TWO)
        self.assertEqual(model["serving"]["bundle_id"], id_of(TWO))
        self.assertEqual(model["previous_bundle_id"], id_of(ONE))
        self.assertEqual(self.served(), id_of(TWO))
        self.models("rollback", "default")
        self.assertEqual(self.served(), id_of(ONE))
        self.assertEqual(len(self.models("load", "other", TWO)), 2)
        self.assertEqual(self.served("--model", "other"), id_of(TWO))
        self.assertIn("make another one the default first",
                      self.models("unload", "default", code=64 + 9))
        self.models("default", "other")
        self.assertEqual(len(self.models("unload", "default")), 1)
        self.assertEqual(self.served(), id_of(TWO))

    def test_a_removed_node_is_not_counted(self):
        self.start("--accept-updates")
        [model] = self.models()
        before = model["serving"]["nodes"]
        for change, count in (("node", before + 1), ("remove-node", before)):
            changed = self.server.client("update", change, "brand-new")
            self.assertEqual(changed.returncode, 0, changed.stderr)
            [model] = self.models()
            self.assertEqual(model["serving"]["nodes"], count)

    def test_what_is_refused_changes_nothing(self):
        self.start()
        bad = os.path.join(self.folder, "bad")
        shutil.copytree(TWO, bad)
        with open(os.path.join(bad, "embeddings.bin"), "r+b") as file:
            file.seek(100)
            file.write(b"x")
        for arguments, code, words in (
                (("load", "default", bad), 64 + 15, "embeddings.bin"),
                (("load", "default", "/nowhere"), 64 + 5, "/nowhere"),
                (("load", "a b", TWO), 64 + 3, "no name of a model"),
                (("load", "m", TWO, "--canary", "0.5"), 64 + 5, "'m'"),
                (("promote", "default"), 64 + 5, "no candidate"),
                (("rollback", "default"), 64 + 9, "no version before"),
                (("load", "default"), 2, "name a model and the directory"),
                (("unload",), 2, "name a model")):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.models(*arguments, code=code))
                self.assertEqual(self.served(), id_of(ONE))
        self.assertIn('slice_model_loads_total{model="default",'
                      'outcome="failed"} 2', self.server.scrape())

    def test_no_call_fails_and_no_reply_mixes_while_versions_alternate(self):
        self.start()
        rows = processes.toy_rows("test.tsv")[:32]
        links = os.path.join(self.folder, "links")
        with open(links, "w", encoding="utf-8") as file:
            file.writelines("\t".join(row[:3]) + "\n" for row in rows)
        whole = {}
        for bundle in (ONE, TWO):
            self.models("load", "default", bundle)
            whole[self.scores(links)] = bundle
        self.assertEqual(len(whole), 2)
        seen, failures, stop = set(), [], threading.Event()

        def ask():
            while not stop.is_set():
                try:
                    seen.add(whole[self.scores(links)])
                except (KeyError, AssertionError) as error:
                    failures.append(error)
        askers = [threading.Thread(target=ask) for _ in range(2)]
        for asker in askers:
            asker.start()
        for turn in range(8):
            self.models("load", "default", (ONE, TWO)[turn % 2])
        self.wait_until(lambda: len(seen) == 2 or failures)
        stop.set()
        for asker in askers:
            asker.join()
        self.assertEqual(failures, [])

    def scores(self, links):
        result = self.server.client("--retries", "0", "predict", "--links",
                                    links)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_canary_answers_and_a_shadow_is_compared(self):
        self.start()
        source, relation, target = (
            processes.toy_rows("test.tsv")[0][i] for i in (1, 0, 2))
        one = self.server.client("predict", source, relation, target).stdout
        self.models("load", "default", TWO, "--canary", "1")
        canary = self.server.client("predict", source, relation, target).stdout
        self.assertNotEqual(canary, one)
        self.models("unload", "default", "--candidate")
        self.assertEqual(
            self.server.client("predict", source, relation, target).stdout, one)
        [model] = self.models("load", "default", TWO, "--shadow", "1", "--by",
                              "link")
        self.assertEqual(model["trial"],
                         {"kind": "shadow", "by": "link", "share": 1})
        for _ in range(3):
            self.assertEqual(self.server.client(
                "predict", source, relation, target).stdout, one)
        pattern = (r'^slice_shadow_probability_difference_(sum|count)'
                   r'\{model="default"\} (\S+)$')
        self.wait_until(lambda: ("count", "3") in re.findall(
            pattern, self.server.scrape(), re.M))
        total = dict(re.findall(pattern, self.server.scrape(), re.M))["sum"]
        probabilities = [float(self.server_json(source, relation, target,
                                                bundle)) for bundle in
                         (ONE, TWO)]
        self.assertAlmostEqual(
            float(total), 3 * abs(probabilities[0] - probabilities[1]), 3)
        self.models("promote", "default")
        self.assertEqual(self.served(), id_of(TWO))

    def server_json(self, source, relation, target, bundle):
        self.models("load", "compared", bundle)
        result = self.server.client("--json", "--model", "compared", "predict",
                                    source, relation, target)
        return json.loads(result.stdout)["probability"]

    def test_a_watched_link_and_a_changed_configuration(self):
        current = os.path.join(self.folder, "current")
        os.symlink(ONE, current)
        config = os.path.join(self.folder, "c.yaml")

        def write(text):
            with open(config, "w", encoding="utf-8") as file:
                file.write(text)
        write(f"models: {{served: [{{name: m, bundle: {current}, "
              "watch: true}]}\n")
        self.start("--config", config, "--default-model", "m", bundle="")
        self.assertEqual(self.served(), id_of(ONE))
        os.symlink(TWO, current + ".next")
        os.replace(current + ".next", current)
        self.wait_until(lambda: self.served() == id_of(TWO))
        write(f"models: {{served: [{{name: m, bundle: {TWO}}}, "
              f"{{name: n, bundle: {ONE}}}]}}\n")
        reload = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.admin, "reload"], text=True, capture_output=True, check=True)
        self.assertEqual(reload.stdout, "applied\tmodels\n")
        self.assertEqual(self.served("--model", "n"), id_of(ONE))
        write("models: {served: [{name: m, bundel: x}]}\n")
        reload = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server",
             self.admin, "reload"], text=True, capture_output=True, check=False)
        self.assertIn("c.yaml:1:29: a model has no key 'bundel'",
                      reload.stderr)
        self.assertEqual(self.served("--model", "n"), id_of(ONE))


class SignedBundlesTest(unittest.TestCase):

    def test_a_server_with_keys_takes_signed_bundles_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            key, public = (os.path.join(folder, name)
                           for name in ("key.pem", "public.pem"))
            subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519",
                            "-out", key], check=True, capture_output=True)
            subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out",
                            public], check=True, capture_output=True)
            bundle = os.path.join(folder, "bundle")
            shutil.copytree(ONE, bundle)
            with self.assertRaisesRegex(AssertionError, "it is not signed"):
                with processes.Server("--trusted-keys", public, bundle=bundle):
                    pass
            subprocess.run([os.path.join(processes.BIN, "slice-trainer"),
                            "sign", bundle, "--key", key], check=True)
            with processes.Server("--trusted-keys", public,
                                  bundle=bundle) as server:
                self.assertEqual(server.client("info").returncode, 0)


if __name__ == "__main__":
    unittest.main()
