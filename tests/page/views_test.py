"""Every view, as a person uses it."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import browser  # noqa: E402  (before what it finds)
import processes  # noqa: E402
from browser import address  # noqa: E402


def toy_link():
    relation, source, target, _ = next(
        row for row in processes.toy_rows("headline_test.tsv") if row[3] == "1")
    return {"source": source, "relation": relation, "target": target}


class ViewsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(processes.Server(
            "--http-listen", "127.0.0.1:0"))
        cls.browser = cls.enterClassContext(browser.Browser())
        cls.link = toy_link()

    def setUp(self):
        self.browser.see(1600, "light")

    def open(self, place):
        self.browser.open(f"http://{self.server.http_address}{place}")

    def place(self):
        """The address that the browser shows, without the server."""
        return self.browser.run("return location.pathname + location.search")

    def type(self, field, text):
        box = self.browser.find(f"#{field}")
        box.clear()
        box.send_keys(text)

    def test_every_view_on_every_screen(self):
        source = self.link["source"]
        removed = json.dumps([source, "depends", "x"])
        places = [
            "/", address("find", name="lib"), address("find", node=source),
            address("ask"), address("ask", source=source, relation="tagged"),
            address("ask", **self.link), address("why"),
            address("why", **self.link), address("what-if", **self.link),
            address("what-if", **self.link, add=removed), address("model")]
        for place in places:
            self.open(place)
            for width, scheme in browser.SIGHTS:
                with self.subTest(place, width=width, scheme=scheme):
                    self.browser.see(width, scheme)
                    self.assertEqual(self.browser.overflowing(), [])
                    self.assertEqual(self.browser.barriers(), [])
        self.assertEqual(
            [one for one in self.browser.complaints() if "404" not in one], [])

    def test_find_leads_from_a_name_to_a_node_to_a_reason(self):
        self.open("/")
        source = self.link["source"]
        self.type("name", source[:-1])
        option = self.browser.wait(lambda: next(
            (one for one in self.browser.all("[role=option]")
             if one.get_attribute("data-key") == source), None))
        option.click()
        self.browser.settle()
        self.assertEqual(self.browser.find("h2").text, source)
        summaries = [one for one in self.browser.all("details summary")
                     if one.text == "−tagged→"]
        summaries[0].click()
        why = self.browser.wait(lambda: self.browser.all("details ol li a"))[-1]
        why.click()
        self.browser.settle()
        self.assertTrue(self.place().startswith("/why?source=" + source))
        self.assertTrue(self.browser.find(".summary").text)

    def test_neighbours_can_be_filtered(self):
        source = self.link["source"]
        self.open(address("find", node=source))
        self.browser.run("""document.getElementById("by").value = "depends";
            document.getElementById("by").form.requestSubmit()""")
        self.browser.wait(lambda: "by=depends" in self.place())
        self.browser.settle()
        shown = {one.text for one in self.browser.all(".group h3")}
        self.assertTrue(shown)
        self.assertLessEqual(shown, {"−depends→", "←depends−"})

    def test_ask_ranks_what_the_server_ranks(self):
        source = self.link["source"]
        self.open(address("ask", source=source, relation="tagged"))
        names = [row.find_elements("css selector", "td")[1].text
                 for row in self.browser.all("tbody tr")]
        lines = self.server.client(
            "recommend", "--source", source, "--relation", "tagged", "--json")
        expected = [one["node"]["name"] for one in
                    json.loads(lines.stdout)["recommendations"]]
        self.assertEqual(names, expected)

    def test_a_table_sorts_by_its_columns(self):
        self.open(address("ask", source=self.link["source"],
                          relation="tagged"))
        sort = next(one for one in self.browser.all("button.sort")
                    if one.text.startswith("node"))

        def names():
            return [row.find_elements("css selector", "td")[1].text
                    for row in self.browser.all("tbody tr")]

        ranked = names()
        sort.click()
        self.assertEqual(names(), sorted(ranked))
        sort.click()
        self.assertEqual(names(), sorted(ranked, reverse=True))
        head = self.browser.find("th[aria-sort]")
        self.assertEqual(head.get_attribute("aria-sort"), "descending")

    def test_why_shows_what_the_server_says(self):
        self.open(address("why", **self.link))
        line = self.server.client("explain", "--json", *(
            self.link[part] for part in ("source", "relation", "target")))
        explained = json.loads(line.stdout)
        self.assertIn(explained["explanation"]["summary"],
                      self.browser.find(".summary").text)
        # What has no part in the score is folded away.
        self.browser.run(
            'document.querySelectorAll("details").forEach(d => d.open = true)')
        text = self.browser.text()
        for part in ("structure", "context (attention)", "Attention matrices",
                     "Layer 1, head 1", "Pair features",
                     "How the representations move", "the two ends"):
            self.assertIn(part, text)
        for evidence in explained["explanation"]["evidence"][:5]:
            self.assertIn(evidence["description"], text)
        dots = self.browser.all(".network .dot")
        self.assertGreaterEqual(len(dots), 2)

    def test_the_drawing_can_be_read_by_keyboard(self):
        self.open(address("why", **self.link))
        self.browser.run('document.querySelector(".network .link").focus()')
        self.assertIn("attention", self.browser.find(".details").text)
        node = self.browser.find(".network .dot")
        self.browser.run("arguments[0].focus()", node)
        node.send_keys("\ue007")  # Enter
        self.browser.wait(lambda: self.place().startswith("/find?node="))

    def test_a_field_is_filled_by_keyboard(self):
        self.open(address("ask"))
        self.type("source", self.link["source"][:3])
        self.browser.wait(lambda: self.browser.all("[role=option]"))
        box = self.browser.find("#source")
        box.send_keys("\ue015")  # down
        key = self.browser.find("[aria-selected=true]").get_attribute("data-key")
        box.send_keys("\ue007")
        self.browser.wait(lambda: f"source={key}" in self.place())

    def test_what_if_says_what_of_its_address_is_no_link(self):
        self.open(address("what-if", **self.link, remove="libssl",
                          add='["a","b"]'))
        note = self.browser.find("#view .notes").text
        self.assertIn('add=["a","b"], remove=libssl', note)

    def test_what_if_strikes_a_link_of_the_context(self):
        self.open(address("what-if", **self.link))
        self.browser.link("strike").click()
        self.browser.wait(lambda: "remove=" in self.place())
        self.browser.settle()
        self.assertIn("The logit changes by", self.browser.text())
        self.assertEqual(
            [one.text for one in self.browser.all(".sides h2")],
            ["As the graph is", "As if it were changed"])
        self.browser.link("take back").click()
        self.browser.wait(lambda: "remove=" not in self.place())

    def test_what_if_adds_a_link(self):
        self.open(address("what-if", **self.link))
        next(one for one in self.browser.all("details.card summary")
             if one.text == "Strike or add another link").click()
        self.type("from", self.link["source"])
        self.type("to", self.link["source"])
        self.browser.find("#add").click()
        self.browser.wait(lambda: "add=" in self.place())
        self.browser.settle()
        self.assertIn("with ", self.browser.find(".changes").text)

    def test_the_commands_of_other_clients_work(self):
        self.open(address("why", **self.link))
        shown = self.browser.run(
            'return [...document.querySelectorAll("pre")].map('
            "(one) => one.textContent)")
        self.assertEqual(len(shown), 3)
        self.assertIn(self.server.address.split(":")[1], shown[0])
        words = shown[0].split()
        done = self.server.client(*words[3:])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_model_view_lives(self):
        self.open(address("model"))
        self.assertIn("AUROC", self.browser.text())

        def scored():
            texts = [one.text for one in self.browser.all(".charts .legend")]
            return any("links scored per second: " in text and
                       not text.endswith(": 0") and not text.endswith("none")
                       for text in texts)

        def ask():
            self.server.client("predict", *(
                self.link[part] for part in ("source", "relation", "target")))
            return scored()

        self.browser.wait(ask)
        self.assertEqual(self.browser.complaints(), [])

    def test_the_report_of_the_training_is_there(self):
        self.open(address("model"))
        self.browser.link("report").click()
        self.browser.wait(lambda: self.place() == "/report")
        self.assertIn("AUROC", self.browser.find("body").text)
        # Its styles are within it, and are let through.
        self.assertNotEqual(self.browser.run(
            "return getComputedStyle(document.body).maxWidth"), "none")

    def test_the_buttons_of_the_browser_work(self):
        self.open(address("why", **self.link))
        self.browser.find("nav a[href^='/model']").click()
        self.browser.settle()
        self.assertEqual(self.browser.driver.title, "Model · slice")
        self.browser.driver.back()
        self.browser.wait(lambda: self.browser.driver.title == "Why · slice")
        self.browser.settle()
        self.assertTrue(self.browser.find(".summary").text)


if __name__ == "__main__":
    unittest.main()
