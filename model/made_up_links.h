// Encoded links of no graph, for running a network before the first request.
#ifndef SLICE_MODEL_MADE_UP_LINKS_H_
#define SLICE_MODEL_MADE_UP_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/link_encoder.h"

namespace slice {

// What made-up tokens may name.
struct MadeUpBounds {
  size_t nodes = 0;
  size_t relations = 1;
  size_t pair_features = 0;
};

// A link with a context of `tokens` tokens (at least 2) of random kinds, roles,
// relations and features.
EncodedLink MadeUpLink(const MadeUpBounds& bounds, size_t tokens,
                       uint64_t seed);

}  // namespace slice

#endif  // SLICE_MODEL_MADE_UP_LINKS_H_
