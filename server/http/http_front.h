// All that a server answers over HTTP: the page and the JSON API with /metrics,
// /healthz and /readyz at one address, and /metrics alone at another one.
#ifndef SLICE_SERVER_HTTP_HTTP_FRONT_H_
#define SLICE_SERVER_HTTP_HTTP_FRONT_H_

#include <grpcpp/server.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "server/http/json_api.h"
#include "server/http/people_pages.h"
#include "server/readiness.h"
#include "server/server_metrics.h"
#include "server/transport/http_listener.h"

namespace slice {

// Thread-compatible.
class HttpFront {
 public:
  // What is answered. It must outlive the front.
  struct Parts {
    grpc::Server* server = nullptr;
    const Readiness* readiness = nullptr;
    const ServerMetrics* metrics = nullptr;
    ReportFor report;
    std::string grpc_address;  // HOST:PORT or unix:PATH
    std::string client_key;    // ServerOptions::client_key
  };
  HttpFront(const Parts& parts, size_t max_connections)
      : parts_(parts), max_connections_(max_connections) {}

  // Both listen on HOST:PORT, or not at all if the address is empty. They
  // return the errors of HttpListener::Listen.
  absl::Status ListenForAll(const std::string& address,
                            const ListenerSecurity& security);
  absl::Status ListenForMetrics(const std::string& address,
                                const ListenerSecurity& security);

  // As HttpListener::Stop. /metrics is still answered at its own address.
  void Stop(absl::Duration limit);

  // With the ports that were bound; empty without.
  std::string address() const;
  std::string metrics_address() const;

 private:
  const Parts parts_;
  const size_t max_connections_;
  std::unique_ptr<JsonApi> api_;
  std::unique_ptr<HttpListener> listener_, metrics_listener_;
};

}  // namespace slice

#endif  // SLICE_SERVER_HTTP_HTTP_FRONT_H_
