// From a link to everything a model wants to know of it: its contexts and
// scaled pair features. The one way there, used by the trainer and the server
// alike, so that both see the same numbers.
#ifndef SLICE_CONTEXT_LINK_ENCODER_H_
#define SLICE_CONTEXT_LINK_ENCODER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "context/context_generator.h"
#include "context/context_subgraph.h"
#include "context/encoder_tables.h"
#include "context/pair_features.h"
#include "graphstore/graph_view.h"

namespace slice {

// A link made ready for scoring.
struct EncodedLink {
  Link link;
  std::vector<ContextSubgraph> contexts;  // contexts_per_link of them
  std::vector<float> pair_features;  // scaled; empty when the model uses none
  // False in training where the embeddings know the link: its tokens then have
  // none (docs/leakage.md).
  bool has_embeddings = true;
};

struct LinkEncoderOptions {
  ContextOptions context;
  int contexts_per_link = 1;
  bool hide_pair = true;  // hide every arc between the ends (strict), else the
                          // queried triple alone
  // With hide_pair false: hide the queried triple. Off for the published
  // protocol alone, which shows a link to itself (docs/paper.md).
  bool hide_link = true;
  bool use_pair_features = true;
  uint64_t seed = 0;  // the bundle seed
  // The strategy `coherent` reads them; they must outlive the encoder.
  NodeEmbeddings embeddings;
};

// Immutable; thread-safe. The snapshot of the views it is given must have the
// catalogue it was made for.
class LinkEncoder {
 public:
  LinkEncoder(LinkEncoderOptions options, size_t relation_count,
              size_t node_type_count, EncoderTables tables);

  // The view in which `link` is scored: `snapshot` with what the options hide.
  GraphView QueryView(const GraphSnapshot& snapshot, const Link& link) const;

  // Encodes `link` as seen in `view`.
  EncodedLink Encode(const GraphView& view, const Link& link) const {
    return Encode(view, link, tables_.ForPairs());
  }
  // The same with `tables` for the pair features (in training: those without
  // its fold).
  EncodedLink Encode(const GraphView& view, const Link& link,
                     const PairFeatureTables& tables) const;

  // The same in the place of another encoded link, whose memory is reused:
  // along shortest and typed paths nothing is allocated once it is large
  // enough.
  void Encode(const GraphView& view, const Link& link,
              const PairFeatureTables& tables, EncodedLink& encoded) const;

  // The same with scaled pair features that are known already.
  EncodedLink EncodeWith(const GraphView& view, const Link& link,
                         std::span<const float> pair_features) const;

  // Encode in QueryView(snapshot, link).
  EncodedLink Encode(const GraphSnapshot& snapshot, const Link& link) const {
    return Encode(QueryView(snapshot, link), link);
  }
  // The same in the place of another encoded link.
  void Encode(const GraphSnapshot& snapshot, const Link& link,
              EncodedLink& encoded) const {
    Encode(QueryView(snapshot, link), link, tables_.ForPairs(), encoded);
  }

  const LinkEncoderOptions& options() const { return options_; }
  const PairFeatures& pair_features() const { return features_; }
  const EncoderTables& tables() const { return tables_; }

 private:
  void CutContexts(const GraphView& view, EncodedLink& encoded) const;
  // The slot profiles of both ends, as the last features of their tokens.
  void AddProfiles(const GraphView& view,
                   std::vector<ContextSubgraph>& contexts) const;

  LinkEncoderOptions options_;
  ContextGenerator generator_;
  PairFeatures features_;
  EncoderTables tables_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_LINK_ENCODER_H_
