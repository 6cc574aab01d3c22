// Who sent a request over HTTP.
#ifndef SLICE_SERVER_TRANSPORT_HTTP_CALLER_H_
#define SLICE_SERVER_TRANSPORT_HTTP_CALLER_H_

#include <string>
#include <vector>

#include "server/access/shown_credentials.h"

namespace slice {

struct HttpCaller {
  std::string peer;  // as gRPC writes it: "ipv4:10.0.0.1:50432"
  // Of the listener, as in ShownCredentials.
  bool local = false, encrypted = false;
  std::string authorization, subject;
  // Of the client's certificate, if there is one.
  std::string certificate;  // PEM
  std::vector<std::string> uris, dns_names;

  // Valid as long as the caller.
  ShownCredentials Shown() const;
};

// Whether the header Host names this machine. A page of another site whose name
// leads to the loopback (DNS rebinding) sends its own name.
bool IsLoopbackName(const std::string& host);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_HTTP_CALLER_H_
