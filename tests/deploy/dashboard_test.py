"""The dashboards are whole: panels do not overlap, all say what they show."""

import json
import re
import unittest

import metric_names


class DashboardTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.dashboards = []
        for path in metric_names.DASHBOARDS:
            with open(path, encoding="utf-8") as file:
                cls.dashboards.append(json.load(file))

    def test_dashboards_can_be_imported_together(self):
        for field in ("uid", "title"):
            values = [dashboard[field] for dashboard in self.dashboards]
            self.assertEqual(len(values), len(set(values)), field)

    def test_panel_ids_and_titles_are_unique(self):
        for dashboard in self.dashboards:
            ids = [panel["id"] for panel in dashboard["panels"]]
            self.assertEqual(len(ids), len(set(ids)))
        # The runbook names panels of all.
        titles = [panel["title"] for dashboard in self.dashboards
                  for panel in dashboard["panels"] if panel["type"] != "row"]
        self.assertEqual(len(titles), len(set(titles)))

    def test_panels_do_not_overlap(self):
        for dashboard in self.dashboards:
            taken = set()
            for panel in dashboard["panels"]:
                at = panel["gridPos"]
                cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                         for y in range(at["y"], at["y"] + at["h"])}
                self.assertFalse(cells & taken, panel["title"])
                self.assertLessEqual(at["x"] + at["w"], 24, panel["title"])
                taken |= cells

    def test_every_panel_says_what_it_shows(self):
        for dashboard in self.dashboards:
            for panel in dashboard["panels"]:
                if panel["type"] != "row":
                    self.assertTrue(panel["description"], panel["title"])

    def test_every_expression_filters_by_instance(self):
        found = metric_names.expressions()
        self.assertGreater(len(found), 30)
        for title, expression in found:
            names = metric_names.METRIC.findall(expression)
            self.assertEqual(expression.count('instance=~"$instance"'),
                             len(names), title)
            # What the rules record is by job.
            self.assertTrue(names or "job:slice_" in expression, title)

    def test_what_is_known_by_model_is_filtered_by_model(self):
        path = metric_names.DASHBOARDS[-1]
        by_model = 0
        for title, expressions in metric_names.panels(path):
            for expression in expressions:
                names = [name for name in
                         metric_names.METRIC.findall(expression) if re.match(
                             "slice_(graph|feed|model|shadow|bundle_info)"
                             "(?!s_)", name)]
                self.assertEqual(expression.count('model=~"$model"'),
                                 len(names), title)
                by_model += len(names)
        self.assertGreater(by_model, 10)

    def test_the_data_source_is_chosen_by_the_user(self):
        for dashboard in self.dashboards:
            for panel in dashboard["panels"]:
                if panel["type"] != "row":
                    self.assertEqual(panel["datasource"]["uid"],
                                     "${datasource}")


if __name__ == "__main__":
    unittest.main()
