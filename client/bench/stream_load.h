// StreamPredictLinks for a load: messages of many calls over a few streams.
#ifndef SLICE_CLIENT_BENCH_STREAM_LOAD_H_
#define SLICE_CLIENT_BENCH_STREAM_LOAD_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "client/bench/load_requests.h"
#include "client/bench/load_run.h"
#include "client/link_client.h"

namespace slice {

// A call is a message and its answer; the server answers the messages of a
// stream in their order. A stream that ends fails the calls on it, and is
// opened again for the next one. Thread-safe, with one thread in Start and one
// in Next.
class StreamLoad final : public LoadCalls {
 public:
  // `streams` streams, spread over the connections (ConnectForLoad), each
  // opened when first used. `requests` must outlive this.
  static absl::StatusOr<std::unique_ptr<StreamLoad>> Connect(
      const LinkClient::Options& client, int connections, int streams,
      const LoadRequests* requests);

  // REQUIRES: every call has ended, and EndWait was called and Next returned
  // nothing if any was started.
  ~StreamLoad() override;

  // Sends the next request on the stream slot % streams, behind those that wait
  // there. May be called by the thread in Next too.
  void Start(size_t slot) override;
  std::optional<FinishedCall> Next() override;
  // The streams end, and then Next.
  void EndWait() override;

 private:
  struct State;
  explicit StreamLoad(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_STREAM_LOAD_H_
