// The links on which two bundles are compared. Each bundle knows them by ids of
// its own graph.
#ifndef SLICE_TRAINER_GATE_GATE_LINKS_H_
#define SLICE_TRAINER_GATE_GATE_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/asked_link_file.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// A row of a file of links.
struct NamedLink {
  std::string relation, source, target;
  bool positive = true;
};

// Reads the rows `relation source target [label]` of a file. INVALID_ARGUMENT,
// "file:line:column: reason", for a malformed row, and when there is no row;
// the errors of LineReader and RecogniseLinks.
absl::StatusOr<std::vector<NamedLink>> ReadNamedLinks(
    const AskedLinkFile& file);

// The nodes and relations that two graphs share, by key and by name.
class SharedNames {
 public:
  // The graphs on which the bundles answer, and the train graph of the current
  // bundle, which has the ids of `current`. All must outlive this.
  SharedNames(const GraphSnapshot& current, const GraphSnapshot& candidate,
              const GraphSnapshot& learned);

  const GraphSnapshot& current() const { return current_; }
  const GraphSnapshot& candidate() const { return candidate_; }

  // The id in the candidate's graph; nullopt when that lacks it.
  std::optional<NodeId> Node(NodeId current) const;
  std::optional<Link> InCandidate(const Link& current) const;
  // Whether the current bundle was trained on the link.
  bool IsLearned(const Link& current) const;
  // Whether any of the graphs has the link. REQUIRES: `current` is a link of
  // ids of the current graph; the candidate need not know them.
  bool EitherHas(const Link& current) const;

 private:
  const GraphSnapshot& current_;
  const GraphSnapshot& candidate_;
  const GraphSnapshot& learned_;
  std::vector<std::optional<NodeId>> nodes_;          // by current id
  std::vector<std::optional<RelationId>> relations_;  // by current id
};

// A link to compare on.
struct GateLink {
  Link current;                   // by ids of the current graph
  std::optional<Link> candidate;  // absent: the candidate cannot name it
  // Of a drawn non-link: the position of the positive that it was made from,
  // whose pair is hidden as well. Otherwise its own position.
  uint32_t made_from = 0;
  bool positive = true;
};

struct GateLinks {
  std::vector<GateLink> links;  // the rows of the file, then drawn non-links

  // What became of the rows of the file; repeated rows count once.
  uint64_t rows = 0;
  uint64_t in_current = 0;      // left out: a link of the current train graph
  uint64_t in_candidate = 0;    // left out: one of the candidate's alone
  uint64_t only_candidate = 0;  // left out: the current bundle cannot name it
  uint64_t only_current = 0;    // positives that the candidate cannot name
  uint64_t unknown = 0;         // left out: neither bundle can name it
  uint64_t drawn = 0;           // non-links that were drawn

  std::vector<Link> Positives() const;  // by current ids, ascending
};

// Chooses the links to compare on:
//  - A row that is a link of either train graph is left out: that bundle has
//    learned it, so it is no new evidence (docs/leakage.md).
//  - A row that the current bundle cannot name is left out: there is nothing to
//    compare with.
//  - A positive that the candidate alone cannot name stays. It counts as the
//    candidate's worst answer, since who asks about it gets none.
//  - Of rows without a label 0, each positive gets a non-link that both bundles
//    can name: in half of the draws another target of the relation, in a
//    quarter any other target, in a quarter any two nodes. None is a link of
//    either graph or of the file. Draws depend on the link and `seed` alone.
// FAILED_PRECONDITION when a graph allows no non-links.
absl::StatusOr<GateLinks> ChooseGateLinks(const std::vector<NamedLink>& rows,
                                          const SharedNames& names,
                                          uint64_t seed);

}  // namespace slice

#endif  // SLICE_TRAINER_GATE_GATE_LINKS_H_
