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
#include "context/evidence_tables.h"
#include "context/feature_descriptions.h"
#include "context/link_encoder.h"
#include "context/path_ledger.h"
#include "context/typed_path_search.h"
#include "graphstore/graph_view.h"

namespace slice {

// What can be taken away from a link, and what then takes its place:
//   kPaths     the paths of one type. They are left out of tokens, path
//              features and rules, as if nobody could travel them.
//   kAllPaths  the same with all paths of `length` links.
//   kNoPaths   that there is no path of `length` links. The features that say
//              so get their means over the training examples.
//   kNode      a node of a context without path tokens. Its links to the other
//              nodes of the context are hidden, and the link is encoded anew.
//   kFeatures  the pair features of `group`, and what the end tokens repeat of
//              them. They get their means over the training examples.
//   kEnds      the embeddings and slot profiles of the ends, and what the
//              knowledge graph embedding says of them. The embeddings are left
//              out as in training (EncodedLink::has_embeddings), the profiles
//              get the means of EvidenceTables, and the knowledge logits are 0.
enum class EvidenceKind : uint8_t {
  kPaths,
  kAllPaths,
  kNoPaths,
  kNode,
  kFeatures,
  kEnds
};

struct Evidence {
  EvidenceKind kind = EvidenceKind::kPaths;
  FeatureGroup group = FeatureGroup::kOther;  // of kFeatures and of paths
  size_t token = 0;  // kPaths, kNode: its position in the first context
  PathType type = {0, 0, 0};  // kPaths
  int length = 0;             // links of the paths

  // Whether it stands for one token of the first context.
  bool IsOfToken() const {
    return kind == EvidenceKind::kPaths || kind == EvidenceKind::kNode;
  }

  // Whether one of the two contains the other, as all paths of two links
  // contain those of one type.
  bool Overlaps(const Evidence& other) const;

  bool operator==(const Evidence&) const = default;
};

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
  // the path features get their means: nothing is known about paths then.
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
  bool HasPathItem(std::span<const size_t> items, int length) const;
  bool Holds(std::span<const size_t> items, EvidenceKind kind,
             FeatureGroup group) const;
  EncodedLink Start() const;
  int Shortest(const PathFilter& filter) const;
  void SetShortest(const PathFilter& filter, EncodedLink& link) const;
  void CutContexts(const PathFilter& filter, EncodedLink& link) const;
  void SumPaths(const PathFilter& filter, EncodedLink& link) const;
  void SetNeutral(FeatureGroup group, EncodedLink& link) const;
  void ForgetEnds(EncodedLink& link) const;
  void SetEndFeature(size_t feature, EncodedLink& link) const;
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
