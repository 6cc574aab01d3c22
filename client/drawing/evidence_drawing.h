// Draws what a score rests on, and by which pair features.
#ifndef SLICE_CLIENT_DRAWING_EVIDENCE_DRAWING_H_
#define SLICE_CLIENT_DRAWING_EVIDENCE_DRAWING_H_

#include <span>
#include <string>

#include "client/explanation_types.h"
#include "client/text_style.h"

namespace slice {

// A bar from the middle of 2 `cells` + 1 columns: to the right for a positive
// value, to the left for a negative one. `fraction` is the value divided by the
// largest magnitude of its drawing, in [-1, 1]; a value other than 0 has one
// cell at least.
std::string SignedBar(const TextStyle& style, double fraction, size_t cells);

// The evidence of greatest effect, a line for each: whether the summary names
// it, its effect, what the probability becomes without it, and what it is. The
// last lines say what is left out and how far the named evidence goes. Empty
// when nothing was measured.
std::string DrawEvidence(const LinkExplanation& explanation,
                         const TextStyle& style);

// The pair features that contribute most. `descriptions` say what the features
// are, as far as they are known. Empty for a model without pair features.
std::string DrawFeatures(const LinkExplanation& explanation,
                         std::span<const PairFeatureText> descriptions,
                         const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_EVIDENCE_DRAWING_H_
