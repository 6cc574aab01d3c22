// Reports the calls of a gRPC server to a CallGuard.
#ifndef SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_
#define SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_

#include <grpcpp/support/server_interceptor.h>

#include "common/clock.h"
#include "server/server_metrics.h"
#include "server/transport/call_guard.h"
#include "server/transport/hostile_hosts.h"

namespace slice {

// Sees every call before its handler, even a call whose request never comes.
// Few calls get an interceptor; the others cost an atomic increment.
class CallInterceptorFactory final
    : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // Hostile connections are closed and reported to `hosts`. All must outlive
  // the server.
  CallInterceptorFactory(const Clock* clock, ServerMetrics* metrics,
                         HostileHosts* hosts);

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override;

 private:
  CallGuard guard_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CALL_INTERCEPTOR_H_
