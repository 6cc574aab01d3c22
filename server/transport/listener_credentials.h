// The credentials of a gRPC listener: TLS with certificates that may change, or
// plaintext. They check every call before its handler sees it.
#ifndef SLICE_SERVER_TRANSPORT_LISTENER_CREDENTIALS_H_
#define SLICE_SERVER_TRANSPORT_LISTENER_CREDENTIALS_H_

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_context.h>

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "server/access/access_control.h"
#include "server/access/role.h"
#include "server/access/shown_credentials.h"
#include "server/transport/tls_certificates.h"

namespace slice {

// A listener, as far as its callers' credentials are concerned.
struct ListenerSecurity {
  const TlsCertificates* certificates = nullptr;  // null: plaintext
  const AccessControl* access = nullptr;
  bool local = true;  // reachable from this machine alone
};

// Calls that AccessControl::Check refuses end with its status. What `security`
// points to must outlive every server with these credentials.
std::shared_ptr<grpc::ServerCredentials> ListenerCredentials(
    const ListenerSecurity& security);

// OK when the caller may call the method ("/package.Service/Name"), else as
// AccessControl::Check; UNAUTHENTICATED for a certificate that was revoked.
absl::Status CheckCaller(const ListenerSecurity& security,
                         std::string_view method,
                         const ShownCredentials& shown);

// OK when the caller of `page` (HTTP) has the role, else as AccessPolicy::
// CheckRole; UNAUTHENTICATED for a certificate that was revoked.
absl::Status CheckPage(const ListenerSecurity& security, Role role,
                       std::string_view page, const ShownCredentials& shown);

// What the caller of a call shows: that of an in-process call, over HTTP
// (server/transport/relayed_caller.h). Valid as long as the call.
ShownCredentials ShownBy(const grpc::ServerContextBase& context,
                         const ListenerSecurity& security);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_LISTENER_CREDENTIALS_H_
