#include "server/transport/accepting_server.h"

#include "absl/status/status.h"

namespace slice {

std::unique_ptr<ConnectionAcceptor> AddAcceptor(
    const ListenerSecurity& security, grpc::ServerBuilder& builder) {
  return builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      ListenerCredentials(security));
}

absl::StatusOr<std::unique_ptr<grpc::Server>> StartAccepting(
    grpc::ServerBuilder& builder, ConnectionAcceptor* acceptor,
    ConnectionListener& listener, const HostileHosts* kept_out) {
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    return absl::UnavailableError("gRPC did not start; the log says why");
  }
  listener.Start(
      [acceptor](int socket, int connection) {
        ConnectionAcceptor::NewConnectionParameters accepted;
        accepted.listener_fd = socket;
        accepted.fd = connection;
        acceptor->HandleNewConnection(&accepted);
      },
      kept_out);
  return server;
}

}  // namespace slice
