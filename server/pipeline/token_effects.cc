#include "server/pipeline/token_effects.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "model/context_batch.h"
#include "model/evidence_effects.h"

namespace slice {
namespace {

constexpr size_t kEnds = 2;             // the first tokens are the two ends
constexpr size_t kVariantsAtOnce = 64;  // links in one call of the scorer

// A link without one token of its first context.
struct Variant {
  LinkItem* item = nullptr;
  size_t token = 0;  // the token that is removed
  EncodedLink encoded;
};

std::vector<Variant> VariantsOf(LinkItem& item) {
  std::vector<Variant> variants;
  const size_t tokens = item.encoded.contexts[0].tokens.size();
  for (size_t token = kEnds; token < tokens; ++token) {
    Variant variant = {&item, token, item.encoded};
    variant.encoded.contexts[0] = WithoutToken(item.encoded.contexts[0], token);
    variants.push_back(std::move(variant));
  }
  return variants;
}

absl::Status ScoreVariants(const std::vector<Variant>& variants, size_t begin,
                           size_t end, const BatchScorer& scorer) {
  std::vector<const EncodedLink*> links;
  for (size_t i = begin; i < end; ++i) links.push_back(&variants[i].encoded);
  SLICE_ASSIGN_OR_RETURN(std::vector<Prediction> predictions,
                         scorer.Predict(ContextBatch::Assemble(links)));
  for (size_t i = begin; i < end; ++i) {
    LinkItem& item = *variants[i].item;
    Prediction& without = predictions[i - begin];
    without.Read(item.job->reading());
    item.token_effects[variants[i].token] =
        item.prediction.logit - without.logit;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddTokenEffects(const std::vector<LinkItem*>& items,
                             const BatchScorer& scorer) {
  std::vector<Variant> variants;
  for (LinkItem* item : items) {
    if (!item->job->explain_fully() || item->encoded.contexts.empty()) {
      continue;
    }
    item->token_effects.assign(item->encoded.contexts[0].tokens.size(), 0.0f);
    if (WhatScorerReads(item->job->reading(), item->encoded) !=
        ScorerReads::kContexts) {
      continue;
    }
    for (Variant& variant : VariantsOf(*item)) {
      variants.push_back(std::move(variant));
    }
  }
  for (size_t begin = 0; begin < variants.size(); begin += kVariantsAtOnce) {
    const size_t end = std::min(begin + kVariantsAtOnce, variants.size());
    SLICE_RETURN_IF_ERROR(ScoreVariants(variants, begin, end, scorer));
  }
  return absl::OkStatus();
}

}  // namespace slice
