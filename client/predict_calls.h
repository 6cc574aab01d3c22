// PredictLinks calls for a load: many under way at once, started by one thread
// and ended by another, with little work for each.
//
// Requests are serialised once and sent as bytes. Replies are parsed into one
// message that is used again and again.
#ifndef SLICE_CLIENT_PREDICT_CALLS_H_
#define SLICE_CLIENT_PREDICT_CALLS_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/bench_options.h"
#include "client/link_client.h"
#include "client/load_run.h"

namespace slice {

// The requests of a load. Immutable; thread-safe.
class PredictRequests {
 public:
  // ceil(links / links_per_rpc) requests that ask for the links in turn; the
  // last one begins again at the first link. REQUIRES: links is not empty.
  PredictRequests(absl::Span<const LinkQuery> links,
                  const LinkClient::Options& client,
                  const BenchOptions& options);
  ~PredictRequests();

 private:
  friend class PredictCalls;
  struct Buffers;
  const std::unique_ptr<const Buffers> buffers_;
  const int links_per_rpc_;
};

// Thread-safe, with one thread in Start and one in Next.
class PredictCalls final : public CallStarter {
 public:
  // Connects `connections` times, within the options' max_time. UNAVAILABLE
  // when nothing listens. At most `slots` calls are under way at once.
  // `requests` must outlive this.
  static absl::StatusOr<std::unique_ptr<PredictCalls>> Connect(
      const LinkClient::Options& client, int connections, size_t slots,
      const PredictRequests* requests);

  // REQUIRES: every call has ended.
  ~PredictCalls() override;

  // Sends the next request, over the connection slot % connections. May be
  // called by the thread in Next too.
  void Start(size_t slot) override;

  // Waits until a call has ended; nothing once EndWait was called.
  std::optional<FinishedCall> Next();

  // Lets the thread in Next return, here and later. REQUIRES: no call is under
  // way and none will be started.
  void EndWait();

 private:
  struct State;
  explicit PredictCalls(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_PREDICT_CALLS_H_
