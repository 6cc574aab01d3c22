// What an explanation puts in place of evidence that it takes away.
#ifndef SLICE_CONTEXT_EVIDENCE_TABLES_H_
#define SLICE_CONTEXT_EVIDENCE_TABLES_H_

#include <array>
#include <cstddef>
#include <vector>

#include "context/context_token.h"
#include "context/feature_descriptions.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Made once for a model. Immutable once made. (The neutral value of a scaled
// pair feature needs no table: it is 0, the mean over the training examples.)
struct EvidenceTables {
  // The group of each pair feature of the encoder.
  std::vector<FeatureGroup> groups;
  // The mean features of the source's token and of the target's, over a strided
  // sample of the links of the graph, each encoded as it is scored. All are 0
  // for a graph without links.
  std::array<std::array<float, kTokenFeatureCount>, 2> ends = {};

  static EvidenceTables Of(const LinkEncoder& encoder,
                           const GraphSnapshot& snapshot,
                           size_t sampled_links = 200);
};

}  // namespace slice

#endif  // SLICE_CONTEXT_EVIDENCE_TABLES_H_
