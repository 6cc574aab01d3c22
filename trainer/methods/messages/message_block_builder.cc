// Build() works in steps. PlaceDestinations() gives every destination its
// position. AddRow() chooses the arcs into each destination, in parallel over
// pieces of kRowsAtOnce destinations. PlaceSources() gives every other
// neighbour a position and writes the arcs in the order of the destinations.
// CountDegrees() counts the visible arcs of the sources that are not
// destinations. FillColumns() sorts the arcs by source.
//
// The arcs sampled for a node are drawn from a generator seeded with the seed
// and the node, so that neither threads nor other destinations change them.
// position_ holds kNoPosition for every node between calls.
#include "trainer/methods/messages/message_block_builder.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "common/parallel.h"
#include "common/random.h"
#include "common/sample_to_front.h"
#include "trainer/methods/messages/labelled_sources.h"

namespace slice {
namespace {

constexpr size_t kRowsAtOnce = 2048;
constexpr uint32_t kNoPosition = std::numeric_limits<uint32_t>::max();

}  // namespace

struct BlockBuilder::Rows {
  struct Chosen {
    MessageArc arc;
    float scale, same_label_arcs;

    bool operator<(const Chosen& other) const { return arc < other.arc; }
  };

  // Sets same_label_arcs of the arcs from `begin` on. REQUIRES: they are sorted
  // by label.
  void CountSameLabel(size_t begin);
  // Keeps a uniform sample of `most` arcs of those from `begin` on, and sets
  // their scale.
  void Sample(size_t begin, size_t most, uint64_t seed);

  std::vector<Chosen> arcs;
  std::vector<uint32_t> counts;  // arcs of each destination
  std::vector<float> degrees;    // of each destination
};

void BlockBuilder::Rows::CountSameLabel(size_t begin) {
  while (begin < arcs.size()) {
    size_t end = begin;
    while (end < arcs.size() && arcs[end].arc.label == arcs[begin].arc.label) {
      ++end;
    }
    const auto like = static_cast<float>(end - begin);
    for (; begin < end; ++begin) arcs[begin].same_label_arcs = like;
  }
}

void BlockBuilder::Rows::Sample(size_t begin, size_t most, uint64_t seed) {
  Random random(seed);
  const size_t count = arcs.size() - begin;
  SampleToFront(std::span(arcs).subspan(begin), most, random);
  arcs.resize(begin + most);
  std::sort(arcs.begin() + static_cast<ptrdiff_t>(begin), arcs.end());
  const float scale = static_cast<float>(count) / static_cast<float>(most);
  for (size_t i = begin; i < arcs.size(); ++i) arcs[i].scale = scale;
}

BlockBuilder::BlockBuilder(const MessageGraph& graph, int threads)
    : graph_(graph),
      threads_(threads),
      position_(graph.node_count(), kNoPosition) {}

void BlockBuilder::AddRow(NodeId node, const BlockOptions& options,
                          Rows& rows) const {
  const size_t first = rows.arcs.size();
  if (graph_.has_self_arcs()) {
    rows.arcs.push_back({{node, graph_.label_count() - 1}, 1, 1});
  }
  const size_t begin = rows.arcs.size();
  for (const MessageArc& arc : graph_.Arcs(node)) {
    if (options.closed && position_[arc.neighbor] == kNoPosition) continue;
    if (!options.hidden.Hides(node, arc.neighbor)) {
      rows.arcs.push_back({arc, 1, 1});
    }
  }
  rows.CountSameLabel(begin);
  const size_t visible = rows.arcs.size() - begin;
  rows.degrees.push_back(static_cast<float>(visible));
  if (options.most_arcs > 0 && visible > options.most_arcs) {
    rows.Sample(begin, options.most_arcs, CombineHash(options.seed, node));
  }
  rows.counts.push_back(static_cast<uint32_t>(rows.arcs.size() - first));
}

void BlockBuilder::PlaceDestinations(MessageBlock& block) {
  for (uint32_t i = 0; i < block.nodes.size(); ++i) {
    position_[block.nodes[i]] = i;
  }
}

void BlockBuilder::PlaceSources(const std::vector<Rows>& pieces,
                                MessageBlock& block) {
  size_t arcs = 0;
  for (const Rows& rows : pieces) arcs += rows.arcs.size();
  for (auto* values : {&block.source, &block.destination, &block.label}) {
    values->reserve(arcs);
  }
  block.scale.reserve(arcs);
  block.same_label_arcs.reserve(arcs);
  uint32_t row = 0;
  for (const Rows& rows : pieces) {
    auto chosen = rows.arcs.begin();
    for (size_t i = 0; i < rows.counts.size(); ++i, ++row) {
      for (uint32_t k = 0; k < rows.counts[i]; ++k, ++chosen) {
        uint32_t& position = position_[chosen->arc.neighbor];
        if (position == kNoPosition) {
          position = static_cast<uint32_t>(block.nodes.size());
          block.nodes.push_back(chosen->arc.neighbor);
        }
        block.source.push_back(position);
        block.destination.push_back(row);
        block.label.push_back(chosen->arc.label);
        block.scale.push_back(chosen->scale);
        block.same_label_arcs.push_back(chosen->same_label_arcs);
      }
      block.row_start.push_back(block.source.size());
      block.degree.push_back(rows.degrees[i]);
    }
  }
  for (const NodeId node : block.nodes) {
    position_[node] = kNoPosition;
    block.type.push_back(graph_.Type(node));
  }
}

void BlockBuilder::CountDegrees(const BlockOptions& options,
                                MessageBlock& block) const {
  block.degree.resize(block.source_count());
  const size_t first = block.destination_count;
  ParallelFor(block.source_count() - first, kRowsAtOnce, threads_,
              [&](size_t begin, size_t end, int) {
                for (size_t i = first + begin; i < first + end; ++i) {
                  block.degree[i] = static_cast<float>(
                      graph_.CountVisible(block.nodes[i], options.hidden));
                }
              });
}

MessageBlock BlockBuilder::Build(std::span<const NodeId> destinations,
                                 const BlockOptions& options) {
  MessageBlock block;
  block.destination_count = destinations.size();
  block.nodes.assign(destinations.begin(), destinations.end());
  PlaceDestinations(block);
  std::vector<Rows> pieces((destinations.size() + kRowsAtOnce - 1) /
                           kRowsAtOnce);
  ParallelFor(destinations.size(), kRowsAtOnce, threads_,
              [&](size_t begin, size_t end, int) {
                Rows& rows = pieces[begin / kRowsAtOnce];
                for (size_t i = begin; i < end; ++i) {
                  AddRow(destinations[i], options, rows);
                }
              });
  PlaceSources(pieces, block);
  CountDegrees(options, block);
  block.FillColumns();
  if (graph_.has_labelled_sources()) {
    block.labelled_sources =
        std::make_shared<const LabelledSources>(block, graph_.label_count());
  }
  return block;
}

}  // namespace slice
