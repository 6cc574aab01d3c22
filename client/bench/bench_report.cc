#include "client/bench/bench_report.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace slice {

std::string BenchLoad::Name() const {
  return rate > 0 ? absl::StrFormat("%g RPC/s", rate)
                  : absl::StrCat(concurrency, " at once");
}

std::string BenchReport::LinksFrom() const {
  return options.links_path.empty()
             ? "the graph"
             : absl::StrCat("the file ", options.links_path);
}

const BenchLoad* BenchReport::BestLoad() const {
  const BenchLoad* best = nullptr;
  for (const BenchLoad& load : loads) {
    const LoadResult& result = load.load.result;
    const bool within = result.latency.count() > 0 && result.errors.empty() &&
                        result.latency.Quantile(0.99) <=
                            absl::ToDoubleSeconds(options.latency_bound);
    if (within && (best == nullptr || result.links_per_second >
                                          best->load.result.links_per_second)) {
      best = &load;
    }
  }
  return best;
}

std::string BestLoadText(const BenchReport& report) {
  const std::string bound = absl::FormatDuration(report.options.latency_bound);
  const BenchLoad* const best = report.BestLoad();
  if (best == nullptr) {
    return absl::StrCat("No load has a p99 within ", bound,
                        " and no failures (see --latency-bound).");
  }
  return absl::StrFormat(
      "The best load is %s: the most links per second (%.0f) with a p99 within "
      "%s.",
      best->Name(), best->load.result.links_per_second, bound);
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

}  // namespace slice
