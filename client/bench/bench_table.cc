// The output has lines with the bundle and the shape of the requests, the table
// of the loads, and the table of the server's own times. In a mix of classes,
// there is a row for each class below the row of a load.
#include "client/bench/bench_table.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/text_table.h"
#include "common/thousands.h"

namespace slice {
namespace {

std::string Rate(double per_second) {
  return per_second < 100
             ? absl::StrFormat("%.3g", per_second)
             : FormatThousands(static_cast<uint64_t>(std::lround(per_second)));
}

// The row of one class, below the row of its load.
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

// A table of the times that the server reported; empty when it reported none.
std::string StageTable(const BenchReport& report, const TextStyle& style) {
  TextTable table({{"in the server", false, true},
                   {"queue p50", true},
                   {"p99", true},
                   {"context p50", true},
                   {"p99", true},
                   {"model p50", true},
                   {"p99", true},
                   {"batch", true}});
  bool any = false;
  for (const BenchLoad& load : report.loads) {
    const StageTimes& stages = load.load.result.stages;
    if (stages.batch_sizes.empty()) continue;
    any = true;
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
  return any ? absl::StrCat("\n", table.Draw(style, 0)) : "";
}

std::vector<TextTable::Cell> LoadRow(const BenchLoad& load,
                                     const TextStyle& style) {
  const LoadResult& result = load.load.result;
  const auto text = [&style](double seconds) {
    return LatencyText(seconds, style.unicode);
  };
  const auto latency = [&](double q) {
    return text(result.latency.Quantile(q));
  };
  const bool failed = !result.errors.empty();
  return {{load.Name()},
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
          {absl::StrFormat("%.2f", load.load.generator_cores)}};
}

}  // namespace

std::string BenchTable(const BenchReport& report, const TextStyle& style) {
  const BenchOptions& options = report.options;
  const std::string head = absl::StrCat(
      "bundle ", report.model.from.bundle_id, ", ", report.model.forward_path,
      " on ", report.model.device, "; ", ShapeText(options), ", explanation ",
      options.explanation,
      options.what_if_changes == 0
          ? ""
          : absl::StrCat(", what-if changes ", options.what_if_changes),
      "\n", report.different_links, " different links from ",
      report.LinksFrom(), "; ", absl::FormatDuration(options.duration),
      " each after ", absl::FormatDuration(options.warmup), " of warm-up\n\n");
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
    table.AddRow(LoadRow(load, style));
    if (!options.mixed()) continue;
    for (const auto& [load_class, of_class] : load.load.result.classes)
      table.AddRow(ClassRow(load_class, of_class, style));
  }
  return absl::StrCat(head, table.Draw(style, 0),
                      report.loads.size() > 1
                          ? absl::StrCat("\n", BestLoadText(report), "\n")
                          : "",
                      StageTable(report, style));
}

}  // namespace slice
