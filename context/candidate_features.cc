// A node that no link joins to the anchor loses nothing when its pair is
// hidden: its features are those of the whole graph, and those of its end are
// the same for every anchor. Neighbours of the anchor are computed one by one
// from a view that hides the pair, with the path sums of the propagation.
#include "context/candidate_features.h"

#include <algorithm>
#include <string>

#include "graphstore/graph_view.h"

namespace slice {
namespace {

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
                                     const LinkEncoder& encoder)
    : graph_(&graph),
      snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      features_(&encoder.pair_features()),
      feature_count_(features_->names().size()),
      nothing_(feature_count_),
      propagation_(graph) {
  FindColumns();
  if (encoder.tables().scaling) encoder.tables().scaling->Apply(nothing_);
  const size_t nodes = snapshot_->node_count();
  ends_.resize(nodes * feature_count_);
  rows_.resize(nodes * feature_count_);
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
  PairFeatureTables tables = encoder_->tables().ForPairs(nullptr);
  tables.spectral = nullptr;
  const GraphView view(*snapshot_);
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    const auto row =
        std::span(ends_).subspan(node * feature_count_, feature_count_);
    features_->ComputeWith({}, view, {node, relation, node}, tables, row);
    if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
  }
}

void CandidateFeatures::ComputeHidden(const EndQuestion& question, NodeId node,
                                      std::span<float> row) const {
  const Link link = question.With(node);
  features_->ComputeWith(propagation_.At(node),
                         encoder_->QueryView(*snapshot_, link), link,
                         encoder_->tables().ForPairs(nullptr), row);
  if (encoder_->tables().scaling) encoder_->tables().scaling->Apply(row);
}

std::span<const float> CandidateFeatures::Compute(const EndQuestion& question) {
  constexpr size_t kPaths = PairFeatures::kPathFeatures;
  constexpr size_t kSpectral = SpectralVectors::kFeatures;
  TurnTo(question.relation);
  propagation_.Run(question);
  const EncoderTables& tables = encoder_->tables();
  if (tables.spectral) {
    tables.spectral->ComputeAll(question.anchor, question.direction, spectral_);
  }
  const bool is_source = question.direction == Direction::kOut;
  std::vector<float> common = nothing_;
  const float* anchor = ends_.data() + question.anchor * feature_count_;
  for (const auto& [begin, size] : of_end_[is_source ? 0 : 1]) {
    std::copy_n(anchor + begin, size, common.data() + begin);
  }
  const size_t anchor_degree =
      snapshot_->DistinctNeighbors(question.anchor).size();
  const size_t paths_begin = features_->path_features_begin();
  const size_t spectral_begin = features_->spectral_features_begin();
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    const auto row =
        std::span(rows_).subspan(node * feature_count_, feature_count_);
    std::copy(common.begin(), common.end(), row.begin());
    const float* end = ends_.data() + node * feature_count_;
    for (const auto& [begin, size] : of_end_[is_source ? 1 : 0]) {
      std::copy_n(end + begin, size, row.data() + begin);
    }
    if (propagation_.Reaches(node)) {
      const auto paths = row.subspan(paths_begin).first<kPaths>();
      const size_t degree = snapshot_->DistinctNeighbors(node).size();
      PairFeatures::ComputePaths(propagation_.At(node),
                                 is_source ? anchor_degree : degree,
                                 is_source ? degree : anchor_degree, paths);
      if (tables.scaling) tables.scaling->Apply(paths, paths_begin);
    }
    if (tables.spectral) {
      const auto values = row.subspan(spectral_begin).first<kSpectral>();
      std::copy_n(spectral_.data() + node * kSpectral, kSpectral,
                  values.begin());
      if (tables.scaling) tables.scaling->Apply(values, spectral_begin);
    }
  }
  for (const NodeId node : snapshot_->DistinctNeighbors(question.anchor)) {
    ComputeHidden(
        question, node,
        std::span(rows_).subspan(node * feature_count_, feature_count_));
  }
  ComputeHidden(question, question.anchor,
                std::span(rows_).subspan(question.anchor * feature_count_,
                                         feature_count_));
  return rows_;
}

}  // namespace slice
