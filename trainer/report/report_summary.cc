// Summarises reports of one experiment. The first report says which tables and
// methods there are; a method that another report lacks counts as not measured
// there. Differences are paired: they are taken run by run and then summarised,
// so that what all methods of a run share cancels out. The JSON goes over the
// shortcuts of the reports and puts a summary in place of every number.
#include "trainer/report/report_summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "trainer/report/report_json.h"

namespace slice {
namespace {

using Json = nlohmann::json;

struct Measure {
  const char* name;
  double BinaryMetrics::*field;
};
constexpr Measure kCompared[] = {{"auroc", &BinaryMetrics::auroc},
                                 {"f1", &BinaryMetrics::f1}};

const MethodResult* FindRow(const TrainingReport& report,
                            const std::string& set, const std::string& key) {
  for (const ResultTable& table : report.results) {
    if (table.key != set) continue;
    for (const MethodResult& row : table.rows) {
      if (row.key == key) return &row;
    }
  }
  return nullptr;
}

// One value per report, NaN where a report lacks the method.
std::vector<double> ValuesOf(std::span<const TrainingReport> reports,
                             const std::string& set, const std::string& key,
                             double BinaryMetrics::*field) {
  std::vector<double> values;
  for (const TrainingReport& report : reports) {
    const MethodResult* row = FindRow(report, set, key);
    values.push_back(row == nullptr ? kNotMeasured : row->metrics.*field);
  }
  return values;
}

SummaryTable SummarizeTable(std::span<const TrainingReport> reports,
                            const ResultTable& first) {
  SummaryTable table{first.key, first.title, {}};
  for (const MethodResult& row : first.rows) {
    const auto summarize = [&](double BinaryMetrics::*field) {
      return Summarize(ValuesOf(reports, first.key, row.key, field));
    };
    table.rows.push_back({row.key, row.method, row.is_model,
                          summarize(&BinaryMetrics::auroc),
                          summarize(&BinaryMetrics::average_precision),
                          summarize(&BinaryMetrics::f1)});
  }
  return table;
}

// The pairs of methods to compare: scorers with each other, and every scorer
// with the baseline of the highest mean AUROC.
std::vector<std::pair<std::string, std::string>> ComparedPairs(
    const SummaryTable& table) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const SummaryRow* best = nullptr;
  for (const SummaryRow& row : table.rows) {
    if (!row.is_model &&
        (best == nullptr || row.auroc.mean > best->auroc.mean)) {
      best = &row;
    }
  }
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (!table.rows[i].is_model) continue;
    for (size_t j = i + 1; j < table.rows.size(); ++j) {
      if (table.rows[j].is_model) {
        pairs.emplace_back(table.rows[i].key, table.rows[j].key);
      }
    }
    if (best != nullptr) pairs.emplace_back(table.rows[i].key, best->key);
  }
  return pairs;
}

std::vector<PairedDifference> Differences(
    std::span<const TrainingReport> reports, const SummaryTable& table) {
  std::vector<PairedDifference> differences;
  for (const auto& [first, second] : ComparedPairs(table)) {
    for (const Measure& measure : kCompared) {
      std::vector<double> values =
          ValuesOf(reports, table.key, first, measure.field);
      const std::vector<double> others =
          ValuesOf(reports, table.key, second, measure.field);
      for (size_t i = 0; i < values.size(); ++i) values[i] -= others[i];
      differences.push_back(
          {table.key, measure.name, first, second, Summarize(values)});
    }
  }
  return differences;
}

Json ToJson(const MeanDeviation& value) {
  return {{"mean", value.mean},
          {"deviation", value.deviation},
          {"count", value.count}};
}

// Merges objects of the same shape into one, with a summary in place of every
// number. Keys that the first object lacks are left out.
Json MergeNumbers(const std::vector<const Json*>& runs) {
  const Json& first = *runs[0];
  if (first.is_object()) {
    Json merged = Json::object();
    for (const auto& [key, value] : first.items()) {
      std::vector<const Json*> parts;
      for (const Json* run : runs) {
        if (run->is_object() && run->contains(key)) {
          parts.push_back(&(*run)[key]);
        }
      }
      merged[key] = MergeNumbers(parts);
    }
    return merged;
  }
  std::vector<double> values;
  for (const Json* run : runs) {
    values.push_back(run->is_number() ? run->get<double>() : kNotMeasured);
  }
  return ToJson(Summarize(values));
}

std::string_view FactOf(const TrainingReport& report, std::string_view name) {
  for (const NamedValue& fact : report.facts) {
    if (fact.name == name) return fact.value;
  }
  return "";
}

// INVALID_ARGUMENT unless both reports are of the same kind of run: other runs
// have no common mean.
absl::Status CheckAlike(const TrainingReport& first,
                        const TrainingReport& report) {
  for (const char* name : {"preset", "own pair links"}) {
    const std::string_view a = FactOf(first, name), b = FactOf(report, name);
    if (a == b) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the reports differ in '", name, "': '", std::string(a), "' and '",
        std::string(b), "'; summarise reports with equal values"));
  }
  return absl::OkStatus();
}

}  // namespace

double MeanDeviation::StandardError() const {
  return deviation / std::sqrt(static_cast<double>(count));
}

MeanDeviation Summarize(std::span<const double> values) {
  MeanDeviation result;
  double sum = 0, squares = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    ++result.count;
    sum += value;
  }
  if (result.count == 0) return result;
  result.mean = sum / static_cast<double>(result.count);
  for (const double value : values) {
    if (std::isnan(value)) continue;
    squares += (value - result.mean) * (value - result.mean);
  }
  if (result.count > 1) {
    result.deviation =
        std::sqrt(squares / static_cast<double>(result.count - 1));
  }
  return result;
}

MeanDeviation WithError(MeanDeviation value, double error) {
  if (!(error > 0)) return value;
  value.deviation =
      std::hypot(std::isnan(value.deviation) ? 0 : value.deviation, error);
  return value;
}

bool PairedDifference::IsClear() const {
  return std::abs(difference.mean) > 2 * difference.StandardError();
}

absl::StatusOr<RunSummary> SummarizeReports(
    std::span<const TrainingReport> reports) {
  if (reports.empty()) {
    return absl::InvalidArgumentError("there is no report to summarise");
  }
  RunSummary summary;
  summary.title = reports[0].title;
  std::vector<double> mrr, mrr_errors, seconds, peaks;
  for (const TrainingReport& report : reports) {
    if (report.title != summary.title) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the reports are of different data: '", summary.title, "' and '",
          report.title, "'; summarise reports of one data set"));
    }
    SLICE_RETURN_IF_ERROR(CheckAlike(reports[0], report));
    summary.seeds.push_back(report.seed);
    if (!report.rankings.empty() && !report.rankings[0].rows.empty()) {
      mrr.push_back(report.rankings[0].rows[0].figures.mrr);
      mrr_errors.push_back(report.rankings[0].rows[0].figures.mrr_error);
    }
    double all = 0, most = 0;
    for (const StepTime& step : report.steps) {
      all += step.seconds;
      most = std::max(most, step.peak_mib);
    }
    seconds.push_back(report.steps.empty() ? kNotMeasured : all);
    peaks.push_back(most > 0 ? most : kNotMeasured);
  }
  summary.mrr = Summarize(mrr);
  summary.mrr_error = Summarize(mrr_errors).mean;
  summary.seconds = Summarize(seconds);
  summary.peak_mib = Summarize(peaks);
  for (const ResultTable& first : reports[0].results) {
    summary.tables.push_back(SummarizeTable(reports, first));
    const auto differences = Differences(reports, summary.tables.back());
    summary.differences.insert(summary.differences.end(), differences.begin(),
                               differences.end());
  }
  return summary;
}

Json SummaryToJson(const RunSummary& summary,
                   std::span<const TrainingReport> reports) {
  std::vector<Json> runs;
  for (const TrainingReport& report : reports) {
    runs.push_back(ReportToJson(report));
  }
  // Equal in all reports (CheckAlike).
  const std::string own_pair_links(FactOf(reports[0], "own pair links"));
  Json json = {{"title", summary.title},
               {"own_pair_links", own_pair_links},
               {"seeds", summary.seeds},
               {"seconds", ToJson(summary.seconds)},
               {"peak_mib", ToJson(summary.peak_mib)},
               {"differences", Json::array()}};
  for (const char* key :
       {"overall", "typed", "degree_matched", "typed_non_links", "scorers",
        "baselines", "relations", "splits", "mrr", "hits", "ranking"}) {
    std::vector<const Json*> parts;
    for (const Json& run : runs) {
      if (run.contains(key)) parts.push_back(&run[key]);
    }
    if (!parts.empty()) json[key] = MergeNumbers(parts);
  }
  for (const PairedDifference& difference : summary.differences) {
    json["differences"].push_back(
        {{"set", difference.set},
         {"measure", difference.measure},
         {"first", difference.first},
         {"second", difference.second},
         {"mean", difference.difference.mean},
         {"standard_error", difference.difference.StandardError()},
         {"count", difference.difference.count},
         {"clear", difference.IsClear()}});
  }
  return json;
}

std::string SummaryJsonText(const RunSummary& summary,
                            std::span<const TrainingReport> reports) {
  return SummaryToJson(summary, reports).dump(2) + "\n";
}

}  // namespace slice
