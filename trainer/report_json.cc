#include <nlohmann/json.hpp>

#include "trainer/report.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// NaN becomes null when the JSON is written.
Json ToJson(const BinaryMetrics& metrics) {
  return {{"positives", metrics.positives},
          {"negatives", metrics.negatives},
          {"auroc", metrics.auroc},
          {"average_precision", metrics.average_precision},
          {"threshold", metrics.threshold},
          {"f1", metrics.f1},
          {"accuracy", metrics.accuracy},
          {"precision", metrics.precision},
          {"recall", metrics.recall}};
}

Json ToJson(const RankingMetrics& metrics) {
  return {
      {"targets", metrics.count()},      {"mrr", metrics.MeanReciprocalRank()},
      {"mean_rank", metrics.MeanRank()}, {"hits_at_1", metrics.HitsAt(1)},
      {"hits_at_3", metrics.HitsAt(3)},  {"hits_at_10", metrics.HitsAt(10)}};
}

Json ToJson(const std::vector<NamedCurve>& curves) {
  Json json = Json::array();
  for (const NamedCurve& curve : curves) {
    Json points = Json::array();
    for (const CurvePoint& point : curve.points) {
      points.push_back({point.x, point.y});
    }
    json.push_back({{"name", curve.name}, {"points", std::move(points)}});
  }
  return json;
}

Json ToJson(const SplitHistogram& histogram) {
  return {{"lower", histogram.lower},
          {"upper", histogram.upper},
          {"positives", histogram.positives},
          {"negatives", histogram.negatives}};
}

Json ToJson(const CountHistogram& histogram) {
  return {{"positives", histogram.positives},
          {"negatives", histogram.negatives},
          {"unreachable_positives", histogram.unreachable_positives},
          {"unreachable_negatives", histogram.unreachable_negatives}};
}

Json ToJson(const std::vector<CalibrationBin>& bins) {
  Json json = Json::array();
  for (const CalibrationBin& bin : bins) {
    json.push_back({{"lower", bin.lower},
                    {"upper", bin.upper},
                    {"mean_probability", bin.mean_probability},
                    {"positive_share", bin.positive_share},
                    {"count", bin.count}});
  }
  return json;
}

Json ToJson(const std::vector<ResultTable>& tables) {
  Json json = Json::array();
  for (const ResultTable& table : tables) {
    Json rows = Json::array();
    for (const MethodResult& row : table.rows) {
      rows.push_back({{"method", row.method},
                      {"is_model", row.is_model},
                      {"metrics", ToJson(row.metrics)}});
    }
    json.push_back({{"title", table.title},
                    {"note", table.note},
                    {"rows", std::move(rows)}});
  }
  return json;
}

Json ToJson(const std::vector<RankingTable>& tables) {
  Json json = Json::array();
  for (const RankingTable& table : tables) {
    Json rows = Json::array();
    for (const RankingRow& row : table.rows) {
      rows.push_back({{"method", row.method},
                      {"is_model", row.is_model},
                      {"metrics", ToJson(row.metrics)}});
    }
    json.push_back({{"title", table.title},
                    {"note", table.note},
                    {"rows", std::move(rows)}});
  }
  return json;
}

}  // namespace

Json ReportToJson(const TrainingReport& report) {
  Json json = {{"title", report.title},
               {"created", report.created},
               {"bundle_id", report.bundle_id},
               {"seed", report.seed},
               {"facts", Json::object()},
               {"notes", report.notes},
               {"overall", ToJson(report.overall)},
               {"results", ToJson(report.results)},
               {"roc", ToJson(report.roc)},
               {"precision_recall", ToJson(report.precision_recall)},
               {"calibration",
                {{"temperature", report.temperature},
                 {"log_loss", report.log_loss},
                 {"brier", report.brier},
                 {"expected_error", report.calibration_error},
                 {"bins", ToJson(report.calibration)}}},
               {"relations", Json::object()},
               {"losses", ToJson(report.losses)},
               {"steps", Json::array()},
               {"rankings", ToJson(report.rankings)}};
  for (const auto& [name, value] : report.facts) json["facts"][name] = value;
  for (const RelationResult& row : report.relations) {
    json["relations"][row.relation] = ToJson(row.metrics);
  }
  for (const StepTime& step : report.steps) {
    json["steps"].push_back({{"step", step.step}, {"seconds", step.seconds}});
  }
  if (report.scores) json["scores"] = ToJson(*report.scores);
  if (report.structural_scores) {
    json["structural_scores"] = ToJson(*report.structural_scores);
  }
  if (report.context_sizes) {
    json["context_sizes"] = ToJson(*report.context_sizes);
  }
  if (report.distances) json["distances"] = ToJson(*report.distances);
  if (report.pretraining) {
    json["pretraining"] = {
        {"auroc_with", report.pretraining->auroc_with},
        {"auroc_without", report.pretraining->auroc_without}};
  }
  return json;
}

}  // namespace slice
