#include "trainer/learning/training_links.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace slice {

void EraseFold(const LinkFolds& folds, int fold, GraphData* data) {
  EraseLinks(data,
             [&](const Link& link) { return folds.FoldOf(link) == fold; });
}

void EraseSourcePart(int part, int parts,
                     const std::vector<double>& unlinked_shares,
                     GraphData* data) {
  absl::flat_hash_set<std::pair<NodeId, NodeId>> pairs;
  for (const Link& link : data->links) {
    if (unlinked_shares[link.relation] > 0 &&
        SourcePart(link.source, parts) == part) {
      pairs.insert(std::minmax(link.source, link.target));
    }
  }
  EraseLinks(data, [&](const Link& link) {
    return pairs.contains(std::minmax(link.source, link.target));
  });
}

std::vector<Link> AllLinks(const GraphSnapshot& snapshot) {
  std::vector<Link> links;
  ForEachLink(snapshot, [&](const Link& link) { links.push_back(link); });
  return links;
}

std::vector<Link> LinksOfFold(const GraphSnapshot& snapshot,
                              const LinkFolds& folds, int fold) {
  std::vector<Link> links = AllLinks(snapshot);
  std::erase_if(links,
                [&](const Link& link) { return folds.FoldOf(link) != fold; });
  return links;
}

}  // namespace slice
