// Draws a context of paths as a table: the two ends, then a line per type of
// path.
//
//   from source  from target  effect  paths
//   0.250 █▎     0.125 ▋                     ● curl (package)
//   0.125 ▋      0.375 █▉                    ◎ git (package)
//   0.500 ██▌    0.250 █▎      +0.31     12  ── depends ─▶ libc6 ◀─ depends ──
#ifndef SLICE_CLIENT_DRAWING_PATH_DRAWING_H_
#define SLICE_CLIENT_DRAWING_PATH_DRAWING_H_

#include <string>

#include "client/link_types.h"
#include "client/text_style.h"

namespace slice {

// Whether any token is a path token.
bool HasPathTokens(const LinkExplanation& explanation);

// Writes a line per token: the attention that each end pays to it and, for a
// path token, its effect on the logit and the number of its paths. Nodes come
// first, then path tokens, those with the most attention first. A path is
// written without its two ends.
// REQUIRES: link.explanation is set.
std::string DrawPathTokens(const ScoredLink& link, const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_PATH_DRAWING_H_
