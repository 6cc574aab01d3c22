// A report for tests of what is made of reports.
#ifndef SLICE_TESTS_TRAINER_REPORT_FULL_REPORT_H_
#define SLICE_TESTS_TRAINER_REPORT_FULL_REPORT_H_

#include <vector>

#include "trainer/report/report.h"

namespace slice {

inline BinaryMetrics MetricsWithAuroc(double auroc) {
  BinaryMetrics metrics;
  metrics.positives = 1200;
  metrics.negatives = 1300;
  metrics.auroc = auroc;
  metrics.average_precision = 0.95;
  metrics.threshold = 0.4;
  metrics.f1 = 0.9125;
  metrics.accuracy = 0.9;
  return metrics;
}

inline RankingFigures FiguresOfRanks(std::vector<double> ranks) {
  RankingMetrics metrics;
  for (const double rank : ranks) metrics.Add(rank);
  return MakeRankingFigures(metrics, 20);
}

// A report with something in every part.
inline TrainingReport FullReport() {
  TrainingReport report;
  report.title = "slice on toys";
  report.created = "2024-01-02T03:04:05Z";
  report.bundle_id = "abc123";
  report.seed = 17;
  report.facts = {{"nodes", "10,099"}};
  report.notes = {"a remark"};
  report.results = {
      {"published",
       "Published negatives",
       "as in the file",
       {{"context", "slice, context", MetricsWithAuroc(0.98765), true},
        {"structural", "slice, structural", MetricsWithAuroc(0.97), true},
        {"adamic_adar", "Adamic-Adar", MetricsWithAuroc(0.75), false}}},
      {"typed",
       "Type-matched negatives",
       "",
       {{"context", "slice, context", MetricsWithAuroc(0.91), true}}}};
  report.roc = {{"slice", {{0, 0}, {0.1, 0.9}, {1, 1}}}};
  report.precision_recall = {{"slice", {{0.1, 1}, {1, 0.5}}}};
  CalibrationFigures figures;
  figures.temperature = 1.25;
  figures.offset = -0.5;
  figures.threshold = 0.4;
  figures.fitted_rows = 300;
  figures.rows = 120;
  figures.log_loss = 0.3;
  figures.brier = 0.1;
  figures.expected_error = 0.02;
  figures.chance_error = 0.015;
  figures.bins = {{0, 0.5, 0.2, 0.25, 8}, {0.5, 1, 0.8, 0.75, 4}};
  report.calibrations = {{"plausible",
                          "plausible among all pairs",
                          figures,
                          {{"likes", figures}},
                          0.02,
                          0.015}};
  report.impossible = {{"self", "Self pairs", "One node twice.", 1000, 12},
                       {"off_schema", "Off-schema pairs", "Wrong.", 900, 0}};
  report.distributions = {
      {"Static: node2vec", "cosine", 0.25, {-2, 2, {2, 8}, {7, 3}}}};
  report.context_sizes = CountHistogram{{0, 0, 3, 5}, {0, 0, 4}, 0, 0};
  report.distances = CountHistogram{{0, 2}, {0, 0, 6}, 1, 7};
  report.groups = {{"relation",
                    "Per relation",
                    {{"likes", MetricsWithAuroc(0.5), MetricsWithAuroc(0.4),
                      MetricsWithAuroc(0.3)},
                     {"rare", MetricsWithAuroc(kNotMeasured),
                      MetricsWithAuroc(0.4), MetricsWithAuroc(0.3)}}},
                   {"degree",
                    "By degree",
                    {{"4-7", MetricsWithAuroc(0.61), MetricsWithAuroc(0.62),
                      MetricsWithAuroc(0.63)}}}};
  report.metapaths = {{"likes", 10, 5, {{"user - item", 4, 1, 0.8125}}}};
  report.fidelity = {400,          12,           18.5,        2.5,
                     {0.41, 0.02}, {0.05, 0.21}, {0.03, 0.25}};
  report.examples = {
      {"a -likes-> b",
       "a link",
       {{{"node a", "user"}, {"node b", "item"}}, {{0, 1, "likes", 0.5}}},
       {"node a", "node b"},
       {{0, 1, 0.5, 0.5}}}};
  report.pretraining = PretrainingEffect{0.99, 0.97};
  report.losses = {{"training", {{1, 0.7}, {2, 0.5}}}};
  report.steps = {{"node2vec", 12.5, 512}, {"fine-tuning", 200, 1024}};
  report.rankings = {{"held-out tags",
                      "filtered",
                      {{"context", "slice", FiguresOfRanks({1, 4}), true}}}};
  return report;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_REPORT_FULL_REPORT_H_
