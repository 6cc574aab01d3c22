// Sends the requests of a load over a few StreamPredictLinks streams.
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

// Here a call is one message and its answer. The server answers the messages of
// a stream in their order. When a stream ends, the calls on it fail, and the
// next call opens it again. Thread-safe: one thread may be in Start while
// another is in Next.
class StreamLoad final : public LoadCalls {
 public:
  // Connects as ConnectForLoad does (client/bench/unary_load.h), and spreads
  // `streams` streams over the connections. A stream is opened when it is first
  // used. `requests` must outlive the load.
  static absl::StatusOr<std::unique_ptr<StreamLoad>> Connect(
      const LinkClient::Options& client, int connections, int streams,
      const LoadRequests* requests);

  // REQUIRES: every call has ended. If any call was started, EndWait was called
  // and Next has returned nothing since.
  ~StreamLoad() override;

  // Sends the next request on the stream number slot % streams, after the
  // requests that wait there. The thread that calls Next may call Start too.
  void Start(size_t slot) override;
  std::optional<FinishedCall> Next() override;
  // Closes the streams. Next returns nothing once all of them have ended.
  void EndWait() override;

 private:
  struct State;
  explicit StreamLoad(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_STREAM_LOAD_H_
