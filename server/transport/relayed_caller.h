// The caller of an in-process call that the HTTP listener makes for it. It
// travels in metadata that only this process can send.
#ifndef SLICE_SERVER_TRANSPORT_RELAYED_CALLER_H_
#define SLICE_SERVER_TRANSPORT_RELAYED_CALLER_H_

#include <grpcpp/client_context.h>
#include <grpcpp/server_context.h>

#include <optional>
#include <string>

#include "server/access/shown_credentials.h"
#include "server/transport/http_caller.h"

namespace slice {

// Adds the caller to a call over an in-process channel.
void AddCaller(const HttpCaller& caller, grpc::ClientContext* context);

// What AddCaller added. Valid as long as the call. nullopt for all other calls,
// whatever metadata they carry.
std::optional<ShownCredentials> RelayedCredentials(
    const grpc::ServerContextBase& context);

// The peer of a call: that of the HTTP caller, if there is one.
std::string CallerPeer(const grpc::ServerContextBase& context);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_RELAYED_CALLER_H_
