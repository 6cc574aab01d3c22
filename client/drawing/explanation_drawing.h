// Draws a scored link and its explanation for a terminal: the score and its two
// parts, the metapath, the context, the attention, and the features that
// contribute most.
#ifndef SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_
#define SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_

#include <optional>
#include <span>
#include <string>

#include "client/link_types.h"
#include "client/text_style.h"

namespace slice {

// What is known of the model that scored a link. A member may be empty.
struct ScoringModelText {
  std::optional<double> threshold;  // the bundle's decision threshold
  std::span<const PairFeatureText> pair_features;
};

// The ends of a link with its relation between them.
std::string DrawQuestion(const ScoredLink& link, const TextStyle& style);

// Draws the ends of a link, its probabilities, and the parts of its logit.
// REQUIRES: link.status.ok().
std::string DrawScore(const ScoredLink& link, std::optional<double> threshold,
                      const TextStyle& style);

// Draws all of it. REQUIRES: link.status.ok(), and link.explanation is set.
std::string DrawExplanation(const ScoredLink& link,
                            const ScoringModelText& model,
                            const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_
