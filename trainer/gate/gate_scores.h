// What one of two bundles answers to the links on which they are compared.
#ifndef SLICE_TRAINER_GATE_GATE_SCORES_H_
#define SLICE_TRAINER_GATE_GATE_SCORES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/gate/gate_links.h"

namespace slice {

enum class GateSide : uint8_t { kCurrent, kCandidate };

// The log-odds that each link is plausible, as a server of the bundle answers,
// with the pair hidden in the bundle's own graph. A link that the bundle cannot
// name has minus infinity. Returns the errors of the scorer.
absl::StatusOr<std::vector<float>> ScoreGateLinks(const OfflineModel& model,
                                                  GateSide side,
                                                  const GateLinks& links,
                                                  int threads);

// A question about a positive: which node is its source, or its target?
struct GateQuestion {
  uint32_t link = 0;                      // its position in GateLinks::links
  Direction direction = Direction::kOut;  // kOut: the target is asked for
};

// The two questions about each of `count` positives (all if there are fewer).
// The sample depends on the links alone.
std::vector<GateQuestion> MakeGateQuestions(const GateLinks& links,
                                            size_t count);

// The reciprocal of the answer's filtered rank for each question, as a server
// of the bundle ranks (Bordes et al., NeurIPS 2013); 0 when the bundle cannot
// name the link. Both bundles rank the same nodes: those that both know and
// that have a type which the relation has at that end in both graphs, without
// other true answers by either graph or by the file. Returns the errors of the
// scorer. REQUIRES: model.CheckRankable() is OK.
absl::StatusOr<std::vector<float>> RankGateQuestions(
    const OfflineModel& model, GateSide side,
    const std::vector<GateQuestion>& questions, const GateLinks& links,
    const SharedNames& names, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_GATE_GATE_SCORES_H_
