#include "context/own_pair_links.h"

#include "absl/strings/str_cat.h"

namespace slice {

std::string OwnPairLinksName(OwnPairLinks links) {
  switch (links) {
    case OwnPairLinks::kHide:
      return "hide";
    case OwnPairLinks::kReveal:
      return "reveal";
    case OwnPairLinks::kShow:
      break;
  }
  return "show";
}

absl::StatusOr<OwnPairLinks> ParseOwnPairLinks(std::string_view name) {
  for (const OwnPairLinks links :
       {OwnPairLinks::kHide, OwnPairLinks::kReveal, OwnPairLinks::kShow}) {
    if (OwnPairLinksName(links) == name) return links;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "own_pair_links is '", absl::string_view(name.data(), name.size()),
      "': use hide, reveal or show"));
}

void HideOwnPair(OwnPairLinks links, const Link& link, GraphView& view) {
  switch (links) {
    case OwnPairLinks::kHide:
      view.HidePair(link.source, link.target);
      break;
    case OwnPairLinks::kReveal:
      view.HideLink(link);
      break;
    case OwnPairLinks::kShow:
      break;
  }
}

}  // namespace slice
