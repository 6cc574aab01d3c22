// A ConnectionListener accepts; Boost.Beast reads and writes, on one thread
// (server/transport/http_connection.cc).
#include "server/transport/http_listener.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "server/transport/http_connection.h"
#include "server/transport/http_connections.h"
#include "server/transport/http_tls.h"

namespace slice {

namespace asio = boost::asio;

absl::StatusOr<std::unique_ptr<HttpListener>> HttpListener::Listen(
    const std::string& address, const ListenerSecurity& security,
    size_t max_connections, std::vector<HttpEndpoint> endpoints) {
  std::unique_ptr<HttpListener> listener(new HttpListener());
  SLICE_ASSIGN_OR_RETURN(listener->listener_,
                         ConnectionListener::Bind(address, max_connections));
  auto connections = std::make_shared<HttpConnections>();
  connections->security = security;
  connections->endpoints = std::move(endpoints);
  connections->tls = NewTlsContext(security.certificates);
  listener->connections_ = connections;
  listener->thread_ =
      std::thread([connections, work = asio::make_work_guard(connections->io)] {
        connections->io.run();
      });
  listener->listener_->Start([connections](int, int connection) {
    AnswerConnection(connections, connection);
  });
  return listener;
}

HttpListener::~HttpListener() { Stop(absl::ZeroDuration()); }

void HttpListener::Stop(absl::Duration limit) {
  if (!thread_.joinable()) return;
  listener_->Stop();
  asio::post(connections_->io,
             [this, end = absl::Now() + limit] { connections_->Finish(end); });
  thread_.join();
}

}  // namespace slice
