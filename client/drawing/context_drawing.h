// Draws the context of a link as a tree: the source at the top, the target at
// the bottom, and every link of the context once, below whichever of its ends
// is visited first. An arrow (↑) behind a node says that the node's own links
// are drawn elsewhere.
//
//   ● curl (package)
//   ├── depends ─▶ ○ libcurl4 (package)
//   │   └◀─ depends ── ○ wget (package) ↑
//   └── suggests ─▶ ○ wget (package)
//       └── tagged ─▶ ◎ role::program (debtag)
//   ◎ role::program (debtag)
#ifndef SLICE_CLIENT_DRAWING_CONTEXT_DRAWING_H_
#define SLICE_CLIENT_DRAWING_CONTEXT_DRAWING_H_

#include <cstddef>
#include <string>
#include <vector>

#include "client/link_types.h"
#include "client/text_style.h"

namespace slice {

// A link of the context, as it is drawn below one of its ends (the near end).
struct DrawnLink {
  size_t other = 0;  // the index of the far end's token
  // The relations that link the two ends in this direction, sorted.
  std::vector<std::string> relations;
  ArcDirection direction = ArcDirection::kOut;  // kOut: from the near end
  bool expands = false;  // the far end's own links are drawn below this one
};

// `roots` are the tokens at the left edge, and links[i] are the links below the
// token with the index i. Both are in drawing order.
struct ContextTree {
  std::vector<size_t> roots;
  std::vector<std::vector<DrawnLink>> links;
};

// Builds the tree. It visits the tokens breadth first: from the source without
// passing the target, then from the target, then from each token that is left.
ContextTree BuildContextTree(const LinkExplanation& explanation);

// Draws the tree as lines, each of them indented by `indent` columns.
std::string DrawContextTree(const LinkExplanation& explanation,
                            const TextStyle& style, size_t indent);

// The glyph and the colour of a token's role.
const char* RoleGlyph(ExplainedRole role, const TextStyle& style);
TextColor RoleColor(ExplainedRole role);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_CONTEXT_DRAWING_H_
