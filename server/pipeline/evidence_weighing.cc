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
          LinkItem& item) {
  AnsweredEvidence& answer = item.evidence;
  answer.items = evidence.items();
  answer.effects = std::move(effects);
  item.token_effects.assign(item.encoded.contexts.empty()
                                ? 0
                                : item.encoded.contexts[0].tokens.size(),
                            0);
  for (const EvidenceEffect& effect : answer.effects.effects) {
    const Evidence& evidence = answer.items[effect.item];
    if (!evidence.IsOfToken()) continue;
    item.token_effects[evidence.token] = effect.logit_effect;
  }
  for (int length = 1; evidence.ledger() != nullptr && length <= 3; ++length) {
    answer.paths[static_cast<size_t>(length)] =
        static_cast<uint64_t>(std::llround(evidence.ledger()->paths(length)));
  }
}

// The evidence of a few links at a time. The evidence refers to the views.
struct FewLinks {
  std::deque<GraphView> views;
  std::deque<LinkEvidence> evidence;
  std::vector<ScoredEvidence> scored;

  void Add(const ModelOnGraph& served, const LinkItem& item,
           const OutputReading& reading) {
    const GraphView& view = views.emplace_back(
        served.model.encoder->QueryView(served.graph, item.link));
    evidence.emplace_back(*served.model.encoder, served.model.evidence, view,
                          item.encoded, WhatScorerReads(reading, item.encoded));
    scored.push_back({&evidence.back(), item.prediction, reading});
  }
};

absl::Status AddFew(std::span<LinkItem* const> items) {
  const ServedModel& model = items.front()->job->model();
  FewLinks links;
  for (const LinkItem* item : items) {
    links.Add(item->job->served(), *item, item->job->reading());
  }
  SLICE_ASSIGN_OR_RETURN(std::vector<EvidenceEffects> effects,
                         WeighEvidence(links.scored, *model.scorer));
  for (size_t i = 0; i < items.size(); ++i) {
    Fill(links.evidence[i], std::move(effects[i]), *items[i]);
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

absl::Status AddTokenEffects(const ModelOnGraph& served,
                             const OutputReading& reading,
                             std::span<LinkItem> items) {
  for (size_t begin = 0; begin < items.size(); begin += kLinksAtOnce) {
    const std::span<LinkItem> few =
        items.subspan(begin, std::min(kLinksAtOnce, items.size() - begin));
    FewLinks links;
    for (const LinkItem& item : few) links.Add(served, item, reading);
    SLICE_ASSIGN_OR_RETURN(auto effects,
                           WeighPaths(links.scored, *served.model.scorer));
    for (size_t i = 0; i < few.size(); ++i) {
      few[i].token_effects = std::move(effects[i]);
    }
  }
  return absl::OkStatus();
}

}  // namespace slice
