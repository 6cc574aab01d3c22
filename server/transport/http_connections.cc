#include "server/transport/http_connections.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace slice {
namespace {

constexpr auto kWatchInterval = std::chrono::milliseconds(10);

}  // namespace

const HttpEndpoint* HttpConnections::Find(std::string_view verb,
                                          std::string_view path) const {
  const auto found =
      std::ranges::find_if(endpoints, [&](const HttpEndpoint& endpoint) {
        return endpoint.verb == verb && endpoint.path == path;
      });
  return found == endpoints.end() ? nullptr : &*found;
}

std::string HttpConnections::VerbsOf(std::string_view path) const {
  std::string verbs;
  for (const HttpEndpoint& endpoint : endpoints) {
    if (endpoint.path != path) continue;
    absl::StrAppend(&verbs, verbs.empty() ? "" : ", ", endpoint.verb,
                    endpoint.verb == "GET" ? ", HEAD" : "");
  }
  return verbs;
}

void HttpConnections::Finish(absl::Time end) {
  finishing = true;
  for (HttpConnection* const connection : open) connection->Finish();
  StopAtEnd(end);
}

void HttpConnections::StopAtEnd(absl::Time end) {
  if (open.empty() || absl::Now() >= end) {
    io.stop();
    return;
  }
  watch.expires_after(kWatchInterval);
  watch.async_wait([this, end](auto) { StopAtEnd(end); });
}

}  // namespace slice
