#include "server/transport/http_caller.h"

#include "absl/strings/match.h"

namespace slice {

ShownCredentials HttpCaller::Shown() const {
  ShownCredentials shown;
  shown.local = local;
  shown.encrypted = encrypted;
  shown.peer = peer;
  shown.certificate = certificate;
  shown.uris.assign(uris.begin(), uris.end());
  shown.dns_names.assign(dns_names.begin(), dns_names.end());
  shown.authorization = authorization;
  shown.subject = subject;
  return shown;
}

bool IsLoopbackName(const std::string& host) {
  const bool is_v6 = absl::StartsWith(host, "[");
  const std::string name = host.substr(0, host.find(is_v6 ? ']' : ':'));
  return name.empty() || name == "[::1" || name == "localhost" ||
         (absl::StartsWith(name, "127.") &&
          name.find_first_not_of("0123456789.") == std::string::npos) ||
         absl::EndsWith(name, ".localhost");
}

}  // namespace slice
