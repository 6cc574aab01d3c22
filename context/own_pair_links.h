// Hides the links of the own pair while a link is scored. The own pair is the
// pair of the queried link; its links are all links between the two ends, in
// any relation and in either direction.
#ifndef SLICE_CONTEXT_OWN_PAIR_LINKS_H_
#define SLICE_CONTEXT_OWN_PAIR_LINKS_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "graphstore/graph_view.h"

namespace slice {

enum class OwnPairLinks {
  kHide,    // "hide": every link of the own pair is hidden
  kReveal,  // "reveal": only the queried link is hidden
  kShow     // "show": nothing is hidden, as in the published protocol
            // (docs/paper.md); leaky
};

// The name of a choice: "hide", "reveal" or "show".
std::string OwnPairLinksName(OwnPairLinks links);

// The inverse of OwnPairLinksName(). INVALID_ARGUMENT, listing the names, for
// any other name.
absl::StatusOr<OwnPairLinks> ParseOwnPairLinks(std::string_view name);

// Hides in `view` those links of the own pair of `link` that the choice `links`
// says to hide.
void HideOwnPair(OwnPairLinks links, const Link& link, GraphView& view);

}  // namespace slice

#endif  // SLICE_CONTEXT_OWN_PAIR_LINKS_H_
