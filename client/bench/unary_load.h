// Unary PredictLinks calls for a load: many under way at once, started by one
// thread and ended by another, with little work for each.
//
// Requests are sent as bytes. Replies are parsed into one message that is used
// again and again.
#ifndef SLICE_CLIENT_BENCH_UNARY_LOAD_H_
#define SLICE_CLIENT_BENCH_UNARY_LOAD_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/load_requests.h"
#include "client/bench/load_run.h"
#include "client/link_client.h"

namespace grpc {
class Channel;
}  // namespace grpc

namespace slice {

// `count` connections to the server that stand, each of its own. UNAVAILABLE
// when nothing listens within the options' max_time.
absl::StatusOr<std::vector<std::shared_ptr<grpc::Channel>>> ConnectForLoad(
    const LinkClient::Options& client, int count);

// Thread-safe, with one thread in Start and one in Next.
class UnaryLoad final : public LoadCalls {
 public:
  // Connects as ConnectForLoad. At most `slots` calls are under way at once.
  // `requests` must outlive this.
  static absl::StatusOr<std::unique_ptr<UnaryLoad>> Connect(
      const LinkClient::Options& client, int connections, size_t slots,
      const LoadRequests* requests);

  // REQUIRES: every call has ended.
  ~UnaryLoad() override;

  // Sends the next request, over the connection slot % connections. May be
  // called by the thread in Next too.
  void Start(size_t slot) override;
  std::optional<FinishedCall> Next() override;
  void EndWait() override;

 private:
  struct State;
  explicit UnaryLoad(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_UNARY_LOAD_H_
