// The features of the link (u, r, v), in order. N(x) is the set of visible
// distinct neighbours of x, d_x = |N(x)|; out_r(x) and in_r(x) are the numbers
// of visible links of relation r out of and into x. R is the number of
// relations, CN the number of common neighbours of u and v. In sums over common
// neighbours and 2-paths x is the inner node; in sums over 3-paths x and y are
// the inner nodes. The sums over common neighbours are from Adamic and Adar,
// Social Networks 2003, and from Zhou, Lü and Zhang, Eur. Phys. J. B 2009; the
// 3-paths normalised by degrees are from Kovács et al., Nature Communications
// 2019. context/path_sums.h defines the path sums and the kinds K of paths.
//
//   degree.{source,target}_neighbors     log1p(d)
//   degree.{source,target}_arcs          log1p(links out of and into the node)
//   degree.same_node                     1 if u = v, else 0
//   degree.{source,target}_isolated      1 if the end has no link, else 0
//   slot.{source,target}_{out,in}        log1p(out_r or in_r)
//   slot.source_out_share                out_r(u) / (d_u + 1)
//   slot.target_in_share                 in_r(v) / (d_v + 1)
//   slot.source_out_empty                1 if out_r(u) = 0, else 0
//   slot.target_in_empty                 1 if in_r(v) = 0, else 0
//   popularity.{source,target}_neighbors mean log1p(d) of the end's neighbours
//   popularity.{source,target}_second_neighbors
//                                        that mean for each neighbour of the
//                                        end, averaged over these neighbours
//   popularity.source_targets            mean log1p(in_r) of the targets of u
//   popularity.target_sources            mean log1p(out_r) of the sources of v
//                                        (context/end_popularity.h)
//   common_neighbors.count               log1p(CN)
//   common_neighbors.adamic_adar         sum of 1 / log(max(d_x, 2))
//   common_neighbors.resource_allocation sum of 1 / d_x
//   common_neighbors.{count,resource_allocation}_normalized
//                                        CN and the sum of 1 / d_x, both over
//                                        sqrt((d_u + 1)(d_v + 1))
//   common_neighbors.jaccard             CN / (nodes in N(u) or N(v) or both)
//   two_paths.K.{count,weight,weight_normalized}
//                                        over the 2-paths of kind K: log1p of
//                                        their number, sum of 1 / d_x, and that
//                                        sum over sqrt((d_u + 1)(d_v + 1))
//   three_paths.{count,root_weight,weight,root_weight_normalized}
//                                        over all 3-paths: log1p of their
//                                        number, sum of 1 / sqrt(d_x d_y), sum
//                                        of 1 / (d_x d_y), and the first sum
//                                        over sqrt((d_u + 1)(d_v + 1))
//   three_paths.K.{the same four}        over the 3-paths of kind K
//   direct.{forward,backward,backward_alike}
//                                        log1p of the number of visible links
//                                        from u to v, from v to u, and from v
//                                        to u by r; 0 when the pair is hidden
//   fits.{source,target}.*               how well u fits outgoing slot r, and v
//                                        incoming slot r, judged by their other
//                                        slots (context/slot_compatibility.h)
//   spectral.*                           see context/spectral_vectors.cc
//   walks.*                              see context/walk_vectors.h; present
//                                        if options.walks
//   rules.*                              what the path rules say of r, by the
//                                        types of the paths from u to v
//                                        (context/rule_evidence.h)
//   slot.{source,target}.{out,in}.I      log1p of the slot degrees of each
//                                        relation I, when 2R <= 32
//   popularity.{source,target}.{out,in}.I
//                                        as popularity.source_targets, for the
//                                        same slots
//   type.{source,target}.I               1 for the node's type, else 0, when
//                                        there are 2 to 16 types
#include "context/pair_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "context/end_popularity.h"
#include "context/log_count.h"
#include "context/pair_feature_names.h"
#include "context/path_evidence.h"
#include "context/spectral_fold_in.h"

namespace slice {
namespace {

// Fills a row from left to right.
class FeatureRow {
 public:
  explicit FeatureRow(std::span<float> values) : values_(values) {}

  void Add(double value) { values_[next_++] = static_cast<float>(value); }
  void AddLog(double count) {
    const auto whole = static_cast<size_t>(count);
    Add(static_cast<double>(whole) == count ? LogCount(whole)
                                            : std::log1p(count));
  }
  template <size_t kCount>
  std::span<float, kCount> Next() {
    next_ += kCount;
    return values_.subspan(next_ - kCount).template first<kCount>();
  }
  bool full() const { return next_ == values_.size(); }

 private:
  std::span<float> values_;
  size_t next_ = 0;
};

void AddDegrees(const GraphView& view, const Link& link, double source_degree,
                double target_degree, FeatureRow& row) {
  const double source_arcs = static_cast<double>(view.ArcCount(link.source));
  const double target_arcs = static_cast<double>(view.ArcCount(link.target));
  row.AddLog(source_degree);
  row.AddLog(target_degree);
  row.AddLog(source_arcs);
  row.AddLog(target_arcs);
  row.Add(link.source == link.target);
  row.Add(source_arcs == 0);
  row.Add(target_arcs == 0);

  const auto slot = [&](NodeId node, Direction direction) {
    return static_cast<double>(view.SlotDegree(node, link.relation, direction));
  };
  const double source_out = slot(link.source, Direction::kOut);
  const double target_in = slot(link.target, Direction::kIn);
  row.AddLog(source_out);
  row.AddLog(slot(link.source, Direction::kIn));
  row.AddLog(slot(link.target, Direction::kOut));
  row.AddLog(target_in);
  row.Add(source_out / (source_degree + 1));
  row.Add(target_in / (target_degree + 1));
  row.Add(source_out == 0);
  row.Add(target_in == 0);
}

void AddPopularity(const GraphView& view, const Link& link,
                   const PairFeatureOptions& options, FeatureRow& row) {
  const auto first = static_cast<size_t>(options.popularity_fan_out);
  const auto second = static_cast<size_t>(options.second_popularity_fan_out);
  const bool same = link.source == link.target;
  const double neighbors = MeanNeighborDegree(view, link.source, first);
  row.Add(neighbors);
  row.Add(same ? neighbors : MeanNeighborDegree(view, link.target, first));
  const double ahead = MeanSecondNeighborDegree(view, link.source, second);
  row.Add(ahead);
  row.Add(same ? ahead : MeanSecondNeighborDegree(view, link.target, second));
  row.Add(MeanSlotPopularity(view, link.source, link.relation, Direction::kOut,
                             first));
  row.Add(MeanSlotPopularity(view, link.target, link.relation, Direction::kIn,
                             first));
}

void AddSlots(const GraphView& view, NodeId node, size_t relation_count,
              const PairFeatureOptions& options, FeatureRow& row) {
  const auto limit = static_cast<size_t>(options.popularity_fan_out);
  for (size_t r = 0; r < relation_count; ++r) {
    const RelationId relation = static_cast<RelationId>(r);
    row.AddLog(view.SlotDegree(node, relation, Direction::kOut));
    row.AddLog(view.SlotDegree(node, relation, Direction::kIn));
    row.Add(MeanSlotPopularity(view, node, relation, Direction::kOut, limit));
    row.Add(MeanSlotPopularity(view, node, relation, Direction::kIn, limit));
  }
}

void AddCommonNeighbors(const CommonNeighborSums& sums, double source_degree,
                        double target_degree, double inverse_norm,
                        FeatureRow& row) {
  const double either = source_degree + target_degree - sums.all.count;
  row.AddLog(sums.all.count);
  row.Add(sums.adamic_adar);
  row.Add(sums.all.weight);
  row.Add(sums.all.count * inverse_norm);
  row.Add(sums.all.weight * inverse_norm);
  row.Add(either > 0 ? sums.all.count / either : 0);
  for (const TwoPathSums* kind :
       {&sums.first_relation, &sums.last_relation, &sums.alike}) {
    row.AddLog(kind->count);
    row.Add(kind->weight);
    row.Add(kind->weight * inverse_norm);
  }
}

void AddThreePaths(const ThreePathEvidence& sums, double inverse_norm,
                   FeatureRow& row) {
  for (const ThreePathSums* kind :
       {&sums.all, &sums.first_relation, &sums.last_relation,
        &sums.both_relations, &sums.there_and_back, &sums.first_relation_alike,
        &sums.last_relation_alike}) {
    row.AddLog(kind->count);
    row.Add(kind->root_weight);
    row.Add(kind->weight);
    row.Add(kind->root_weight * inverse_norm);
  }
}

void AddDirect(const GraphView& view, const Link& link, const PathRules* rules,
               RuleEvidence& evidence, FeatureRow& row) {
  double forward = 0, backward = 0, alike = 0;
  const auto add = [&](RelationId relation, Direction direction) {
    if (direction == Direction::kOut) {
      ++forward;
    } else {
      ++backward;
      alike += relation == link.relation;
    }
    if (rules == nullptr) return;
    const PathType path = {SignedRelation(relation, direction), 0, 0};
    if (const auto rule = rules->Find({link.relation, path})) {
      evidence.Add(*rules, *rule, 1);
    }
  };
  if (link.source != link.target) {
    view.ForEachArcBetween(link.source, link.target, add);
  }
  row.AddLog(forward);
  row.AddLog(backward);
  row.AddLog(alike);
}

void AddTables(const GraphView& view, const Link& link,
               const PairFeatureTables& tables, bool has_walks,
               FeatureRow& row) {
  const struct {
    NodeId node;
    Direction direction;
  } ends[] = {{link.source, Direction::kOut}, {link.target, Direction::kIn}};
  for (const auto& [node, direction] : ends) {
    const auto values = row.Next<SlotCompatibility::kFeatures>();
    if (tables.slots == nullptr) {
      std::fill(values.begin(), values.end(), 0.0f);
      continue;
    }
    thread_local std::vector<SlotCount> slots;
    CollectSlots(view, node, slots);
    tables.slots->Compute(view.snapshot(), node,
                          SlotOf(link.relation, direction), slots, values);
  }
  const auto values = row.Next<SpectralVectors::kFeatures>();
  if (tables.spectral == nullptr) {
    std::fill(values.begin(), values.end(), 0.0f);
  } else {
    ComputeSpectralFeatures(*tables.spectral, view, link, values);
  }
  if (!has_walks) return;
  const auto walks = row.Next<WalkVectors::kFeatures>();
  if (tables.walks == nullptr) {
    std::fill(walks.begin(), walks.end(), 0.0f);
  } else {
    tables.walks->Compute(view, link, walks);
  }
}

}  // namespace

PairFeatures::PairFeatures(size_t relation_count, size_t node_type_count,
                           PairFeatureOptions options)
    : relation_count_(relation_count),
      node_type_count_(node_type_count),
      options_(options),
      names_(PairFeatureNames(relation_count, node_type_count, options.walks)),
      path_begin_(Position("common_neighbors.count")),
      spectral_begin_(Position(absl::StrCat(
          "spectral.", std::string(SpectralVectors::FeatureNames()[0])))),
      walk_begin_(Position(
          absl::StrCat("walks.", std::string(WalkVectors::FeatureNames()[0])))),
      rule_begin_(Position(absl::StrCat(
          "rules.", std::string(RuleEvidence::FeatureNames()[0])))) {}

size_t PairFeatures::Position(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) - names_.begin();
}

void PairFeatures::ComputePaths(const PathSums& sums, size_t source_degree,
                                size_t target_degree,
                                std::span<float, kPathFeatures> values) {
  const double source = static_cast<double>(source_degree);
  const double target = static_cast<double>(target_degree);
  const double inverse_norm = 1 / std::sqrt((source + 1) * (target + 1));
  FeatureRow row(values);
  AddCommonNeighbors(sums.common, source, target, inverse_norm, row);
  AddThreePaths(sums.three, inverse_norm, row);
  assert(row.full());
}

void PairFeatures::Compute(const GraphView& view, const Link& link,
                           const PairFeatureTables& tables,
                           std::span<float> values) const {
  const PathFanOut fan_out{static_cast<size_t>(options_.common_fan_out),
                           static_cast<size_t>(options_.path_fan_out),
                           static_cast<size_t>(options_.path_fan_in)};
  thread_local PathEvidence evidence;  // its scratch memory is reused
  evidence.Open(view, link, fan_out, tables.rules);
  ComputeWith(evidence.Sum(), view, link, tables, values);
}

void PairFeatures::ComputeWith(const PathSums& sums, const GraphView& view,
                               const Link& link,
                               const PairFeatureTables& tables,
                               std::span<float> values) const {
  const size_t source_degree = view.NeighborCount(link.source);
  const size_t target_degree = view.NeighborCount(link.target);
  FeatureRow row(values);
  AddDegrees(view, link, static_cast<double>(source_degree),
             static_cast<double>(target_degree), row);
  AddPopularity(view, link, options_, row);
  ComputePaths(sums, source_degree, target_degree, row.Next<kPathFeatures>());
  RuleEvidence rules = sums.rules;
  AddDirect(view, link, tables.rules, rules, row);
  AddTables(view, link, tables, options_.walks, row);
  rules.Write(row.Next<RuleEvidence::kFeatures>());
  for (const NodeId node : {link.source, link.target}) {
    if (!HasSlotFeatures(relation_count_)) break;
    AddSlots(view, node, relation_count_, options_, row);
  }
  for (const NodeId node : {link.source, link.target}) {
    for (size_t t = 0;
         HasTypeFeatures(node_type_count_) && t < node_type_count_; ++t) {
      row.Add(view.snapshot().Type(node) == t);
    }
  }
  assert(row.full());
}

}  // namespace slice
