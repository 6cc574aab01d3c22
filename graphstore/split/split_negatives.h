// Draws the non-links of valid and test.
#ifndef SLICE_GRAPHSTORE_SPLIT_SPLIT_NEGATIVES_H_
#define SLICE_GRAPHSTORE_SPLIT_SPLIT_NEGATIVES_H_

#include <cstdint>
#include <vector>

#include "graphstore/split/link_split.h"
#include "graphstore/split/split_input.h"

namespace slice {

// The shares of the draws that DrawNegatives describes.
inline constexpr double kInSlotShare = 0.5;
inline constexpr double kTargetShare = 0.25;
inline constexpr double kBothEndsShare = 0.25;

struct SplitNegatives {
  std::vector<Link> links;  // ascending, distinct
  // How many links of the part got no non-link, because every draw was a link.
  uint64_t missing = 0;
};

// One non-link for each link of `part`: no link of any part, and no self loop
// unless train has self loops of that relation. A draw
//   keeps the source and draws the target among the targets that the relation
//     has in train (kInSlotShare);
//   keeps the source and draws the target among all nodes (kTargetShare);
//   draws both ends among all nodes (kBothEndsShare).
// Where such draws keep hitting links, wider ones take their place. The draws
// depend on the link and the seed alone.
SplitNegatives DrawNegatives(const SplitInput& input,
                             const std::vector<SplitPart>& parts,
                             SplitPart part, uint64_t seed);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_SPLIT_NEGATIVES_H_
