// Finds out which evidence carries the score of a link, by scoring the link
// again without each item of its evidence (context/link_evidence.h). Attention
// says where the network looked; this says what changes the score.
#ifndef SLICE_MODEL_EVIDENCE_EFFECTS_H_
#define SLICE_MODEL_EVIDENCE_EFFECTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_evidence.h"
#include "model/batch_scorer.h"
#include "model/variant_scoring.h"

namespace slice {

// The effect of one item of evidence.
struct EvidenceEffect {
  size_t item = 0;         // its position in LinkEvidence::items()
  float logit_effect = 0;  // the logit less the logit without the item
  float probability_without = 0;
  bool named = false;  // the explanation names it as a reason
};

// What carries the score of one link.
struct EvidenceEffects {
  std::vector<EvidenceEffect> effects;  // the greatest |logit_effect| first
  // The probability without all named items, and with them alone. Both are the
  // probability of the link when no item is named.
  float probability_without_named = 0;
  float probability_only_named = 0;

  // The positions of the named items in LinkEvidence::items().
  std::vector<size_t> Named() const;
  // The largest |logit_effect|.
  float Greatest() const;
};

// The most items that an explanation names.
inline constexpr size_t kMostReasons = 3;
// An explanation names nothing when the logit changes by less than this both
// without its best choice of items and without every single item.
inline constexpr float kLeastReason = 0.1f;

// Whether what the pair is, such as one node with itself, is the reason of the
// answer, and no evidence: it lowers the log-odds by more than any item changes
// the logit. Of one node with itself the items say the same in other words, so
// they do not count. Then no item is named.
bool PairIsReason(const Prediction& prediction, float greatest_effect);

// The effects of the evidence of each link. The logits are those of the
// reading's scorer for Question::kPlausible.
//
// Named is a choice of at most kMostReasons items, of which none contains
// another. Its merit is how far the score moves without the choice, less how
// far it moves with the choice alone (Moved() in the source). For a pair that
// is no link (Prediction::decision) the merit is how far the logit rises
// without the choice. When no single item raises it by kLeastReason, the merit
// is how far it falls. The choice starts with the best of the items that move
// the score most by themselves, and takes in another one as long as that adds
// merit. Returns the errors of BatchScorer::Predict and ScoreStructural.
absl::StatusOr<std::vector<EvidenceEffects>> WeighEvidence(
    std::span<const ScoredEvidence> links, const BatchScorer& scorer);

// What each path token of the first context adds: the logit less the logit
// without the paths of its type. By link and token; 0 for other tokens. The
// logits are those of WeighEvidence(). Returns the same errors.
absl::StatusOr<std::vector<std::vector<float>>> WeighPaths(
    std::span<const ScoredEvidence> links, const BatchScorer& scorer);

// How many runs of the network WeighEvidence() takes at most for a link whose
// contexts have `max_nodes` nodes.
size_t MostEvidenceRuns(int max_nodes);

}  // namespace slice

#endif  // SLICE_MODEL_EVIDENCE_EFFECTS_H_
