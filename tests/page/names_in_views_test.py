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
QUOTED = "rock 'n' roll"
# A name that says nothing about the key, and one of more nodes than a page of
# names holds.
KEY, NAME = "id-77", "Zeppelin"
TWINS, TWIN = 51, "a-twin"
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
        changes += [{"upsert_node": {"key": key}} for key in (HUB, QUOTED)]
        changes += [{"upsert_node": {"key": KEY, "name": NAME}}]
        changes += [{"upsert_node": {"key": f"t{i}", "name": TWIN}}
                    for i in range(TWINS)]
        cls.update(changes)
        nodes = [f"n{i}" for i in range(NEIGHBOURS)]
        cls.update([{"upsert_node": {"key": node}} for node in nodes])
        cls.update([cls.added(HUB, node) for node in nodes])

    def setUp(self):
        self.addCleanup(self.browser.complaints)  # of names that are not there

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

    def test_a_suggestion_leads_to_its_node(self):
        self.open(address("find"))
        self.browser.find("#name").send_keys(NAME[:4])
        self.browser.wait(lambda: self.browser.all("[role=option]"))
        self.browser.find("#name").send_keys("\ue015\ue007")  # down, Enter
        self.browser.wait(lambda: self.browser.find("h2").text == NAME)
        self.assertIn(f"/find?node={KEY}", self.browser.driver.current_url)

    def test_a_similar_name_leads_to_all_nodes_with_it(self):
        self.open(address("find"))
        self.browser.find("#name").send_keys(TWIN + "x")
        self.browser.wait(lambda: self.browser.find(f"[data-key='{TWIN}']"))
        self.browser.find("#name").send_keys("\ue015\ue007")  # down, Enter
        self.browser.wait(lambda: self.browser.all(".matches li"))
        self.browser.settle()
        self.assertEqual(len(self.browser.all(".matches li")), TWINS - 1)

        # The same from the list below a search that found nothing.
        self.open(address("find", name=TWIN + "x"))
        self.browser.link(TWIN).click()
        self.browser.wait(
            lambda: len(self.browser.all(".matches li")) == TWINS - 1)
        self.assertEqual(self.browser.all(".trouble"), [])

    def test_a_node_is_found_by_its_key(self):
        self.open(address("find", name=KEY))
        self.assertEqual(self.browser.find("h2").text, NAME)
        self.assertNotIn("No name begins", self.browser.text())
        self.open(address("find", name=KEY + "-not"))
        self.assertIn("No name begins", self.browser.text())

    def test_a_name_of_many_nodes_comes_in_pages(self):
        self.open(address("find", name=TWIN))
        self.assertEqual(len(self.browser.all(".matches li")), TWINS - 1)
        self.browser.link("Next names").click()
        self.browser.wait(lambda: "page=" in self.browser.driver.current_url)
        self.browser.settle()
        self.assertEqual(len(self.browser.all(".matches li")), 1)
        self.assertEqual(self.browser.all(".trouble"), [])

    def test_a_name_with_apostrophes_is_suggested_whole(self):
        self.open(address("find", node=QUOTED + "s'"))
        self.browser.driver.find_element("link text", QUOTED).click()
        self.browser.wait(lambda: self.browser.find("h2").text == QUOTED)

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
