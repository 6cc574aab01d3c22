// Turns a link into what a model reads of it: its contexts and scaled pair
// features. The trainer and the server both encode links this way, so that both
// see the same numbers.
#ifndef SLICE_CONTEXT_LINK_ENCODER_H_
#define SLICE_CONTEXT_LINK_ENCODER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "context/context_generator.h"
#include "context/context_options.h"
#include "context/context_subgraph.h"
#include "context/encoded_link.h"
#include "context/encoder_tables.h"
#include "context/own_pair_links.h"
#include "context/pair_features.h"
#include "context/unknown_nodes.h"
#include "graphstore/graph_view.h"

namespace slice {

struct LinkEncoderOptions {
  ContextOptions context;
  int contexts_per_link = 1;
  OwnPairLinks own_pair_links = OwnPairLinks::kHide;
  bool use_pair_features = true;
  uint64_t seed = 0;  // the bundle seed
  // Read by the strategy `coherent` alone; must outlive the encoder.
  NodeEmbeddings embeddings;
  // For graphs with nodes that the bundle does not know; null when there can be
  // none. Must outlive the encoder and what it encodes.
  const UnknownNodes* unknown_nodes = nullptr;
  // That of the graph on which the model was trained, for graphs that changed
  // since then; null: that of the graph asked. Must outlive the encoder.
  const RelationSchema* schema = nullptr;
};

// Immutable; thread-safe. REQUIRES of all views: their snapshot has the
// relations and node types that the encoder was made for.
class LinkEncoder {
 public:
  LinkEncoder(LinkEncoderOptions options, size_t relation_count,
              size_t node_type_count, EncoderTables tables);

  // The view in which `link` is scored: `snapshot` without the links that
  // options().own_pair_links hides.
  GraphView QueryView(const GraphSnapshot& snapshot, const Link& link) const;

  // Encodes `link` as seen in `view`.
  EncodedLink Encode(const GraphView& view, const Link& link) const {
    return Encode(view, link, tables_.ForPairs());
  }
  // Reads `tables` instead of tables() for the pair features. In training these
  // are tables that were learned without the fold of the link.
  EncodedLink Encode(const GraphView& view, const Link& link,
                     const PairFeatureTables& tables) const;

  // Encodes a link from which the embeddings were learned: neither its contexts
  // nor the network read the embeddings (EncodedLink::has_embeddings is false).
  EncodedLink EncodeWithoutEmbeddings(const GraphView& view, const Link& link,
                                      const PairFeatureTables& tables) const;

  // Overwrites `encoded` and reuses its memory. With shortest and typed paths
  // this allocates nothing once that memory is large enough.
  void Encode(const GraphView& view, const Link& link,
              const PairFeatureTables& tables, EncodedLink& encoded) const;

  // Takes scaled pair features that were computed before.
  EncodedLink EncodeWith(const GraphView& view, const Link& link,
                         std::span<const float> pair_features) const;

  // Encodes `link` in QueryView(snapshot, link).
  EncodedLink Encode(const GraphSnapshot& snapshot, const Link& link) const {
    return Encode(QueryView(snapshot, link), link);
  }
  // The same, overwriting `encoded`.
  void Encode(const GraphSnapshot& snapshot, const Link& link,
              EncodedLink& encoded) const {
    Encode(QueryView(snapshot, link), link, tables_.ForPairs(), encoded);
  }

  const LinkEncoderOptions& options() const { return options_; }
  const PairFeatures& pair_features() const { return features_; }
  const EncoderTables& tables() const { return tables_; }

 private:
  // Cuts the contexts of encoded.link, with the embeddings if
  // encoded.has_embeddings, and sets what does not depend on them: flags and
  // knowledge_logits.
  void CutContexts(const GraphView& view, EncodedLink& encoded) const;
  // Sets encoded.unknown_nodes, and the flags that say so.
  void FindUnknownNodes(const GraphView& view, EncodedLink& encoded) const;
  void ComputePairFeatures(const GraphView& view,
                           const PairFeatureTables& tables,
                           EncodedLink& encoded) const;
  // Writes the slot profiles of both ends into the last features of their
  // tokens.
  void AddProfiles(const GraphView& view,
                   std::vector<ContextSubgraph>& contexts) const;

  LinkEncoderOptions options_;
  ContextGenerator generator_;
  ContextGenerator generator_without_embeddings_;
  PairFeatures features_;
  EncoderTables tables_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_LINK_ENCODER_H_
