// Reports the calls of a gRPC server to a CallGuard.
#ifndef SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_
#define SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_

#include <grpcpp/server_builder.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "common/clock.h"
#include "server/server_metrics.h"
#include "server/transport/call_guard.h"
#include "server/transport/hostile_hosts.h"
#include "server/transport/listener_credentials.h"

namespace slice {

// Sees every call before its handler, even a call whose request never comes.
// Few calls get an interceptor; the others cost an atomic increment.
class CallInterceptorFactory final
    : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // Hostile connections are closed and reported to `hosts`. The resets of a
  // proxy of `security` do not count: a few of its callers could otherwise have
  // all of them shut out. The proxy must see to it that they do not reset most
  // of their calls (deploy/envoy/ does). All must outlive the server.
  CallInterceptorFactory(const Clock* clock, ServerMetrics* metrics,
                         HostileHosts* hosts, const ListenerSecurity* security);

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override;

 private:
  const ListenerSecurity* const security_;
  CallGuard guard_;
};

// Has `factory` see the calls of the server that is built.
void InterceptCalls(std::unique_ptr<CallInterceptorFactory> factory,
                    grpc::ServerBuilder& builder);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_
