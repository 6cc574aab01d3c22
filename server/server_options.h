// What slice-server is configured with. Its flags fill it (server_flags.h).
#ifndef SLICE_SERVER_SERVER_OPTIONS_H_
#define SLICE_SERVER_SERVER_OPTIONS_H_

#include <cstddef>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "model/device_health.h"

namespace slice {

struct ServerOptions {
  std::filesystem::path bundle;
  std::filesystem::path data_dir;
  std::string listen = "127.0.0.1:50051";  // port 0: any free port
  std::string metrics_listen;              // empty: no /metrics
  std::string admin_listen;                // empty: no AdminService
  std::string model_name = "default";
  std::string device = "cpu";
  std::string forward = "auto";  // a ForwardPathName
  DeviceLossPolicy on_device_loss = DeviceLossPolicy::kExit;

  size_t max_batch_size = 64;
  size_t max_bulk_batch_size = 16;  // while only bulk work waits
  size_t max_queue_items = 32768;   // links inside the server at once
  size_t max_queue_bytes = size_t{256} << 20;      // and of answers not read
  size_t max_transport_bytes = size_t{256} << 20;  // of calls inside gRPC
  size_t max_connections = 0;     // 0: by the limit on open files
  size_t result_cache_bytes = 0;  // 0: no answer is kept
  // 0: so many of the cores that the process may use (common/processor_count.h)
  int executors = 0;                        // half
  int context_workers = 0;                  // all
  int responders = 0;                       // a quarter
  int recommend_workers = 0;                // a quarter
  std::string client_key = "slice-client";  // metadata that names the client
  std::filesystem::path record_schedule;    // empty: no recording

  absl::Duration max_deadline = absl::Seconds(30);
  absl::Duration lame_duck = absl::Seconds(5);
  absl::Duration drain_timeout = absl::Seconds(20);

  // The counts after the zeros are filled in.
  size_t ConnectionCount() const;
  int ExecutorCount() const;
  int ContextWorkerCount() const;
  int ResponderCount() const;
  int RecommendWorkerCount() const;
  int RankingThreadCount() const;  // of a recommendation
  // All of them in words, for the log.
  std::string ThreadCounts() const;

  // INVALID_ARGUMENT naming the flag, its value and its bounds.
  absl::Status Validate() const;
};

// Whether `address` is HOST:PORT with a port in [0, 65535]; HOST may be an IPv6
// address in brackets. INVALID_ARGUMENT naming `flag` otherwise.
absl::Status ValidateAddress(const std::string& flag,
                             const std::string& address);

// Whether `address` is unix:PATH, or HOST:PORT on the loopback: what is for
// operators is not for the network. INVALID_ARGUMENT naming `flag` otherwise.
absl::Status ValidateLocalAddress(const std::string& flag,
                                  const std::string& address);

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_OPTIONS_H_
