// Ask() computes the path sums, the evidence of the path rules and, if wanted,
// the evidence of the constant rules between the anchor (the known end of the
// question) and all nodes at once. ComputeRows() then fills one row per
// candidate in one of two ways:
//   - If no link joins the candidate to the anchor, hiding their pair hides
//     nothing, so the features are those of the whole graph. The row has the
//     features of the anchor (common_), the features of the candidate as the
//     other end (the same for every anchor, hence cached), and the features
//     from the path sums and the rule evidence.
//   - If a link joins the two, the row is computed from a view that hides what
//     LinkEncoder would hide, with the same path sums and rule evidence.
// Spectral and walk features of nodes that the tables know do not depend on
// what is hidden. They are computed for all candidates together. A node that
// came after training is folded in, which reads its links
// (context/spectral_fold_in.h and context/walk_vectors.h).
#include "context/candidate_features.h"

#include <algorithm>
#include <cmath>

#include "common/parallel.h"
#include "context/spectral_fold_in.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

// The prior of RuleScore() is kPriorWeight * (n + kPriorLinks) / (N + 1): n of
// the N links of the relation have the node as the wanted end.
constexpr double kPriorWeight = 0.1;
constexpr double kPriorLinks = 0.1;

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
}

// Computes the row of any candidate, except its spectral and walk features.
void CandidateFeatures::ComputeLinked(NodeId node, std::span<float> row) const {
  const Link link = question_.With(node);
  PathSums sums = propagation_.At(node);
  if (rules_) sums.rules = rules_->At(node);
  PairFeatureTables tables = encoder_->tables().ForPairs();
  tables.spectral = nullptr;
  tables.walks = nullptr;
  features_->ComputeWith(sums, encoder_->QueryView(*snapshot_, link), link,
                         tables, row);
  if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
}

// Computes the same for a candidate that no link joins to the anchor, in less
// time. REQUIRES: `row` holds common_.
void CandidateFeatures::ComputeUnlinked(NodeId node,
                                        std::span<float> row) const {
  constexpr size_t kPaths = PairFeatures::kPathFeatures;
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
}

template <typename Vectors>
bool CandidateFeatures::NeedsFoldIn(const Vectors& vectors,
                                    NodeId candidate) const {
  if (!vectors.Has(candidate)) return true;
  // With the links between the two hidden, the anchor has other rows.
  return !vectors.Has(question_.anchor) &&
         snapshot_->AreNeighbors(question_.anchor, candidate);
}

void CandidateFeatures::ComputeSpectral(std::span<const NodeId> candidates,
                                        std::span<float> rows) const {
  const EncoderTables& tables = encoder_->tables();
  if (!tables.spectral) return;
  const size_t begin = features_->spectral_features_begin();
  tables.spectral->ComputeEach(spectral_, candidates, rows.data() + begin,
                               feature_count_);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!NeedsFoldIn(*tables.spectral, candidates[i])) continue;
    const Link link = question_.With(candidates[i]);
    ComputeSpectralFeatures(*tables.spectral,
                            encoder_->QueryView(*snapshot_, link), link,
                            rows.subspan(i * feature_count_ + begin)
                                .first<SpectralVectors::kFeatures>());
  }
  if (!tables.scaling) return;
  for (size_t i = 0; i < candidates.size(); ++i) {
    tables.scaling->Apply(rows.subspan(i * feature_count_ + begin)
                              .first<SpectralVectors::kFeatures>(),
                          begin);
  }
}

void CandidateFeatures::ComputeWalks(std::span<const NodeId> candidates,
                                     std::span<float> rows) const {
  const EncoderTables& tables = encoder_->tables();
  if (!tables.walks) return;
  const size_t begin = features_->walk_features_begin();
  tables.walks->ComputeEach(walks_, candidates, rows.data() + begin,
                            feature_count_);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto values = rows.subspan(i * feature_count_ + begin)
                            .first<WalkVectors::kFeatures>();
    if (NeedsFoldIn(*tables.walks, candidates[i])) {
      const Link link = question_.With(candidates[i]);
      tables.walks->Compute(encoder_->QueryView(*snapshot_, link), link,
                            values);
    }
    if (tables.scaling) tables.scaling->Apply(values, begin);
  }
}

void CandidateFeatures::Ask(const EndQuestion& question, bool with_constants) {
  if (!end_features_ || question.relation != question_.relation) {
    end_features_ = ends_->Get(question.relation, threads_);
  }
  question_ = question;
  linked_ = snapshot_->Neighbors(question.anchor, question.relation,
                                 question.direction);
  has_constants_ = with_constants;
  const auto propagate = [&](size_t part, size_t, int) {
    if (part == 0) propagation_.Run(question_);
    if (part == 1 && with_constants) constants_.Run(question_);
    if (part == 2 && rules_) rules_->Run(question_);
  };
  ParallelFor(3, 1, threads_, propagate);
  if (const auto& spectral = encoder_->tables().spectral) {
    if (spectral->Has(question.anchor)) {
      spectral->Prepare(spectral->RowsOf(question.anchor), question.direction,
                        spectral_);
    } else {
      const FoldedRows folded(*spectral, GraphView(*snapshot_),
                              question.anchor);
      spectral->Prepare(folded.rows(), question.direction, spectral_);
    }
  }
  if (const auto& walks = encoder_->tables().walks) {
    walks->Prepare(GraphView(*snapshot_), question.anchor, question.direction,
                   walks_);
  }
  common_ = nothing_;
  end_features_->CopyTo(question.anchor, question.direction, common_);
}

void CandidateFeatures::AddConstants() {
  if (has_constants_) return;
  constants_.Run(question_);
  has_constants_ = true;
}

void CandidateFeatures::ComputeRows(std::span<const NodeId> candidates,
                                    std::span<float> rows) const {
  const auto neighbors = snapshot_->DistinctNeighbors(question_.anchor);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto row = rows.subspan(i * feature_count_, feature_count_);
    const NodeId node = candidates[i];
    if (node == question_.anchor ||
        std::binary_search(neighbors.begin(), neighbors.end(), node)) {
      ComputeLinked(node, row);
    } else {
      std::copy(common_.begin(), common_.end(), row.begin());
      ComputeUnlinked(node, row);
    }
  }
  ComputeSpectral(candidates, rows);
  ComputeWalks(candidates, rows);
}

float CandidateFeatures::RuleScore(NodeId node, double constant_weight) const {
  if (!rules_) return 0;
  const double own = std::binary_search(linked_.begin(), linked_.end(), node);
  const double links =
      end_features_->links(node, Reverse(question_.direction)) - own;
  const double prior = kPriorWeight * (links + kPriorLinks) /
                       (end_features_->relation_links() - own + 1);
  const auto known = static_cast<size_t>(question_.direction);
  const double constants =
      constant_weight > 0 ? constant_weight * constants_.At(node) : 0;
  return static_cast<float>(
      std::log(rules_->At(node).noisy_or[known] + constants + prior));
}

}  // namespace slice
