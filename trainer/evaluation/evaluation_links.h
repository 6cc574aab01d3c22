// The labelled links that a model is measured on: the rows of a held-out file
// and negatives made from them, most of them harder than those of the file.
#ifndef SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_
#define SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/learning/negative_sampler.h"

namespace slice {

// The sets of negatives that positives are compared with. All but the first are
// made here: a negative is a positive of the file (kTypedNonLinks: a non-link
// of the file) with another target and the same source.
enum class NegativeSet : uint8_t {
  kPublished = 0,      // the non-links of the file
  kTyped = 1,          // target redrawn uniformly among the targets of the
                       // relation in the graph
  kDegreeMatched = 2,  // target redrawn among the same nodes, in proportion to
                       // their numbers of links by the relation
  kTypedNonLinks = 3   // as kTyped, made from the non-links of the file
};
inline constexpr int kNegativeSets = 4;
inline constexpr NegativeSet kAllNegativeSets[] = {
    NegativeSet::kPublished, NegativeSet::kTyped, NegativeSet::kDegreeMatched,
    NegativeSet::kTypedNonLinks};

// The name in JSON ("published", "typed", "degree_matched", "typed_non_links"),
// and the title in tables.
std::string_view NegativeSetKey(NegativeSet set);
std::string_view NegativeSetTitle(NegativeSet set);

// INVALID_ARGUMENT, naming the file, unless there are rows of both labels:
// AUROC and thresholds need both.
absl::Status CheckBothLabels(std::span<const LabelledLink> rows,
                             const std::filesystem::path& file);

// The positives of some held-out files, which no negative may equal. Immutable;
// thread-safe.
class KnownLinks {
 public:
  KnownLinks() = default;
  explicit KnownLinks(std::span<const std::span<const LabelledLink>> held_out);

  bool Contains(const Link& link) const;
  // The nodes that answer `question` truly, ascending.
  std::vector<NodeId> AnswersTo(const EndQuestion& question) const;

 private:
  std::vector<Link> links_;   // ascending
  std::vector<Link> turned_;  // with source and target exchanged, ascending
};

// The links of all sets together. All arrays are parallel. First come the rows
// of the file in file order, then the made negatives, set by set. All sets
// share the positives.
struct EvaluationLinks {
  std::vector<Link> links;
  std::vector<uint8_t> labels;
  // For a made negative, the row that it was made from, whose pair is hidden as
  // well (docs/leakage.md, section 3). For other links, the link itself.
  std::vector<Link> made_from;
  uint32_t published = 0;  // rows of the file
  // The made negatives of set s are [begin[s], begin[s + 1]).
  std::array<uint32_t, kNegativeSets + 1> begin = {};
  std::array<uint32_t, kNegativeSets> dropped = {};  // redraws that hit a link

  size_t size() const { return links.size(); }
  // Positions of the links of one set, ascending.
  std::vector<uint32_t> PositionsOf(NegativeSet set) const;
};

// From each positive, makes one negative of each set in `sets`; negatives of
// kTypedNonLinks are made from the rows labelled 0 instead. A made negative
// depends on its row, the set and `seed` alone, not on the order of rows. A
// redraw that is a link of the graph or of `known` is dropped.
// FAILED_PRECONDITION when the graph allows no negatives.
absl::StatusOr<EvaluationLinks> MakeEvaluationLinks(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> rows,
    const KnownLinks& known, uint64_t seed,
    std::span<const NegativeSet> sets = kAllNegativeSets);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EVALUATION_LINKS_H_
