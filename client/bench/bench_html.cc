// The page has three parts: tiles and charts, a table of the loads, and, where
// there are any, a table of the server's own times and a list of failures. The
// first chart shows latency against links per second, one line per percentile.
// The second chart (the spectrum) shows latency against percentile, one line
// per load. Latency has a logarithmic axis in both, so that times below
// kLeastMs are raised to it.
#include "client/bench/bench_html.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/page/svg_chart.h"
#include "common/thousands.h"

namespace slice {
namespace {

struct Percentile {
  double q;
  const char* name;
};
constexpr Percentile kCurves[] = {
    {0.5, "p50"}, {0.95, "p95"}, {0.99, "p99"}, {0.999, "p99.9"}};
constexpr Percentile kSpectrum[] = {
    {0, "least"},      {0.5, "50 %"},       {0.9, "90 %"}, {0.99, "99 %"},
    {0.999, "99.9 %"}, {0.9999, "99.99 %"}, {1, "most"}};
constexpr size_t kMaxSpectra = 6;  // the number of colours
constexpr double kLeastMs = 1e-6;  // a logarithmic axis has no 0

std::string Count(double value) {
  return FormatThousands(static_cast<uint64_t>(std::lround(value)));
}

double Milliseconds(const LatencyHistogram& latency, double q) {
  return std::max(kLeastMs, latency.Quantile(q) * 1e3);
}

// The loads in which at least one call was answered.
std::vector<const BenchLoad*> Answered(const BenchReport& report) {
  std::vector<const BenchLoad*> loads;
  for (const BenchLoad& load : report.loads) {
    if (load.load.result.latency.count() > 0) loads.push_back(&load);
  }
  return loads;
}

std::string ThroughputCurve(const BenchReport& report) {
  std::vector<ChartSeries> series;
  for (const Percentile& percentile : kCurves) {
    ChartSeries& one = series.emplace_back();
    one.name = percentile.name;
    one.dots = true;
    // The points stay in the order of the loads. A server past its limit
    // answers fewer links per second, so that the curve turns back.
    for (const BenchLoad* load : Answered(report)) {
      const LoadResult& result = load->load.result;
      one.points.push_back({result.links_per_second,
                            Milliseconds(result.latency, percentile.q)});
    }
  }
  ChartOptions options;
  options.title = "Latency and throughput";
  options.x_label = "links per second";
  options.y_label = "latency of an RPC, ms";
  options.x_low = 0;
  options.y_log = true;
  return LineChart(options, series);
}

std::string LatencySpectrum(const BenchReport& report) {
  ChartOptions options;
  options.title = "Latency by percentile";
  options.x_label = "share of the RPCs answered within";
  options.y_label = "latency of an RPC, ms";
  options.y_log = true;
  for (const Percentile& percentile : kSpectrum)
    options.x_names.push_back(percentile.name);
  std::vector<ChartSeries> series;
  for (const BenchLoad* load : Answered(report)) {
    if (series.size() == kMaxSpectra) break;
    ChartSeries& one = series.emplace_back();
    one.name = load->Name();
    one.dots = true;
    for (const Percentile& percentile : kSpectrum) {
      one.points.push_back(
          {static_cast<double>(one.points.size()),
           Milliseconds(load->load.result.latency, percentile.q)});
    }
  }
  return LineChart(options, series);
}

std::string Tile(const std::string& value, const std::string& name) {
  return absl::StrCat("<div class=\"tile\"><b>", EscapeMarkup(value),
                      "</b><span>", EscapeMarkup(name), "</span></div>");
}

// The figures of the only load, or of the best of several.
std::string Tiles(const BenchReport& report) {
  const bool several = report.loads.size() > 1;
  const std::string verdict =
      several ? absl::StrCat("<p class=\"verdict\">",
                             EscapeMarkup(BestLoadText(report)), "</p>\n")
              : "";
  const BenchLoad* const shown =
      report.loads.size() == 1 ? &report.loads[0] : report.BestLoad();
  if (shown == nullptr) return verdict;
  const LoadResult& result = shown->load.result;
  return absl::StrCat(verdict, "<div class=\"tiles\">",
                      Tile(Count(result.links_per_second), "links per second"),
                      Tile(Count(result.rpcs_per_second), "RPCs per second"),
                      Tile(LatencyText(result.latency.Quantile(0.5)), "p50"),
                      Tile(LatencyText(result.latency.Quantile(0.99)), "p99"),
                      Tile(shown->Name(), several ? "the best load" : "load"),
                      "</div>\n");
}

std::string Facts(const BenchReport& report) {
  const BenchOptions& options = report.options;
  std::string html = "<dl class=\"facts\">";
  const auto add = [&html](const char* name, const std::string& value) {
    absl::StrAppend(&html, "<div><dt>", name, "</dt><dd>", EscapeMarkup(value),
                    "</dd></div>");
  };
  add("bundle", report.model.from.bundle_id);
  add("forward path", report.model.forward_path);
  add("device", report.model.device);
  add("server",
      absl::StrCat(report.server, ", version ", report.model.server_version));
  add("requests", ShapeText(options));
  add("explanation", options.explanation);
  if (options.what_if_changes > 0) {
    add("what-if changes", absl::StrCat(options.what_if_changes));
  }
  add("scorer", report.scorer.empty() ? report.model.scorer : report.scorer);
  add("links", absl::StrCat(report.different_links, " different ones from ",
                            report.LinksFrom(), ", seed ", options.seed));
  add("deadline", absl::FormatDuration(report.max_time));
  add("time",
      absl::StrCat(absl::FormatDuration(options.duration), " after ",
                   absl::FormatDuration(options.warmup), " of warm-up"));
  return html + "</dl>\n";
}

std::string Row(const std::string& name,
                std::initializer_list<std::string> cells) {
  // The name stays on one line.
  std::string html = absl::StrCat(
      "<tr><td>", absl::StrReplaceAll(EscapeMarkup(name), {{" ", "&#160;"}}),
      "</td>");
  for (const std::string& cell : cells)
    absl::StrAppend(&html, "<td>", EscapeMarkup(cell), "</td>");
  return html + "</tr>\n";
}

std::string Card(const std::string& name, const std::string& rows) {
  return absl::StrCat("<div class=\"card\">", WideTable(name, rows, "dense"),
                      "</div>\n");
}

std::string Table(const BenchReport& report) {
  std::string html =
      "<tr><th>load</th><th>RPC/s</th>"
      "<th>links/s</th><th>p50</th><th>p95</th><th>p99</th><th>p99.9</th>"
      "<th>max</th><th>answered</th><th>failed</th>"
      "<th>unsent</th><th>late p99</th><th>own cores</th></tr>\n";
  for (const BenchLoad& load : report.loads) {
    const LoadResult& result = load.load.result;
    const LatencyHistogram& latency = result.latency;
    html += Row(load.Name(),
                {Count(result.rpcs_per_second), Count(result.links_per_second),
                 LatencyText(latency.Quantile(0.5)),
                 LatencyText(latency.Quantile(0.95)),
                 LatencyText(latency.Quantile(0.99)),
                 LatencyText(latency.Quantile(0.999)),
                 LatencyText(latency.Max()), FormatThousands(result.answered),
                 FormatThousands(result.sent - result.answered),
                 FormatThousands(result.unsent),
                 LatencyText(result.lateness.Quantile(0.99)),
                 absl::StrFormat("%.2f", load.load.generator_cores)});
    if (!report.options.mixed()) continue;
    for (const auto& [load_class, of_class] : result.classes) {
      const LatencyHistogram& times = of_class.latency;
      html += Row(
          absl::StrCat(load.Name(), ", ", ClassName(load_class)),
          {"", Count(of_class.links_per_second),
           LatencyText(times.Quantile(0.5)), LatencyText(times.Quantile(0.95)),
           LatencyText(times.Quantile(0.99)),
           LatencyText(times.Quantile(0.999)), LatencyText(times.Max()),
           FormatThousands(of_class.answered), FormatThousands(of_class.failed),
           "", "", ""});
    }
  }
  return Card("Loads", html);
}

// A table of the times that the server reported; empty when it reported none.
std::string StageTable(const BenchReport& report) {
  std::string rows;
  for (const BenchLoad& load : report.loads) {
    const StageTimes& stages = load.load.result.stages;
    if (stages.batch_sizes.empty()) continue;
    rows +=
        Row(load.Name(), {LatencyText(stages.queue.Quantile(0.5)),
                          LatencyText(stages.queue.Quantile(0.99)),
                          LatencyText(stages.context.Quantile(0.5)),
                          LatencyText(stages.context.Quantile(0.99)),
                          LatencyText(stages.model.Quantile(0.5)),
                          LatencyText(stages.model.Quantile(0.99)),
                          absl::StrFormat("%.3g", stages.MeanBatchSize()),
                          FormatThousands(stages.batch_sizes.rbegin()->first)});
  }
  if (rows.empty()) return "";
  return absl::StrCat(
      "<h2>In the server</h2>\n",
      Card("In the server",
           absl::StrCat("<tr><th>load</th><th>queue p50</th><th>p99</th>"
                        "<th>context p50</th><th>p99</th><th>model p50</th>"
                        "<th>p99</th><th>mean batch</th><th>largest</th></tr>"
                        "\n",
                        rows)));
}

// A list of failed calls by status code; empty when none failed.
std::string Failures(const BenchReport& report) {
  std::string items;
  for (const BenchLoad& load : report.loads) {
    const LoadResult& result = load.load.result;
    const auto add = [&](const char* what, const auto& errors) {
      if (errors.empty()) return;
      absl::StrAppend(&items, "<li>", EscapeMarkup(load.Name()), ", failed ",
                      what, ": ", ErrorCounts(errors), "</li>\n");
    };
    add("RPCs", result.errors);
    add("links", result.link_errors);
  }
  if (items.empty()) return "";
  return absl::StrCat("<div class=\"notes\"><ul>\n", items, "</ul></div>\n");
}

}  // namespace

std::string BenchHtml(const BenchReport& report) {
  constexpr char kTitle[] = "Load on a slice server";
  return HtmlPage(
      kTitle,
      absl::StrCat(
          "<h1>", kTitle, "</h1>\n", Facts(report), Tiles(report),
          absl::StrCat("<div class=\"charts\">\n<div class=\"card\">",
                       ThroughputCurve(report), "</div>\n<div class=\"card\">",
                       LatencySpectrum(report), "</div>\n</div>\n"),
          "<h2>Loads</h2>\n", Table(report), StageTable(report),
          absl::StrCat(
              Failures(report),
              "<p class=\"muted small\">The latency of a call counts from the "
              "time it was due. In an open loop that is before it was sent, so "
              "that calls which wait for a stalled server are not hidden. "
              "Lateness is the time from when a call was due to when it was "
              "sent. Own cores: processor time of the load generator, which "
              "shares the machine with a local server.</p>\n")));
}

}  // namespace slice
