// Ways to hide links from a view, and graphs rebuilt without these links.
#ifndef SLICE_TESTS_CONTEXT_HIDINGS_H_
#define SLICE_TESTS_CONTEXT_HIDINGS_H_

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <vector>

#include "common/random.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "graphstore/link_folds.h"
#include "tests/testing/random_multigraph.h"

namespace slice {

enum class Hiding {
  kPair,
  kLink,
  kRelationAtSource,
  kPairAndRelation,
  kFold,       // of the queried pair, out of four
  kScattered,  // every eighth link anywhere
};

inline constexpr Hiding kHidings[] = {Hiding::kPair,
                                      Hiding::kLink,
                                      Hiding::kRelationAtSource,
                                      Hiding::kPairAndRelation,
                                      Hiding::kFold,
                                      Hiding::kScattered};

inline const LinkFolds kTestFolds(4, 99);

inline std::ostream& operator<<(std::ostream& out, Hiding hiding) {
  constexpr const char* kNames[] = {
      "pair", "link",     "relation at source", "pair and relation",
      "fold", "scattered"};
  return out << kNames[static_cast<int>(hiding)];
}

inline bool IsScattered(const Link& link) {
  const uint64_t ends = (uint64_t{link.source} << 32) | link.target;
  return CombineHash(link.relation, ends) % 8 == 0;
}

inline void Hide(Hiding hiding, const Link& query, const GraphData& data,
                 GraphView& view) {
  if (hiding == Hiding::kLink) view.HideLink(query);
  if (hiding == Hiding::kPair || hiding == Hiding::kPairAndRelation) {
    view.HidePair(query.source, query.target);
  }
  if (hiding == Hiding::kRelationAtSource ||
      hiding == Hiding::kPairAndRelation) {
    view.HideRelationAtSource(query.source, query.relation);
  }
  if (hiding == Hiding::kFold) {
    view.HideFold(&kTestFolds, kTestFolds.FoldOf(query));
  }
  for (const Link& link : data.links) {
    if (hiding == Hiding::kScattered && IsScattered(link)) view.HideLink(link);
  }
}

inline bool IsHiddenBy(Hiding hiding, const Link& query, const Link& link) {
  const bool pair = std::minmax(query.source, query.target) ==
                    std::minmax(link.source, link.target);
  const bool slot =
      query.source == link.source && query.relation == link.relation;
  switch (hiding) {
    case Hiding::kPair:
      return pair;
    case Hiding::kLink:
      return query == link;
    case Hiding::kRelationAtSource:
      return slot;
    case Hiding::kPairAndRelation:
      return pair || slot;
    case Hiding::kFold:
      return kTestFolds.FoldOf(query) == kTestFolds.FoldOf(link);
    case Hiding::kScattered:
      return IsScattered(link);
  }
  return false;
}

// A random multigraph, a queried link, a way of hiding, and the graph rebuilt
// without the links that it hides.
struct HidingCase {
  GraphData data;
  std::shared_ptr<const GraphSnapshot> snapshot;
  Link query;
  Hiding hiding;
  std::shared_ptr<const GraphSnapshot> rebuilt;

  GraphView View() const {
    GraphView view(*snapshot);
    Hide(hiding, query, data, view);
    return view;
  }
};

// Calls check(const HidingCase&) for every way of hiding, for `queries` links,
// present and absent, in each of `graphs` random multigraphs.
inline void ForEachHidingCase(
    const RandomMultigraphOptions& options, int graphs, int queries,
    const std::function<void(const HidingCase&)>& check) {
  for (int seed = 0; seed < graphs; ++seed) {
    HidingCase test;
    test.data = RandomMultigraph(options, static_cast<uint64_t>(seed));
    test.snapshot = BuildSnapshotOrDie(test.data);
    Random random(static_cast<uint64_t>(seed) + 1000);
    const auto below = [&](size_t bound) {
      return random.Below(static_cast<uint32_t>(bound));
    };
    for (int query = 0; query < queries; ++query) {
      if (query % 2 == 0) {
        test.query = test.data.links[below(test.data.links.size())];
      } else {
        test.query = {below(options.nodes),
                      static_cast<RelationId>(below(options.relations)),
                      below(options.nodes)};
      }
      for (const Hiding hiding : kHidings) {
        test.hiding = hiding;
        test.rebuilt =
            BuildSnapshotOrDie(RebuildWithout(test.data, [&](const Link& link) {
              return IsHiddenBy(hiding, test.query, link);
            }));
        check(test);
      }
    }
  }
}

}  // namespace slice

#endif  // SLICE_TESTS_CONTEXT_HIDINGS_H_
