#include "context/link_encoder.h"

#include <utility>

namespace slice {

LinkEncoder::LinkEncoder(LinkEncoderOptions options, size_t relation_count,
                         size_t node_type_count,
                         std::optional<FeatureScaling> scaling)
    : options_(std::move(options)),
      generator_(options_.context, options_.embeddings),
      features_(relation_count, node_type_count),
      scaling_(std::move(scaling)) {}

GraphView LinkEncoder::QueryView(const GraphSnapshot& snapshot,
                                 const Link& link) const {
  GraphView view(snapshot);
  if (options_.hide_pair) {
    view.HidePair(link.source, link.target);
  } else {
    view.HideLink(link);
  }
  return view;
}

EncodedLink LinkEncoder::Encode(const GraphView& view, const Link& link) const {
  const GraphSnapshot& graph = view.snapshot();
  EncodedLink encoded;
  encoded.link = link;
  encoded.contexts.reserve(static_cast<size_t>(options_.contexts_per_link));
  for (int i = 0; i < options_.contexts_per_link; ++i) {
    if (i > 0 && !UsesSeed(options_.context.strategy)) {
      encoded.contexts.push_back(encoded.contexts.front());
      continue;
    }
    const uint64_t seed =
        ContextSeed(options_.seed, graph.RelationName(link.relation),
                    graph.Key(link.source), graph.Key(link.target), i);
    encoded.contexts.push_back(generator_.Cut(view, link, seed));
  }
  if (options_.use_pair_features) {
    encoded.pair_features.resize(features_.names().size());
    features_.Compute(view, link, encoded.pair_features);
    if (scaling_) scaling_->Apply(encoded.pair_features);
  }
  return encoded;
}

}  // namespace slice
