// The labelled links a model is measured on: the rows of a held-out file, and
// harder negatives made from its positives.
#ifndef SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_
#define SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/learning/negative_sampler.h"

namespace slice {

// Which negatives stand against the positives. kPublished: those of the file.
// kTyped: the target drawn again, uniformly among the nodes that are a target
// of the relation in the graph. kDegreeMatched: the same, in proportion to the
// node's links by the relation. kTypedNonLinks: the non-links of the file with
// their targets drawn again as for kTyped; where both ends of a non-link were
// drawn at random, its source stays so.
enum class NegativeSet : uint8_t {
  kPublished = 0,
  kTyped = 1,
  kDegreeMatched = 2,
  kTypedNonLinks = 3
};
inline constexpr int kNegativeSets = 4;
inline constexpr NegativeSet kAllNegativeSets[] = {
    NegativeSet::kPublished, NegativeSet::kTyped, NegativeSet::kDegreeMatched,
    NegativeSet::kTypedNonLinks};

// As in JSON ("published", "typed", "degree_matched", "typed_non_links") and in
// tables.
std::string_view NegativeSetKey(NegativeSet set);
std::string_view NegativeSetTitle(NegativeSet set);

// INVALID_ARGUMENT, naming the file, unless the rows have links of both labels:
// neither AUROC nor a threshold could be taken from them.
absl::Status CheckBothLabels(std::span<const LabelledLink> rows,
                             const std::filesystem::path& file);

// True links that no negative may be: the positives of all held-out files.
// Sorted on construction; immutable.
class KnownLinks {
 public:
  KnownLinks() = default;
  explicit KnownLinks(std::span<const std::span<const LabelledLink>> held_out);

  bool Contains(const Link& link) const;

 private:
  std::vector<Link> links_;  // ascending
};

// The links of all sets together, all arrays parallel; a positive is there
// once, for all of them. First the rows of the file in file order, then the
// made negatives set by set.
struct EvaluationLinks {
  std::vector<Link> links;
  std::vector<uint8_t> labels;
  // A link whose pair is to be hidden as well: what a negative was made from
  // (docs/leakage.md, rule 3); the link itself elsewhere.
  std::vector<Link> made_from;
  uint32_t published = 0;  // rows of the file
  std::array<uint32_t, kNegativeSets + 1> begin =
      {};  // made negatives of set s
           // are [begin[s], begin[s + 1])
  std::array<uint32_t, kNegativeSets> dropped = {};  // redraws that hit a link

  size_t size() const { return links.size(); }
  // Positions of the links of one set, ascending.
  std::vector<uint32_t> PositionsOf(NegativeSet set) const;
};

// Each positive (kTypedNonLinks: each negative) gives one negative of each made
// kind. It depends on that row, the kind and `seed` alone, not on the order of
// rows. A redraw that is a link of the graph or of `known` is dropped. Sets
// that are not among `sets` stay empty. FAILED_PRECONDITION when the graph
// allows no negatives.
absl::StatusOr<EvaluationLinks> MakeEvaluationLinks(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> rows,
    const KnownLinks& known, uint64_t seed,
    std::span<const NegativeSet> sets = kAllNegativeSets);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_
