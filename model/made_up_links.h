// Encoded links that come from no graph, for running a network before the first
// request.
#ifndef SLICE_MODEL_MADE_UP_LINKS_H_
#define SLICE_MODEL_MADE_UP_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/link_encoder.h"

namespace slice {

// The numbers of nodes and relations whose ids a made-up link may have, and the
// number of its pair features.
struct MadeUpBounds {
  size_t nodes = 0;
  size_t relations = 1;
  size_t pair_features = 0;
};

// A link with one context of `tokens` tokens and random kinds, nodes, relations
// and features. Deterministic in `seed`. REQUIRES: tokens >= 2.
EncodedLink MadeUpLink(const MadeUpBounds& bounds, size_t tokens,
                       uint64_t seed);

}  // namespace slice

#endif  // SLICE_MODEL_MADE_UP_LINKS_H_
