#include "context/link_encoder.h"

#include <algorithm>
#include <utility>

namespace slice {

LinkEncoder::LinkEncoder(LinkEncoderOptions options, size_t relation_count,
                         size_t node_type_count, EncoderTables tables)
    : options_(std::move(options)),
      generator_(options_.context, options_.embeddings),
      generator_without_embeddings_(options_.context),
      features_(relation_count, node_type_count,
                {.walks = tables.walks.has_value()}),
      tables_(std::move(tables)) {}

GraphView LinkEncoder::QueryView(const GraphSnapshot& snapshot,
                                 const Link& link) const {
  GraphView view(snapshot);
  HideOwnPair(options_.own_pair_links, link, view);
  return view;
}

void LinkEncoder::AddProfiles(const GraphView& view,
                              std::vector<ContextSubgraph>& contexts) const {
  thread_local std::vector<SlotCount> slots;
  std::array<float, kProfileDim> profile;
  for (size_t end = 0; end < 2 && !contexts.empty(); ++end) {
    CollectSlots(view, contexts[0].tokens[end].node, slots);
    tables_.profile->Compute(slots, profile);
    for (ContextSubgraph& context : contexts) {
      auto& features = context.tokens[end].features;
      std::copy(profile.begin(), profile.end(),
                features.end() - profile.size());
    }
  }
}

void LinkEncoder::CutContexts(const GraphView& view,
                              EncodedLink& encoded) const {
  const GraphSnapshot& graph = view.snapshot();
  const Link& link = encoded.link;
  const ContextGenerator& generator =
      encoded.has_embeddings ? generator_ : generator_without_embeddings_;
  encoded.contexts.resize(static_cast<size_t>(options_.contexts_per_link));
  for (int i = 0; i < options_.contexts_per_link; ++i) {
    ContextSubgraph& context = encoded.contexts[static_cast<size_t>(i)];
    if (i > 0 && !UsesSeed(options_.context.strategy)) {
      context = encoded.contexts.front();
      continue;
    }
    const uint64_t seed =
        ContextSeed(options_.seed, graph.RelationName(link.relation),
                    graph.Key(link.source), graph.Key(link.target), i);
    generator.Cut(view, link, seed, context);
  }
  if (tables_.profile) AddProfiles(view, encoded.contexts);
  encoded.flags = FlagsOf(
      graph, options_.schema != nullptr ? *options_.schema : graph.schema(),
      link);
  // `encoded` may be that of another encoder, whose tables have vectors.
  encoded.knowledge_logits = {};
  if (tables_.knowledge) {
    encoded.knowledge_logits = tables_.knowledge->Logits(link);
  }
  for (const ContextSubgraph& context : encoded.contexts) {
    encoded.flags.truncated |= context.truncated;
  }
  FindUnknownNodes(view, encoded);
}

void LinkEncoder::FindUnknownNodes(const GraphView& view,
                                   EncodedLink& encoded) const {
  encoded.unknown_nodes.clear();
  const UnknownNodes* const unknown = options_.unknown_nodes;
  if (unknown == nullptr || view.node_count() <= unknown->known()) return;
  encoded.flags.unknown_source = unknown->IsUnknown(encoded.link.source);
  encoded.flags.unknown_target = unknown->IsUnknown(encoded.link.target);
  for (const ContextSubgraph& context : encoded.contexts) {
    for (const ContextToken& token : context.tokens) {
      if (token.node == kNoNode || !unknown->IsUnknown(token.node)) continue;
      encoded.unknown_nodes.push_back({token.node, {}});
      unknown->Embed(view, token.node, encoded.unknown_nodes.back().values);
    }
  }
}

EncodedLink LinkEncoder::Encode(const GraphView& view, const Link& link,
                                const PairFeatureTables& tables) const {
  EncodedLink encoded;
  Encode(view, link, tables, encoded);
  return encoded;
}

void LinkEncoder::Encode(const GraphView& view, const Link& link,
                         const PairFeatureTables& tables,
                         EncodedLink& encoded) const {
  encoded.link = link;
  encoded.has_embeddings = true;
  CutContexts(view, encoded);
  ComputePairFeatures(view, tables, encoded);
}

EncodedLink LinkEncoder::EncodeWithoutEmbeddings(
    const GraphView& view, const Link& link,
    const PairFeatureTables& tables) const {
  EncodedLink encoded;
  encoded.link = link;
  encoded.has_embeddings = false;
  CutContexts(view, encoded);
  ComputePairFeatures(view, tables, encoded);
  return encoded;
}

void LinkEncoder::ComputePairFeatures(const GraphView& view,
                                      const PairFeatureTables& tables,
                                      EncodedLink& encoded) const {
  encoded.pair_features.clear();
  if (!options_.use_pair_features) return;
  encoded.pair_features.resize(features_.names().size());
  features_.Compute(view, encoded.link, tables, encoded.pair_features);
  if (tables_.scaling) tables_.scaling->Apply(encoded.pair_features);
}

EncodedLink LinkEncoder::EncodeWith(
    const GraphView& view, const Link& link,
    std::span<const float> pair_features) const {
  EncodedLink encoded;
  encoded.link = link;
  CutContexts(view, encoded);
  encoded.pair_features.assign(pair_features.begin(), pair_features.end());
  return encoded;
}

}  // namespace slice
