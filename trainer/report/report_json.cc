// A report as JSON. Every member of TrainingReport stands under its own name.
// Beside these are the shortcuts that docs/evaluation.md describes; reading
// ignores them. A measure that does not exist is null, and reading turns null
// into NaN again.
//
// nlohmann's macros write both directions for the plain structs; a member that
// is missing keeps its default, so older reports can be read.
#include "trainer/report/report_json.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Replaces every null by NaN, which is all that null stands for.
void RestoreUndefined(Json& json) {
  if (json.is_null()) {
    json = kNotMeasured;
  } else if (json.is_structured()) {
    for (Json& part : json) RestoreUndefined(part);
  }
}

}  // namespace

// Argument-dependent look-up must find these, so they are outside the anonymous
// namespace.
#define SLICE_JSON(Type, ...) \
  NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Type, __VA_ARGS__)
SLICE_JSON(NamedValue, name, value)
SLICE_JSON(BinaryMetrics, positives, negatives, auroc, average_precision,
           threshold, f1, accuracy, precision, recall)
SLICE_JSON(MethodResult, key, method, metrics, is_model)
SLICE_JSON(ResultTable, key, title, note, rows)
SLICE_JSON(SplitHistogram, lower, upper, positives, negatives)
SLICE_JSON(ScoreDistribution, title, x_label, overlap, histogram)
SLICE_JSON(CountHistogram, positives, negatives, unreachable_positives,
           unreachable_negatives)
SLICE_JSON(RankingFigures, targets, mrr, mean_rank, hits_1, hits_3, hits_10,
           mrr_error, hits_1_error, hits_3_error, hits_10_error,
           over_structural, over_structural_error)
SLICE_JSON(RankingRow, key, method, figures, is_model)
SLICE_JSON(RankingTable, title, note, rows, milliseconds)
SLICE_JSON(GroupResult, name, published, typed, structural)
SLICE_JSON(GroupTable, key, title, rows)
SLICE_JSON(CalibrationBin, lower, upper, mean_probability, positive_share,
           count)
SLICE_JSON(CalibrationFigures, temperature, offset, threshold, base_rate,
           fitted_rows, rows, log_loss, brier, expected_error, chance_error,
           bins)
SLICE_JSON(ImpossibleLinks, key, title, note, pairs, called)
SLICE_JSON(MetapathRow, metapath, links, non_links, mean_probability)
SLICE_JSON(MetapathTable, relation, links, non_links, rows)
SLICE_JSON(FidelityChange, without, only)
SLICE_JSON(FidelityResult, links, without_reason, items, explained, named,
           random, attention)
SLICE_JSON(NetworkNode, name, kind)
SLICE_JSON(NetworkLink, source, target, name, weight)
SLICE_JSON(Network, nodes, links)
SLICE_JSON(LinkExample, title, remark, network, tokens, layers)
SLICE_JSON(PretrainingEffect, auroc_with, auroc_without)
SLICE_JSON(StepTime, step, seconds, peak_mib)
#undef SLICE_JSON

// A point is a pair of numbers rather than an object, since curves are long.
void to_json(Json& json, const CurvePoint& point) {
  json = Json::array({point.x, point.y});
}
void from_json(const Json& json, CurvePoint& point) {
  point = {json.at(0).get<double>(), json.at(1).get<double>()};
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(NamedCurve, name, points)

// The figures of a calibration stand beside its other fields.
void to_json(Json& json, const RelationCalibration& calibration) {
  json = calibration.figures;
  json["relation"] = calibration.relation;
}
void from_json(const Json& json, RelationCalibration& calibration) {
  json.get_to(calibration.figures);
  json.at("relation").get_to(calibration.relation);
}
void to_json(Json& json, const QuestionCalibration& calibration) {
  json = calibration.figures;
  json["key"] = calibration.key;
  json["title"] = calibration.title;
  json["relations"] = calibration.relations;
  json["median_relation_error"] = calibration.median_relation_error;
  json["median_relation_chance"] = calibration.median_relation_chance;
}
void from_json(const Json& json, QuestionCalibration& calibration) {
  json.get_to(calibration.figures);
  json.at("key").get_to(calibration.key);
  json.at("title").get_to(calibration.title);
  if (!json.contains("relations")) return;  // of an older slice
  json.at("relations").get_to(calibration.relations);
  json.at("median_relation_error").get_to(calibration.median_relation_error);
  json.at("median_relation_chance").get_to(calibration.median_relation_chance);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(
    TrainingReport, title, created, bundle_id, seed, leaky, facts, labels,
    notes, results, one_threshold, rankings, roc, precision_recall,
    calibrations, impossible, distributions, context_sizes, distances, groups,
    metapaths, fidelity, examples, pretraining, losses, steps)

namespace {

void AddResultShortcuts(const TrainingReport& report, Json& json) {
  json["scorers"] = Json::object();
  json["baselines"] = Json::object();
  for (const ResultTable& table : report.results) {
    const bool published = table.key == "published";
    for (const MethodResult& row : table.rows) {
      json[row.is_model ? "scorers" : "baselines"][row.key][table.key] =
          row.metrics;
    }
    if (!table.rows.empty() && table.rows[0].is_model) {
      json[published ? "overall" : table.key] = table.rows[0].metrics;
    }
  }
}

void AddRankingShortcuts(const TrainingReport& report, Json& json) {
  if (report.rankings.empty()) return;
  json["ranking"] = Json::object();
  json["ranking_milliseconds"] = report.rankings[0].milliseconds;
  for (const RankingRow& row : report.rankings[0].rows) {
    const RankingFigures& figures = row.figures;
    const Json hits = {
        {"1", figures.hits_1}, {"3", figures.hits_3}, {"10", figures.hits_10}};
    json["ranking"][row.key] = {
        {"targets", figures.targets},
        {"mrr", figures.mrr},
        {"mrr_error", figures.mrr_error},
        {"over_structural", figures.over_structural},
        {"over_structural_error", figures.over_structural_error},
        {"mean_rank", figures.mean_rank},
        {"hits", hits}};
    if (&row != &report.rankings[0].rows[0]) continue;
    json["mrr"] = figures.mrr;
    json["hits"] = hits;
  }
}

void AddTrustShortcuts(const TrainingReport& report, Json& json) {
  json["impossible_links"] = Json::object();
  for (const ImpossibleLinks& set : report.impossible) {
    json["impossible_links"][set.key] = {{"pairs", set.pairs},
                                         {"called_links", set.called}};
  }
}

void AddGroupShortcuts(const TrainingReport& report, Json& json) {
  json["relations"] = Json::object();
  json["splits"] = Json::object();
  for (const GroupTable& table : report.groups) {
    Json& part =
        table.key == "relation" ? json["relations"] : json["splits"][table.key];
    for (const GroupResult& row : table.rows) {
      part[row.name] = row.published;
      part[row.name]["typed"] = row.typed;
      part[row.name]["structural"] = row.structural;
    }
  }
}

}  // namespace

Json ReportToJson(const TrainingReport& report) {
  Json json = report;
  AddResultShortcuts(report, json);
  AddRankingShortcuts(report, json);
  AddGroupShortcuts(report, json);
  AddTrustShortcuts(report, json);
  return json;
}

std::string ReportJsonText(const TrainingReport& report) {
  return ReportToJson(report).dump(2) + "\n";
}

absl::StatusOr<TrainingReport> ReportFromJson(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("results")) {
    return absl::DataLossError(
        "this is not a report, which would be a JSON object with `results`");
  }
  RestoreUndefined(json);
  try {
    return json.get<TrainingReport>();
  } catch (const Json::exception& error) {
    return absl::DataLossError(
        absl::StrCat("the report is malformed: ", error.what()));
  }
}

}  // namespace slice
