#include "context/end_features.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "common/parallel.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

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

EndColumns::EndColumns(const LinkEncoder& encoder)
    : feature_count_(encoder.pair_features().names().size()) {
  const std::vector<std::string>& names = encoder.pair_features().names();
  size_t counts[2] = {0, 0};
  for (size_t i = 0; i < names.size(); ++i) {
    const int end = EndOf(names[i]);
    if (end < 0) continue;
    ++counts[end];
    std::vector<Run>& runs = runs_[end];
    if (!runs.empty() && runs.back().begin + runs.back().size == i) {
      ++runs.back().size;
    } else {
      runs.push_back({i, 1});
    }
  }
  packed_begin_[0] = 0;
  packed_begin_[1] = counts[0];
  packed_begin_[2] = counts[0] + counts[1];
}

void EndColumns::Pack(std::span<const float> row,
                      std::span<float> packed) const {
  float* to = packed.data();
  for (const auto& runs : runs_) {
    for (const auto& [begin, size] : runs) {
      to = std::copy_n(row.data() + begin, size, to);
    }
  }
}

void EndColumns::Unpack(std::span<const float> packed, Direction end,
                        std::span<float> row) const {
  const auto which = static_cast<size_t>(end);
  const float* from = packed.data() + packed_begin_[which];
  for (const auto& [begin, size] : runs_[which]) {
    std::copy_n(from, size, row.data() + begin);
    from += size;
  }
}

EndFeatures::EndFeatures(const GraphSnapshot& snapshot,
                         const LinkEncoder& encoder, const EndColumns& columns,
                         RelationId relation, int threads)
    : columns_(&columns) {
  const size_t nodes = snapshot.node_count();
  const size_t packed = columns.packed_count();
  packed_.resize(nodes * packed);
  for (auto& links : links_) links.resize(nodes);
  PairFeatureTables tables = encoder.tables().ForPairs();
  tables.spectral = nullptr;
  tables.rules = nullptr;
  const GraphView view(snapshot);
  const auto compute = [&](size_t begin, size_t end, int) {
    std::vector<float> row(columns.feature_count());
    for (size_t i = begin; i < end; ++i) {
      const auto node = static_cast<NodeId>(i);
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        links_[static_cast<size_t>(direction)][node] = static_cast<uint32_t>(
            snapshot.Neighbors(node, relation, direction).size());
      }
      encoder.pair_features().ComputeWith({}, view, {node, relation, node},
                                          tables, row);
      if (encoder.tables().scaling) encoder.tables().scaling->Apply(row);
      columns.Pack(row, std::span(packed_).subspan(i * packed, packed));
    }
  };
  ParallelFor(nodes, kGrain, threads, compute);
  relation_links_ = std::accumulate(links_[0].begin(), links_[0].end(), 0.0);
}

size_t EndFeatures::bytes() const {
  return sizeof(float) * packed_.size() +
         sizeof(uint32_t) * (links_[0].size() + links_[1].size());
}

EndFeatureCache::EndFeatureCache(const GraphSnapshot& snapshot,
                                 const LinkEncoder& encoder, size_t max_bytes)
    : snapshot_(&snapshot),
      encoder_(&encoder),
      columns_(encoder),
      max_bytes_(max_bytes) {}

std::shared_ptr<const EndFeatures> EndFeatureCache::Find(RelationId relation) {
  MutexLock lock(&mutex_);
  const auto found = std::find_if(
      kept_.begin(), kept_.end(),
      [relation](const Entry& entry) { return entry.first == relation; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().second;
}

std::shared_ptr<const EndFeatures> EndFeatureCache::Get(RelationId relation,
                                                        int threads) {
  if (auto kept = Find(relation)) return kept;
  auto made = std::make_shared<const EndFeatures>(*snapshot_, *encoder_,
                                                  columns_, relation, threads);
  // What is given up dies outside the lock.
  std::list<Entry> given_up;
  MutexLock lock(&mutex_);
  std::erase_if(kept_, [relation](const Entry& entry) {
    return entry.first == relation;
  });
  kept_.emplace_front(relation, made);
  const size_t room = std::max<size_t>(1, max_bytes_ / (made->bytes() + 1));
  while (kept_.size() > room) {
    given_up.splice(given_up.begin(), kept_, std::prev(kept_.end()));
  }
  return made;
}

}  // namespace slice
