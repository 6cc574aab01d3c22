// Draws a scored link and its explanation for a terminal: the score and its two
// parts, the metapath, the context, the attention, and the features that
// contribute most.
#ifndef SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_
#define SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_

#include <optional>
#include <string>

#include "client/link_types.h"
#include "client/text_style.h"

namespace slice {

// `threshold` is the bundle's decision threshold, when it is known. REQUIRES:
// link.status.ok(), and link.explanation is set.
std::string DrawExplanation(const ScoredLink& link,
                            std::optional<double> threshold,
                            const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_EXPLANATION_DRAWING_H_
