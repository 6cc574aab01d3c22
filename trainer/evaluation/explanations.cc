// Fidelity tells how much of a score rests on the tokens that an explanation
// names. It is measured in these steps:
//   1. a sample of links is encoded and explained; attention rollout names the
//      tokens of each explanation, and random tokens of the same number are
//      drawn to compare with;
//   2. each link is scored again in four forms: with the named tokens alone,
//      without the named tokens, with the random tokens alone, and without the
//      random tokens. The two ends and the pair features stay in all forms;
//   3. the report gets the mean absolute changes of the probability.
#include "trainer/evaluation/explanations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr size_t kEnds = 2;
constexpr size_t kExplained = 3;  // tokens an explanation names at most
constexpr size_t kBatch = 128;

// The five forms of a context that are compared: whole; with the named tokens
// alone; without them; with the random tokens alone; without them.
enum Form { kWhole, kOnly, kWithout, kRandomOnly, kRandomWithout, kForms };

// How many tokens an explanation names: half of those between the ends, so that
// some are left out, and at most kExplained.
size_t NamedTokens(size_t tokens) {
  return std::min(kExplained, (tokens - kEnds) / 2);
}

std::vector<bool> Marked(size_t tokens, std::span<const size_t> positions,
                         bool keep_these) {
  std::vector<bool> keep(tokens, !keep_these);
  for (const size_t position : positions) keep[position] = keep_these;
  return keep;
}

EncodedLink WithContext(const EncodedLink& link, ContextSubgraph context) {
  return {link.link, {std::move(context)}, link.pair_features};
}

// Draws `count` of the positions from 2 to tokens - 1.
std::vector<size_t> RandomPositions(size_t tokens, size_t count,
                                    Random& random) {
  std::vector<size_t> positions(tokens - kEnds);
  std::iota(positions.begin(), positions.end(), kEnds);
  for (size_t i = 0; i < count; ++i) {
    std::swap(positions[i], positions[i + random.Below(static_cast<uint32_t>(
                                              positions.size() - i))]);
  }
  positions.resize(count);
  return positions;
}

// Encodes links in random order until `sample` of them have enough tokens.
std::vector<EncodedLink> SampleContexts(const ScoringModel& model,
                                        const ScoredSplit& test, size_t sample,
                                        Random& random) {
  std::vector<uint32_t> order = test.links.PositionsOf(NegativeSet::kPublished);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<EncodedLink> sampled;
  for (const uint32_t i : order) {
    if (sampled.size() == sample) break;
    EncodedLink encoded =
        model.encoder->Encode(*model.snapshot, test.links.links[i]);
    if (encoded.contexts.empty() ||
        NamedTokens(encoded.contexts[0].tokens.size()) == 0) {
      continue;
    }
    encoded.contexts.resize(1);
    sampled.push_back(std::move(encoded));
  }
  return sampled;
}

std::vector<const EncodedLink*> Pointers(std::span<const EncodedLink> links) {
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return pointers;
}

// Adds the changes of one batch of links to the sums in `result`.
absl::Status AddBatch(const ScoringModel& model,
                      std::span<const EncodedLink> whole, Random& random,
                      FidelityResult& result) {
  SLICE_ASSIGN_OR_RETURN(
      const ExplainedBatch explained,
      model.scorer->Explain(ContextBatch::Assemble(Pointers(whole))));
  std::vector<EncodedLink> forms[kForms];
  for (size_t i = 0; i < whole.size(); ++i) {
    const ContextSubgraph& context = whole[i].contexts[0];
    const size_t tokens = context.tokens.size();
    const std::vector<size_t> named =
        MostAttended(explained.attention[i], NamedTokens(tokens));
    const std::vector<size_t> drawn =
        RandomPositions(tokens, named.size(), random);
    const auto add = [&](Form form, const std::vector<size_t>& positions,
                         bool keep_these) {
      forms[form].push_back(WithContext(
          whole[i],
          KeepTokens(context, Marked(tokens, positions, keep_these))));
    };
    add(kOnly, named, true);
    add(kWithout, named, false);
    add(kRandomOnly, drawn, true);
    add(kRandomWithout, drawn, false);
    result.tokens += static_cast<double>(tokens - kEnds);
    result.explained += static_cast<double>(named.size());
  }
  double* const sums[kForms] = {nullptr, &result.only, &result.without,
                                &result.random_only, &result.random_without};
  for (int form = kOnly; form < kForms; ++form) {
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<Prediction> predictions,
        model.scorer->Predict(ContextBatch::Assemble(Pointers(forms[form]))));
    for (size_t i = 0; i < whole.size(); ++i) {
      *sums[form] += std::abs(predictions[i].probability -
                              explained.predictions[i].probability);
    }
  }
  result.links += whole.size();
  return absl::OkStatus();
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

ContextSubgraph KeepTokens(const ContextSubgraph& context,
                           const std::vector<bool>& keep) {
  constexpr uint16_t kGone = 0xffff;
  ContextSubgraph kept = context;
  kept.tokens.clear();
  kept.edges.clear();
  std::vector<uint16_t> place(context.tokens.size(), kGone);
  for (size_t i = 0; i < context.tokens.size(); ++i) {
    if (i >= kEnds && !keep[i]) continue;
    place[i] = static_cast<uint16_t>(kept.tokens.size());
    kept.tokens.push_back(context.tokens[i]);
  }
  for (const ContextEdge& edge : context.edges) {
    if (place[edge.source] == kGone || place[edge.target] == kGone) continue;
    kept.edges.push_back(
        {place[edge.source], place[edge.target], edge.relation});
  }
  return kept;
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
                                               const ScoredSplit& test,
                                               size_t sample, uint64_t seed) {
  Random random(seed);
  const std::vector<EncodedLink> whole =
      SampleContexts(model, test, sample, random);
  FidelityResult result;
  for (size_t begin = 0; begin < whole.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, whole.size());
    SLICE_RETURN_IF_ERROR(AddBatch(
        model, std::span(whole).subspan(begin, end - begin), random, result));
  }
  if (result.links == 0) return result;
  for (double* mean :
       {&result.tokens, &result.explained, &result.only, &result.without,
        &result.random_only, &result.random_without}) {
    *mean /= static_cast<double>(result.links);
  }
  return result;
}

absl::StatusOr<AttentionExample> ShowAttention(const ScoringModel& model,
                                               const Link& link,
                                               const std::string& remark) {
  const GraphSnapshot& snapshot = *model.snapshot;
  EncodedLink encoded = model.encoder->Encode(snapshot, link);
  if (encoded.contexts.empty()) {
    return absl::FailedPreconditionError(
        "the model reads no contexts, so there is no attention to show");
  }
  encoded.contexts.resize(1);
  const EncodedLink* const batch[] = {&encoded};
  SLICE_ASSIGN_OR_RETURN(const ExplainedBatch explained,
                         model.scorer->Explain(ContextBatch::Assemble(batch)));
  AttentionExample example;
  example.title = absl::StrCat(snapshot.Name(link.source), " -",
                               snapshot.RelationName(link.relation), "-> ",
                               snapshot.Name(link.target));
  example.remark = absl::StrCat(
      remark, ", ",
      absl::StrFormat("probability %.3f, right among its kind "
                      "%.3f",
                      explained.predictions[0].probability,
                      explained.predictions[0].probability_among_kind));
  for (const ContextToken& token : encoded.contexts[0].tokens) {
    example.tokens.push_back(TokenName(snapshot, token));
  }
  for (int layer = 0; layer < explained.attention[0].layers; ++layer) {
    example.layers.push_back(MeanOverHeads(explained.attention[0], layer));
  }
  return example;
}

std::vector<NotableLink> FindNotableLinks(const ScoredSplit& test,
                                          const Calibration& calibration) {
  const std::vector<float>& logits = test.model().of(Question::kPlausible);
  const auto best = [&](bool positive, float sign, bool with_path) {
    int64_t found = -1;
    for (uint32_t i = 0; i < test.links.published; ++i) {
      if ((test.links.labels[i] != 0) != positive) continue;
      if (with_path && test.distances[i] < 0) continue;
      if (found < 0 || sign * logits[i] > sign * logits[found]) found = i;
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
    const bool called =
        calibration.Probability(logits[pick.index]) >= calibration.threshold;
    notable.push_back(
        {test.links.links[pick.index],
         absl::StrCat(pick.remark, called ? ", predicted as a link"
                                          : ", predicted as no link")});
  }
  return notable;
}

}  // namespace slice
