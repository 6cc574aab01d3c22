// The tables of a report page: header with tiles, results, rankings, relations,
// other groups, metapaths, fidelity, pre-training, steps. Texts from reports
// are escaped here. Numbers are formatted by trainer/report/page_blocks.h, with
// a dash for what was not measured. The CSS class "ours" marks the row of the
// model among other methods, and the row of a total. The class "model" marks
// the rows of a table that shows the model alone.
#include "trainer/report/report_tables.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/progress.h"
#include "common/thousands.h"
#include "trainer/report/auroc_error.h"
#include "trainer/report/page_blocks.h"
#include "trainer/report/report_verdict.h"

namespace slice {
namespace {

constexpr size_t kOpenRelations = 12;  // longer tables start collapsed

std::string Tile(const std::string& value, const std::string& label) {
  return absl::StrCat("<div class=\"tile\"><b>", value, "</b><span>", label,
                      "</span></div>\n");
}

// A table below its title and a note, either of which may be empty.
std::string TitledTable(const std::string& title, const std::string& note,
                        const std::string& rows) {
  return absl::StrCat(
      title.empty() ? "" : absl::StrCat("<h3>", EscapeMarkup(title), "</h3>"),
      Remark(EscapeMarkup(note)), WideTable(title, rows));
}

std::string RowStart(bool is_model, const std::string& name) {
  return absl::StrCat(is_model ? "<tr class=\"ours\">" : "<tr>", "<td>",
                      EscapeMarkup(name), "</td>");
}

// The start of a row of a table that shows the model alone.
std::string ModelRowStart(const std::string& name) {
  return absl::StrCat("<tr class=\"model\"><td>", EscapeMarkup(name), "</td>");
}

std::string Cell(const std::string& text) {
  return absl::StrCat("<td>", text, "</td>");
}

const MethodResult* ModelRow(const TrainingReport& report,
                             const std::string& key) {
  for (const ResultTable& table : report.results) {
    if (table.key == key && !table.rows.empty() && table.rows[0].is_model) {
      return &table.rows[0];
    }
  }
  return nullptr;
}

// "98.57 ± 0.12": an AUROC with half of its 95 % interval.
std::string WithInterval(const BinaryMetrics& metrics) {
  const double half = 1.96 * AurocStandardError(metrics);
  return std::isnan(half)
             ? Percent(metrics.auroc)
             : absl::StrFormat("%s ± %.2f", Percent(metrics.auroc), 100 * half);
}

std::string Tiles(const TrainingReport& report) {
  std::string tiles;
  if (const MethodResult* row = ModelRow(report, "published")) {
    absl::StrAppend(&tiles, Tile(Percent(row->metrics.auroc), "test AUROC, %"),
                    Tile(Percent(row->metrics.f1), "F1 of links, %"));
  }
  if (const MethodResult* row = ModelRow(report, "typed")) {
    absl::StrAppend(&tiles,
                    Tile(Percent(row->metrics.auroc), "type-matched AUROC, %"));
  }
  if (const MethodResult* row = ModelRow(report, "degree_matched")) {
    absl::StrAppend(
        &tiles, Tile(Percent(row->metrics.auroc), "degree-matched AUROC, %"));
  }
  if (!report.rankings.empty() && !report.rankings[0].rows.empty()) {
    const RankingFigures& figures = report.rankings[0].rows[0].figures;
    absl::StrAppend(&tiles, Tile(Fraction(figures.mrr), "filtered MRR"),
                    Tile(Percent(figures.hits_10), "Hits@10, %"));
  }
  if (tiles.empty()) return "";
  return absl::StrCat("<div class=\"tiles\">\n", tiles, "</div>\n");
}

// The note of a table, with how many links and non-links it measures.
std::string NoteWithBalance(const ResultTable& table) {
  if (table.rows.empty()) return table.note;
  const BinaryMetrics& metrics = table.rows[0].metrics;
  return absl::StrCat(FormatThousands(metrics.positives), " links and ",
                      FormatThousands(metrics.negatives), " non-links. ",
                      table.note);
}

// "no_path" becomes "no path".
std::string Spaced(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

std::string GroupRows(const GroupTable& table, const std::string& name) {
  std::string rows = absl::StrCat(
      "<tr><th>", name,
      "</th><th>AUROC</th><th></th><th>F1</th><th>type-matched AUROC</th>"
      "<th>structural AUROC</th><th>links</th><th>non-links</th></tr>");
  for (const GroupResult& row : table.rows) {
    absl::StrAppend(
        &rows,
        ModelRowStart(table.key == "relation" ? row.name : Spaced(row.name)),
        Cell(WithInterval(row.published)), BarCell(row.published.auroc, 0.5),
        Cell(Percent(row.published.f1)), Cell(Percent(row.typed.auroc)));
    absl::StrAppend(&rows, Cell(Percent(row.structural.auroc)),
                    Cell(FormatThousands(row.published.positives)),
                    Cell(FormatThousands(row.published.negatives)), "</tr>");
  }
  return rows;
}

}  // namespace

std::string HeaderSection(const TrainingReport& report) {
  std::string html = absl::StrCat("<h1>", EscapeMarkup(report.title),
                                  "</h1>\n<p class=\"muted small\">",
                                  EscapeMarkup(report.created));
  if (!report.bundle_id.empty()) {
    absl::StrAppend(&html, " · bundle ", EscapeMarkup(report.bundle_id));
  }
  absl::StrAppend(&html, " · seed ", report.seed, "</p>\n");
  if (!report.facts.empty() || !report.labels.empty()) {
    absl::StrAppend(&html, "<dl class=\"facts\">");
    for (const auto* values : {&report.facts, &report.labels}) {
      for (const auto& [name, value] : *values) {
        if (value.empty()) continue;
        absl::StrAppend(&html, "<div><dt>", EscapeMarkup(name), "</dt><dd>",
                        EscapeMarkup(value), "</dd></div>");
      }
    }
    absl::StrAppend(&html, "</dl>\n");
  }
  absl::StrAppend(&html, Tiles(report));
  const std::string verdict = Verdict(report);
  if (!verdict.empty()) {
    absl::StrAppend(&html, "<p class=\"verdict\">", EscapeMarkup(verdict),
                    "</p>\n");
  }
  if (!report.notes.empty()) {
    absl::StrAppend(&html, "<div class=\"notes\"><ul>");
    for (const std::string& note : report.notes) {
      absl::StrAppend(&html, "<li>", EscapeMarkup(note), "</li>");
    }
    absl::StrAppend(&html, "</ul></div>\n");
  }
  return html;
}

std::string ResultsSection(const TrainingReport& report) {
  if (report.results.empty()) return "";
  std::string html = Remark(
      "Percent, test links; F1 and accuracy at the threshold chosen on valid. "
      "AUROC has its 95 % interval over links. AUROC bars begin at 50, which "
      "is chance; a hatched bar from the right is below chance.");
  for (const ResultTable& table : report.results) {
    std::string rows =
        "<tr><th>method</th><th>AUROC</th><th></th><th>AUPR</th><th>F1</th>"
        "<th>accuracy</th></tr>";
    for (const MethodResult& row : table.rows) {
      absl::StrAppend(&rows, RowStart(row.is_model, row.method),
                      Cell(WithInterval(row.metrics)),
                      BarCell(row.metrics.auroc, 0.5),
                      Cell(Percent(row.metrics.average_precision)));
      absl::StrAppend(&rows, Cell(Percent(row.metrics.f1)),
                      Cell(Percent(row.metrics.accuracy)), "</tr>");
    }
    absl::StrAppend(
        &html, Card(TitledTable(table.title, NoteWithBalance(table), rows)));
  }
  return html;
}

std::string RankingSection(const TrainingReport& report) {
  if (report.rankings.empty()) return "";
  std::string html;
  for (const RankingTable& table : report.rankings) {
    std::string rows =
        "<tr><th>method</th><th>MRR</th><th></th><th>standard error</th>"
        "<th>Hits@1</th><th>Hits@3</th>"
        "<th>Hits@10</th><th>mean rank</th><th>targets</th></tr>";
    for (const RankingRow& row : table.rows) {
      const RankingFigures& figures = row.figures;
      absl::StrAppend(&rows, RowStart(row.is_model, row.method),
                      Cell(Fraction(figures.mrr)), BarCell(figures.mrr, 0),
                      Cell(Fraction(figures.mrr_error)),
                      Cell(Percent(figures.hits_1)),
                      Cell(Percent(figures.hits_3)));
      absl::StrAppend(&rows, Cell(Percent(figures.hits_10)),
                      Cell(std::isnan(figures.mean_rank)
                               ? "–"
                               : absl::StrFormat("%.1f", figures.mean_rank)),
                      Cell(FormatThousands(figures.targets)), "</tr>");
    }
    absl::StrAppend(&html, Card(TitledTable(table.title, table.note, rows)));
  }
  return html;
}

std::string RelationSection(const TrainingReport& report) {
  for (const GroupTable& table : report.groups) {
    if (table.key != "relation" || table.rows.empty()) continue;
    const std::string rows =
        WideTable(table.title, GroupRows(table, "relation"));
    if (table.rows.size() <= kOpenRelations) return Card(rows);
    return Card(absl::StrCat("<details><summary>", table.rows.size(),
                             " relations</summary>", rows, "</details>"));
  }
  return "";
}

std::string SplitSection(const TrainingReport& report) {
  std::string html;
  for (const GroupTable& table : report.groups) {
    if (table.key == "relation" || table.rows.empty()) continue;
    absl::StrAppend(
        &html, Card(TitledTable(table.title, "", GroupRows(table, "pairs"))));
  }
  return html;
}

std::string ImpossibleSection(const TrainingReport& report) {
  if (report.impossible.empty()) return "";
  std::string rows =
      "<tr><th>pairs</th><th>asked</th><th>called links</th><th>share, "
      "%</th></tr>";
  for (const ImpossibleLinks& set : report.impossible) {
    absl::StrAppend(&rows, ModelRowStart(set.title),
                    Cell(FormatThousands(set.pairs)),
                    Cell(FormatThousands(set.called)),
                    Cell(Percent(set.CalledShare())), "</tr>");
  }
  std::string html = WideTable("Impossible links", rows);
  for (const ImpossibleLinks& set : report.impossible) {
    html += Remark(EscapeMarkup(absl::StrCat(set.title, ". ", set.note)));
  }
  return Card(html);
}

std::string MetapathSection(const TrainingReport& report) {
  std::string html;
  for (const MetapathTable& table : report.metapaths) {
    std::string rows =
        "<tr><th>metapath</th><th>of the links</th><th></th>"
        "<th>of the non-links</th><th>mean probability</th></tr>";
    const auto share = [](uint64_t count, uint64_t all) {
      return all == 0 ? kNotMeasured : static_cast<double>(count) / all;
    };
    for (const MetapathRow& row : table.rows) {
      const double links = share(row.links, table.links);
      absl::StrAppend(&rows, ModelRowStart(row.metapath),
                      Cell(absl::StrCat(Percent(links), " %")),
                      BarCell(links, 0));
      absl::StrAppend(
          &rows,
          Cell(absl::StrCat(Percent(share(row.non_links, table.non_links)),
                            " %")),
          Cell(Fraction(row.mean_probability)), "</tr>");
    }
    absl::StrAppend(&html, Card(TitledTable(table.relation, "", rows)));
  }
  if (html.empty()) return "";
  return absl::StrCat(
      Remark(
          "How the ends of test pairs are joined by a shortest path of their "
          "context, their own links hidden."),
      html);
}

std::string FidelitySection(const TrainingReport& report) {
  const FidelityResult& f = report.fidelity;
  if (f.links + f.without_reason == 0) return "";
  const auto row = [](const char* name, double named, double random,
                      double attention) {
    return absl::StrCat("<tr><td>", name, "</td>", Cell(Fraction(named)),
                        Cell(Fraction(random)), Cell(Fraction(attention)),
                        "</tr>");
  };
  const std::string rows = absl::StrCat(
      "<tr><th>mean change of the probability</th><th>named evidence"
      "</th><th>random evidence</th><th>attention</th></tr>",
      row("without it (large is good)", f.named.without, f.random.without,
          f.attention.without),
      row("with it alone (small is good)", f.named.only, f.random.only,
          f.attention.only));
  return Card(
      WideTable("Fidelity of explanations", rows) +
      Remark(absl::StrFormat(
          "%d links, of which each has %.1f items of evidence and %.1f named "
          "ones on average. For %d more links no reason can be named: nothing "
          "that was removed changes their score. Random evidence is as many "
          "items; attention names as many paths.",
          f.links, f.items, f.explained, f.without_reason)));
}

std::string PretrainingSection(const TrainingReport& report) {
  const PretrainingEffect& effect = report.pretraining;
  if (std::isnan(effect.auroc_with)) return "";
  const auto row = [](const char* name, double auroc, bool ours) {
    return absl::StrCat(RowStart(ours, name), Cell(Percent(auroc)),
                        BarCell(auroc, 0.5), "</tr>");
  };
  return Card(TitledTable(
      "", "",
      absl::StrCat("<tr><th>context scorer, pre-training</th><th>test "
                   "AUROC</th><th></th></tr>",
                   row("with", effect.auroc_with, true),
                   row("without", effect.auroc_without, false))));
}

std::string StepSection(const TrainingReport& report) {
  if (report.steps.empty()) return "";
  double longest = 0, total = 0, most = 0;
  for (const StepTime& step : report.steps) {
    longest = std::max(longest, step.seconds);
    most = std::max(most, step.peak_mib);
    total += step.seconds;
  }
  const auto memory = [](double mib) {
    return mib > 0 ? absl::StrFormat("%.0f MiB", mib) : std::string("–");
  };
  std::string rows =
      "<tr><th>step</th><th>time</th><th></th><th>peak memory</th></tr>";
  for (const StepTime& step : report.steps) {
    absl::StrAppend(&rows, RowStart(false, step.step),
                    Cell(FormatSeconds(step.seconds)),
                    BarCell(longest > 0 ? step.seconds / longest : 0, 0),
                    Cell(memory(step.peak_mib)), "</tr>");
  }
  absl::StrAppend(&rows, RowStart(true, "all"), Cell(FormatSeconds(total)),
                  "<td></td>", Cell(memory(most)), "</tr>");
  return Card(TitledTable("", "", rows));
}

}  // namespace slice
