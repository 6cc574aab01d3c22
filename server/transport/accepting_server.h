// A gRPC server whose connections a ConnectionListener accepts.
#ifndef SLICE_SERVER_TRANSPORT_ACCEPTING_SERVER_H_
#define SLICE_SERVER_TRANSPORT_ACCEPTING_SERVER_H_

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <memory>

#include "absl/status/statusor.h"
#include "server/transport/connection_listener.h"
#include "server/transport/hostile_hosts.h"
#include "server/transport/listener_credentials.h"

namespace slice {

using ConnectionAcceptor = grpc::experimental::ExternalConnectionAcceptor;

std::unique_ptr<ConnectionAcceptor> AddAcceptor(
    const ListenerSecurity& security, grpc::ServerBuilder& builder);

// Starts the server of `builder` and gives the connections of `listener` to its
// `acceptor`. Closes the connections of hosts in `kept_out`, which may be null.
// UNAVAILABLE when gRPC does not start.
absl::StatusOr<std::unique_ptr<grpc::Server>> StartAccepting(
    grpc::ServerBuilder& builder, ConnectionAcceptor* acceptor,
    ConnectionListener& listener, const HostileHosts* kept_out);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_ACCEPTING_SERVER_H_
