#include "server/transport/http_caller.h"

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

}  // namespace slice
