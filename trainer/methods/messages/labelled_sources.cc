// Pairs are found source by source, because a block lists the arcs of each
// source. A counting sort then orders them by label.
#include "trainer/methods/messages/labelled_sources.h"

#include <limits>

namespace slice {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// The pairs in the order of their sources.
struct UnsortedPairs {
  std::vector<uint32_t> source, label;  // [pairs]
  std::vector<uint32_t> of_arc;         // [arcs]
};

UnsortedPairs FindPairs(const MessageBlock& block, uint32_t label_count) {
  UnsortedPairs pairs;
  pairs.of_arc.resize(block.arc_count());
  std::vector<uint32_t> last_source(label_count, kNone);
  std::vector<uint32_t> last_pair(label_count);
  for (uint32_t source = 0; source < block.source_count(); ++source) {
    for (uint64_t at = block.column_start[source];
         at < block.column_start[source + 1]; ++at) {
      const uint32_t arc = block.column_arcs[at];
      const uint32_t label = block.label[arc];
      if (last_source[label] != source) {
        last_source[label] = source;
        last_pair[label] = static_cast<uint32_t>(pairs.source.size());
        pairs.source.push_back(source);
        pairs.label.push_back(label);
      }
      pairs.of_arc[arc] = last_pair[label];
    }
  }
  return pairs;
}

}  // namespace

LabelledSources::LabelledSources(const MessageBlock& block,
                                 uint32_t label_count) {
  const UnsortedPairs pairs = FindPairs(block, label_count);
  label_start.assign(label_count + 1, 0);
  for (const uint32_t label : pairs.label) ++label_start[label + 1];
  for (size_t i = 1; i < label_start.size(); ++i) {
    label_start[i] += label_start[i - 1];
  }
  std::vector<uint64_t> next(label_start.begin(), label_start.end() - 1);
  std::vector<uint32_t> place(pairs.source.size());
  source.resize(pairs.source.size());
  for (size_t i = 0; i < place.size(); ++i) {
    place[i] = static_cast<uint32_t>(next[pairs.label[i]]++);
    source[place[i]] = pairs.source[i];
  }
  arcs.destination_count = block.destination_count;
  arcs.nodes.resize(pair_count());
  arcs.row_start = block.row_start;
  arcs.destination = block.destination;
  arcs.label = block.label;
  arcs.source.reserve(block.arc_count());
  for (const uint32_t pair : pairs.of_arc) arcs.source.push_back(place[pair]);
  arcs.FillColumns();
}

}  // namespace slice
