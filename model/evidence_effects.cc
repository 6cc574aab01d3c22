// Works in rounds, each of which scores choices of items: the link without the
// choice, and with the choice alone. The first round takes every item by
// itself; that gives the effects and the best choice of one item. Each later
// round adds to the best choice one of the items that were best by themselves.
// A choice that adds too little merit ends the rounds of its link. All links
// share the calls of the scorer.
#include "model/evidence_effects.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

constexpr size_t kLinksAtOnce = 64;   // in one call of the scorer
constexpr size_t kTried = 6;          // items that a later round tries to add
constexpr double kLeastMerit = 0.02;  // what another item must add to kCarry

struct Choice {
  std::vector<size_t> items;
  float without = 0, only = 0;  // logits
  double merit = 0;
};

// What the named items of a link should do.
enum class Aim : uint8_t {
  kCarry,    // carry the score: it moves without them and stays with them alone
  kOppose,   // speak against the link: the logit rises without them
  kSupport,  // speak for it: the logit falls without them
};

// The state of one link between the rounds.
struct LinkRounds {
  Aim aim = Aim::kCarry;
  std::vector<Choice> singles;  // by item
  std::vector<size_t> order;    // of singles, the greatest merit first
  Choice best;
  bool done = false;
};

float LogitOf(const Prediction& prediction, const OutputReading& reading) {
  return prediction.Logit(reading.scorer, Question::kPlausible);
}

// The probability that the link would have with another logit.
float ProbabilityOf(float logit, const ScoredEvidence& link) {
  return link.reading.PlausibleProbability(link.prediction.relation,
                                           link.prediction.flags, logit);
}

// How far apart two logits are: by their probabilities and, so that it can be
// told where probabilities are almost 0 or 1, a little by themselves.
double Moved(float a, float b, const ScoredEvidence& link) {
  constexpr double kLogitShare = 0.05;
  constexpr double kFarthest = 4;
  return std::abs(ProbabilityOf(a, link) - ProbabilityOf(b, link)) +
         kLogitShare * std::min<double>(kFarthest, std::abs(a - b));
}

// Adds the logits of links of one relation by the structural scorer, which is
// much cheaper to run alone than all of the network.
absl::Status AddStructuralLogits(std::span<const EncodedLink> links,
                                 const BatchScorer& scorer,
                                 std::vector<float>& logits) {
  std::vector<float> rows;
  for (const EncodedLink& link : links) {
    rows.insert(rows.end(), link.pair_features.begin(),
                link.pair_features.end());
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<StructuralLogits> scored,
                         scorer.ScoreStructural(links[0].link.relation, rows,
                                                links[0].pair_features.size()));
  for (const StructuralLogits& one : scored) {
    logits.push_back(one[static_cast<size_t>(Question::kPlausible)]);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> StructuralLogitsOf(
    std::span<const EncodedLink> links, const BatchScorer& scorer) {
  std::vector<float> logits;
  for (size_t begin = 0, end = 0; begin < links.size(); begin = end) {
    while (end < links.size() &&
           links[end].link.relation == links[begin].link.relation)
      ++end;
    SLICE_RETURN_IF_ERROR(
        AddStructuralLogits(links.subspan(begin, end - begin), scorer, logits));
  }
  return logits;
}

// What a choice is worth.
double MeritOf(const Choice& choice, float whole, Aim aim,
               const ScoredEvidence& link) {
  if (aim == Aim::kCarry) {
    return Moved(whole, choice.without, link) - Moved(whole, choice.only, link);
  }
  return aim == Aim::kOppose ? choice.without - whole : whole - choice.without;
}

// The link without each choice and with it alone, choice by choice.
std::vector<EncodedLink> VariantsOf(const LinkEvidence& evidence,
                                    std::span<const Choice> choices) {
  std::vector<EncodedLink> variants;
  for (const Choice& choice : choices) {
    variants.push_back(evidence.Without(choice.items));
    variants.push_back(evidence.Only(choice.items));
  }
  return variants;
}

using Variants = std::vector<std::vector<EncodedLink>>;  // by link

// The logits of the variants of each link.
absl::StatusOr<std::vector<std::vector<float>>> ScoreVariants(
    std::span<const ScoredEvidence> links, Variants all,
    const BatchScorer& scorer) {
  std::vector<std::vector<float>> logits(links.size());
  std::vector<EncodedLink> by_network;
  std::vector<size_t> link_of;  // of each link in by_network
  for (size_t i = 0; i < links.size(); ++i) {
    std::vector<EncodedLink>& variants = all[i];
    if (links[i].evidence->reads() == ScorerReads::kPairFeatures) {
      SLICE_ASSIGN_OR_RETURN(logits[i], StructuralLogitsOf(variants, scorer));
      continue;
    }
    for (EncodedLink& variant : variants) {
      by_network.push_back(std::move(variant));
      link_of.push_back(i);
    }
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictEncoded(by_network, scorer));
  for (size_t v = 0; v < predictions.size(); ++v) {
    const size_t i = link_of[v];
    logits[i].push_back(LogitOf(predictions[v], links[i].reading));
  }
  return logits;
}

// Scores the choices of each link: fills all but their items and merits.
absl::Status ScoreChoices(std::span<const ScoredEvidence> links,
                          std::vector<std::vector<Choice>>& choices,
                          const BatchScorer& scorer) {
  Variants variants;
  for (size_t i = 0; i < links.size(); ++i) {
    variants.push_back(VariantsOf(*links[i].evidence, choices[i]));
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> logits,
                         ScoreVariants(links, std::move(variants), scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    for (size_t c = 0; c < choices[i].size(); ++c) {
      choices[i][c].without = logits[i][2 * c];
      choices[i][c].only = logits[i][2 * c + 1];
    }
  }
  return absl::OkStatus();
}

void SetMerits(std::vector<Choice>& choices, Aim aim,
               const ScoredEvidence& link) {
  const float whole = LogitOf(link.prediction, link.reading);
  for (Choice& choice : choices) {
    choice.merit = MeritOf(choice, whole, aim, link);
  }
}

// Of a pair that is no link, what speaks against it; where nothing does, what
// speaks for it.
Aim AimOf(std::vector<Choice>& singles, const ScoredEvidence& link) {
  Prediction read = link.prediction;
  read.Read(link.reading);
  if (read.decision) return Aim::kCarry;
  SetMerits(singles, Aim::kOppose, link);
  const bool opposed = std::any_of(
      singles.begin(), singles.end(),
      [](const Choice& choice) { return choice.merit >= kLeastReason; });
  return opposed ? Aim::kOppose : Aim::kSupport;
}

absl::Status ScoreSingles(std::span<const ScoredEvidence> links,
                          const BatchScorer& scorer,
                          std::vector<LinkRounds>& rounds) {
  std::vector<std::vector<Choice>> choices(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const size_t items = links[i].evidence->items().size();
    for (size_t item = 0; item < items; ++item) {
      choices[i].push_back({.items = {item}});
    }
  }
  SLICE_RETURN_IF_ERROR(ScoreChoices(links, choices, scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    LinkRounds& link = rounds[i];
    link.singles = std::move(choices[i]);
    link.aim = AimOf(link.singles, links[i]);
    SetMerits(link.singles, link.aim, links[i]);
    for (size_t item = 0; item < link.singles.size(); ++item) {
      link.order.push_back(item);
    }
    std::stable_sort(link.order.begin(), link.order.end(),
                     [&](size_t a, size_t b) {
                       return link.singles[a].merit > link.singles[b].merit;
                     });
    link.done = link.order.empty();
    if (!link.done) link.best = link.singles[link.order[0]];
  }
  return absl::OkStatus();
}

// The best choice with one more item, for the best items that it does not
// contain and that do not contain one of its items.
std::vector<Choice> Extended(const LinkEvidence& evidence,
                             const LinkRounds& link) {
  const std::vector<Evidence>& items = evidence.items();
  std::vector<Choice> choices;
  for (const size_t item : link.order) {
    if (link.done || choices.size() == kTried) break;
    const bool apart = std::none_of(
        link.best.items.begin(), link.best.items.end(),
        [&](size_t other) { return items[other].Overlaps(items[item]); });
    if (!apart) continue;
    choices.push_back({.items = link.best.items});
    choices.back().items.push_back(item);
  }
  return choices;
}

absl::Status AddReason(std::span<const ScoredEvidence> links,
                       const BatchScorer& scorer,
                       std::vector<LinkRounds>& rounds) {
  std::vector<std::vector<Choice>> choices(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    choices[i] = Extended(*links[i].evidence, rounds[i]);
  }
  SLICE_RETURN_IF_ERROR(ScoreChoices(links, choices, scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    SetMerits(choices[i], rounds[i].aim, links[i]);
    const double least =
        rounds[i].aim == Aim::kCarry ? kLeastMerit : double{kLeastReason};
    const auto best = std::max_element(
        choices[i].begin(), choices[i].end(),
        [](const Choice& a, const Choice& b) { return a.merit < b.merit; });
    rounds[i].done =
        best == choices[i].end() || best->merit < rounds[i].best.merit + least;
    if (!rounds[i].done) rounds[i].best = *best;
  }
  return absl::OkStatus();
}

EvidenceEffects EffectsOf(const ScoredEvidence& link,
                          const LinkRounds& rounds) {
  const float whole = LogitOf(link.prediction, link.reading);
  EvidenceEffects result;
  float greatest = 0;
  for (size_t item = 0; item < rounds.singles.size(); ++item) {
    const float without = rounds.singles[item].without;
    result.effects.push_back(
        {item, whole - without, ProbabilityOf(without, link), false});
    greatest = std::max(greatest, std::abs(whole - without));
  }
  const Choice& best = rounds.best;
  const bool reason =
      !best.items.empty() &&
      std::max(greatest, std::abs(whole - best.without)) >= kLeastReason;
  for (EvidenceEffect& effect : result.effects) {
    effect.named = reason && std::find(best.items.begin(), best.items.end(),
                                       effect.item) != best.items.end();
  }
  std::stable_sort(result.effects.begin(), result.effects.end(),
                   [](const EvidenceEffect& a, const EvidenceEffect& b) {
                     return std::abs(a.logit_effect) > std::abs(b.logit_effect);
                   });
  result.probability_without_named =
      ProbabilityOf(reason ? best.without : whole, link);
  result.probability_only_named =
      ProbabilityOf(reason ? best.only : whole, link);
  return result;
}

}  // namespace

ScorerReads WhatScorerReads(const OutputReading& reading,
                            const EncodedLink& link) {
  if (reading.scorer == Scorer::kContext) return ScorerReads::kContexts;
  return reading.scorer == Scorer::kStructural && !link.pair_features.empty()
             ? ScorerReads::kPairFeatures
             : ScorerReads::kEnds;
}

std::vector<size_t> EvidenceEffects::Named() const {
  std::vector<size_t> named;
  for (const EvidenceEffect& effect : effects) {
    if (effect.named) named.push_back(effect.item);
  }
  return named;
}

absl::StatusOr<std::vector<Prediction>> PredictEncoded(
    std::span<const EncodedLink> links, const BatchScorer& scorer) {
  std::vector<Prediction> predictions;
  for (size_t begin = 0; begin < links.size(); begin += kLinksAtOnce) {
    std::vector<const EncodedLink*> batch;
    const size_t end = std::min(begin + kLinksAtOnce, links.size());
    for (size_t i = begin; i < end; ++i) batch.push_back(&links[i]);
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> scored,
                           scorer.Predict(ContextBatch::Assemble(batch)));
    predictions.insert(predictions.end(), scored.begin(), scored.end());
  }
  return predictions;
}

absl::StatusOr<std::vector<float>> LogitsOf(std::span<const EncodedLink> links,
                                            const OutputReading& reading,
                                            const BatchScorer& scorer) {
  if (!links.empty() &&
      WhatScorerReads(reading, links[0]) == ScorerReads::kPairFeatures) {
    return StructuralLogitsOf(links, scorer);
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictEncoded(links, scorer));
  std::vector<float> logits;
  for (const Prediction& prediction : predictions) {
    logits.push_back(LogitOf(prediction, reading));
  }
  return logits;
}

absl::StatusOr<std::vector<EvidenceEffects>> WeighEvidence(
    std::span<const ScoredEvidence> links, const BatchScorer& scorer) {
  std::vector<LinkRounds> rounds(links.size());
  SLICE_RETURN_IF_ERROR(ScoreSingles(links, scorer, rounds));
  for (size_t named = 1; named < kMostReasons; ++named) {
    SLICE_RETURN_IF_ERROR(AddReason(links, scorer, rounds));
  }
  std::vector<EvidenceEffects> results;
  for (size_t i = 0; i < links.size(); ++i) {
    results.push_back(EffectsOf(links[i], rounds[i]));
  }
  return results;
}

absl::StatusOr<std::vector<std::vector<float>>> WeighPaths(
    std::span<const ScoredEvidence> links, const BatchScorer& scorer) {
  Variants variants(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const LinkEvidence& evidence = *links[i].evidence;
    for (size_t item = 0; item < evidence.items().size(); ++item) {
      if (evidence.items()[item].kind != EvidenceKind::kPaths) continue;
      variants[i].push_back(evidence.Without({&item, 1}));
    }
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> logits,
                         ScoreVariants(links, std::move(variants), scorer));
  std::vector<std::vector<float>> effects(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const LinkEvidence& evidence = *links[i].evidence;
    if (evidence.whole().contexts.empty()) continue;
    effects[i].assign(evidence.whole().contexts[0].tokens.size(), 0);
    const float whole = LogitOf(links[i].prediction, links[i].reading);
    auto logit = logits[i].begin();
    for (const Evidence& item : evidence.items()) {
      if (item.kind != EvidenceKind::kPaths) continue;
      effects[i][item.token] = whole - *logit++;
    }
  }
  return effects;
}

size_t MostEvidenceRuns(int max_nodes) {
  return 2 * (LinkEvidence::MostItems(max_nodes) + kTried * (kMostReasons - 1));
}

}  // namespace slice
