// Serves /metrics over HTTP.
#ifndef SLICE_SERVER_METRICS_LISTENER_H_
#define SLICE_SERVER_METRICS_LISTENER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/server_metrics.h"

namespace prometheus {
class Exposer;
}

namespace slice {

// Answers scrapes on threads of its own until it is destroyed.
class MetricsListener {
 public:
  // Listens on HOST:PORT (port 0 means any free port). UNAVAILABLE when the
  // address cannot be bound.
  static absl::StatusOr<std::unique_ptr<MetricsListener>> Listen(
      const std::string& address, const ServerMetrics& metrics);
  ~MetricsListener();

  // HOST:PORT with the port that was bound.
  const std::string& address() const { return address_; }

 private:
  MetricsListener();

  std::string address_;
  // Owned here because the exposer keeps weak pointers only.
  std::vector<std::shared_ptr<prometheus::Collectable>> collectables_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace slice

#endif  // SLICE_SERVER_METRICS_LISTENER_H_
