#include "server/transport/call_interceptor.h"

#include <grpcpp/server_context.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/logging.h"
#include "server/grpc_status.h"
#include "server/transport/client_identity.h"
#include "server/transport/peer_address.h"

namespace slice {
namespace {

using grpc::experimental::InterceptionHookPoints;

// A call that is cancelled within this time of its deadline has run out of
// time: that is no reset.
constexpr absl::Duration kExpiring = absl::Milliseconds(5);

// Watches a call to its end.
class CallWatch final : public grpc::experimental::Interceptor {
 public:
  CallWatch(CallGuard* guard, const ListenerSecurity* security,
            grpc::ServerContextBase* context, std::string peer)
      : guard_(guard),
        security_(security),
        context_(context),
        peer_(std::move(peer)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(
            InterceptionHookPoints::PRE_SEND_STATUS)) {
      quota_refused_ = IsQuotaRefusal(batch->GetSendStatus());
    }
    if (batch->QueryInterceptionHookPoint(
            InterceptionHookPoints::POST_RECV_CLOSE)) {
      guard_->End(peer_, HowItEnded());
    }
    batch->Proceed();
  }

 private:
  CallOutcome HowItEnded() const {
    const bool was_reset =
        context_->IsCancelled() && TimeLeft(*context_) > kExpiring;
    if (!was_reset && !quota_refused_) return CallOutcome::kOther;
    // A proxy passes on what its clients do.
    if (security_->access->policy()->IsProxy(ShownBy(*context_, *security_))) {
      return CallOutcome::kOther;
    }
    return quota_refused_ ? CallOutcome::kQuotaRefused : CallOutcome::kReset;
  }

  CallGuard* const guard_;
  const ListenerSecurity* const security_;
  grpc::ServerContextBase* const context_;
  const std::string peer_;
  bool quota_refused_ = false;
};

const char* Behaviour(CallFlood flood) {
  switch (flood) {
    case CallFlood::kResets:
      return "resets most of its calls";
    case CallFlood::kOpenCalls:
      return "has more calls open than it may";
    case CallFlood::kRefused:
      break;
  }
  return "goes on calling although its quota is used up";
}

void End(const std::string& peer, CallFlood why, ServerMetrics* metrics,
         HostileHosts* hosts) {
  if (!PeerAddress::Parse(peer).has_value()) return;  // a Unix socket
  CloseConnectionsOf(peer);  // finds none when the peer closed it first
  metrics->HostileConnectionClosed();
  const absl::Duration ban = hosts->Offends(PeerHost(peer));
  LogWarning("closed the connection of %s: it %s%s", peer, Behaviour(why),
             ban > absl::ZeroDuration()
                 ? absl::StrCat("; its host may not connect again for ",
                                absl::ToInt64Seconds(ban), " s")
                 : "");
}

}  // namespace

CallInterceptorFactory::CallInterceptorFactory(const Clock* clock,
                                               ServerMetrics* metrics,
                                               HostileHosts* hosts,
                                               const ListenerSecurity* security)
    : security_(security),
      guard_(clock, [metrics, hosts](const std::string& peer, CallFlood why) {
        End(peer, why, metrics, hosts);
      }) {}

grpc::experimental::Interceptor*
CallInterceptorFactory::CreateServerInterceptor(
    grpc::experimental::ServerRpcInfo* info) {
  // gRPC serves reflection by the synchronous API, where it cannot be found out
  // here whether a call was cancelled.
  if (std::string_view(info->method()).starts_with("/grpc.reflection.")) {
    return nullptr;
  }
  std::string peer;
  const auto ask = [&]() -> const std::string& {
    return peer = info->server_context()->peer();
  };
  if (!guard_.Begin(ask)) return nullptr;
  return new CallWatch(&guard_, security_, info->server_context(),
                       std::move(peer));
}

void InterceptCalls(std::unique_ptr<CallInterceptorFactory> factory,
                    grpc::ServerBuilder& builder) {
  std::vector<
      std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>
      factories;
  factories.push_back(std::move(factory));
  builder.experimental().SetInterceptorCreators(std::move(factories));
}

}  // namespace slice
