// Works in rounds, each of which scores choices of items: the link without the
// choice, and with the choice alone. The first round takes away every item by
// itself, which gives the effects. The second scores the items that moved most
// alone, which gives the best choice of one item. Each later round adds to the
// best choice one of the items that were best by themselves. A choice that adds
// too little merit ends the rounds of its link. All links share the calls of
// the scorer.
#include "model/evidence_effects.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kTried = 3;  // items that a round after the first tries
constexpr double kLeastMerit = 0.02;  // what another item must add to kCarry

struct Choice {
  std::vector<size_t> items;
  float without = 0, only = 0;  // logits, once they are scored
  double merit = 0;
};

// One of the logits of a choice.
enum class Part : uint8_t { kWithout, kOnly };

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
  std::vector<size_t> order;    // the items, the best ones first
  Choice best;
  bool done = false;
};

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

// A logit to find out.
struct Asked {
  Choice* choice = nullptr;
  Part part = Part::kWithout;
};

// Scores what is asked of each link, in one go.
absl::Status Score(std::span<const ScoredEvidence> links,
                   const std::vector<std::vector<Asked>>& asked,
                   const BatchScorer& scorer) {
  Variants variants(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const LinkEvidence& evidence = *links[i].evidence;
    for (const auto& [choice, part] : asked[i]) {
      variants[i].push_back(part == Part::kOnly
                                ? evidence.Only(choice->items)
                                : evidence.Without(choice->items));
    }
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<std::vector<float>> logits,
                         ScoreVariants(links, std::move(variants), scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    for (size_t a = 0; a < asked[i].size(); ++a) {
      const auto& [choice, part] = asked[i][a];
      (part == Part::kOnly ? choice->only : choice->without) = logits[i][a];
    }
  }
  return absl::OkStatus();
}

// What a choice is worth whose parts are scored. To oppose or to support, only
// the link without the choice counts.
double MeritOf(const Choice& choice, Aim aim, const ScoredEvidence& link) {
  const float whole = LogitOf(link.prediction, link.reading);
  if (aim == Aim::kCarry) {
    return Moved(whole, choice.without, link) - Moved(whole, choice.only, link);
  }
  return aim == Aim::kOppose ? choice.without - whole : whole - choice.without;
}

// Of a pair that is no link, what speaks against it; where nothing does, what
// speaks for it.
Aim AimOf(const std::vector<Choice>& singles, const ScoredEvidence& link) {
  Prediction read = link.prediction;
  read.Read(link.reading);
  if (read.decision) return Aim::kCarry;
  const bool opposed =
      std::any_of(singles.begin(), singles.end(), [&](const Choice& choice) {
        return MeritOf(choice, Aim::kOppose, link) >= kLeastReason;
      });
  return opposed ? Aim::kOppose : Aim::kSupport;
}

// Orders the items of order[begin, end), the greatest value first.
template <typename Value>
void SortItems(LinkRounds& link, size_t end, const Value& value) {
  std::stable_sort(link.order.begin(),
                   link.order.begin() + static_cast<std::ptrdiff_t>(end),
                   [&](size_t a, size_t b) {
                     return value(link.singles[a]) > value(link.singles[b]);
                   });
}

// The link without each item by itself.
absl::Status TakeAwaySingles(std::span<const ScoredEvidence> links,
                             const BatchScorer& scorer,
                             std::vector<LinkRounds>& rounds) {
  std::vector<std::vector<Asked>> asked(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    LinkRounds& link = rounds[i];
    const size_t items = links[i].evidence->items().size();
    link.singles.resize(items);
    for (size_t item = 0; item < items; ++item) {
      link.singles[item].items = {item};
      asked[i].push_back({&link.singles[item], Part::kWithout});
      link.order.push_back(item);
    }
  }
  SLICE_RETURN_IF_ERROR(Score(links, asked, scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    rounds[i].aim = AimOf(rounds[i].singles, links[i]);
  }
  return absl::OkStatus();
}

// The best choice of one item, among those that move the score most.
absl::Status ChooseSingle(std::span<const ScoredEvidence> links,
                          const BatchScorer& scorer,
                          std::vector<LinkRounds>& rounds) {
  std::vector<std::vector<Asked>> asked(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    LinkRounds& link = rounds[i];
    if (link.aim != Aim::kCarry) continue;
    const float whole = LogitOf(links[i].prediction, links[i].reading);
    SortItems(link, link.order.size(), [&](const Choice& choice) {
      return Moved(whole, choice.without, links[i]);
    });
    for (size_t at = 0; at < std::min(kTried, link.order.size()); ++at) {
      asked[i].push_back({&link.singles[link.order[at]], Part::kOnly});
    }
  }
  SLICE_RETURN_IF_ERROR(Score(links, asked, scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    LinkRounds& link = rounds[i];
    for (Choice& single : link.singles) {
      single.merit = MeritOf(single, link.aim, links[i]);
    }
    SortItems(link,
              link.aim == Aim::kCarry ? asked[i].size() : link.order.size(),
              [](const Choice& choice) { return choice.merit; });
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
  std::vector<std::vector<Asked>> asked(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    choices[i] = Extended(*links[i].evidence, rounds[i]);
    for (Choice& choice : choices[i]) {
      asked[i].push_back({&choice, Part::kWithout});
      if (rounds[i].aim != Aim::kCarry) continue;
      asked[i].push_back({&choice, Part::kOnly});
    }
  }
  SLICE_RETURN_IF_ERROR(Score(links, asked, scorer));
  for (size_t i = 0; i < links.size(); ++i) {
    for (Choice& choice : choices[i]) {
      choice.merit = MeritOf(choice, rounds[i].aim, links[i]);
    }
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

// Scores what the aim of a link did not need: the best choice alone.
absl::Status ScoreBestAlone(std::span<const ScoredEvidence> links,
                            const BatchScorer& scorer,
                            std::vector<LinkRounds>& rounds) {
  std::vector<std::vector<Asked>> asked(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    if (rounds[i].aim == Aim::kCarry || rounds[i].best.items.empty()) continue;
    asked[i].push_back({&rounds[i].best, Part::kOnly});
  }
  return Score(links, asked, scorer);
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
      !best.items.empty() && !PairIsReason(link.prediction, greatest) &&
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

std::vector<size_t> EvidenceEffects::Named() const {
  std::vector<size_t> named;
  for (const EvidenceEffect& effect : effects) {
    if (effect.named) named.push_back(effect.item);
  }
  return named;
}

float EvidenceEffects::Greatest() const {
  return effects.empty() ? 0 : std::abs(effects.front().logit_effect);
}

bool PairIsReason(const Prediction& prediction, float greatest_effect) {
  const float lost = -prediction.schema_log_odds;
  return lost >= kLeastReason &&
         (prediction.flags.self || lost >= greatest_effect);
}

absl::StatusOr<std::vector<EvidenceEffects>> WeighEvidence(
    std::span<const ScoredEvidence> links, const BatchScorer& scorer) {
  std::vector<LinkRounds> rounds(links.size());
  SLICE_RETURN_IF_ERROR(TakeAwaySingles(links, scorer, rounds));
  SLICE_RETURN_IF_ERROR(ChooseSingle(links, scorer, rounds));
  for (size_t named = 1; named < kMostReasons; ++named) {
    SLICE_RETURN_IF_ERROR(AddReason(links, scorer, rounds));
  }
  SLICE_RETURN_IF_ERROR(ScoreBestAlone(links, scorer, rounds));
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
  return LinkEvidence::MostItems(max_nodes) + kTried +
         2 * kTried * (kMostReasons - 1);
}

}  // namespace slice
