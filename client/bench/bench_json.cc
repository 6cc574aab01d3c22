// There is one JSON object for each load that was run. It says first which
// server and model were under test, then the options, then the counts, the
// latencies and the server's own times. A number that is NaN or infinite
// becomes null. All times are in seconds.
#include "client/bench/bench_json.h"

#include <cmath>

#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

Json Number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json Times(const LatencyHistogram& times) {
  return {{"p50", Number(times.Quantile(0.5))},
          {"p95", Number(times.Quantile(0.95))},
          {"p99", Number(times.Quantile(0.99))},
          {"p999", Number(times.Quantile(0.999))},
          {"max", Number(times.Max())},
          {"mean", Number(times.Mean())}};
}

Json Counts(const std::map<absl::StatusCode, int64_t>& counts) {
  Json json = Json::object();
  for (const auto& [code, count] : counts)
    json[absl::StatusCodeToString(code)] = count;
  return json;
}

Json OptionsJson(const BenchReport& report, const BenchLoad& load) {
  const BenchOptions& options = report.options;
  const bool open = load.rate > 0;
  return {{"server", report.server},
          {"loop", open ? "open" : "closed"},
          {"concurrency", open ? Json() : Json(load.concurrency)},
          {"rate", open ? Json(load.rate) : Json()},
          {"max_outstanding", open ? Json(options.max_outstanding) : Json()},
          {"links_per_rpc", options.links_per_rpc},
          {"class", options.mixed() ? "mixed" : ClassName(options.load_class)},
          {"bulk_share", options.bulk_share},
          {"bulk_links_per_rpc",
           options.mixed() ? Json(options.bulk_links_per_rpc) : Json()},
          {"connections", options.connections},
          {"streams", options.streams},
          {"explanation", options.explanation},
          {"what_if_changes", options.what_if_changes},
          {"scorer", report.scorer},
          {"links", options.links_path.empty() ? "" : options.links_path},
          {"different_links", report.different_links},
          {"seed", options.seed},
          {"max_time_seconds", absl::ToDoubleSeconds(report.max_time)},
          {"warmup_seconds", absl::ToDoubleSeconds(options.warmup)},
          {"duration_seconds", absl::ToDoubleSeconds(options.duration)}};
}

Json StagesJson(const StageTimes& stages) {
  if (stages.batch_sizes.empty()) return nullptr;
  return {{"queue_seconds", Times(stages.queue)},
          {"context_seconds", Times(stages.context)},
          {"model_seconds", Times(stages.model)},
          {"batch_size",
           {{"mean", Number(stages.MeanBatchSize())},
            {"max", stages.batch_sizes.rbegin()->first}}}};
}

Json ClassesJson(const BenchOptions& options, const LoadResult& result) {
  Json json = Json::object();
  if (!options.mixed()) return json;
  for (const auto& [load_class, of_class] : result.classes) {
    json[ClassName(load_class)] = {
        {"sent", of_class.answered + of_class.failed},
        {"answered", of_class.answered},
        {"failed", of_class.failed},
        {"links_per_second", Number(of_class.links_per_second)},
        {"latency_seconds", Times(of_class.latency)}};
  }
  return json;
}

}  // namespace

std::string BenchJson(const BenchReport& report, const BenchLoad& load) {
  const LoadResult& result = load.load.result;
  Json json;
  json["bundle_id"] = report.model.from.bundle_id;
  json["graph_version"] = report.model.from.graph_version;
  json["forward_path"] = report.model.forward_path;
  json["device"] = report.model.device;
  json["server_version"] = report.model.server_version;
  json["options"] = OptionsJson(report, load);
  json["measured_seconds"] = absl::ToDoubleSeconds(result.measured);
  json["interrupted"] = result.interrupted;
  json["links_per_second"] = Number(result.links_per_second);
  json["rpcs_per_second"] = Number(result.rpcs_per_second);
  json["sent"] = result.sent;
  json["answered"] = result.answered;
  json["failed"] = result.sent - result.answered;
  json["unsent"] = result.unsent;
  json["links"] = result.links;
  json["errors"] = Counts(result.errors);
  json["link_errors"] = Counts(result.link_errors);
  json["latency_seconds"] = Times(result.latency);
  json["error_latency_seconds"] = Times(result.error_latency);
  json["rejected_latency_seconds"] = Times(result.rejected_latency);
  json["lateness_seconds"] = {{"p50", Number(result.lateness.Quantile(0.5))},
                              {"p99", Number(result.lateness.Quantile(0.99))},
                              {"max", Number(result.lateness.Max())}};
  json["classes"] = ClassesJson(report.options, result);
  json["server"] = StagesJson(result.stages);
  json["max_outstanding"] = result.max_outstanding;
  json["generator_cores"] = Number(load.load.generator_cores);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace slice
