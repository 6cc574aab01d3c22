#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/bench_report.h"
#include "client/text_table.h"
#include "common/svg_chart.h"

namespace slice {
namespace {

std::string Rate(double per_second) {
  return per_second < 100
             ? absl::StrFormat("%.3g", per_second)
             : FormatThousands(static_cast<uint64_t>(std::lround(per_second)));
}

}  // namespace

std::string BenchLoad::Name() const {
  return rate > 0 ? absl::StrFormat("%g RPC/s", rate)
                  : absl::StrCat(concurrency, " at once");
}

std::string BenchReport::LinksFrom() const {
  return options.links_path.empty()
             ? "the graph"
             : absl::StrCat("the file ", options.links_path);
}

std::string LatencyText(double seconds, bool unicode) {
  if (!std::isfinite(seconds)) return unicode ? "–" : "-";
  if (seconds < 0.9995e-3)
    return absl::StrFormat("%.3g %s", seconds * 1e6, unicode ? "µs" : "us");
  if (seconds < 0.9995) return absl::StrFormat("%.3g ms", seconds * 1e3);
  return absl::StrFormat("%.3g s", seconds);
}

std::string ErrorCounts(const std::map<absl::StatusCode, int64_t>& errors) {
  return absl::StrJoin(errors, ", ", [](std::string* out, const auto& error) {
    absl::StrAppend(out, absl::StatusCodeToString(error.first), " ",
                    error.second);
  });
}

std::string BenchTable(const BenchReport& report, const TextStyle& style) {
  const BenchOptions& options = report.options;
  const std::string head = absl::StrCat(
      "bundle ", report.model.from.bundle_id, ", ", report.model.forward_path,
      " on ", report.model.device, "; links per RPC ", options.links_per_rpc,
      ", connections ", options.connections, ", explanation ",
      options.explanation, "\n", report.different_links,
      " different links from ", report.LinksFrom(), "; ",
      absl::FormatDuration(options.duration), " each after ",
      absl::FormatDuration(options.warmup), " of warm-up\n\n");
  TextTable table({{"load", false, true},
                   {"RPC/s", true},
                   {"links/s", true},
                   {"p50", true},
                   {"p95", true},
                   {"p99", true},
                   {"p99.9", true},
                   {"max", true},
                   {"failed", true},
                   {"late p99", true},
                   {"own cores", true}});
  for (const BenchLoad& load : report.loads) {
    const LoadResult& result = load.load.result;
    const auto text = [&style](double seconds) {
      return LatencyText(seconds, style.unicode);
    };
    const auto latency = [&](double q) {
      return text(result.latency.Quantile(q));
    };
    const bool failed = !result.errors.empty();
    table.AddRow({{load.Name()},
                  {Rate(result.rpcs_per_second)},
                  {Rate(result.links_per_second)},
                  {latency(0.5)},
                  {latency(0.95)},
                  {latency(0.99)},
                  {latency(0.999)},
                  {text(result.latency.Max())},
                  {absl::StrCat(result.sent - result.answered),
                   failed ? TextColor::kBad : TextColor::kPlain},
                  {text(result.lateness.Quantile(0.99))},
                  {absl::StrFormat("%.2f", load.load.generator_cores)}});
  }
  return head + table.Draw(style, 0);
}

}  // namespace slice
