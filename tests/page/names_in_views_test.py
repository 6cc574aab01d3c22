"""Names that would be markup, hide or move others, or be long; and a node with
10,000 neighbours."""

import http.client
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import browser  # noqa: E402  (before what it finds)
import processes  # noqa: E402
from browser import address  # noqa: E402

HOSTILE = [
    "<script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "' onmouseover='x' \"&amp;",
    "right \u202eot tfel",
    "ن" * 100,
    "w" * 1024,
    "=HYPERLINK(\"http://evil\")",
    "javascript:alert(1)",
    "//evil.example/x",
]
HUB = "the-hub"
NEIGHBOURS = 10000


class NamesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(processes.Server(
            "--http-listen", "127.0.0.1:0", "--accept-updates",
            "--anonymous-roles", "predict,explore,metrics,update"))
        cls.browser = cls.enterClassContext(browser.Browser())
        cls.other = processes.toy_rows("headline_test.tsv")[0][1]
        changes = [{"upsert_node": {"key": name}} for name in HOSTILE]
        changes += [cls.added(name, cls.other) for name in HOSTILE]
        changes += [{"upsert_node": {"key": HUB}}]
        cls.update(changes)
        nodes = [f"n{i}" for i in range(NEIGHBOURS)]
        cls.update([{"upsert_node": {"key": node}} for node in nodes])
        cls.update([cls.added(HUB, node) for node in nodes])

    @staticmethod
    def added(source, target):
        return {"add_link": {"source": {"key": source}, "relation": "depends",
                             "target": {"key": target}}}

    @classmethod
    def update(cls, changes):
        connection = http.client.HTTPConnection(
            cls.server.http_address, timeout=processes.HANG_SECONDS)
        connection.request("POST", "/v1/graph:update",
                           json.dumps({"changes": changes}),
                           {"Content-Type": "application/json"})
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        if reply.status != 200:
            raise AssertionError(text)

    def open(self, place):
        self.browser.open(f"http://{self.server.http_address}{place}")

    def test_names_are_only_names(self):
        for name in HOSTILE:
            for place in (address("find", node=name), address("find", name=name),
                          address("ask", source=name, relation="depends"),
                          address("why", source=name, relation="depends",
                                  target=self.other),
                          address("what-if", source=name, relation="depends",
                                  target=self.other)):
                with self.subTest(name[:40], place=place[:30]):
                    self.open(place)
                    self.assertNotEqual(self.browser.driver.title, "owned")
                    self.assertEqual(self.browser.complaints(), [])
                    self.assertEqual(self.browser.run(
                        'return document.querySelectorAll("#view script, '
                        '#view img").length'), 0)
                    self.browser.see(390, "light")
                    self.assertEqual(self.browser.overflowing(), [])
                    self.browser.see(1600, "light")

    def test_marks_that_move_text_are_shown(self):
        self.open(address("find", node=HOSTILE[3]))
        self.assertIn("⟨U+202E⟩", self.browser.find("h2").text)

    def test_links_lead_to_the_node_alone(self):
        self.open(address("find", node=self.other))
        targets = self.browser.run(
            'return [...document.querySelectorAll("a.node")].map('
            '(one) => one.getAttribute("href"))')
        self.assertTrue(targets)
        for target in targets:
            self.assertTrue(target.startswith("/find?node="), target)

    def test_ten_thousand_neighbours_come_in_pages(self):
        self.open(address("find", node=HUB))
        self.assertIn("1 to 100 of 10,000", self.browser.text())
        self.browser.link("Next page").click()
        self.browser.wait(
            lambda: "101 to 200 of 10,000" in self.browser.text())
        self.assertEqual(len(self.browser.all(".chips li")), 100)
        self.open(address("why", source=HUB, relation="depends", target="n5"))
        self.assertTrue(self.browser.find(".summary").text)


if __name__ == "__main__":
    unittest.main()
