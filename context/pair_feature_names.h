// The names of pair features. pair_features.cc lists their formulas.
#ifndef SLICE_CONTEXT_PAIR_FEATURE_NAMES_H_
#define SLICE_CONTEXT_PAIR_FEATURE_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace slice {

// Whether a graph has features of each relation, and of each node type: small
// numbers of them do.
bool HasSlotFeatures(size_t relation_count);
bool HasTypeFeatures(size_t node_type_count);

// One name per feature, in the order of the features, such as
// "common_neighbors.adamic_adar".
std::vector<std::string> PairFeatureNames(size_t relation_count,
                                          size_t node_type_count, bool walks);

}  // namespace slice

#endif  // SLICE_CONTEXT_PAIR_FEATURE_NAMES_H_
