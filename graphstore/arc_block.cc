// A block of all nodes is built in two passes over the links. The first counts
// the arcs of each node, duplicates included; the sums of the counts say where
// the arcs of each node begin in one temporary array. The second pass puts each
// arc, packed with its relation into one integer, into its node's part of that
// array. Then each part is sorted and freed of duplicates (AppendRow,
// AppendWeightedRow).
//
// Finish goes over the finished rows once and records where the relation
// changes. Every row has an entry in row_start_ and in slot_start_, even when
// it is empty.
#include "graphstore/arc_block.h"

#include <algorithm>
#include <utility>

#include "graphstore/packed_arc.h"

namespace slice {
namespace {

bool AnyWeight(const GraphData& data) {
  return std::any_of(data.weights.begin(), data.weights.end(),
                     [](float weight) { return weight != 1; });
}

}  // namespace

ArcBlock::ArcBlock(const GraphData& data, Direction direction) {
  const size_t nodes = data.catalogue.nodes.size();
  const bool out = direction == Direction::kOut;
  const bool weighted = AnyWeight(data);
  // start[node]: where the arcs of the node begin, duplicates included.
  std::vector<uint64_t> start(nodes + 1, 0);
  for (const Link& link : data.links) {
    ++start[(out ? link.source : link.target) + 1];
  }
  for (size_t node = 0; node < nodes; ++node) start[node + 1] += start[node];
  std::vector<uint64_t> next = start;
  std::vector<uint64_t> arcs(data.links.size());
  std::vector<float> weights(weighted ? arcs.size() : 0);
  for (size_t i = 0; i < data.links.size(); ++i) {
    const Link& link = data.links[i];
    const uint64_t place = next[out ? link.source : link.target]++;
    arcs[place] = PackArc(link.relation, out ? link.target : link.source);
    if (weighted) weights[place] = data.weights[i];
  }

  row_start_.reserve(nodes + 1);
  neighbors_.reserve(arcs.size());
  relations_.reserve(arcs.size());
  weights_.reserve(weights.size());
  for (size_t node = 0; node < nodes; ++node) {
    const size_t count = start[node + 1] - start[node];
    const auto row = std::span(arcs).subspan(start[node], count);
    if (weighted) {
      AppendWeightedRow(row, std::span(weights).subspan(start[node], count));
    } else {
      std::sort(row.begin(), row.end());
      AppendRow({row.begin(), std::unique(row.begin(), row.end())});
    }
  }
  Finish();
}

// Appends arcs that are sorted and distinct.
void ArcBlock::AppendRow(std::span<const uint64_t> arcs) {
  for (const uint64_t arc : arcs) {
    neighbors_.push_back(static_cast<NodeId>(arc));
    relations_.push_back(static_cast<RelationId>(arc >> 32));
  }
  row_start_.push_back(neighbors_.size());
}

// Sorts arcs and appends them. Of repeated arcs only the one with the largest
// weight is kept.
void ArcBlock::AppendWeightedRow(std::span<uint64_t> arcs,
                                 std::span<const float> weights) {
  std::vector<std::pair<uint64_t, float>> sorted;
  for (size_t i = 0; i < arcs.size(); ++i) {
    sorted.emplace_back(arcs[i], weights[i]);
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end(),
                           [](const auto& a, const auto& b) {
                             return a.first == b.first;
                           }),
               sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    arcs[i] = sorted[i].first;
    weights_.push_back(sorted[i].second);
  }
  AppendRow(arcs.first(sorted.size()));
}

void ArcBlock::Finish() {
  slot_start_.reserve(row_start_.size());
  for (size_t node = 0; node + 1 < row_start_.size(); ++node) {
    const uint64_t begin = row_start_[node];
    for (uint64_t arc = begin; arc < row_start_[node + 1]; ++arc) {
      if (arc == begin || relations_[arc] != relations_[arc - 1]) {
        slots_.push_back({arc, relations_[arc]});
      }
    }
    slot_start_.push_back(slots_.size());
  }
  slots_.push_back({neighbors_.size(), 0});
  slots_.shrink_to_fit();
}

void ArcBlock::Append(const ArcSpan& arcs) {
  neighbors_.insert(neighbors_.end(), arcs.neighbors.begin(),
                    arcs.neighbors.end());
  relations_.insert(relations_.end(), arcs.relations.begin(),
                    arcs.relations.end());
  weights_.insert(weights_.end(), arcs.weights.begin(), arcs.weights.end());
  row_start_.push_back(neighbors_.size());
}

}  // namespace slice
