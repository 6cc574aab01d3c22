// The evidence behind the score of a link, and the link as it would be encoded
// without some of the evidence. An explanation scores such encodings to find
// out what carries the score (model/evidence_effects.h).
#ifndef SLICE_CONTEXT_LINK_EVIDENCE_H_
#define SLICE_CONTEXT_LINK_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "context/encoded_link.h"
#include "context/evidence.h"
#include "context/evidence_tables.h"
#include "context/feature_descriptions.h"
#include "context/link_encoder.h"
#include "context/path_ledger.h"
#include "context/typed_path_search.h"
#include "graphstore/graph_view.h"

namespace slice {

// What the scorer reads of a link whose score is explained: the pair features
// alone, the end tokens as well, or all tokens of its contexts.
enum class ScorerReads : uint8_t { kPairFeatures, kEnds, kContexts };

// The evidence of one link. Thread-compatible. Refers to all arguments of its
// constructor, which must outlive it.
class LinkEvidence {
 public:
  // `tables` are those of `encoder`, and `whole` is the link as `encoder`
  // encoded it in `view`. In contexts of paths, Without() and Only() leave out
  // the tokens that the scorer does not read, which makes them much cheaper.
  LinkEvidence(const LinkEncoder& encoder, const EvidenceTables& tables,
               const GraphView& view, const EncodedLink& whole,
               ScorerReads reads = ScorerReads::kContexts);

  // At most MostItems() of them.
  const std::vector<Evidence>& items() const { return items_; }
  // How many items a link can have whose contexts have `max_nodes` nodes.
  static size_t MostItems(int max_nodes);

  // The link without the items at these positions. All else that the scorer
  // reads is unchanged.
  EncodedLink Without(std::span<const size_t> removed) const;
  // The link with the items at these positions alone. Where no path is left,
  // the path features get their means: nothing is known about paths then. A
  // group of pair features that stays has the values that it has in whole().
  EncodedLink Only(std::span<const size_t> kept) const;

  const EncodedLink& whole() const { return whole_; }
  ScorerReads reads() const { return reads_; }
  // Null for contexts without path tokens and for models without pair features.
  const PathLedger* ledger() const { return ledger_ ? &*ledger_ : nullptr; }

 private:
  void FindTypes();
  void FindPathItems();
  void FindNodeItems();
  void FindFeatureItems();
  // Whether all features of the group have their means anyway.
  bool IsNeutral(FeatureGroup group) const;
  EncodedLink Start() const;
  int Shortest(const PathFilter& filter) const;
  void SetShortest(const PathFilter& filter, EncodedLink& link) const;
  void CutContexts(const PathFilter& filter, EncodedLink& link) const;
  void SumPaths(const PathFilter& filter, EncodedLink& link) const;
  void SetNeutral(FeatureGroup group, EncodedLink& link) const;
  void Restore(FeatureGroup group, EncodedLink& link) const;
  void ForgetEnds(EncodedLink& link) const;
  void RestoreEnds(EncodedLink& link) const;
  bool IsUnreachable() const;  // the ends of the whole link
  void SetEndFeature(size_t feature, EncodedLink& link) const;
  void RestoreEndFeature(size_t feature, EncodedLink& link) const;
  EncodedLink OnlyWithNodes(std::span<const size_t> kept,
                            std::span<const size_t> others) const;
  EncodedLink WithoutNodes(std::span<const size_t> removed) const;

  const LinkEncoder& encoder_;
  const EvidenceTables& tables_;
  const GraphView& view_;
  const EncodedLink& whole_;
  const ScorerReads reads_;
  const bool path_tokens_;
  std::vector<Evidence> items_;
  std::optional<PathLedger> ledger_;
  std::vector<TypedPath> types_;  // more than fit into a context
  bool truncated_ = false;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_LINK_EVIDENCE_H_
