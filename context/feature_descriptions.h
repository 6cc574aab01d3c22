// Says in plain English what each pair feature is, and to which group of
// features it belongs. An explanation takes features away by their groups.
#ifndef SLICE_CONTEXT_FEATURE_DESCRIPTIONS_H_
#define SLICE_CONTEXT_FEATURE_DESCRIPTIONS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// Features that say the same kind of thing about a link. The last four of them
// are counted over the paths between the two ends.
enum class FeatureGroup : uint8_t {
  kDegrees,
  kSlots,
  kPopularity,
  kTypes,
  kSpectral,
  kTwoPaths,
  kThreePaths,
  kDirectLinks,
  kRules,
  kOther  // a feature of a newer version
};
inline constexpr int kFeatureGroups = 10;
// "degrees", "slots", "popularity", "types", "spectral", "common_neighbors",
// "three_paths", "direct_links", "rules", "other".
std::string_view FeatureGroupName(FeatureGroup group);

struct FeatureDescription {
  FeatureGroup group = FeatureGroup::kOther;
  std::string sentence;  // empty for kOther
};

// Describes the feature `name`, one of PairFeatures::names(). The names of
// relations and node types make the sentences of single slots and types
// readable. A name that is not known has the group kOther.
FeatureDescription DescribeFeature(std::string_view name,
                                   std::span<const std::string> relations,
                                   std::span<const std::string> node_types);

}  // namespace slice

#endif  // SLICE_CONTEXT_FEATURE_DESCRIPTIONS_H_
