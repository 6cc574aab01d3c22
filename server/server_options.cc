#include "server/server_options.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/did_you_mean.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "model/forward_pass.h"
#include "server/feed/feed_address.h"
#include "server/feed/max_lag.h"
#include "server/limits.h"
#include "server/open_files.h"

namespace slice {
namespace {

absl::Status CheckRange(const char* flag, int64_t value, int64_t low,
                        int64_t high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": ", value, " is not in [", low, ", ", high, "]"));
}

absl::Status CheckDuration(const char* flag, absl::Duration value,
                           absl::Duration low, absl::Duration high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": ", absl::FormatDuration(value), " is not in [",
      absl::FormatDuration(low), ", ", absl::FormatDuration(high), "]"));
}

absl::Status CheckDevice(const std::string& device) {
  int number = 0;
  if (device == "cpu" || device == "cuda" ||
      (device.starts_with("cuda:") &&
       absl::SimpleAtoi(device.substr(5), &number) && number >= 0))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--device: '", device, "' is none of cpu, cuda and cuda:N"));
}

// A bundle is not written to, so the graphs need a folder of their own.
absl::Status CheckDataDirectory(const std::filesystem::path& directory,
                                const ModelList& models) {
  if (directory.empty()) {
    return absl::InvalidArgumentError("--data-dir: name a directory");
  }
  for (const auto& model : models.models) {
    std::error_code error;
    if (!std::filesystem::equivalent(directory, model.bundle, error)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--data-dir: ", directory.string(),
                     " is a bundle; name a folder of its own, which need not "
                     "exist"));
  }
  return absl::OkStatus();
}

}  // namespace

int ServerOptions::ExecutorCount() const {
  return executors > 0 ? executors : std::max(1, ProcessorCount() / 2);
}

int ServerOptions::ContextWorkerCount() const {
  if (context_workers > 0) return context_workers;
  return ProcessorCount();
}

int ServerOptions::ResponderCount() const {
  return responders > 0 ? responders : std::max(1, ProcessorCount() / 4);
}

int ServerOptions::RankingThreadCount() const {
  return std::max(1, ProcessorCount() / RecommendWorkerCount());
}

size_t ServerOptions::ConnectionCount() const {
  if (max_connections > 0) return max_connections;
  return ConnectionsWithin(OpenFileLimit());
}

int ServerOptions::RecommendWorkerCount() const {
  if (recommend_workers > 0) return recommend_workers;
  return std::max(1, ProcessorCount() / 4);
}

std::string ServerOptions::ThreadCounts() const {
  return absl::StrCat("executors ", ExecutorCount(), ", context workers ",
                      ContextWorkerCount(), ", responders ", ResponderCount(),
                      ", recommend workers ", RecommendWorkerCount());
}

absl::Status ValidateAddress(const std::string& flag,
                             const std::string& address) {
  const size_t colon = address.rfind(':');
  int port = -1;
  const bool good = colon != std::string::npos && colon > 0 &&
                    absl::SimpleAtoi(address.substr(colon + 1), &port) &&
                    port >= 0 && port <= 65535;
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(flag, ": '", address,
                   "' is not HOST:PORT with a port from 0 to 65535, such as "
                   "127.0.0.1:50051 or [::]:50051"));
}

bool IsUnixAddress(const std::string& address) {
  return address.starts_with("unix:");
}

bool IsLocalAddress(const std::string& address) {
  if (IsUnixAddress(address)) return true;
  const std::string host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

namespace {

absl::Status CheckListener(const ServerOptions& options, const char* flag,
                           const std::string& address) {
  SLICE_RETURN_IF_ERROR(ValidateAddress(flag, address));
  if (options.tls.enabled() || options.allow_plaintext ||
      IsLocalAddress(address)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": other machines reach '", address,
      "', and without TLS everybody on the way can read and change what is "
      "sent; give --tls-cert and --tls-key, or --allow-plaintext where "
      "something in front encrypts"));
}

// What an operator may do needs more than --allow-plaintext.
absl::Status CheckAdminListener(const ServerOptions& options) {
  const std::string& address = options.admin_listen;
  if (IsUnixAddress(address) && address.size() > 5) return absl::OkStatus();
  if (address.starts_with("/")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--admin-listen: write unix:", address, " for a Unix socket"));
  }
  SLICE_RETURN_IF_ERROR(ValidateAddress("--admin-listen", address));
  if (options.tls.enabled() || IsLocalAddress(address)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--admin-listen: '", address,
      "' is not local; use unix:PATH or a loopback address such as "
      "127.0.0.1:50052, or give --tls-cert and --tls-key"));
}

// gRPC has no other names of metadata. Those that end in "-bin" are bytes.
absl::Status CheckClientKey(const std::string& key) {
  const bool good = std::all_of(key.begin(), key.end(),
                                [](unsigned char c) {
                                  return absl::ascii_islower(c) ||
                                         absl::ascii_isdigit(c) || c == '-' ||
                                         c == '_' || c == '.';
                                }) &&
                    !key.ends_with("-bin");
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--client-key: '", key,
      "' is no name of metadata; it must be of small letters, digits, '-', '_' "
      "and '.', and not end in -bin"));
}

absl::Status CheckModels(const ModelList& list) {
  if (list.models.empty()) {
    return absl::InvalidArgumentError(
        "--bundle: name a bundle directory, or list models.served in the "
        "configuration file");
  }
  std::vector<std::string> names;
  for (const ModelSource& model : list.models) names.push_back(model.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--model-name: two models are called ", Quoted(*twice)));
  }
  if (!std::binary_search(names.begin(), names.end(), list.default_name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--default-model: there is no model ", Quoted(list.default_name),
        Alternatives(list.default_name, names)));
  }
  return absl::OkStatus();
}

absl::Status CheckListeners(const ServerOptions& options) {
  SLICE_RETURN_IF_ERROR(CheckListener(options, "--listen", options.listen));
  if (!options.admin_listen.empty()) {
    SLICE_RETURN_IF_ERROR(CheckAdminListener(options));
  }
  if (!options.http_listen.empty()) {
    SLICE_RETURN_IF_ERROR(
        CheckListener(options, "--http-listen", options.http_listen));
  }
  if (!options.metrics_listen.empty()) {
    SLICE_RETURN_IF_ERROR(
        CheckListener(options, "--metrics-listen", options.metrics_listen));
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const ServerOptions& options) {
  SLICE_RETURN_IF_ERROR(
      CheckRange("--max-batch-size", options.max_batch_size, 1, 4096));
  SLICE_RETURN_IF_ERROR(CheckRange("--max-bulk-batch-size",
                                   options.max_bulk_batch_size, 1, 4096));
  SLICE_RETURN_IF_ERROR(CheckRange("--max-queue-bytes", options.max_queue_bytes,
                                   kMaxReceiveBytes, int64_t{1} << 40));
  SLICE_RETURN_IF_ERROR(CheckRange("--max-transport-bytes",
                                   options.max_transport_bytes,
                                   int64_t{64} << 20, int64_t{1} << 40));
  SLICE_RETURN_IF_ERROR(
      CheckRange("--max-connections", options.max_connections, 0, 1 << 20));
  SLICE_RETURN_IF_ERROR(CheckRange("--max-queue-items", options.max_queue_items,
                                   kMaxLinksPerRequest, 1 << 20));
  SLICE_RETURN_IF_ERROR(CheckRange(
      "--result-cache-bytes", options.result_cache_bytes, 0, int64_t{1} << 40));
  SLICE_RETURN_IF_ERROR(CheckRange("--executors", options.executors, 0, 256));
  SLICE_RETURN_IF_ERROR(
      CheckRange("--context-workers", options.context_workers, 0, 256));
  SLICE_RETURN_IF_ERROR(CheckRange("--responders", options.responders, 0, 256));
  SLICE_RETURN_IF_ERROR(
      CheckRange("--recommend-workers", options.recommend_workers, 0, 256));
  return absl::OkStatus();
}

}  // namespace

ModelList ServerOptions::Models() const {
  ModelList list;
  if (!bundle.empty()) {
    list.models.push_back(
        {.name = model_name, .bundle = bundle, .watch = watch_bundle});
  }
  list.models.insert(list.models.end(), models.begin(), models.end());
  if (!list.models.empty()) list.default_name = list.models.front().name;
  if (!default_model.empty()) list.default_name = default_model;
  return list;
}

absl::Status ServerOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckModels(Models()));
  SLICE_RETURN_IF_ERROR(CheckDataDirectory(data_dir, Models()));
  if (model_name.empty()) {
    return absl::InvalidArgumentError("--model-name: must not be empty");
  }
  SLICE_RETURN_IF_ERROR(CheckDevice(device));
  SLICE_RETURN_IF_ERROR(CheckClientKey(client_key));
  if (const auto path = ParseForwardPath(forward); !path.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--forward: ", path.status().message()));
  }
  SLICE_RETURN_IF_ERROR(tls.Validate());
  SLICE_RETURN_IF_ERROR(CheckListeners(*this));
  if (!feed.empty()) SLICE_RETURN_IF_ERROR(ParseFeedAddress(feed).status());
  if (feed.empty() && !feed_config.empty()) {
    return absl::InvalidArgumentError("--feed-config: there is no --feed");
  }
  SLICE_RETURN_IF_ERROR(ParseMaxLag(max_lag).status());
  SLICE_RETURN_IF_ERROR(CheckNumbers(*this));
  SLICE_RETURN_IF_ERROR(CheckDuration("--max-deadline", max_deadline,
                                      absl::Milliseconds(1),
                                      absl::Minutes(10)));
  SLICE_RETURN_IF_ERROR(CheckDuration("--lame-duck", lame_duck,
                                      absl::ZeroDuration(), absl::Minutes(10)));
  return CheckDuration("--drain-timeout", drain_timeout, absl::ZeroDuration(),
                       absl::Minutes(10));
}

}  // namespace slice
