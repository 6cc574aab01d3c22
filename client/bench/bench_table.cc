#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/bench/bench_report.h"
#include "client/text_table.h"
#include "common/thousands.h"

namespace slice {
namespace {

std::string Rate(double per_second) {
  return per_second < 100
             ? absl::StrFormat("%.3g", per_second)
             : FormatThousands(static_cast<uint64_t>(std::lround(per_second)));
}

// Beneath the row of its load.
std::vector<TextTable::Cell> ClassRow(LoadClass load_class,
                                      const ClassResult& of_class,
                                      const TextStyle& style) {
  const auto latency = [&](double q) {
    return LatencyText(of_class.latency.Quantile(q), style.unicode);
  };
  return {{absl::StrCat("  ", ClassName(load_class))},
          {""},
          {Rate(of_class.links_per_second)},
          {latency(0.5)},
          {latency(0.95)},
          {latency(0.99)},
          {latency(0.999)},
          {LatencyText(of_class.latency.Max(), style.unicode)},
          {absl::StrCat(of_class.failed),
           of_class.failed > 0 ? TextColor::kBad : TextColor::kPlain},
          {""},
          {""}};
}

// Where the server spent the time; nothing when it did not say.
std::string StageTable(const BenchReport& report, const TextStyle& style) {
  TextTable table({{"in the server", false, true},
                   {"queue p50", true},
                   {"p99", true},
                   {"context p50", true},
                   {"p99", true},
                   {"model p50", true},
                   {"p99", true},
                   {"batch", true}});
  bool told = false;
  for (const BenchLoad& load : report.loads) {
    const StageTimes& stages = load.load.result.stages;
    if (stages.batch_sizes.empty()) continue;
    told = true;
    const auto text = [&style](const LatencyHistogram& times, double q) {
      return LatencyText(times.Quantile(q), style.unicode);
    };
    table.AddRow({{load.Name()},
                  {text(stages.queue, 0.5)},
                  {text(stages.queue, 0.99)},
                  {text(stages.context, 0.5)},
                  {text(stages.context, 0.99)},
                  {text(stages.model, 0.5)},
                  {text(stages.model, 0.99)},
                  {absl::StrFormat("%.3g", stages.MeanBatchSize())}});
  }
  return told ? absl::StrCat("\n", table.Draw(style, 0)) : "";
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

const char* ClassName(LoadClass load_class) {
  switch (load_class) {
    case LoadClass::kInteractive:
      return "interactive";
    case LoadClass::kBulk:
      return "bulk";
    case LoadClass::kDefault:
      break;
  }
  return "default";
}

std::string ShapeText(const BenchOptions& options) {
  std::string text = absl::StrCat("links per RPC ", options.links_per_rpc);
  if (options.mixed()) {
    absl::StrAppend(&text, ", bulk share ", options.bulk_share, " of ",
                    options.bulk_links_per_rpc, " links");
  } else if (options.load_class != LoadClass::kDefault) {
    absl::StrAppend(&text, ", class ", ClassName(options.load_class));
  }
  absl::StrAppend(&text, ", connections ", options.connections);
  if (options.streams > 0)
    absl::StrAppend(&text, ", streams ", options.streams);
  return text;
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
      " on ", report.model.device, "; ", ShapeText(options), ", explanation ",
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
    if (!options.mixed()) continue;
    for (const auto& [load_class, of_class] : result.classes)
      table.AddRow(ClassRow(load_class, of_class, style));
  }
  return absl::StrCat(head, table.Draw(style, 0), StageTable(report, style));
}

}  // namespace slice
