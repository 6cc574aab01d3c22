// Chooses the links that the requests of a load ask about.
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

// Draws at most `count` links from the server's graph. The same graph and seed
// give the same links. Half of them exist: nodes are drawn uniformly, and up to
// four links of each drawn node are taken. The other half are their twins: each
// is one of these links with another target of the same type. Nodes are named
// by key.
//
// Nodes are drawn among the first 100,000 by name, and links among the first
// 1,000 outgoing links of a node. Returns FAILED_PRECONDITION when no link can
// be drawn, and the errors of the calls.
absl::StatusOr<std::vector<LinkQuery>> DrawLinks(const LinkClient& client,
                                                 size_t count, uint64_t seed);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_LOAD_LINKS_H_
