// A block of all nodes is built in two passes over the links. The first counts
// the arcs of each node, duplicates included; the sums of the counts say where
// the arcs of each node begin in one temporary array. The second pass puts each
// arc, packed with its relation into one integer, into its node's part of that
// array. Then each part is sorted and freed of duplicates (AppendRow,
// AppendWeightedRow).
//
// EndRowOf goes over a finished row and records where the relation changes.
// Every row has an entry in row_start and in slot_start, even when it is empty.
#include "graphstore/arc_block_builder.h"

#include <algorithm>
#include <utility>

#include "graphstore/packed_arc.h"

namespace slice {
namespace {

bool AnyWeight(const GraphData& data) {
  return std::any_of(data.weights.begin(), data.weights.end(),
                     [](float weight) { return weight != 1; });
}

// The row is what was appended since the last one.
void EndRowOf(ArcBlock::Arrays& arrays) {
  const uint64_t begin = arrays.row_start.back();
  for (uint64_t arc = begin; arc < arrays.neighbors.size(); ++arc) {
    if (arc == begin || arrays.relations[arc] != arrays.relations[arc - 1])
      arrays.slots.push_back({arc, arrays.relations[arc]});
  }
  arrays.slot_start.push_back(arrays.slots.size());
  arrays.row_start.push_back(arrays.neighbors.size());
}

// Appends arcs that are sorted and distinct.
void AppendRow(ArcBlock::Arrays& arrays, std::span<const uint64_t> arcs) {
  for (const uint64_t arc : arcs) {
    arrays.neighbors.push_back(static_cast<NodeId>(arc));
    arrays.relations.push_back(static_cast<RelationId>(arc >> 32));
  }
  EndRowOf(arrays);
}

// Sorts arcs and appends them. Of repeated arcs only the one with the largest
// weight is kept.
void AppendWeightedRow(ArcBlock::Arrays& arrays, std::span<uint64_t> arcs,
                       std::span<const float> weights) {
  std::vector<std::pair<uint64_t, float>> sorted;
  for (size_t i = 0; i < arcs.size(); ++i)
    sorted.emplace_back(arcs[i], weights[i]);
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
    arrays.weights.push_back(sorted[i].second);
  }
  AppendRow(arrays, arcs.first(sorted.size()));
}

void MarkEnd(ArcBlock::Arrays& arrays) {
  arrays.slots.push_back({arrays.neighbors.size(), 0});
}

}  // namespace

std::shared_ptr<const ArcBlock> AllArcs(const GraphData& data,
                                        Direction direction) {
  const size_t nodes = data.catalogue.nodes.size();
  const bool out = direction == Direction::kOut;
  const bool weighted = AnyWeight(data);
  // start[node]: where the arcs of the node begin, duplicates included.
  std::vector<uint64_t> start(nodes + 1, 0);
  for (const Link& link : data.links)
    ++start[(out ? link.source : link.target) + 1];
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

  auto arrays = std::make_unique<ArcBlock::Arrays>();
  arrays->row_start.reserve(nodes + 1);
  arrays->slot_start.reserve(nodes + 1);
  arrays->neighbors.reserve(arcs.size());
  arrays->relations.reserve(arcs.size());
  arrays->weights.reserve(weights.size());
  for (size_t node = 0; node < nodes; ++node) {
    const size_t count = start[node + 1] - start[node];
    const auto row = std::span(arcs).subspan(start[node], count);
    if (weighted) {
      AppendWeightedRow(*arrays, row,
                        std::span(weights).subspan(start[node], count));
    } else {
      std::sort(row.begin(), row.end());
      AppendRow(*arrays, {row.begin(), std::unique(row.begin(), row.end())});
    }
  }
  MarkEnd(*arrays);
  arrays->slots.shrink_to_fit();
  return std::make_shared<const ArcBlock>(std::move(arrays));
}

void ArcBlockBuilder::AddArcs(const ArcSpan& arcs) {
  arrays_.neighbors.insert(arrays_.neighbors.end(), arcs.neighbors.begin(),
                           arcs.neighbors.end());
  arrays_.relations.insert(arrays_.relations.end(), arcs.relations.begin(),
                           arcs.relations.end());
  arrays_.weights.insert(arrays_.weights.end(), arcs.weights.begin(),
                         arcs.weights.end());
  if (weighted_) arrays_.weights.resize(arrays_.neighbors.size(), 1);
}

void ArcBlockBuilder::EndRow() { EndRowOf(arrays_); }

std::shared_ptr<const ArcBlock> ArcBlockBuilder::Build() {
  MarkEnd(arrays_);
  auto block = std::make_shared<const ArcBlock>(std::as_const(arrays_));
  arrays_.row_start.resize(1);
  arrays_.slot_start.resize(1);
  arrays_.slots.clear();
  arrays_.weights.clear();
  arrays_.neighbors.clear();
  arrays_.relations.clear();
  return block;
}

}  // namespace slice
