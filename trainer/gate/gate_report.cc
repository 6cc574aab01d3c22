// The table has a row per comparison: first all relations together, then those
// with enough links. Above it stand the counts of the test file, so that nobody
// takes a verdict on a handful of links for one on all.
#include "trainer/gate/gate_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace slice {
namespace {

using Json = nlohmann::json;

std::string NameOf(const GateFigure& figure, const GateReport& report) {
  return figure.is_overall ? "all relations"
                           : report.relations[figure.relation];
}

std::string CountLine(uint64_t count, const char* what) {
  return count == 0 ? "" : absl::StrCat("  ", count, " ", what, "\n");
}

std::string Counts(const GateLinks& links) {
  return absl::StrCat(
      CountLine(links.in_current,
                "left out: links of the current bundle's train graph"),
      CountLine(links.in_candidate,
                "left out: links of the candidate's train graph"),
      CountLine(links.only_candidate,
                "left out: the current bundle lacks a node or the relation"),
      CountLine(links.unknown,
                "left out: both bundles lack a node or the relation"),
      CountLine(links.only_current,
                "lack a node or the relation in the candidate: its links count "
                "as its worst answers"),
      CountLine(links.drawn, "non-links drawn, as the file has none"));
}

std::string Row(const GateFigure& figure, const GateReport& report) {
  return absl::StrFormat(
      "%-6s %-28s %7d %8.4f %9.4f  %+8.4f  [%+.4f, %+.4f] %7.4f%s\n",
      std::string(GateMeasureTitle(figure.measure)), NameOf(figure, report),
      static_cast<int64_t>(figure.links), figure.current, figure.candidate,
      figure.difference, figure.low, figure.high, figure.p,
      figure.is_worse ? "  worse" : "");
}

Json FigureJson(const GateFigure& figure, const GateReport& report) {
  return {
      {"measure", std::string(GateMeasureKey(figure.measure))},
      {"relation", figure.is_overall ? Json() : Json(NameOf(figure, report))},
      {"links", figure.links},
      {"current", figure.current},
      {"candidate", figure.candidate},
      {"difference", figure.difference},
      {"low", figure.low},
      {"high", figure.high},
      {"p", figure.p},
      {"worse", figure.is_worse}};
}

// Names the figures in which the candidate is worse.
std::string WorseSentence(const GateReport& report) {
  std::vector<std::string> worse;
  for (const GateFigure& figure : report.figures) {
    if (!figure.is_worse) continue;
    worse.push_back(absl::StrFormat(
        "%s of %s (%.4f after %.4f)",
        std::string(GateMeasureTitle(figure.measure)), NameOf(figure, report),
        figure.candidate, figure.current));
  }
  return absl::StrCat("the candidate is worse than the current bundle in ",
                      absl::StrJoin(worse, ", "));
}

}  // namespace

bool GateReport::is_worse() const {
  return std::any_of(figures.begin(), figures.end(),
                     [](const GateFigure& figure) { return figure.is_worse; });
}

std::string GateReportText(const GateReport& report) {
  std::string text = absl::StrFormat(
      "current %s, candidate %s\n%s: %d rows\n%s", report.current_id,
      report.candidate_id, report.test, static_cast<int64_t>(report.links.rows),
      Counts(report.links));
  absl::StrAppendFormat(
      &text, "%-6s %-28s %7s %8s %9s  %8s  %18s %7s\n", "", "", "links",
      "current", "candidate", "change",
      absl::StrFormat("%g %% interval", 100 * report.options.confidence),
      "p-value");
  for (const GateFigure& figure : report.figures) {
    absl::StrAppend(&text, Row(figure, report));
  }
  absl::StrAppendFormat(&text,
                        "p-value: of the candidate being no worse, corrected "
                        "for all figures (Holm); below %g it is worse\n",
                        1 - report.options.confidence);
  for (const std::string& note : report.notes) {
    absl::StrAppend(&text, note, ".\n");
  }
  absl::StrAppend(
      &text, report.is_worse()
                 ? absl::StrCat("Verdict: ", WorseSentence(report), ".\n")
                 : "Verdict: the candidate may replace the current bundle.\n");
  return text;
}

std::string GateReportJson(const GateReport& report) {
  Json figures = Json::array();
  for (const GateFigure& figure : report.figures) {
    figures.push_back(FigureJson(figure, report));
  }
  const GateLinks& links = report.links;
  const Json json = {{"verdict", report.is_worse() ? "worse" : "pass"},
                     {"current", report.current_id},
                     {"candidate", report.candidate_id},
                     {"test", report.test},
                     {"confidence", report.options.confidence},
                     {"margin", report.options.margin},
                     {"links",
                      {{"rows", links.rows},
                       {"compared", links.Positives().size()},
                       {"in_current", links.in_current},
                       {"in_candidate", links.in_candidate},
                       {"only_candidate", links.only_candidate},
                       {"only_current", links.only_current},
                       {"unknown", links.unknown},
                       {"drawn_non_links", links.drawn}}},
                     {"notes", report.notes},
                     {"figures", figures}};
  return json.dump(2) + "\n";
}

}  // namespace slice
