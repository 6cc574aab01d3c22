// The table beside the list in context/pair_features.cc. A name has up to three
// parts between dots. Features that stand alone have their sentences in
// kSingle. Features that exist for several kinds of paths, for both ends, or
// for each relation are composed: the sentence of a measure names the paths,
// the end or the relation that the name's other part stands for.
#include "context/feature_descriptions.h"

#include <array>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace slice {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr Entry kSingle[] = {
    {"degree.source_neighbors", "How many neighbours the source has."},
    {"degree.target_neighbors", "How many neighbours the target has."},
    {"degree.source_arcs", "How many links the source has."},
    {"degree.target_arcs", "How many links the target has."},
    {"degree.same_node", "Whether source and target are one node."},
    {"degree.source_isolated", "Whether the source has no link at all."},
    {"degree.target_isolated", "Whether the target has no link at all."},
    {"slot.source_out", "How many links of the relation leave the source."},
    {"slot.source_in", "How many links of the relation lead to the source."},
    {"slot.target_out", "How many links of the relation leave the target."},
    {"slot.target_in", "How many links of the relation lead to the target."},
    {"slot.source_out_share",
     "Links of the relation that leave the source, for each of its "
     "neighbours."},
    {"slot.target_in_share",
     "Links of the relation that lead to the target, for each of its "
     "neighbours."},
    {"slot.source_out_empty",
     "Whether no link of the relation leaves the source."},
    {"slot.target_in_empty",
     "Whether no link of the relation leads to the target."},
    {"popularity.source_neighbors",
     "How many neighbours the neighbours of the source have."},
    {"popularity.target_neighbors",
     "How many neighbours the neighbours of the target have."},
    {"popularity.source_second_neighbors",
     "How many neighbours the nodes two links away from the source have."},
    {"popularity.target_second_neighbors",
     "How many neighbours the nodes two links away from the target have."},
    {"popularity.source_targets",
     "How popular the nodes are to which the relation already leads from the "
     "source."},
    {"popularity.target_sources",
     "How many links of the relation the nodes have that already link to the "
     "target by it."},
    {"common_neighbors.count",
     "How many neighbours source and target have in common."},
    {"common_neighbors.adamic_adar",
     "Common neighbours, of which those with few neighbours count more "
     "(Adamic-Adar)."},
    {"common_neighbors.resource_allocation",
     "Common neighbours, each divided by its number of neighbours (resource "
     "allocation)."},
    {"common_neighbors.count_normalized",
     "Common neighbours, compared with how many neighbours the ends have."},
    {"common_neighbors.resource_allocation_normalized",
     "Resource allocation, compared with how many neighbours the ends have."},
    {"common_neighbors.jaccard",
     "Which share of all neighbours of the two ends they have in common."},
    {"direct.forward",
     "How many other links lead from the source to the target."},
    {"direct.backward", "How many links lead from the target to the source."},
    {"direct.backward_alike",
     "Whether the relation links the target to the source."},
    {"spectral.out_in",
     "How likely a link from source to target is by the spectral factors."},
    {"spectral.in_out",
     "How likely a link from target to source is by the spectral factors."},
    {"spectral.out_in_cosine",
     "Whether the source links to where the target is linked from."},
    {"spectral.in_out_cosine",
     "Whether the source is linked from where the target links to."},
    {"spectral.out_out_cosine",
     "Whether source and target link to the same regions of the graph."},
    {"spectral.in_in_cosine",
     "Whether source and target are linked from the same regions of the "
     "graph."},
    {"spectral.symmetric_1",
     "How close the ends are by walks of one step, from the spectral factors."},
    {"spectral.symmetric_2",
     "How close the ends are by walks of two steps, from the spectral "
     "factors."},
    {"spectral.symmetric_3",
     "How close the ends are by walks of three steps, from the spectral "
     "factors."},
    {"spectral.symmetric_walks",
     "How close the ends are by longer walks, from the spectral factors."},
    {"spectral.symmetric_cosine",
     "Whether the ends lie in the same region of the graph."},
    {"spectral.symmetric_2_normalized",
     "How close the ends are by walks of two steps, compared with how close "
     "each is to itself."},
    {"walks.in_out",
     "How often random walks visit the target near the source, compared with "
     "chance."},
    {"walks.out_in",
     "How often random walks visit the source near the target, compared with "
     "chance."},
    {"walks.in_cosine",
     "Whether random walks visit both ends near alike nodes."},
    {"walks.out_cosine",
     "Whether both ends are visited near alike nodes by random walks."},
    {"rules.to_target.noisy_or",
     "How strongly all path rules together lead from the source to this "
     "target."},
    {"rules.to_target.best",
     "The confidence of the best path rule from the source to the target."},
    {"rules.to_source.noisy_or",
     "How strongly all path rules together lead from the target back to this "
     "source."},
    {"rules.to_source.best",
     "The confidence of the best path rule from the target back to the "
     "source."},
    {"rules.count", "How many path rules speak for the link."},
};

// $P is what the kind of path stands for.
constexpr Entry kPathMeasures[] = {
    {"count", "How many $P join the ends."},
    {"weight", "$P, of which those over nodes with few neighbours count more."},
    {"weight_normalized",
     "$P, weighted by how few neighbours their nodes have, compared with how "
     "many neighbours the ends have."},
    {"root_weight",
     "$P, of which those over nodes with few neighbours count a little more."},
    {"root_weight_normalized",
     "$P, weighted a little, compared with how many neighbours the ends "
     "have."},
};
constexpr Entry kTwoPathKinds[] = {
    {"first_relation", "paths of two links that begin with the relation"},
    {"last_relation", "paths of two links that end with the relation"},
    {"alike", "nodes to which both ends relate alike"},
};
constexpr Entry kThreePathKinds[] = {
    {"", "paths of three links"},
    {"first_relation", "paths of three links that begin with the relation"},
    {"last_relation", "paths of three links that end with the relation"},
    {"both_relations",
     "paths of three links that begin and end with the relation"},
    {"there_and_back",
     "paths of three links that travel the relation there, back and there "
     "again"},
    {"first_relation_alike",
     "paths over a node that the source links to by the relation and that is "
     "like the target"},
    {"last_relation_alike",
     "paths over a node that is like the source and that the relation links "
     "to the target"},
};
// $E is the end; the slot is that in which the relation would link it.
constexpr Entry kFits[] = {
    {"confidence_max",
     "How sure the best of the $E's other slots makes a link of the relation."},
    {"confidence_mean",
     "How sure the $E's other slots make a link of the relation on average."},
    {"lift_sum",
     "How much more likely the $E's other slots together make a link of the "
     "relation."},
    {"lift_mean",
     "How much more likely the $E's other slots make a link of the relation "
     "on average."},
    {"slots", "How many other slots the $E fills."},
};
// $E is the end, $R the relation, $D "leave" or "lead to".
constexpr std::string_view kSlot = "How many links of $R $D the $E.";
constexpr std::string_view kSlotPopularity =
    "How popular the nodes are that links of $R, those that $D the $E, join "
    "with it.";
constexpr std::string_view kType = "Whether the $E is a $R.";

struct GroupPrefix {
  std::string_view prefix;
  FeatureGroup group;
};
constexpr GroupPrefix kGroups[] = {
    {"degree.", FeatureGroup::kDegrees},
    {"slot.", FeatureGroup::kSlots},
    {"fits.", FeatureGroup::kSlots},
    {"popularity.", FeatureGroup::kPopularity},
    {"common_neighbors.", FeatureGroup::kTwoPaths},
    {"two_paths.", FeatureGroup::kTwoPaths},
    {"three_paths.", FeatureGroup::kThreePaths},
    {"direct.", FeatureGroup::kDirectLinks},
    {"spectral.", FeatureGroup::kSpectral},
    {"walks.", FeatureGroup::kSpectral},
    {"rules.", FeatureGroup::kRules},
    {"type.", FeatureGroup::kTypes},
};

template <size_t kCount>
std::string_view Find(const Entry (&entries)[kCount], std::string_view name) {
  for (const Entry& entry : entries) {
    if (entry.first == name) return entry.second;
  }
  return {};
}

// The name split at its dots.
std::vector<std::string_view> Parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t dot = name.find('.', begin);
    parts.push_back(name.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return parts;
    begin = dot + 1;
  }
}

std::string Filled(std::string_view sentence, const char* mark,
                   std::string_view value) {
  std::string filled = absl::StrReplaceAll(
      absl::string_view(sentence.data(), sentence.size()),
      {{mark, absl::string_view(value.data(), value.size())}});
  if (!filled.empty() && filled[0] >= 'a' && filled[0] <= 'z') {
    filled[0] = static_cast<char>(filled[0] - 'a' + 'A');
  }
  return filled;
}

std::string NameAt(std::string_view index, std::span<const std::string> names,
                   std::string_view otherwise) {
  size_t at = 0;
  if (absl::SimpleAtoi(absl::string_view(index.data(), index.size()), &at) &&
      at < names.size()) {
    return names[at];
  }
  return absl::StrCat(absl::string_view(otherwise.data(), otherwise.size()),
                      " ", absl::string_view(index.data(), index.size()));
}

std::string PathSentence(const std::vector<std::string_view>& parts) {
  const bool two = parts[0] == "two_paths";
  const std::string_view kind = parts.size() == 3 ? parts[1] : "";
  const std::string_view what =
      two ? Find(kTwoPathKinds, kind) : Find(kThreePathKinds, kind);
  const std::string_view measure = Find(kPathMeasures, parts.back());
  return what.empty() || measure.empty() ? "" : Filled(measure, "$P", what);
}

// "slot.source.out.3" and "popularity.target.in.0".
std::string SlotSentence(const std::vector<std::string_view>& parts,
                         std::span<const std::string> relations) {
  if (parts.size() != 4) return "";
  std::string sentence =
      Filled(parts[0] == "slot" ? kSlot : kSlotPopularity, "$E", parts[1]);
  sentence = Filled(sentence, "$D", parts[2] == "out" ? "leave" : "lead to");
  return Filled(sentence, "$R", NameAt(parts[3], relations, "relation"));
}

std::string TypeSentence(const std::vector<std::string_view>& parts,
                         std::span<const std::string> node_types) {
  if (parts.size() != 3) return "";
  return Filled(Filled(kType, "$E", parts[1]), "$R",
                NameAt(parts[2], node_types, "node of type"));
}

}  // namespace

std::string_view FeatureGroupName(FeatureGroup group) {
  static constexpr std::string_view kNames[kFeatureGroups] = {
      "degrees",          "slots",       "popularity",   "types", "spectral",
      "common_neighbors", "three_paths", "direct_links", "rules", "other"};
  return kNames[static_cast<int>(group)];
}

FeatureDescription DescribeFeature(std::string_view name,
                                   std::span<const std::string> relations,
                                   std::span<const std::string> node_types) {
  FeatureDescription described;
  const std::vector<std::string_view> parts = Parts(name);
  described.sentence = std::string(Find(kSingle, name));
  if (described.sentence.empty()) {
    if (parts[0] == "two_paths" || parts[0] == "three_paths") {
      described.sentence = PathSentence(parts);
    } else if (parts[0] == "fits" && parts.size() == 3) {
      described.sentence = Filled(Find(kFits, parts[2]), "$E", parts[1]);
    } else if (parts[0] == "slot" || parts[0] == "popularity") {
      described.sentence = SlotSentence(parts, relations);
    } else if (parts[0] == "type") {
      described.sentence = TypeSentence(parts, node_types);
    }
  }
  if (described.sentence.empty()) return {};
  for (const GroupPrefix& group : kGroups) {
    if (name.starts_with(group.prefix)) described.group = group.group;
  }
  return described;
}

}  // namespace slice
