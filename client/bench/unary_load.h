// Sends the requests of a load as unary PredictLinks calls. Many calls are
// under way at once: one thread starts them, and another waits for them to end.
//
// Requests are sent as bytes that were serialised before, and all replies are
// parsed into the same message, so that a call costs little processor time.
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

// Opens `count` separate connections to the server. Returns UNAVAILABLE unless
// all of them are open within client.max_time.
absl::StatusOr<std::vector<std::shared_ptr<grpc::Channel>>> ConnectForLoad(
    const LinkClient::Options& client, int count);

// Thread-safe: one thread may be in Start while another is in Next.
class UnaryLoad final : public LoadCalls {
 public:
  // Connects as ConnectForLoad does. At most `slots` calls are under way at
  // once. `requests` must outlive the load.
  static absl::StatusOr<std::unique_ptr<UnaryLoad>> Connect(
      const LinkClient::Options& client, int connections, size_t slots,
      const LoadRequests* requests);

  // REQUIRES: every call has ended.
  ~UnaryLoad() override;

  // Sends the next request over the connection number slot % connections. The
  // thread that calls Next may call Start too.
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
