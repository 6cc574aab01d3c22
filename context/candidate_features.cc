// A node that no link joins to the anchor loses nothing when its pair is
// hidden: its features are those of the whole graph, and those of its end are
// the same for every anchor. Neighbours of the anchor are computed one by one
// from a view that hides the pair, with the path sums of the propagation.
#include "context/candidate_features.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "common/parallel.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

// Of RuleScore(): what a node without links of the relation counts as having.
constexpr double kPriorWeight = 0.1;
constexpr double kPriorLinks = 0.1;

constexpr size_t kGrain = 256;  // nodes that a thread takes at once

// Whether the feature tells of one end alone: 0 of the source, 1 of the target,
// -1 of neither. Names are such as "degree.source_arcs", "fits.target.slots".
int EndOf(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return -1;
  if (name.compare(dot + 1, 6, "source") == 0) return 0;
  return name.compare(dot + 1, 6, "target") == 0 ? 1 : -1;
}

}  // namespace

CandidateFeatures::CandidateFeatures(const PropagationGraph& graph,
                                     const LinkEncoder& encoder, int threads)
    : graph_(&graph),
      snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      features_(&encoder.pair_features()),
      threads_(threads),
      feature_count_(features_->names().size()),
      nothing_(feature_count_),
      propagation_(graph),
      constants_(graph.snapshot()) {
  if (encoder.tables().rules) {
    rules_.emplace(*snapshot_, *encoder.tables().rules);
  }
  FindColumns();
  if (encoder.tables().scaling) encoder.tables().scaling->Apply(nothing_);
  const size_t nodes = snapshot_->node_count();
  ends_.resize(nodes * feature_count_);
  for (auto& sizes : slot_sizes_) sizes.resize(nodes);
  spectral_.resize(nodes * SpectralVectors::kFeatures);
}

void CandidateFeatures::FindColumns() {
  const std::vector<std::string>& names = features_->names();
  for (size_t i = 0; i < names.size(); ++i) {
    const int end = EndOf(names[i]);
    if (end < 0) continue;
    std::vector<Columns>& columns = of_end_[end];
    if (!columns.empty() && columns.back().begin + columns.back().size == i) {
      ++columns.back().size;
    } else {
      columns.push_back({i, 1});
    }
  }
}

void CandidateFeatures::TurnTo(RelationId relation) {
  if (relation_ == relation) return;
  relation_ = relation;
  PairFeatureTables tables = encoder_->tables().ForPairs();
  tables.spectral = nullptr;
  tables.rules = nullptr;
  const GraphView view(*snapshot_);
  const auto compute = [&](NodeId node) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      slot_sizes_[static_cast<size_t>(direction)][node] = static_cast<uint32_t>(
          snapshot_->Neighbors(node, relation, direction).size());
    }
    const auto row =
        std::span(ends_).subspan(node * feature_count_, feature_count_);
    features_->ComputeWith({}, view, {node, relation, node}, tables, row);
    if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
  };
  ParallelFor(snapshot_->node_count(), kGrain, threads_,
              [&](size_t begin, size_t end, int) {
                for (size_t node = begin; node < end; ++node) {
                  compute(static_cast<NodeId>(node));
                }
              });
  relation_links_ =
      std::accumulate(slot_sizes_[0].begin(), slot_sizes_[0].end(), 0.0);
}

void CandidateFeatures::ComputeHidden(const EndQuestion& question, NodeId node,
                                      std::span<float> row) const {
  const Link link = question.With(node);
  PathSums sums = propagation_.At(node);
  if (rules_) sums.rules = rules_->At(node);
  features_->ComputeWith(sums, encoder_->QueryView(*snapshot_, link), link,
                         encoder_->tables().ForPairs(), row);
  if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
}

// Of a node that no link joins to the anchor.
void CandidateFeatures::ComputeApart(const EndQuestion& question, NodeId node,
                                     std::span<float> row) const {
  constexpr size_t kPaths = PairFeatures::kPathFeatures;
  constexpr size_t kSpectral = SpectralVectors::kFeatures;
  const EncoderTables& tables = encoder_->tables();
  const bool is_source = question.direction == Direction::kOut;
  const float* end = ends_.data() + node * feature_count_;
  for (const auto& [begin, size] : of_end_[is_source ? 1 : 0]) {
    std::copy_n(end + begin, size, row.data() + begin);
  }
  if (propagation_.Reaches(node)) {
    const size_t begin = features_->path_features_begin();
    const auto paths = row.subspan(begin).first<kPaths>();
    const size_t degree = snapshot_->DistinctNeighbors(node).size();
    const size_t anchor_degree =
        snapshot_->DistinctNeighbors(question.anchor).size();
    PairFeatures::ComputePaths(propagation_.At(node),
                               is_source ? anchor_degree : degree,
                               is_source ? degree : anchor_degree, paths);
    if (tables.scaling) tables.scaling->Apply(paths, begin);
  }
  if (rules_ && rules_->At(node).rules > 0) {
    const size_t begin = features_->rule_features_begin();
    const auto values = row.subspan(begin).first<RuleEvidence::kFeatures>();
    rules_->At(node).Write(values);
    if (tables.scaling) tables.scaling->Apply(values, begin);
  }
  if (tables.spectral) {
    const size_t begin = features_->spectral_features_begin();
    const auto values = row.subspan(begin).first<kSpectral>();
    std::copy_n(spectral_.data() + node * kSpectral, kSpectral, values.begin());
    if (tables.scaling) tables.scaling->Apply(values, begin);
  }
}

void CandidateFeatures::Propagate(const EndQuestion& question) {
  ParallelFor(2, 1, threads_, [&](size_t begin, size_t end, int) {
    for (size_t part = begin; part < end; ++part) {
      if (part == 0) {
        propagation_.Run(question);
      } else if (rules_) {
        rules_->Run(question);
      }
    }
  });
  if (const auto& spectral = encoder_->tables().spectral) {
    spectral->ComputeAll(question.anchor, question.direction, spectral_,
                         threads_);
  }
}

std::span<const float> CandidateFeatures::Compute(
    const EndQuestion& question, std::span<const NodeId> candidates) {
  TurnTo(question.relation);
  question_ = question;
  has_constants_ = false;
  Propagate(question);
  const bool is_source = question.direction == Direction::kOut;
  std::vector<float> common = nothing_;
  const float* anchor = ends_.data() + question.anchor * feature_count_;
  for (const auto& [begin, size] : of_end_[is_source ? 0 : 1]) {
    std::copy_n(anchor + begin, size, common.data() + begin);
  }
  rows_.resize(candidates.size() * feature_count_);
  const auto neighbors = snapshot_->DistinctNeighbors(question.anchor);
  const auto compute = [&](size_t i) {
    const auto row =
        std::span(rows_).subspan(i * feature_count_, feature_count_);
    const NodeId node = candidates[i];
    if (node == question.anchor ||
        std::binary_search(neighbors.begin(), neighbors.end(), node)) {
      ComputeHidden(question, node, row);
    } else {
      std::copy(common.begin(), common.end(), row.begin());
      ComputeApart(question, node, row);
    }
  };
  ParallelFor(candidates.size(), kGrain, threads_,
              [&](size_t begin, size_t end, int) {
                for (size_t i = begin; i < end; ++i) compute(i);
              });
  return rows_;
}

float CandidateFeatures::RuleScore(NodeId node, double constant_weight) {
  if (!rules_) return 0;
  if (constant_weight > 0 && !has_constants_) {
    constants_.Run(question_);
    has_constants_ = true;
  }
  const double links =
      slot_sizes_[static_cast<size_t>(Reverse(question_.direction))][node];
  const double prior =
      kPriorWeight * (links + kPriorLinks) / (relation_links_ + 1);
  const auto known = static_cast<size_t>(question_.direction);
  const double constants =
      constant_weight > 0 ? constant_weight * constants_.At(node) : 0;
  return static_cast<float>(
      std::log(rules_->At(node).noisy_or[known] + constants + prior));
}

}  // namespace slice
