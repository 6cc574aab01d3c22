// The links that a load asks for.
#ifndef SLICE_CLIENT_BENCH_LOAD_LINKS_H_
#define SLICE_CLIENT_BENCH_LOAD_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/link_client.h"

namespace slice {

// Those of a file (LinkFile), in its order.
absl::StatusOr<std::vector<LinkQuery>> ReadLinks(const std::string& path,
                                                 bool exact_keys);

// About `count` links drawn from the server's graph, the same for the same
// graph and seed: one half links that exist, from nodes drawn uniformly, four
// of each; the other half the same with another target of the same type. Nodes
// are by key.
//
// Only the first 100,000 nodes by name take part, and the first 1,000
// neighbours of each. FAILED_PRECONDITION when the graph has no link to draw;
// also the errors of the calls.
absl::StatusOr<std::vector<LinkQuery>> DrawLinks(const LinkClient& client,
                                                 size_t count, uint64_t seed);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_LINKS_H_
