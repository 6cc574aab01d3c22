// The report of `rank`: a row of figures per method, and then the sample. A
// note names every baseline that does better than the model in some figure, so
// that nobody overlooks it.
#include "trainer/report/rank_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace slice {
namespace {

using Json = nlohmann::json;

struct Figure {
  const char* title;
  const char* key;
  double value;
};

std::vector<Figure> FiguresOf(const RankingMetrics& metrics) {
  return {{"MRR", "mrr", metrics.MeanReciprocalRank()},
          {"Hits@1", "hits@1", metrics.HitsAt(1)},
          {"Hits@3", "hits@3", metrics.HitsAt(3)},
          {"Hits@5", "hits@5", metrics.HitsAt(5)},
          {"Hits@10", "hits@10", metrics.HitsAt(10)}};
}

// An estimate from the sample of how many links the whole file would rank.
uint64_t LinksOfAll(const RankedMethod& method, const RankReport& report) {
  const uint64_t asked = method.metrics.count();
  if (!report.sample || report.sample->asked == 0) return asked;
  return asked * report.sample->of / report.sample->asked;
}

std::string Row(const RankedMethod& method) {
  std::string row = absl::StrFormat("%-28s %8d", method.name,
                                    int64_t(method.metrics.count()));
  for (const Figure& figure : FiguresOf(method.metrics)) {
    absl::StrAppendFormat(&row, " %7.3f", figure.value);
  }
  return row + "\n";
}

std::string Rows(const RankedMethod& model,
                 const std::vector<RankedMethod>& baselines) {
  std::string rows = Row(model);
  for (const RankedMethod& baseline : baselines) rows += Row(baseline);
  return rows;
}

Json ToJson(const RankedMethod& model,
            const std::vector<RankedMethod>& baselines) {
  Json json = Json::object();
  const auto add = [&](const RankedMethod& method) {
    Json& row = json[method.name];
    row["links"] = method.metrics.count();
    for (const Figure& figure : FiguresOf(method.metrics)) {
      row[figure.key] = figure.value;
    }
  };
  add(model);
  for (const RankedMethod& baseline : baselines) add(baseline);
  return json;
}

// The figures in which `baseline` does better, compared with the three digits
// that a reader sees.
std::vector<std::string> BetterFigures(const RankedMethod& baseline,
                                       const RankedMethod& model) {
  const auto seen = [](double value) { return std::round(1000 * value); };
  const std::vector<Figure> ours = FiguresOf(model.metrics);
  const std::vector<Figure> theirs = FiguresOf(baseline.metrics);
  std::vector<std::string> better;
  for (size_t i = 0; i < ours.size(); ++i) {
    if (seen(theirs[i].value) > seen(ours[i].value)) {
      better.emplace_back(ours[i].title);
    }
  }
  return better;
}

// " The MRR of slice has a standard error of 0.012."
std::string ErrorNote(const RankReport& report) {
  const double error = report.model.metrics.ReciprocalRankError(
      LinksOfAll(report.model, report));
  if (std::isnan(error)) return "";
  return absl::StrFormat(" The MRR of %s has a standard error of %.3f.",
                         report.model.name, error);
}

std::string NoteOn(const RankedMethod& baseline, const RankReport& report) {
  const std::vector<std::string> better = BetterFigures(baseline, report.model);
  if (better.empty()) return "";
  std::string note = absl::StrCat(
      baseline.name, ", which learns nothing, does better than ",
      report.model.name, " in ", absl::StrJoin(better, ", "), ".\n");
  if (report.only_answer && baseline.name == "popularity") {
    absl::StrAppend(
        &note, "Popularity ranks in one order for all questions, and here the ",
        "answer to all of them is ", *report.only_answer,
        ": such an order finds a frequent answer every time, also for sources ",
        "that should not get it.\n");
  }
  return note;
}

}  // namespace

std::string RankReportText(const RankReport& report) {
  std::string text =
      absl::StrFormat("%-28s %8s %7s %7s %7s %7s %7s\n", "filtered ranks",
                      "links", "MRR", "Hits@1", "Hits@3", "Hits@5", "Hits@10");
  absl::StrAppend(&text, Rows(report.model, report.baselines));
  if (report.relations.size() > 1) {
    for (const RankedRelation& one : report.relations) {
      absl::StrAppend(&text, "relation ", one.relation, "\n",
                      Rows(one.model, one.baselines));
    }
  }
  if (report.sample) {
    absl::StrAppend(&text, "A sample: ", report.sample->asked, " of ",
                    report.sample->of, " questions, drawn with seed ",
                    report.sample->seed, ".", ErrorNote(report), "\n");
  }
  for (const RankedMethod& baseline : report.baselines) {
    absl::StrAppend(&text, NoteOn(baseline, report));
  }
  return text;
}

std::string RankReportJson(const RankReport& report) {
  Json json = ToJson(report.model, report.baselines);
  if (report.sample) {
    const auto add_error = [&](const RankedMethod& method) {
      json[method.name]["mrr_error"] =
          method.metrics.ReciprocalRankError(LinksOfAll(method, report));
    };
    add_error(report.model);
    for (const RankedMethod& baseline : report.baselines) add_error(baseline);
    json["sample"] = {{"questions", report.sample->asked},
                      {"of", report.sample->of},
                      {"seed", report.sample->seed}};
  }
  if (report.relations.size() > 1) {
    for (const RankedRelation& one : report.relations) {
      json["relations"][one.relation] = ToJson(one.model, one.baselines);
    }
  }
  return json.dump(2) + "\n";
}

}  // namespace slice
