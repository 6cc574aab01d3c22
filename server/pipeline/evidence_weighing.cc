#include "server/pipeline/evidence_weighing.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "context/link_evidence.h"
#include "model/evidence_effects.h"

namespace slice {
namespace {

// Links whose evidence is in memory at the same time. Each takes up to half a
// megabyte.
constexpr size_t kLinksAtOnce = 4;

void Fill(const LinkEvidence& evidence, EvidenceEffects effects,
          AnsweredEvidence& answer) {
  answer.items = evidence.items();
  answer.effects = std::move(effects);
  for (int length = 2; evidence.ledger() != nullptr && length <= 3; ++length) {
    answer.paths[static_cast<size_t>(length)] =
        static_cast<uint64_t>(std::llround(evidence.ledger()->paths(length)));
  }
}

absl::Status AddFew(std::span<LinkItem* const> items) {
  const ServedModel& model = items.front()->job->model();
  std::deque<GraphView> views;
  std::deque<LinkEvidence> evidence;
  std::vector<ScoredEvidence> scored;
  for (const LinkItem* item : items) {
    const GraphView& view = views.emplace_back(
        model.encoder->QueryView(*model.snapshot, item->link));
    const OutputReading& reading = item->job->reading();
    evidence.emplace_back(*model.encoder, model.evidence, view, item->encoded,
                          WhatScorerReads(reading, item->encoded));
    scored.push_back({&evidence.back(), item->prediction, reading});
  }
  SLICE_ASSIGN_OR_RETURN(std::vector<EvidenceEffects> effects,
                         WeighEvidence(scored, *model.scorer));
  for (size_t i = 0; i < items.size(); ++i) {
    Fill(evidence[i], std::move(effects[i]), items[i]->evidence);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddEvidence(const std::vector<LinkItem*>& items) {
  std::vector<LinkItem*> asked;
  std::copy_if(items.begin(), items.end(), std::back_inserter(asked),
               [](const LinkItem* item) { return item->job->explain_fully(); });
  for (size_t begin = 0; begin < asked.size(); begin += kLinksAtOnce) {
    const size_t count = std::min(kLinksAtOnce, asked.size() - begin);
    SLICE_RETURN_IF_ERROR(AddFew(std::span(asked).subspan(begin, count)));
  }
  return absl::OkStatus();
}

}  // namespace slice
