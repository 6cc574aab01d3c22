// The links that a load asks about.
#ifndef SLICE_CLIENT_BENCH_LOAD_LINKS_H_
#define SLICE_CLIENT_BENCH_LOAD_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/link_client.h"

namespace slice {

// The links of a file (client/link_file.h), in its order.
absl::StatusOr<std::vector<LinkQuery>> ReadLinks(const std::string& path,
                                                 bool exact_keys);

// About `count` links drawn from the server's graph. The same graph and seed
// give the same links. One half are links that exist: four of each of some
// nodes that are drawn uniformly. The other half are their twins: the same
// links, each with another target of the same type. Nodes are named by key.
//
// Draws among the first 100,000 nodes by name, and the first 1,000 neighbours
// of each. FAILED_PRECONDITION when the graph has no link to draw; also the
// errors of the calls.
absl::StatusOr<std::vector<LinkQuery>> DrawLinks(const LinkClient& client,
                                                 size_t count, uint64_t seed);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_LINKS_H_
