// The PredictLinks requests of a load, serialised once, and what their replies
// say.
#ifndef SLICE_CLIENT_BENCH_LOAD_REQUESTS_H_
#define SLICE_CLIENT_BENCH_LOAD_REQUESTS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "client/bench/bench_options.h"
#include "client/bench/load_run.h"
#include "client/link_client.h"
#include "grpcpp/support/byte_buffer.h"
#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {

// Immutable; thread-safe.
class LoadRequests {
 public:
  struct Picked {
    const grpc::ByteBuffer* bytes = nullptr;
    LoadClass load_class = LoadClass::kDefault;
    int links = 0;
  };

  // For each class of the load ceil(links / links of an RPC) requests that ask
  // for the links in turn; the last one begins again at the first link.
  // REQUIRES: links is not empty.
  LoadRequests(absl::Span<const LinkQuery> links,
               const LinkClient::Options& client, const BenchOptions& options);

  // What the call with this number sends. Which are bulk requests is drawn from
  // the seed and the number.
  Picked Pick(uint64_t number) const;

 private:
  struct Group {
    std::vector<grpc::ByteBuffer> requests;
    LoadClass load_class = LoadClass::kDefault;
    int links = 0;  // of a request
  };

  bool IsBulk(uint64_t number) const;

  const double bulk_share_;  // 0: only the first group
  const uint64_t seed_;
  std::array<Group, 2> groups_;
};

// Reads what an answer says into `finished`; INTERNAL there when it contradicts
// itself. `scratch` is used again and again.
void ReadReply(grpc::ByteBuffer* bytes, int links,
               v1::PredictLinksResponse* scratch, FinishedCall* finished);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_REQUESTS_H_
