// A node that no link joins to the anchor loses nothing when its pair is
// hidden: its features are those of the whole graph, and those of its end are
// the same for every anchor. Neighbours of the anchor are computed one by one
// from a view that hides the pair, with the path sums of the propagation.
#include "context/candidate_features.h"

#include <algorithm>
#include <cmath>

#include "common/parallel.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

// Of RuleScore(): what a node without links of the relation counts as having.
constexpr double kPriorWeight = 0.1;
constexpr double kPriorLinks = 0.1;

constexpr size_t kGrain = 256;  // nodes that a thread takes at once

}  // namespace

CandidateFeatures::CandidateFeatures(const PropagationGraph& graph,
                                     const LinkEncoder& encoder, int threads,
                                     EndFeatureCache* ends)
    : snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      features_(&encoder.pair_features()),
      threads_(threads),
      feature_count_(features_->names().size()),
      nothing_(feature_count_),
      ends_(ends),
      propagation_(graph),
      constants_(graph.snapshot()) {
  if (ends_ == nullptr) {
    own_ends_ = std::make_unique<EndFeatureCache>(*snapshot_, encoder, 0);
    ends_ = own_ends_.get();
  }
  if (encoder.tables().rules) {
    rules_.emplace(*snapshot_, *encoder.tables().rules);
  }
  if (encoder.tables().scaling) encoder.tables().scaling->Apply(nothing_);
  spectral_.resize(snapshot_->node_count() * SpectralVectors::kFeatures);
}

void CandidateFeatures::ComputeHidden(NodeId node, std::span<float> row) const {
  const Link link = question_.With(node);
  PathSums sums = propagation_.At(node);
  if (rules_) sums.rules = rules_->At(node);
  features_->ComputeWith(sums, encoder_->QueryView(*snapshot_, link), link,
                         encoder_->tables().ForPairs(), row);
  if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
}

// Of a node that no link joins to the anchor.
void CandidateFeatures::ComputeApart(NodeId node, std::span<float> row) const {
  constexpr size_t kPaths = PairFeatures::kPathFeatures;
  constexpr size_t kSpectral = SpectralVectors::kFeatures;
  const EncoderTables& tables = encoder_->tables();
  const bool is_source = question_.direction == Direction::kOut;
  end_features_->CopyTo(node, Reverse(question_.direction), row);
  if (propagation_.Reaches(node)) {
    const size_t begin = features_->path_features_begin();
    const auto paths = row.subspan(begin).first<kPaths>();
    const size_t degree = snapshot_->DistinctNeighbors(node).size();
    const size_t anchor_degree =
        snapshot_->DistinctNeighbors(question_.anchor).size();
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

void CandidateFeatures::Propagate() {
  ParallelFor(2, 1, threads_, [&](size_t begin, size_t end, int) {
    for (size_t part = begin; part < end; ++part) {
      if (part == 0) {
        propagation_.Run(question_);
      } else if (rules_) {
        rules_->Run(question_);
      }
    }
  });
  if (const auto& spectral = encoder_->tables().spectral) {
    spectral->ComputeAll(question_.anchor, question_.direction, spectral_,
                         threads_);
  }
}

void CandidateFeatures::Ask(const EndQuestion& question) {
  if (!end_features_ || question.relation != question_.relation) {
    end_features_ = ends_->Get(question.relation, threads_);
  }
  question_ = question;
  has_constants_ = false;
  Propagate();
  common_ = nothing_;
  end_features_->CopyTo(question.anchor, question.direction, common_);
}

std::span<const float> CandidateFeatures::Rows(
    std::span<const NodeId> candidates) {
  rows_.resize(candidates.size() * feature_count_);
  const auto neighbors = snapshot_->DistinctNeighbors(question_.anchor);
  const auto compute = [&](size_t i) {
    const auto row =
        std::span(rows_).subspan(i * feature_count_, feature_count_);
    const NodeId node = candidates[i];
    if (node == question_.anchor ||
        std::binary_search(neighbors.begin(), neighbors.end(), node)) {
      ComputeHidden(node, row);
    } else {
      std::copy(common_.begin(), common_.end(), row.begin());
      ComputeApart(node, row);
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
  const double links = end_features_->links(node, Reverse(question_.direction));
  const double prior = kPriorWeight * (links + kPriorLinks) /
                       (end_features_->relation_links() + 1);
  const auto known = static_cast<size_t>(question_.direction);
  const double constants =
      constant_weight > 0 ? constant_weight * constants_.At(node) : 0;
  return static_cast<float>(
      std::log(rules_->At(node).noisy_or[known] + constants + prior));
}

}  // namespace slice
