// What can be taken away from a link to see how much of its score it carries.
#ifndef SLICE_CONTEXT_EVIDENCE_H_
#define SLICE_CONTEXT_EVIDENCE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "context/feature_descriptions.h"
#include "context/path_filter.h"
#include "context/typed_path_search.h"

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

// Below, `positions` are those of some of the `items`.

// Whether one of them is paths of `length` links, or of any length for 0.
bool HoldsPaths(std::span<const Evidence> items,
                std::span<const size_t> positions, int length = 0);

// Whether one of them is of this kind and group; of any group for kOther.
bool Holds(std::span<const Evidence> items, std::span<const size_t> positions,
           EvidenceKind kind, FeatureGroup group = FeatureGroup::kOther);

// Leaves out the paths among them, or keeps these alone.
PathFilter FilterOf(std::span<const Evidence> items,
                    std::span<const size_t> positions, bool keep_named);

}  // namespace slice

#endif  // SLICE_CONTEXT_EVIDENCE_H_
