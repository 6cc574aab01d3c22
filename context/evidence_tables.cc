#include "context/evidence_tables.h"

#include <string>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

// The link at a position of the list of all links, which is ordered by source.
// `source` is moved on from the source of an earlier position.
Link LinkAt(const GraphSnapshot& snapshot, size_t position, NodeId& source,
            size_t& passed) {
  ArcSpan arcs = snapshot.Arcs(source, Direction::kOut);
  while (passed + arcs.size() <= position) {
    passed += arcs.size();
    arcs = snapshot.Arcs(++source, Direction::kOut);
  }
  const size_t at = position - passed;
  return {source, arcs.relations[at], arcs.neighbors[at]};
}

}  // namespace

EvidenceTables EvidenceTables::Of(const LinkEncoder& encoder,
                                  const GraphSnapshot& snapshot,
                                  size_t sampled_links) {
  EvidenceTables tables;
  for (const std::string& name : encoder.pair_features().names()) {
    tables.groups.push_back(DescribeFeature(name, {}, {}).group);
  }
  NodeId source = 0;
  size_t passed = 0, encoded_links = 0;
  EncodedLink encoded;
  ForEachStrided(snapshot.link_count(), sampled_links, [&](size_t position) {
    encoder.Encode(snapshot, LinkAt(snapshot, position, source, passed),
                   encoded);
    if (encoded.contexts.empty()) return;
    ++encoded_links;
    for (size_t end = 0; end < 2; ++end) {
      const auto& features = encoded.contexts[0].tokens[end].features;
      for (size_t i = 0; i < features.size(); ++i) {
        tables.ends[end][i] += features[i];
      }
    }
  });
  for (auto& features : tables.ends) {
    for (float& mean : features) {
      if (encoded_links > 0) mean /= static_cast<float>(encoded_links);
    }
  }
  return tables;
}

}  // namespace slice
