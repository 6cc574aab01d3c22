// Decides which links are held out.
#ifndef SLICE_GRAPHSTORE_SPLIT_LINK_SPLIT_H_
#define SLICE_GRAPHSTORE_SPLIT_LINK_SPLIT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/split/split_input.h"
#include "graphstore/split/split_options.h"

namespace slice {

// kNone: a held-out link whose relation has no link in train. It cannot be
// learned, so it is in no file.
enum class SplitPart : uint8_t { kTrain, kValid, kTest, kNone };

// The part of each link of `input`. Depends on the links and the options, and
// neither on the order of rows nor on chance. Each part but kNone has a link.
//
// Links of options.learned are train links. With kRandom, so are the other
// links of their pairs; with kNodes, all links of their sources. The shares are
// then still shares of all links.
//
// kRandom orders the unordered pairs of nodes by a hash of their keys and the
// seed. The first pairs are test, the next ones valid, until each has its share
// of the links. A relation that would have no link in train keeps its last pair
// there.
// kTime and kNewest hold out the links seen last. Links of one time stay in one
// part.
// kNodes orders the sources by a hash in the same way.
//
// FAILED_PRECONDITION when there are too few links, times or sources for three
// parts, or when too few are left beside those of options.learned;
// INVALID_ARGUMENT for an unknown relation.
absl::StatusOr<std::vector<SplitPart>> SplitLinks(const SplitInput& input,
                                                  const SplitOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_LINK_SPLIT_H_
