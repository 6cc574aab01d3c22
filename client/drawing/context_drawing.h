// The context of a link as a tree: the source at the top, the target at the
// bottom, every link of the context once, under the end met first.
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

// Where a link of the context stands in the drawing.
struct DrawnLink {
  size_t other = 0;                    // the token at its far end
  std::vector<std::string> relations;  // all with this direction, sorted
  ArcDirection direction = ArcDirection::kOut;  // kOut: from the near end
  bool expands = false;  // the far end's own links are drawn below
};

// The links under each node token (by position) and the tokens that stand at
// the left edge, in drawing order.
struct ContextTree {
  std::vector<size_t> roots;
  std::vector<std::vector<DrawnLink>> links;
};

// Breadth first from the source, stopping at the target; then from the target;
// then from whatever is left.
ContextTree BuildContextTree(const LinkExplanation& explanation);

// The tree as lines, each indented by `indent`.
std::string DrawContextTree(const LinkExplanation& explanation,
                            const TextStyle& style, size_t indent);

// The glyph and the colour of a token's role.
const char* RoleGlyph(ExplainedRole role, const TextStyle& style);
TextColor RoleColor(ExplainedRole role);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_CONTEXT_DRAWING_H_
