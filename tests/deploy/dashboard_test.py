"""The dashboard is whole: panels do not overlap, all say what they show."""

import json
import unittest

import metric_names


class DashboardTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with open(metric_names.DASHBOARD, encoding="utf-8") as file:
            cls.dashboard = json.load(file)

    def test_panel_ids_and_titles_are_unique(self):
        panels = self.dashboard["panels"]
        for field in ("id", "title"):
            values = [panel[field] for panel in panels]
            self.assertEqual(len(values), len(set(values)), field)

    def test_panels_do_not_overlap(self):
        taken = set()
        for panel in self.dashboard["panels"]:
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                     for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24, panel["title"])
            taken |= cells

    def test_every_expression_filters_by_instance(self):
        for title, expressions in metric_names.panels():
            self.assertTrue(expressions, title)
            for expression in expressions:
                names = metric_names.METRIC.findall(expression)
                self.assertTrue(names, title)
                self.assertEqual(expression.count('instance=~"$instance"'),
                                 len(names), title)

    def test_the_data_source_is_chosen_by_the_user(self):
        for panel in self.dashboard["panels"]:
            if panel["type"] != "row":
                self.assertEqual(panel["datasource"]["uid"], "${datasource}")


if __name__ == "__main__":
    unittest.main()
