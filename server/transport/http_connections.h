// What the connections of an HTTP listener share.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_CONNECTIONS_H_
#define SLICE_SERVER_TRANSPORT_HTTP_CONNECTIONS_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "absl/time/time.h"
#include "server/transport/http_endpoint.h"
#include "server/transport/listener_credentials.h"
#include "server/transport/memory_shares.h"

namespace slice {

// One connection; it lives until both ends are done with it. Used on the thread
// of the io_context alone.
class HttpConnection {
 public:
  virtual ~HttpConnection() = default;
  // Reads no further request, and ends at once if none is being answered.
  virtual void Finish() = 0;
};

// A connection holds it, so that it outlives the listener where an answer comes
// late.
struct HttpConnections {
  // Bytes of the bodies and answers of all requests together.
  static constexpr size_t kMostMemory = size_t{256} << 20;

  boost::asio::io_context io{1};
  std::vector<HttpEndpoint> endpoints;
  ListenerSecurity security;
  std::unique_ptr<boost::asio::ssl::context> tls;  // null: plaintext
  MemoryShares memory{kMostMemory};
  // The rest is used on the thread of `io` alone.
  std::unordered_set<HttpConnection*> open;
  bool finishing = false;
  boost::asio::steady_timer watch{io};

  // Null for a path or verb that is not answered.
  const HttpEndpoint* Find(std::string_view verb, std::string_view path) const;
  // Finishes all connections. When they are closed, and at `end` at the latest,
  // stops `io`.
  void Finish(absl::Time end);
  // "GET, HEAD"; empty for a path that is not answered.
  std::string VerbsOf(std::string_view path) const;

 private:
  void StopAtEnd(absl::Time end);
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_CONNECTIONS_H_
