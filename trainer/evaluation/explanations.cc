// Fidelity tells whether the evidence that an explanation names carries the
// score. It is measured in these steps:
//   1. a sample of links is encoded and explained as the server explains them;
//   2. beside the named evidence, two rivals of the same size are chosen: items
//      of evidence drawn at random, and the paths that attention alone names;
//   3. each link is scored without each of the three choices, and with each of
//      them alone (context/link_evidence.h);
//   4. the report gets the mean absolute changes of the probability.
#include "trainer/evaluation/explanations.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "context/link_evidence.h"
#include "model/evidence_effects.h"
#include "trainer/evaluation/example_network.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr size_t kEnds = 2;
constexpr size_t kBatch = 32;
constexpr size_t kDrawnTokens = 5;  // of an example

// What a link can be reduced to: the named evidence, as many random items, and
// as many of the paths that the ends attend to most.
enum Choice { kNamed, kRandom, kAttention, kChoices };
using Positions = std::vector<size_t>;  // of items of evidence

// Draws `count` items of which none contains another, or fewer if there are no
// more.
Positions DrawItems(const std::vector<Evidence>& items, size_t count,
                    Random& random) {
  Positions order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Positions drawn;
  for (const size_t item : order) {
    if (drawn.size() == count) break;
    const bool apart = std::none_of(
        drawn.begin(), drawn.end(),
        [&](size_t other) { return items[other].Overlaps(items[item]); });
    if (apart) drawn.push_back(item);
  }
  return drawn;
}

// The items of the tokens that the ends attend to most, at most `count`.
Positions AttendedItems(const std::vector<Evidence>& items,
                        const SemanticAssociationMatrix& attention,
                        size_t count) {
  Positions attended;
  for (const size_t token : MostAttended(attention, count)) {
    for (size_t i = 0; i < items.size(); ++i) {
      if ((items[i].kind == EvidenceKind::kPaths ||
           items[i].kind == EvidenceKind::kNode) &&
          items[i].token == token) {
        attended.push_back(i);
      }
    }
  }
  return attended;
}

// Links of one batch with what their explanations need. Nothing moves once it
// is made: the evidence refers to the other members.
struct ExplainedLinks {
  std::vector<EncodedLink> whole;
  std::deque<GraphView> views;
  std::deque<LinkEvidence> evidence;
  ExplainedBatch explained;
  std::vector<EvidenceEffects> effects;
};

class FidelityMeter {
 public:
  FidelityMeter(const ScoringModel& model, const OutputReading& reading,
                uint64_t seed)
      : model_(model),
        reading_(reading),
        tables_(EvidenceTables::Of(*model.encoder, *model.snapshot)),
        random_(seed) {}

  // Adds the changes of a batch of links to the sums of the result.
  absl::Status Add(std::span<const Link> links) {
    ExplainedLinks batch;
    SLICE_RETURN_IF_ERROR(Explain(links, batch));
    std::vector<EncodedLink> variants;
    std::vector<float> whole;
    for (size_t i = 0; i < links.size(); ++i)
      AddVariants(batch, i, variants, whole);
    SLICE_ASSIGN_OR_RETURN(const std::vector<float> logits,
                           LogitsOf(variants, reading_, *model_.scorer));
    FidelityChange* const changes[kChoices] = {&result_.named, &result_.random,
                                               &result_.attention};
    for (size_t i = 0; i < variants.size(); ++i) {
      const double changed = reading_.PlausibleProbability(
          variants[i].link.relation, variants[i].flags, logits[i]);
      FidelityChange& change = *changes[i / 2 % kChoices];
      (i % 2 == 0 ? change.without : change.only) +=
          std::abs(changed - whole[i / (2 * kChoices)]);
    }
    return absl::OkStatus();
  }

  FidelityResult Result() const;

 private:
  absl::Status Explain(std::span<const Link> links, ExplainedLinks& batch);
  void AddVariants(const ExplainedLinks& batch, size_t i,
                   std::vector<EncodedLink>& variants,
                   std::vector<float>& whole);

  const ScoringModel model_;
  const OutputReading reading_;
  const EvidenceTables tables_;
  Random random_;
  FidelityResult result_;
};

absl::Status FidelityMeter::Explain(std::span<const Link> links,
                                    ExplainedLinks& batch) {
  batch.whole.reserve(links.size());
  std::vector<const EncodedLink*> pointers;
  for (const Link& link : links) {
    const GraphView& view = batch.views.emplace_back(
        model_.encoder->QueryView(*model_.snapshot, link));
    batch.whole.push_back(model_.encoder->Encode(view, link));
    pointers.push_back(&batch.whole.back());
    batch.evidence.emplace_back(*model_.encoder, tables_, view,
                                batch.whole.back(),
                                WhatScorerReads(reading_, batch.whole.back()));
  }
  const ContextBatch contexts = ContextBatch::Assemble(pointers);
  SLICE_ASSIGN_OR_RETURN(batch.explained, model_.scorer->Explain(contexts));
  KeepFirstContexts(contexts.row_link, batch.explained.attention);
  std::vector<ScoredEvidence> scored;
  for (size_t i = 0; i < links.size(); ++i) {
    scored.push_back(
        {&batch.evidence[i], batch.explained.predictions[i], reading_});
  }
  SLICE_ASSIGN_OR_RETURN(batch.effects, WeighEvidence(scored, *model_.scorer));
  return absl::OkStatus();
}

void FidelityMeter::AddVariants(const ExplainedLinks& batch, size_t i,
                                std::vector<EncodedLink>& variants,
                                std::vector<float>& whole) {
  const LinkEvidence& evidence = batch.evidence[i];
  const std::vector<Evidence>& items = evidence.items();
  Positions choices[kChoices];
  choices[kNamed] = batch.effects[i].Named();
  if (choices[kNamed].empty()) {
    ++result_.without_reason;
    return;
  }
  const size_t count = choices[kNamed].size();
  choices[kRandom] = DrawItems(items, count, random_);
  choices[kAttention] =
      AttendedItems(items, batch.explained.attention[i], count);
  for (const Positions& choice : choices) {
    variants.push_back(evidence.Without(choice));
    variants.push_back(evidence.Only(choice));
  }
  Prediction prediction = batch.explained.predictions[i];
  prediction.Read(reading_);
  whole.push_back(prediction.probability);
  ++result_.links;
  result_.items += static_cast<double>(items.size());
  result_.explained += static_cast<double>(count);
}

FidelityResult FidelityMeter::Result() const {
  FidelityResult means = result_;
  if (means.links == 0) return means;
  for (double* mean :
       {&means.items, &means.explained, &means.named.without, &means.named.only,
        &means.random.without, &means.random.only, &means.attention.without,
        &means.attention.only}) {
    *mean /= static_cast<double>(means.links);
  }
  return means;
}

std::string TokenName(const GraphSnapshot& snapshot,
                      const ContextToken& token) {
  const auto node_name = [&](NodeId node) {
    if (snapshot.node_type_count() < 2) return snapshot.Name(node);
    return absl::StrCat(snapshot.Name(node), " (",
                        snapshot.TypeName(snapshot.Type(node)), ")");
  };
  std::string name;
  switch (token.kind) {
    case TokenKind::kPath:
      for (const NodeId node : token.path) {
        absl::StrAppend(&name, name.empty() ? "by " : ", ", node_name(node));
      }
      return name;
    case TokenKind::kRelation:
      return "the relation asked for";
    case TokenKind::kNode:
    case TokenKind::kPadding:
      break;
  }
  return token.node == kNoNode ? "nothing" : node_name(token.node);
}

// The attention of one layer, [tokens * tokens], averaged over its heads.
std::vector<float> MeanOverHeads(const SemanticAssociationMatrix& attention,
                                 int layer) {
  std::vector<float> mean(
      static_cast<size_t>(attention.tokens) * attention.tokens, 0.0f);
  for (int head = 0; head < attention.heads; ++head) {
    for (int to = 0; to < attention.tokens; ++to) {
      for (int from = 0; from < attention.tokens; ++from) {
        mean[static_cast<size_t>(to) * attention.tokens + from] +=
            attention.at(layer, head, to, from) /
            static_cast<float>(attention.heads);
      }
    }
  }
  return mean;
}

}  // namespace

void KeepFirstContexts(std::span<const int64_t> row_link,
                       std::vector<SemanticAssociationMatrix>& attention) {
  size_t links = 0;
  for (size_t row = 0; row < row_link.size(); ++row) {
    if (static_cast<size_t>(row_link[row]) < links) continue;
    std::swap(attention[links++], attention[row]);
  }
  attention.resize(links);
}

std::vector<size_t> MostAttended(const SemanticAssociationMatrix& attention,
                                 size_t count) {
  const std::vector<float> rollout = attention.Rollout();
  const auto tokens = static_cast<size_t>(attention.tokens);
  std::vector<size_t> order;
  for (size_t i = kEnds; i < tokens; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return rollout[a] + rollout[tokens + a] > rollout[b] + rollout[tokens + b];
  });
  if (order.size() > count) order.resize(count);
  return order;
}

absl::StatusOr<FidelityResult> MeasureFidelity(const ScoringModel& model,
                                               const OutputReading& reading,
                                               std::span<const Link> test,
                                               FidelitySample sample) {
  Random order(sample.seed);
  std::vector<Link> links(test.begin(), test.end());
  std::shuffle(links.begin(), links.end(), order);
  links.resize(std::min(links.size(), sample.links));
  FidelityMeter meter(model, reading, sample.seed);
  for (size_t begin = 0; begin < links.size(); begin += kBatch) {
    SLICE_RETURN_IF_ERROR(meter.Add(std::span(links).subspan(
        begin, std::min(kBatch, links.size() - begin))));
  }
  return meter.Result();
}

absl::StatusOr<LinkExample> ShowExample(const ScoringModel& model,
                                        const OutputReading& reading,
                                        const Link& link,
                                        const std::string& remark) {
  const GraphSnapshot& snapshot = *model.snapshot;
  const EncodedLink encoded = model.encoder->Encode(snapshot, link);
  if (encoded.contexts.empty()) {
    return absl::FailedPreconditionError(
        "the model reads no contexts, so there is no attention to show");
  }
  const EncodedLink* const batch[] = {&encoded};
  SLICE_ASSIGN_OR_RETURN(const ExplainedBatch explained,
                         model.scorer->Explain(ContextBatch::Assemble(batch)));
  Prediction prediction = explained.predictions[0];
  prediction.Read(reading);
  LinkExample example;
  example.title = absl::StrCat(snapshot.Name(link.source), " -",
                               snapshot.RelationName(link.relation), "-> ",
                               snapshot.Name(link.target));
  example.remark =
      absl::StrCat(remark, ", ",
                   absl::StrFormat("probability %.3f, right among its kind "
                                   "%.3f",
                                   prediction.probability,
                                   prediction.probability_among_kind));
  example.network =
      NetworkOf(snapshot, encoded.contexts[0], explained.attention[0],
                MostAttended(explained.attention[0], kDrawnTokens));
  for (const ContextToken& token : encoded.contexts[0].tokens) {
    example.tokens.push_back(TokenName(snapshot, token));
  }
  for (int layer = 0; layer < explained.attention[0].layers; ++layer) {
    example.layers.push_back(MeanOverHeads(explained.attention[0], layer));
  }
  return example;
}

std::vector<NotableLink> FindNotableLinks(const ScoredSplit& test) {
  const std::vector<float>& answers = test.answers[0];
  const auto best = [&](bool positive, float sign, bool with_path) {
    int64_t found = -1;
    for (uint32_t i = 0; i < test.links.published; ++i) {
      if ((test.links.labels[i] != 0) != positive) continue;
      if (with_path && test.distances[i] < 0) continue;
      if (found < 0 || sign * answers[i] > sign * answers[found]) found = i;
    }
    return found;
  };
  const struct {
    int64_t index;
    const char* remark;
  } picks[] = {{best(true, 1, true), "the surest link of the test file"},
               {best(false, 1, true), "the surest mistake: no link"},
               {best(true, -1, true), "the least expected link"}};
  std::vector<NotableLink> notable;
  for (const auto& pick : picks) {
    if (pick.index < 0) continue;
    const bool called = test.model().scores[0][pick.index] >=
                        test.model().thresholds[0][pick.index];
    notable.push_back(
        {test.links.links[pick.index],
         absl::StrCat(pick.remark, called ? ", predicted as a link"
                                          : ", predicted as no link")});
  }
  return notable;
}

}  // namespace slice
