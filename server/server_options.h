// The settings of slice-server. Its command-line flags fill them
// (server_flags.h).
#ifndef SLICE_SERVER_SERVER_OPTIONS_H_
#define SLICE_SERVER_SERVER_OPTIONS_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/logging.h"
#include "model/device_health.h"
#include "server/access/access_control.h"
#include "server/access/call_log.h"
#include "server/access/quota_limits.h"
#include "server/models/model_source.h"
#include "server/transport/tls_material.h"

namespace slice {

struct ServerOptions {
  std::filesystem::path bundle;        // served as model_name; may be empty
  bool watch_bundle = false;           // ModelSource::watch of `bundle`
  std::vector<ModelSource> models;     // served beside it
  std::string default_model;           // empty: the first
  std::filesystem::path trusted_keys;  // empty: bundles need no signature
  std::filesystem::path data_dir;
  std::string listen = "127.0.0.1:50051";  // port 0: any free port
  std::string http_listen;                 // empty: no JSON API, no page
  std::string metrics_listen;              // empty: no /metrics
  std::string admin_listen;                // empty: no AdminService
  bool allow_plaintext = false;            // beyond this machine
  bool accept_updates = false;             // of the graph
  std::string feed;                        // of changes; empty: none
  std::filesystem::path feed_config;       // passwords and TLS; empty: none
  std::string max_lag = "1000";            // behind the feed (MaxLag)
  TlsOptions tls;
  std::filesystem::path token_file;  // identities; empty: none
  AccessOptions access;
  CallLogOptions call_log;
  std::string model_name = "default";
  std::string device = "cpu";
  std::string forward = "auto";  // a ForwardPathName
  DeviceLossPolicy on_device_loss = DeviceLossPolicy::kExit;

  size_t max_batch_size = 64;
  size_t max_bulk_batch_size = 16;  // while only bulk work waits
  size_t max_queue_items = 32768;   // links inside the server at once
  size_t max_queue_bytes = size_t{256} << 20;      // requests, unread answers
  size_t max_transport_bytes = size_t{256} << 20;  // of calls inside gRPC
  size_t max_connections = 0;     // 0: by the limit on open files
  size_t result_cache_bytes = 0;  // 0: no answer is kept
  QuotaLimits quotas;             // of an identity or a host
  // Numbers of threads. 0 means a share of the cores that the process may use
  // (common/processor_count.h).
  int executors = 0;                        // 0: half of the cores
  int context_workers = 0;                  // 0: all of the cores
  int responders = 0;                       // 0: a quarter of the cores
  int recommend_workers = 0;                // 0: a quarter of the cores
  std::string client_key = "slice-client";  // metadata that names the client
  std::filesystem::path record_schedule;    // empty: no recording
  LogLevel log_level = LogLevel::kInfo;

  absl::Duration max_deadline = absl::Seconds(30);
  absl::Duration lame_duck = absl::Seconds(5);
  absl::Duration drain_timeout = absl::Seconds(20);

  // All models that are to be served.
  ModelList Models() const;

  // The counts, where a 0 is replaced by what it stands for.
  size_t ConnectionCount() const;
  int ExecutorCount() const;
  int ContextWorkerCount() const;
  int ResponderCount() const;
  int RecommendWorkerCount() const;
  int RankingThreadCount() const;  // for one recommendation
  // The numbers of threads in words, for the log.
  std::string ThreadCounts() const;

  // OK, or INVALID_ARGUMENT with the name of the first wrong flag, its value
  // and its bounds.
  absl::Status Validate() const;
};

// OK when `address` is HOST:PORT with a port in [0, 65535]; HOST may be an IPv6
// address in brackets. Otherwise INVALID_ARGUMENT, which names `flag`.
absl::Status ValidateAddress(const std::string& flag,
                             const std::string& address);

// Whether `address` is unix:PATH, or HOST:PORT on the loopback, so that only
// this machine reaches it.
bool IsLocalAddress(const std::string& address);
// Whether `address` is unix:PATH. The kernel protects such a socket, so it
// needs no TLS.
bool IsUnixAddress(const std::string& address);

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_OPTIONS_H_
