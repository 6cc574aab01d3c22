// The older bundle is opened as for offline use, which verifies it and reads
// its train graph. Nodes are matched by key, relations by name. Vectors of new
// nodes are gathered in rounds: first from neighbours with an older vector,
// then from nodes of the rounds before, so that a small new component that
// hangs on a known node gets vectors too.
#include "trainer/fit/warm_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/link_folds.h"
#include "graphstore/name_resolver.h"
#include "trainer/embedding/type_means.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr int kGatheringRounds = 3;
constexpr char kProfile[] = "slot_profile.basis";

absl::Status Differs(std::string_view flag, const std::string& given,
                     const std::string& older) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the bundle of --warm-start was trained with --", std::string(flag), " ",
      older, ", and this training with ", given, "; give --", std::string(flag),
      " ", older, ", or leave --warm-start out"));
}

// Vectors while they are gathered, [nodes, dim].
struct Gathering {
  const GraphSnapshot& graph;
  const size_t dim;
  std::vector<float> vectors;
  std::vector<bool> has_vector;

  float* row(NodeId node) { return vectors.data() + node * dim; }

  // The mean length of the vectors that there are.
  double MeanLength() {
    double sum = 0;
    size_t count = 0;
    for (NodeId node = 0; node < has_vector.size(); ++node) {
      if (!has_vector[node]) continue;
      double squares = 0;
      for (size_t k = 0; k < dim; ++k)
        squares += double{row(node)[k]} * row(node)[k];
      sum += std::sqrt(squares);
      ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

  // Makes the vector of `node` the mean of its neighbours' vectors, scaled to
  // `length`. False when no neighbour has a vector.
  bool Gather(NodeId node, double length) {
    std::vector<double> sum(dim);
    bool any = false;
    for (const NodeId neighbour : graph.DistinctNeighbors(node)) {
      if (neighbour == node || !has_vector[neighbour]) continue;
      any = true;
      for (size_t k = 0; k < dim; ++k) sum[k] += row(neighbour)[k];
    }
    double squares = 0;
    for (const double value : sum) squares += value * value;
    if (!any || squares == 0) return false;
    const double factor = length / std::sqrt(squares);
    for (size_t k = 0; k < dim; ++k) {
      row(node)[k] = static_cast<float>(factor * sum[k]);
    }
    return true;
  }
};

}  // namespace

absl::StatusOr<std::shared_ptr<const WarmStart>> WarmStart::Open(
    const std::filesystem::path& directory) {
  std::shared_ptr<WarmStart> warm(new WarmStart);
  SLICE_ASSIGN_OR_RETURN(warm->model_, OfflineModel::Open(directory));
  const BundleManifest& manifest = warm->manifest();
  if (manifest.leaky) {
    return absl::FailedPreconditionError(absl::StrCat(
        directory.string(),
        " is LEAKY: it was trained on held-out links, so a training that "
        "starts from it would be; name another bundle for --warm-start"));
  }
  if (manifest.folds.count == 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        directory.string(),
        " does not say which links its embeddings were made without, because "
        "an older slice or another method made it; train without --warm-start "
        "once"));
  }
  return warm;
}

absl::Status WarmStart::CheckOptions(const FitOptions& options) const {
  const BundleManifest& older = manifest();
  if (options.preset != older.preset) {
    return Differs("preset", options.preset, older.preset);
  }
  if (options.folds != older.folds.count) {
    return Differs("folds", absl::StrCat(options.folds),
                   absl::StrCat(older.folds.count));
  }
  if (options.own_pair_links != older.own_pair_links) {
    return Differs("own-pair-links",
                   std::string(OwnPairLinksName(options.own_pair_links)),
                   std::string(OwnPairLinksName(older.own_pair_links)));
  }
  const int dim =
      older.embedding_dim - static_cast<int>(older.attributes.size());
  const bool none = options.embedding_source == EmbeddingSource::kNone;
  if (!none && dim != options.node2vec.dim) {
    return Differs("dim", absl::StrCat(options.node2vec.dim),
                   absl::StrCat(dim));
  }
  if (none && dim != 1) return Differs("embeddings", "none", "node2vec");
  return absl::OkStatus();
}

absl::Status WarmStart::CheckHeldOut(const ImportedGraph& imported) const {
  const GraphCatalogue& catalogue = imported.data.catalogue;
  size_t count = 0;
  std::string first;
  for (const std::vector<LabelledLink>& rows : imported.held_out) {
    for (const auto& [link, positive] : rows) {
      if (!positive) continue;
      const std::string& source = catalogue.nodes[link.source].key;
      const std::string& target = catalogue.nodes[link.target].key;
      const std::string& relation = catalogue.relations[link.relation];
      const auto known = FindLinkByKeys(graph(), relation, source, target);
      if (!known || !graph().HasLink(*known)) continue;
      if (count++ == 0) {
        first = absl::StrCat(relation, " ", source, " ", target);
      }
    }
  }
  if (count == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      count, " held-out links, such as '", first,
      "', are train links of the bundle of --warm-start, which knows them: "
      "every figure would be too good; hold out links that came later (fit "
      "--links does), or leave --warm-start out"));
}

std::vector<bool> WarmStart::LinkedNodes() const {
  const BundleManifest& older = manifest();
  const LinkFolds folds =
      LinkFolds::ByKey(older.folds.count, older.folds.seed,
                       FoldUnit(older.own_pair_links), graph().Catalogue());
  std::vector<bool> linked(graph().node_count());
  for (const Link& link : AllLinks(graph())) {
    if (folds.FoldOf(link) == kHeldFold) continue;
    linked[link.source] = linked[link.target] = true;
  }
  return linked;
}

std::vector<float> WarmStart::VectorsFor(const GraphSnapshot& embedding_graph,
                                         int dim,
                                         WarmVectorCounts* counts) const {
  const size_t nodes = embedding_graph.node_count();
  Gathering gathering{embedding_graph, static_cast<size_t>(dim),
                      std::vector<float>(nodes * dim),
                      std::vector<bool>(nodes)};
  const EmbeddingTable& older = bundle().embeddings();
  const std::vector<bool> linked = LinkedNodes();
  for (NodeId node = 0; node < nodes; ++node) {
    const auto known = graph().names().FindKey(embedding_graph.Key(node));
    if (!known || !linked[*known]) continue;
    const float* const row = older.data() + *known * older.dim();
    std::copy(row, row + dim, gathering.row(node));
    gathering.has_vector[node] = true;
    ++counts->kept;
  }
  const double length = gathering.MeanLength();
  for (int round = 0; round < kGatheringRounds; ++round) {
    std::vector<NodeId> gathered;
    for (NodeId node = 0; node < nodes; ++node) {
      if (!gathering.has_vector[node] && gathering.Gather(node, length)) {
        gathered.push_back(node);
      }
    }
    for (const NodeId node : gathered) gathering.has_vector[node] = true;
    counts->gathered += gathered.size();
  }
  counts->filled = FillWithTypeMeans(embedding_graph, gathering.has_vector,
                                     gathering.dim, gathering.vectors);
  return std::move(gathering.vectors);
}

absl::StatusOr<std::optional<SlotProfile>> WarmStart::ProfileFor(
    const std::vector<std::string>& relations) const {
  const auto basis = bundle().statistics().Get(kProfile);
  if (!basis.ok()) return std::optional<SlotProfile>();
  const size_t width = (*basis)->values.size() / (2 * graph().relation_count());
  std::vector<float> values(2 * relations.size() * width);
  for (size_t i = 0; i < relations.size(); ++i) {
    const auto known = graph().FindRelation(relations[i]);
    if (!known) continue;
    // A relation has two slots (context/node_slots.h), one after the other.
    const auto from = (*basis)->values.begin() + 2 * *known * width;
    std::copy(from, from + 2 * width, values.begin() + 2 * i * width);
  }
  return std::optional<SlotProfile>(
      SlotProfile(std::move(values), 2 * relations.size()));
}

}  // namespace slice
