"""What a person sees when something fails: each state says what is wrong and
what to do."""

import hashlib
import json
import os
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import browser  # noqa: E402  (before what it finds)
import processes  # noqa: E402
from browser import address  # noqa: E402

TOKEN = "a-token-of-a-test-with-enough-characters"


class TroublesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(browser.Browser())
        relation, source, target, _ = processes.toy_rows("headline_test.tsv")[0]
        cls.link = {"source": source, "relation": relation, "target": target}

    def setUp(self):
        self.addCleanup(self.browser.complaints)  # errors are asked for here

    def serve(self, *flags):
        return self.enterContext(processes.Server(
            "--http-listen", "127.0.0.1:0", *flags))

    def open(self, server, place):
        self.browser.open(f"http://{server.http_address}{place}")

    def trouble(self, title):
        card = self.browser.wait(lambda: self.browser.find(".trouble"))
        self.assertEqual(card.find_element("css selector", "h2").text, title)
        self.assertEqual(card.get_attribute("role"), "alert")
        for width, scheme in browser.SIGHTS:
            self.browser.see(width, scheme)
            self.assertEqual(self.browser.overflowing(), [])
            self.assertEqual(self.browser.barriers(), [])
        return card.text

    def test_an_unknown_name_comes_with_similar_ones(self):
        server = self.serve()
        source = self.link["source"]
        for view in ("ask", "why", "what-if"):
            self.open(server, address(view, **{**self.link,
                                               "source": source + "x"}))
            self.assertIn(source, self.trouble("There is no such name"))
        self.open(server, address("find", node=source + "x"))
        self.assertIn(source, self.trouble("There is no such name"))
        self.browser.driver.find_element("link text", source).click()
        self.browser.wait(lambda: self.browser.find("h2").text == source)

    def test_an_unknown_name_of_a_change(self):
        source, target = self.link["source"], self.link["target"]
        wrong = json.dumps([source + "x", self.link["relation"], target])
        self.open(self.serve(), address(
            "what-if", **self.link, add=wrong))
        self.assertIn("the source of change 1: no node",
                      self.trouble("There is no such name"))
        self.assertIn(source + "x", self.browser.find("ol.changes").text)
        self.browser.driver.find_element("link text", source).click()
        self.browser.wait(lambda: self.browser.all(".sides h2"))

    def test_an_unknown_relation(self):
        self.open(self.serve(), address(
            "why", **{**self.link, "relation": "taged"}))
        self.assertIn("tagged", self.trouble("There is no such name"))

    def test_a_server_that_is_gone(self):
        server = self.serve()
        self.open(server, "/")
        server.stop()
        self.browser.find("nav a[href^='/model']").click()
        self.assertIn("Try again", self.trouble("The server does not answer"))

    def test_an_answer_that_does_not_come(self):
        server = self.serve()
        self.open(server, "/")
        server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(server.process.send_signal, signal.SIGCONT)
        self.browser.find("nav a[href^='/find']").click()
        self.assertIn("Try again", self.trouble("The answer took too long"))

    def serve_known(self, anonymous, **roles_of_tokens):
        """Serves those whose tokens end in the names given here."""
        folder = self.enterContext(tempfile.TemporaryDirectory())
        config = os.path.join(folder, "config.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"identities:\n  anonymous-roles: {anonymous}\n"
                       "  known:\n")
            for name, roles in roles_of_tokens.items():
                digest = hashlib.sha256((TOKEN + name).encode()).hexdigest()
                file.write(f"    - {{name: {name}, token-sha256: {digest},\n"
                           f"       roles: [{roles}]}}\n")
        return self.serve("--config", config)

    def give(self, name):
        """The token of `name`, by the form."""
        self.browser.wait(lambda: self.browser.find("#token")).send_keys(
            TOKEN + name + "\ue007")

    def test_a_token_is_asked_for_and_used(self):
        server = self.serve_known("none", reader="predict, explore",
                                  all="predict, explore, metrics")
        self.open(server, address("why", **self.link))
        self.trouble("The server wants to know who asks")
        self.give("reader")
        self.browser.wait(lambda: self.browser.all(".summary"))
        # Without the role metrics, the model view says so.
        self.browser.find("nav a[href^='/model']").click()
        self.trouble("You may not ask this")
        self.assertEqual(self.browser.run("return document.cookie"), "")
        # Another token may have it.
        self.give("all")
        self.browser.wait(lambda: self.browser.all(".charts"))

    def test_a_token_that_no_header_takes_is_refused(self):
        server = self.serve_known("none", reader="predict, explore")
        self.open(server, address("why", **self.link))
        for text in ("tökén", "a token"):
            box = self.browser.find("#token")
            box.clear()
            box.send_keys(text + "\ue007")
            self.assertIn("A token has only", self.trouble(
                "The server wants to know who asks"))
        self.browser.find("#token").clear()
        self.give("reader")
        self.browser.wait(lambda: self.browser.all(".summary"))

    def test_the_live_part_asks_for_a_token_of_its_own(self):
        server = self.serve_known("predict,explore",
                                  watch="metrics, predict, explore")
        self.open(server, "/model")
        self.trouble("The server wants to know who asks")
        self.assertIn("AUROC", self.browser.text())
        self.give("watch")
        self.browser.wait(lambda: self.browser.all(".charts"))

    def test_the_model_view_asks_for_a_token_once(self):
        self.open(self.serve_known("none", reader="predict"), "/model")
        self.trouble("The server wants to know who asks")
        self.assertEqual(len(self.browser.all(".trouble")), 1)

    def test_the_card_of_a_server_that_is_gone_stays(self):
        server = self.serve()
        self.open(server, "/model")
        self.browser.wait(lambda: self.browser.all(".charts"))
        self.browser.run("""const real = window.fetch;
            window.calls = 0;
            window.fetch = (...call) => (window.calls += 1, real(...call))""")
        server.stop()
        card = self.browser.wait(lambda: self.browser.find(".trouble"))
        calls = self.browser.run("return window.calls")
        self.browser.wait(
            lambda: self.browser.run("return window.calls") >= calls + 3)
        self.assertEqual(self.browser.all(".trouble"), [card])


if __name__ == "__main__":
    unittest.main()
