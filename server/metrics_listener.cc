#include "server/metrics_listener.h"

#include <prometheus/exposer.h>

#include <exception>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr char kThreads[] = "8";
constexpr char kTimeoutMs[] = "2000";

}  // namespace

MetricsListener::MetricsListener() = default;
MetricsListener::~MetricsListener() = default;

absl::StatusOr<std::unique_ptr<MetricsListener>> MetricsListener::Listen(
    const std::string& address, const ServerMetrics& metrics) {
  std::unique_ptr<MetricsListener> listener(new MetricsListener());
  try {
    // A client that sends only half of a request keeps a thread busy until the
    // timeout. So there are several threads, and the timeout is short.
    listener->exposer_ = std::make_unique<prometheus::Exposer>(
        std::vector<std::string>{"listening_ports", address, "num_threads",
                                 kThreads, "request_timeout_ms", kTimeoutMs,
                                 "keep_alive_timeout_ms", kTimeoutMs});
  } catch (const std::exception&) {
    return absl::UnavailableError(
        absl::StrCat("cannot listen on ", address,
                     " for metrics: the address is in use or does not "
                     "belong to this host"));
  }
  listener->collectables_ = metrics.Collectables();
  for (const auto& collectable : listener->collectables_) {
    listener->exposer_->RegisterCollectable(collectable);
  }
  const std::vector<int> ports = listener->exposer_->GetListeningPorts();
  listener->address_ = absl::StrCat(address.substr(0, address.rfind(':') + 1),
                                    ports.empty() ? 0 : ports.front());
  return listener;
}

}  // namespace slice
