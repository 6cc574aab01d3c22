"""Every view, as a person uses it."""

import json
import os
import shlex
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
        # Those are not all links of the node.
        self.assertNotIn("links", self.browser.find("dl.facts").text)

    def test_find_counts_links_and_not_neighbours(self):
        source = self.link["source"]
        lines = self.server.client("neighbors", source, "--limit", "0")
        links = len(lines.stdout.splitlines())
        self.open(address("find", node=source))
        self.assertIn(f"links\n{links}", self.browser.find("dl.facts").text)
        self.assertIn(f"of {links} links", self.browser.find(".pages").text)

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

    def test_ask_says_what_to_know_of_the_nodes(self):
        with self.browser.answers_changed(
                "if (Array.isArray(answer)) answer.forEach((one, i) => "
                "one.recommendation.flags.notes = i < 2 ? "
                '["the source is new", "cold"] : ["the source is new"])'):
            self.open(address("ask", source=self.link["source"],
                              relation="tagged"))
        self.assertEqual(self.browser.find("#view .notes").text,
                         "the source is new\nRanks 1 to 2: cold")

    def test_ask_claims_no_network_that_the_model_may_lack(self):
        self.open(address("ask", source=self.link["source"],
                          relation="tagged"))
        self.assertIn("need not fall from row to row", self.browser.text())
        self.assertNotIn("network", self.browser.text())

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

    def test_why_says_that_attention_has_no_part_in_the_ends(self):
        with self.browser.answers_changed('question.scorer = "ends"'):
            self.open(address("why", **self.link))
        text = self.browser.text()
        self.assertIn("The scorer “ends” answered", text)
        self.assertIn("Attention adds nothing to this score", text)
        self.assertIn("Attention has no part in this score", text)
        self.assertIn("they have no part in this score", text)
        self.assertNotIn("context (attention)", text)
        labels = [one.text for one in self.browser.all("tbody th")]
        self.assertIn("what the ends are", labels)

    def test_why_explains_bold_items_only_where_there_are_some(self):
        named = "The sentence names what is bold"
        self.open(address("why", **self.link))
        self.assertIn(named, self.browser.text())
        with self.browser.answers_changed(
                "for (const one of answer.results ?? []) "
                "for (const item of one.explanation.evidence) "
                "item.named = false"):
            self.open(address("why", **self.link))
        self.assertIn("Each row was removed", self.browser.text())
        self.assertNotIn(named, self.browser.text())

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
        # The rest of the question can still be given.
        self.assertEqual(box.get_attribute("value"), key)
        self.assertEqual(self.place(), "/ask")
        box.send_keys("\ue007")
        self.browser.wait(lambda: f"source={key}" in self.place())

    def test_the_arrows_begin_at_the_ends_of_the_suggestions(self):
        for key, end in (("\ue015", 0), ("\ue013", -1)):  # down, up
            self.open(address("ask"))
            self.type("source", self.link["source"][:3])
            options = self.browser.wait(
                lambda: self.browser.all("[role=option]"))
            self.assertGreater(len(options), 2)
            self.browser.find("#source").send_keys(key)
            self.assertEqual(self.browser.find("[aria-selected=true]"),
                             options[end])

    def test_a_choice_ends_with_the_text_that_it_was_made_for(self):
        self.open(address("ask"))
        self.type("source", self.link["source"][:3])
        self.browser.wait(lambda: self.browser.all("[role=option]"))
        box = self.browser.find("#source")
        box.send_keys("\ue015")
        self.assertEqual(box.get_attribute("aria-activedescendant"),
                         "source-0")
        # Both at once, so that no new suggestions come between.
        box.send_keys("zz\ue007")
        self.browser.wait(lambda: "source=" in self.place())
        self.assertIn(f"source={self.link['source'][:3]}zz&", self.place())
        self.assertIsNone(self.browser.find("#source").get_attribute(
            "aria-activedescendant"))

    def test_new_suggestions_have_no_choice(self):
        self.open(address("ask"))
        self.type("source", self.link["source"][:3])
        self.browser.wait(lambda: self.browser.all("[role=option]"))
        box = self.browser.find("#source")
        box.send_keys("\ue015" + self.link["source"][3])
        self.assertIsNone(box.get_attribute("aria-activedescendant"))
        self.assertEqual(self.browser.all("[aria-selected=true]"), [])

    def test_what_if_strikes_a_link_of_a_suggestion(self):
        self.open(address("what-if", **self.link))
        next(one for one in self.browser.all("details.card summary")
             if one.text == "Strike or add another link").click()
        self.type("to", self.link["target"])
        self.type("from", self.link["source"])
        self.browser.wait(lambda: self.browser.all("#from-list li"))[0].click()
        self.assertNotIn("add=", self.place())
        self.browser.find("#strike").click()
        self.browser.wait(lambda: "remove=" in self.place())
        self.assertNotIn("add=", self.place())

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

    def test_the_commands_ask_the_same_question(self):
        relation, source, _ = processes.toy_rows("train.tsv")[-1]
        model = json.loads(self.server.client("info", "--json").stdout)["model"]
        self.open(address("ask", source=source, relation=relation, k=4,
                          existing="yes", type="tag", model=model))
        names = [row.find_elements("css selector", "td")[1].text
                 for row in self.browser.all("tbody tr")]
        command = self.browser.run(
            'return document.querySelector("pre").textContent')
        words = shlex.split(command)
        self.assertEqual(words[:2], ["slice-client", "--server"])
        self.assertEqual(words[3:5], ["--model", model])
        done = self.server.client(*words[3:], "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(names, [
            one["node"]["name"]
            for one in json.loads(done.stdout)["recommendations"]])

    def test_the_commands_name_a_unix_socket(self):
        self.open(address("why", **self.link))
        self.browser.run("document.querySelector('meta[name=grpc-port]')"
                         ".content = '/run/s.sock'")
        self.browser.find("nav a[href^='/ask']").click()
        self.browser.settle()
        self.assertIn(
            "slice-client --server unix:/run/s.sock explain",
            self.browser.run(
                'return document.querySelector("pre").textContent'))

    def test_the_model_view_shows_a_calibration_of_all_relations(self):
        with self.browser.answers_changed(
                "if (answer.relation_calibrations) Object.assign(answer, {"
                "relation_calibrations: [], decision_threshold: 0.375, "
                "base_rate: 0.5, temperature: 1.25})"):
            self.open(address("model"))
        cells = [one.text for one in self.browser.all(
            ".table-card tbody tr:first-child td")]
        self.assertEqual(cells[4:], ["37.5 %", "50.0 %", "1.250", "–"])

    def test_the_model_view_tells_the_sets_of_negatives_apart(self):
        self.open(address("model"))
        names = [one.text for one in self.browser.all("tbody th")]
        for name in ("type-matched negatives", "degree-matched negatives",
                     "non-links of the file, typed"):
            self.assertIn(f"AUROC, {name} (test)", names)

    def test_the_model_view_says_what_a_context_holds(self):
        for strategy, holds in (
                ("paths", "at most 12 types of paths, and the two ends"),
                ("shortest", "at most 12 nodes")):
            with self.browser.answers_changed(
                    "if (answer.context_strategy) Object.assign(answer, {"
                    f'context_strategy: "{strategy}", max_context_nodes: 12}})'):
                self.open(address("model"))
            self.assertIn(f"context\n{strategy}, {holds}",
                          self.browser.find("dl.facts").text)

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

    def test_the_skip_link_moves_the_focus_alone(self):
        self.open(address("why", **self.link))
        self.browser.run('document.querySelector(".summary").id = "shown"')
        self.browser.find(".skip").send_keys("\ue007")
        self.assertEqual(self.browser.run("return document.activeElement.id"),
                         "view")
        self.browser.settle()
        self.assertTrue(self.browser.find("#shown").text)

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
