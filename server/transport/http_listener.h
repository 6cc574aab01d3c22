// Answers GET requests over HTTP, or over HTTPS with the certificates of the
// other listeners, to callers whose roles allow it.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_
#define SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "server/access/role.h"
#include "server/transport/listener_credentials.h"

namespace httplib {
class Server;
}  // namespace httplib

namespace slice {

// A path that is answered.
struct HttpPage {
  std::string path;  // "/metrics"
  std::string content_type;
  Role role = Role::kMetrics;         // what its callers need
  std::function<std::string()> text;  // thread-safe
};

// Answers on threads of its own until it is destroyed.
class HttpListener {
 public:
  // Listens on HOST:PORT (port 0 means any free port). UNAVAILABLE when the
  // address cannot be bound. What `security` points to must outlive the
  // listener. Other paths get 404; callers without the role 401 or 403.
  static absl::StatusOr<std::unique_ptr<HttpListener>> Listen(
      const std::string& address, const ListenerSecurity& security,
      HttpPage page);
  ~HttpListener();

  // HOST:PORT with the port that was bound.
  const std::string& address() const { return address_; }

 private:
  HttpListener() = default;

  std::string address_;
  std::unique_ptr<httplib::Server> server_;
  std::atomic<bool> ended_ = false;  // the thread answers no more
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_LISTENER_H_
