// The PredictLinks requests of a load, serialised once before it starts, and a
// function that reads their replies.
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
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Immutable; thread-safe.
class LoadRequests {
 public:
  struct Picked {
    const grpc::ByteBuffer* bytes = nullptr;
    LoadClass load_class = LoadClass::kDefault;
    int links = 0;
  };

  // Makes ceil(links.size() / links per RPC) requests for each class of the
  // load. They ask about the links in turn. Where the links run out, the last
  // request goes on with the first links. REQUIRES: `links` is not empty.
  LoadRequests(absl::Span<const LinkQuery> links,
               const LinkClient::Options& client, const BenchOptions& options);

  // The request of the call with this number. The seed and the number decide
  // whether it is a bulk request.
  Picked Pick(uint64_t number) const;

 private:
  struct Group {
    std::vector<grpc::ByteBuffer> requests;
    LoadClass load_class = LoadClass::kDefault;
    int links = 0;  // of a request
  };

  bool IsBulk(uint64_t number) const;

  const double bulk_share_;  // 0: only groups_[0] is used
  const uint64_t seed_;
  std::array<Group, 2> groups_;
};

// Parses the reply to a request of `links` links into `finished`.
// finished->status becomes INTERNAL when the reply cannot be parsed or does not
// have `links` results. `scratch` may be any message; passing the same one each
// time saves allocations.
void ReadReply(grpc::ByteBuffer* bytes, int links,
               v1::PredictLinksResponse* scratch, FinishedCall* finished);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_REQUESTS_H_
