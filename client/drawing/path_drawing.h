// A context of paths: the ends, then a line per type of path.
//
//   from source  from target  paths
//   0.250 ██▌    0.125 █▎            ● curl (package)
//   0.125 █▎     0.375 ███▊          ◎ git (package)
//   0.500 █████  0.250 ██▌       12  ── depends ─▶ libcurl4 ◀─ depends ──
#ifndef SLICE_CLIENT_DRAWING_PATH_DRAWING_H_
#define SLICE_CLIENT_DRAWING_PATH_DRAWING_H_

#include <string>

#include "client/link_types.h"
#include "client/text_style.h"

namespace slice {

// Whether any token stands for paths.
bool HasPathTokens(const LinkExplanation& explanation);

// The tokens with what each end takes from them and, of paths, how many each
// stands for: those that are nodes first, then paths, those attended to most
// first. Paths are written without their ends.
std::string DrawPathTokens(const LinkExplanation& explanation,
                           const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_PATH_DRAWING_H_
