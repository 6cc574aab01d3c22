#include "server/part_metrics.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "common/files.h"
#include "model/device.h"

namespace slice {
namespace {

double UnixSeconds(absl::Time time) {
  return static_cast<double>(absl::ToUnixSeconds(time));
}

using ByKind = std::array<double, kQuotaKinds>;

std::vector<LabelledValue> UsageValues(const Quotas& quotas,
                                       ByKind QuotaUsage::*member) {
  std::vector<LabelledValue> values;
  for (const auto& [identity, usage] : quotas.Usage()) {
    for (int kind = 0; kind < kQuotaKinds; ++kind) {
      values.push_back({{{"identity", identity},
                         {"kind", QuotaKindName(static_cast<QuotaKind>(kind))}},
                        (usage.*member)[kind]});
    }
  }
  return values;
}

const char* RoleOf(TrialKind kind) {
  return kind == TrialKind::kCanary ? "canary" : "shadow";
}

// Calls of(model, labels) for each version in memory, with the labels model,
// bundle_id and role, and gathers what it returns.
template <typename Of>
std::vector<LabelledValue> OfEachVersion(const ModelRegistry& registry,
                                         const Of& of) {
  std::vector<LabelledValue> values;
  const auto add = [&](const ServedModel& model, const char* role) {
    for (LabelledValue& one :
         of(model, {{"model", model.name},
                    {"bundle_id", model.manifest.bundle_id},
                    {"role", role}})) {
      values.push_back(std::move(one));
    }
  };
  const auto set = registry.models();
  for (const auto& [name, versions] : set->models) {
    add(*versions.serving, "serving");
    if (!versions.candidate.has_value()) continue;
    add(*versions.candidate->model, RoleOf(versions.candidate->trial.kind));
  }
  return values;
}

std::vector<LabelledValue> TrialShares(const ModelRegistry& registry) {
  std::vector<LabelledValue> values;
  const auto set = registry.models();
  for (const auto& [name, versions] : set->models) {
    if (!versions.candidate.has_value()) continue;
    const Trial& trial = versions.candidate->trial;
    values.push_back(
        {{{"model", name}, {"role", RoleOf(trial.kind)}}, trial.share});
  }
  return values;
}

// Adds a gauge that is of(model) for each version in memory.
void AddVersionGauge(const char* name, const char* help,
                     const ModelRegistry* registry, ServerMetrics* metrics,
                     double (*of)(const ServedModel& model)) {
  metrics->AddSampledGauges(name, help, [registry, of] {
    return OfEachVersion(
        *registry, [of](const ServedModel& model,
                        std::map<std::string, std::string> labels) {
          return std::vector<LabelledValue>{{std::move(labels), of(model)}};
        });
  });
}

double GraphBytes(const ModelRegistry& registry) {
  std::set<std::filesystem::path> directories;
  const auto add = [&](const ServedModel& model) {
    if (model.graph != nullptr) directories.insert(model.graph->directory);
  };
  const auto set = registry.models();
  for (const auto& [name, versions] : set->models) {
    add(*versions.serving);
    if (versions.candidate.has_value()) add(*versions.candidate->model);
  }
  double bytes = 0;
  for (const auto& directory : directories) {
    bytes += static_cast<double>(DirectoryBytes(directory));
  }
  return bytes;
}

// What versions reproduced when they were loaded.
void AddGoldenMetrics(const ModelRegistry* registry, ServerMetrics* metrics) {
  AddVersionGauge(
      "slice_model_golden_links",
      "Golden links that a version reproduced when it was loaded; 0 when its "
      "bundle has none.",
      registry, metrics, [](const ServedModel& model) {
        return static_cast<double>(model.golden_links);
      });
  AddVersionGauge(
      "slice_model_golden_difference",
      "Largest difference between a golden logit and that of a version, "
      "divided by the logit where that is above 1.",
      registry, metrics,
      [](const ServedModel& model) { return model.golden_difference; });
}

void AddLoadMetrics(const ModelDeployment* deployment, ServerMetrics* metrics) {
  metrics->AddSampledCounters(
      "slice_model_loads_total",
      "Bundles that were loaded, or could not be, by the name of the model.",
      [deployment] {
        std::vector<LabelledValue> values;
        for (const auto& [name, counts] : deployment->load_counts()) {
          values.push_back({{{"model", name}, {"outcome", "loaded"}},
                            static_cast<double>(counts.loaded)});
          values.push_back({{{"model", name}, {"outcome", "failed"}},
                            static_cast<double>(counts.failed)});
        }
        return values;
      });
  metrics->AddSampledCounters(
      "slice_model_load_failures_total",
      "Bundles that could not be loaded, by the status that says why.",
      [deployment] {
        std::vector<LabelledValue> values;
        for (const auto& [name, counts] : deployment->load_counts()) {
          for (const auto& [code, count] : counts.failed_by_code) {
            values.push_back({{{"model", name},
                               {"grpc_code", absl::StatusCodeToString(code)}},
                              static_cast<double>(count)});
          }
        }
        return values;
      });
  metrics->AddSampledGauges(
      "slice_model_load_seconds", "How long the last load of a model took.",
      [deployment] {
        std::vector<LabelledValue> values;
        for (const auto& [name, counts] : deployment->load_counts()) {
          values.push_back(
              {{{"model", name}}, absl::ToDoubleSeconds(counts.last)});
        }
        return values;
      });
  metrics->AddSampledGauge(
      "slice_models_retired",
      "Versions that are not served any more, but that requests still hold.",
      [deployment] { return static_cast<double>(deployment->retired()); });
}

}  // namespace

void AddAccessMetrics(const AccessControl* access, ServerMetrics* metrics) {
  metrics->AddSampledCounters(
      "slice_access_refused_total",
      "Calls that were refused before their method saw them, for want of "
      "credentials or of a role.",
      [access] {
        return std::vector<LabelledValue>{
            {{{"grpc_code", "UNAUTHENTICATED"}},
             static_cast<double>(access->unauthenticated())},
            {{{"grpc_code", "PERMISSION_DENIED"}},
             static_cast<double>(access->denied())}};
      });
  metrics->AddSampledGauges(
      "slice_identity_token_expiry_timestamp_seconds",
      "When the tokens of an identity expire, in seconds since 1970; only "
      "identities whose tokens do.",
      [access] {
        std::vector<LabelledValue> values;
        const auto policy = access->policy();
        for (const auto& identity : policy->identities()) {
          if (identity->tokens_sha256.empty() ||
              identity->expiry == absl::InfiniteFuture()) {
            continue;
          }
          values.push_back(
              {{{"identity", identity->name}}, UnixSeconds(identity->expiry)});
        }
        return values;
      });
}

void AddQuotaMetrics(const Quotas* quotas, ServerMetrics* metrics) {
  metrics->AddSampledCounters(
      "slice_quota_charged_total",
      "Links, recommendations and searches that an identity was charged for.",
      [quotas] { return UsageValues(*quotas, &QuotaUsage::charged); });
  metrics->AddSampledCounters(
      "slice_quota_refused_total",
      "Calls that were refused because an identity had used up a quota.",
      [quotas] { return UsageValues(*quotas, &QuotaUsage::refused); });
}

void AddPipelineMetrics(const LinkPipeline* pipeline, ServerMetrics* metrics) {
  metrics->AddSampledGauge(
      "slice_queue_items", "Links inside the server, not answered yet.",
      [pipeline] {
        return static_cast<double>(pipeline->admission().items());
      });
  metrics->AddSampledGauge(
      "slice_queue_items_limit", "The most links inside the server.",
      [pipeline] {
        return static_cast<double>(pipeline->admission().options().max_items);
      });
  metrics->AddSampledGauge(
      "slice_queue_bytes", "Memory of the requests and answers inside.",
      [pipeline] {
        return static_cast<double>(pipeline->admission().bytes());
      });
  metrics->AddSampledGauge(
      "slice_queue_bytes_limit", "The most memory of requests and answers.",
      [pipeline] {
        return static_cast<double>(pipeline->admission().options().max_bytes);
      });
  metrics->AddSampledGauge(
      "slice_queue_oldest_age_seconds",
      "How long the oldest link has waited for a context or the model.",
      [pipeline] {
        return absl::ToDoubleSeconds(
            std::max(pipeline->ContextQueue().oldest_age,
                     pipeline->ModelQueue().oldest_age));
      });
  metrics->AddSampledGauge(
      "slice_queue_predicted_wait_seconds",
      "Predicted time to answer all links inside the server.", [pipeline] {
        return absl::ToDoubleSeconds(
            pipeline->admission().PredictedWait(RequestClass::kBulk));
      });
  metrics->AddSampledGauge(
      "slice_result_cache_bytes", "Size of the answers kept.",
      [pipeline] { return static_cast<double>(pipeline->results().bytes()); });
}

void AddTaskMetrics(const TaskQueue* recommendations, const TaskQueue* lookups,
                    ServerMetrics* metrics) {
  metrics->AddSampledGauge(
      "slice_recommend_queue_items", "Recommendations that wait for a worker.",
      [recommendations] {
        return static_cast<double>(recommendations->size());
      });
  metrics->AddSampledGauge(
      "slice_recommend_queue_items_limit",
      "The most recommendations that may wait.", [recommendations] {
        return static_cast<double>(recommendations->max_tasks());
      });
  metrics->AddSampledGauge(
      "slice_lookup_queue_items", "Look-ups that wait for the worker.",
      [lookups] { return static_cast<double>(lookups->size()); });
  metrics->AddSampledGauge(
      "slice_lookup_queue_items_limit", "The most look-ups that may wait.",
      [lookups] { return static_cast<double>(lookups->max_tasks()); });
}

void AddReloadMetrics(const ConfigReloader* reloader, ServerMetrics* metrics) {
  if (reloader == nullptr) return;
  metrics->AddSampledCounters(
      "slice_config_reloads_total",
      "Reloads of the configuration that were applied, or refused for a "
      "mistake, whoever asked for them.",
      [reloader] {
        return std::vector<LabelledValue>{
            {{{"result", "applied"}}, static_cast<double>(reloader->applied())},
            {{{"result", "refused"}},
             static_cast<double>(reloader->refused())}};
      });
  metrics->AddSampledGauge(
      "slice_config_last_applied_timestamp_seconds",
      "When the configuration in use was read, in seconds since 1970.",
      [reloader] { return UnixSeconds(reloader->last_applied()); });
}

void AddConnectionMetrics(const ConnectionListener* listener,
                          ServerMetrics* metrics) {
  metrics->AddSampledGauge(
      "slice_connections", "Connections that are open.",
      [listener] { return static_cast<double>(listener->connections()); });
  metrics->AddSampledCounter(
      "slice_connections_refused_total",
      "Connections closed as soon as they were accepted, because too many were "
      "open, of their host or in all, or because their host is banned.",
      [listener] { return static_cast<double>(listener->refused()); });
}

void AddTlsMetrics(const TlsCertificates* certificates,
                   ServerMetrics* metrics) {
  if (certificates == nullptr) return;
  metrics->AddSampledGauge(
      "slice_tls_certificate_expiry_timestamp_seconds",
      "When the server's certificate expires, in seconds since 1970.",
      [certificates] { return UnixSeconds(certificates->Current()->expiry); });
  metrics->AddSampledGauges(
      "slice_tls_client_ca_expiry_timestamp_seconds",
      "When the first of the authorities that sign clients expires, in seconds "
      "since 1970; only with --tls-client-ca.",
      [certificates] {
        const absl::Time expiry = certificates->Current()->client_ca_expiry;
        std::vector<LabelledValue> values;
        if (expiry != absl::InfiniteFuture()) {
          values.push_back({{}, UnixSeconds(expiry)});
        }
        return values;
      });
  metrics->AddSampledCounter(
      "slice_tls_reloads_total", "Changes of the TLS files that were taken.",
      [certificates] { return static_cast<double>(certificates->reloads()); });
  metrics->AddSampledCounter(
      "slice_tls_reload_failures_total",
      "Changes of the TLS files that were refused, because the files do not "
      "fit together or are not valid.",
      [certificates] { return static_cast<double>(certificates->failures()); });
}

void AddModelMetrics(const ModelRegistry* registry,
                     const ModelDeployment* deployment,
                     ServerMetrics* metrics) {
  metrics->AddSampledGauges(
      "slice_bundle_info",
      "1 for each bundle in memory; its role is serving, canary or shadow.",
      [registry] {
        const std::string default_name = registry->models()->default_name;
        return OfEachVersion(
            *registry, [&](const ServedModel& model,
                           std::map<std::string, std::string> labels) {
              labels["preset"] = model.manifest.preset;
              labels["default"] = model.name == default_name ? "yes" : "no";
              return std::vector<LabelledValue>{{std::move(labels), 1}};
            });
      });
  metrics->AddSampledCounters(
      "slice_model_links_total",
      "Links that a version of a model has scored, or that failed in it.",
      [registry] {
        return OfEachVersion(
            *registry, [](const ServedModel& model,
                          std::map<std::string, std::string> labels) {
              labels["outcome"] = "scored";
              auto failed = labels;
              failed["outcome"] = "failed";
              return std::vector<LabelledValue>{
                  {std::move(labels), static_cast<double>(model.scored.load())},
                  {std::move(failed),
                   static_cast<double>(model.failed.load())}};
            });
      });
  AddGoldenMetrics(registry, metrics);
  AddLoadMetrics(deployment, metrics);
  metrics->AddSampledGauges(
      "slice_model_trial_share",
      "The share of the requests that a canary or a shadow is meant to get.",
      [registry] { return TrialShares(*registry); });
  metrics->AddSampledGauge("slice_rocksdb_disk_bytes",
                           "Size of the RocksDB files of all graphs.",
                           [registry] { return GraphBytes(*registry); });
}

void AddDeviceMetrics(const DeviceHealth* health, const std::string& device,
                      ServerMetrics* metrics) {
  metrics->AddSampledGauge("slice_gpu_lost", "1 once the device was lost.",
                           [health] { return health->lost() ? 1.0 : 0.0; });
  metrics->AddSampledCounter(
      "slice_gpu_halved_batches_total",
      "Batches cut in half since the start because device memory ran out.",
      [health] { return static_cast<double>(health->halved()); });
  // A lost device may never answer a question about its memory.
  const auto memory = [health, device] {
    return health->lost() ? DeviceMemory() : ReadDeviceMemory(device);
  };
  metrics->AddSampledGauge("slice_gpu_memory_used_bytes",
                           "Device memory in use, by any process.",
                           [memory] { return memory().used; });
  metrics->AddSampledGauge("slice_gpu_memory_total_bytes",
                           "Total memory of the device; 0 without one.",
                           [memory] { return memory().total; });
}

}  // namespace slice
