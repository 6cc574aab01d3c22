// Draws two answers to one link side by side: as the graph is, and as a what-if
// question imagines it.
#ifndef SLICE_CLIENT_DRAWING_WHAT_IF_DRAWING_H_
#define SLICE_CLIENT_DRAWING_WHAT_IF_DRAWING_H_

#include <string>

#include "client/link_types.h"
#include "client/text_style.h"
#include "client/what_if_types.h"

namespace slice {

// A line "what if: ..." for each change.
std::string DrawChanges(const WhatIfQuery& query, const TextStyle& style);

// The link, the changes, the numbers of both answers, and, if the answers have
// explanations, both summaries and the evidence whose effect differs most.
std::string DrawWhatIf(const WhatIfQuery& query, const ScoredLink& now,
                       const ScoredLink& imagined, const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_WHAT_IF_DRAWING_H_
