#include "server/transport/call_interceptor.h"

#include <grpcpp/server_context.h>

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/logging.h"
#include "server/transport/client_identity.h"
#include "server/transport/peer_address.h"

namespace slice {
namespace {

using grpc::experimental::InterceptionHookPoints;

// A call that ended no sooner than this before its deadline has run out of
// time, whoever was first to say so.
constexpr absl::Duration kExpiring = absl::Milliseconds(5);

// Watches a call to its end.
class CallWatch final : public grpc::experimental::Interceptor {
 public:
  CallWatch(CallGuard* guard, grpc::ServerContextBase* context,
            std::string peer)
      : guard_(guard), context_(context), peer_(std::move(peer)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(
            InterceptionHookPoints::POST_RECV_CLOSE)) {
      guard_->End(peer_,
                  context_->IsCancelled() && TimeLeft(*context_) > kExpiring);
    }
    batch->Proceed();
  }

 private:
  CallGuard* const guard_;
  grpc::ServerContextBase* const context_;
  const std::string peer_;
};

void End(const std::string& peer, CallFlood why, ServerMetrics* metrics,
         HostileHosts* hosts) {
  if (!PeerAddress::Parse(peer).has_value()) return;  // of this machine
  CloseConnectionsOf(peer);  // unless its other end was faster
  metrics->HostileConnectionClosed();
  const absl::Duration ban = hosts->Offends(PeerHost(peer));
  LogWarning("closed the connection of %s: it %s%s", peer,
             why == CallFlood::kResets ? "resets most of its calls"
                                       : "has more calls open than it may",
             ban > absl::ZeroDuration()
                 ? absl::StrCat("; no other of its host is taken in for ",
                                absl::ToInt64Seconds(ban), " s")
                 : "");
}

}  // namespace

CallInterceptorFactory::CallInterceptorFactory(const Clock* clock,
                                               ServerMetrics* metrics,
                                               HostileHosts* hosts)
    : guard_(clock, [metrics, hosts](const std::string& peer, CallFlood why) {
        End(peer, why, metrics, hosts);
      }) {}

grpc::experimental::Interceptor*
CallInterceptorFactory::CreateServerInterceptor(
    grpc::experimental::ServerRpcInfo* info) {
  // Reflection is served by threads whose calls cannot be asked whether they
  // were cancelled.
  if (std::string_view(info->method()).starts_with("/grpc.reflection.")) {
    return nullptr;
  }
  std::string peer;
  const auto ask = [&]() -> const std::string& {
    return peer = info->server_context()->peer();
  };
  if (!guard_.Begin(ask)) return nullptr;
  return new CallWatch(&guard_, info->server_context(), std::move(peer));
}

}  // namespace slice
