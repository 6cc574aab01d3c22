#include "context/pair_feature_names.h"

#include <iterator>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "context/rule_evidence.h"
#include "context/slot_compatibility.h"
#include "context/spectral_vectors.h"
#include "context/walk_vectors.h"

namespace slice {
namespace {

// Graphs with more slots (node types) have no features of single slots (types).
constexpr size_t kMaxSlots = 32;
constexpr size_t kMaxTypes = 16;

constexpr const char* kFirstNames[] = {
    "degree.source_neighbors",
    "degree.target_neighbors",
    "degree.source_arcs",
    "degree.target_arcs",
    "degree.same_node",
    "degree.source_isolated",
    "degree.target_isolated",
    "slot.source_out",
    "slot.source_in",
    "slot.target_out",
    "slot.target_in",
    "slot.source_out_share",
    "slot.target_in_share",
    "slot.source_out_empty",
    "slot.target_in_empty",
    "popularity.source_neighbors",
    "popularity.target_neighbors",
    "popularity.source_second_neighbors",
    "popularity.target_second_neighbors",
    "popularity.source_targets",
    "popularity.target_sources",
    "common_neighbors.count",
    "common_neighbors.adamic_adar",
    "common_neighbors.resource_allocation",
    "common_neighbors.count_normalized",
    "common_neighbors.resource_allocation_normalized",
    "common_neighbors.jaccard",
};
constexpr const char* kTwoPathKinds[] = {"first_relation", "last_relation",
                                         "alike"};
constexpr const char* kThreePathKinds[] = {"",
                                           "first_relation.",
                                           "last_relation.",
                                           "both_relations.",
                                           "there_and_back.",
                                           "first_relation_alike.",
                                           "last_relation_alike."};

}  // namespace

bool HasSlotFeatures(size_t relation_count) {
  return 2 * relation_count <= kMaxSlots;
}

bool HasTypeFeatures(size_t node_type_count) {
  return node_type_count > 1 && node_type_count <= kMaxTypes;
}

std::vector<std::string> PairFeatureNames(size_t relation_count,
                                          size_t node_type_count, bool walks) {
  std::vector<std::string> names(std::begin(kFirstNames),
                                 std::end(kFirstNames));
  for (const char* kind : kTwoPathKinds) {
    for (const char* what : {"count", "weight", "weight_normalized"}) {
      names.push_back(absl::StrCat("two_paths.", kind, ".", what));
    }
  }
  for (const char* kind : kThreePathKinds) {
    for (const char* what :
         {"count", "root_weight", "weight", "root_weight_normalized"}) {
      names.push_back(absl::StrCat("three_paths.", kind, what));
    }
  }
  for (const char* what : {"forward", "backward", "backward_alike"}) {
    names.push_back(absl::StrCat("direct.", what));
  }
  for (const char* end : {"source", "target"}) {
    for (std::string_view what : SlotCompatibility::FeatureNames()) {
      names.push_back(absl::StrCat("fits.", end, ".", std::string(what)));
    }
  }
  for (std::string_view what : SpectralVectors::FeatureNames()) {
    names.push_back(absl::StrCat("spectral.", std::string(what)));
  }
  for (std::string_view what : WalkVectors::FeatureNames()) {
    if (walks) names.push_back(absl::StrCat("walks.", std::string(what)));
  }
  for (std::string_view what : RuleEvidence::FeatureNames()) {
    names.push_back(absl::StrCat("rules.", std::string(what)));
  }
  for (const char* end : {"source", "target"}) {
    for (size_t r = 0; HasSlotFeatures(relation_count) && r < relation_count;
         ++r) {
      names.push_back(absl::StrCat("slot.", end, ".out.", r));
      names.push_back(absl::StrCat("slot.", end, ".in.", r));
      names.push_back(absl::StrCat("popularity.", end, ".out.", r));
      names.push_back(absl::StrCat("popularity.", end, ".in.", r));
    }
  }
  for (const char* end : {"source", "target"}) {
    for (size_t t = 0; HasTypeFeatures(node_type_count) && t < node_type_count;
         ++t) {
      names.push_back(absl::StrCat("type.", end, ".", t));
    }
  }
  return names;
}

}  // namespace slice
