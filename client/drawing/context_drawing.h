// The context of a link as a tree: the source at the top, the target at the
// bottom, and every link of the context once, below the end that comes first.
//
//   ● curl (package)
//   ├── depends ─▶ ○ libcurl4 (package)
//   │   └◀─ depends ── ○ wget (package)
//   │       └── tagged ─▶ ◎ role::program (debtag)
//   └── suggests ─▶ ○ libcurl4 (package) ↑
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
  size_t other = 0;                    // the token of the far end
  std::vector<std::string> relations;  // of links in this direction, sorted
  ArcDirection direction = ArcDirection::kOut;  // kOut: from the near end
  bool expands = false;  // the far end's own links are drawn below
};

// The tokens at the left edge, and the links below each token (by position), in
// drawing order.
struct ContextTree {
  std::vector<size_t> roots;
  std::vector<std::vector<DrawnLink>> links;
};

// Visits the tokens breadth first: from the source without passing the target,
// then from the target, then from each token that is left.
ContextTree BuildContextTree(const LinkExplanation& explanation);

// The tree as lines, each indented by `indent`.
std::string DrawContextTree(const LinkExplanation& explanation,
                            const TextStyle& style, size_t indent);

// The glyph and the colour of a token's role.
const char* RoleGlyph(ExplainedRole role, const TextStyle& style);
TextColor RoleColor(ExplainedRole role);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_CONTEXT_DRAWING_H_
