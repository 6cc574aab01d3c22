// Answers requests over HTTP/1.1, or over HTTPS with the certificates of the
// other listeners.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_
#define SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/transport/connection_listener.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"

namespace slice {

struct HttpConnections;

// A slow or hostile caller holds a connection and bounded memory, no thread:
// one thread reads and writes for all. Thread-compatible.
class HttpListener {
 public:
  // Listens on HOST:PORT (port 0 means any free port). UNAVAILABLE when the
  // address cannot be bound. What `security` points to must outlive the
  // listener.
  static absl::StatusOr<std::unique_ptr<HttpListener>> Listen(
      const std::string& address, const ListenerSecurity& security,
      size_t max_connections, std::vector<HttpEndpoint> endpoints);
  // Stop(0).
  ~HttpListener();

  // Accepts no further connection, and ends the others when their answers are
  // written, or after `limit`. Idempotent.
  void Stop(absl::Duration limit);

  // HOST:PORT with the port that was bound.
  const std::string& address() const { return listener_->address(); }
  const ConnectionListener& listener() const { return *listener_; }

 private:
  HttpListener() = default;

  std::unique_ptr<ConnectionListener> listener_;
  std::shared_ptr<HttpConnections> connections_;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_
