#include "context/typed_path_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "context/path_context.h"
#include "tests/context/hidings.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr TypedPathLimits kNoLimits = {1 << 20, 1 << 20, 1 << 20, 1 << 20};

struct PlainType {
  double count = 0, weight = 0, best = 0;
};
using Relations = std::array<int32_t, 3>;

// The types of the paths of a link, found by trying every walk of at most three
// links.
std::map<Relations, PlainType> PlainPaths(const GraphSnapshot& graph,
                                          const Link& query) {
  std::map<Relations, PlainType> types;
  const GraphView view(graph);
  const auto degree = [&](NodeId node) {
    return static_cast<double>(view.NeighborCount(node));
  };
  const auto add = [&](const Relations& relations, double weight) {
    PlainType& type = types[relations];
    ++type.count;
    type.weight += weight;
    type.best = std::max(type.best, weight);
  };
  const NodeId u = query.source, v = query.target;
  const auto inner = [&](NodeId node) { return node != u && node != v; };
  view.ForEachArc(u, [&](const Arc& a) {
    const int32_t first = SignedRelation(a.relation, a.direction);
    if (a.neighbor == v && u != v) add({first, 0, 0}, 1);
    if (!inner(a.neighbor)) return;
    const double x = 1 / std::sqrt(degree(a.neighbor));
    view.ForEachArc(a.neighbor, [&](const Arc& b) {
      const int32_t second = SignedRelation(b.relation, b.direction);
      if (b.neighbor == v) add({first, second, 0}, x);
      if (!inner(b.neighbor) || b.neighbor == a.neighbor) return;
      const double y = 1 / std::sqrt(degree(b.neighbor));
      view.ForEachArc(b.neighbor, [&](const Arc& c) {
        if (c.neighbor != v) return;
        add({first, second, SignedRelation(c.relation, c.direction)}, x * y);
      });
    });
  });
  return types;
}

TEST(TypedPathSearch, EqualsAllWalksOnAGraphRebuiltWithoutTheHidden) {
  TypedPathSearch search;
  size_t found = 0;
  ForEachHidingCase({}, 8, 8, [&](const HidingCase& test) {
    const auto& paths = search.Find(test.View(), test.query, kNoLimits);
    const auto expected = PlainPaths(*test.rebuilt, test.query);
    ASSERT_EQ(paths.size(), expected.size()) << test.hiding;
    for (const TypedPath& path : paths) {
      const auto type = expected.find(path.relations);
      ASSERT_NE(type, expected.end());
      EXPECT_NEAR(path.count, type->second.count, 1e-3);
      EXPECT_NEAR(path.weight, type->second.weight, 1e-3);
      EXPECT_NEAR(path.best_weight, type->second.best, 1e-5);
    }
    found += paths.size();
  });
  EXPECT_GT(found, 1000u);
}

// The shortest path tells the distance, also when other types are kept.
TEST(TypedPathSearch, KnowsTheShortestPathThatItDoesNotKeep) {
  TypedPathSearch search;
  size_t lost = 0;
  ForEachHidingCase({}, 8, 8, [&](const HidingCase& test) {
    int shortest = 0;
    for (const auto& [relations, type] :
         PlainPaths(*test.rebuilt, test.query)) {
      const int length = relations[2] != 0 ? 3 : relations[1] != 0 ? 2 : 1;
      if (shortest == 0 || length < shortest) shortest = length;
    }
    TypedPathLimits limits = kNoLimits;
    limits.types = 1;
    const auto& paths = search.Find(test.View(), test.query, limits);
    EXPECT_EQ(search.shortest(), shortest);
    lost += !paths.empty() && paths[0].length > shortest;
    ContextOptions options;
    options.max_nodes = 1;
    ContextSubgraph context;
    CutTypedPaths(test.View(), test.query, options, context);
    EXPECT_EQ(context.distance, test.query.source == test.query.target ? 0
                                : shortest == 0                        ? -1
                                                : shortest);
  });
  EXPECT_GT(lost, 3u);
}

TEST(TypedPathSearch, KeepsTheHeaviestTypesInOrder) {
  TypedPathSearch search;
  ForEachHidingCase({}, 4, 4, [&](const HidingCase& test) {
    const std::vector<TypedPath> all =
        search.Find(test.View(), test.query, kNoLimits);
    TypedPathLimits few = kNoLimits;
    few.types = 3;
    const std::vector<TypedPath> kept =
        search.Find(test.View(), test.query, few);
    ASSERT_EQ(kept.size(), std::min<size_t>(3, all.size()));
    for (size_t i = 0; i < kept.size(); ++i) {
      EXPECT_EQ(kept[i].relations, all[i].relations);
      if (i > 0) {
        EXPECT_GE(kept[i - 1].weight, kept[i].weight);
      }
    }
  });
}

// The inner nodes of a type are those of a visible path of that type.
TEST(TypedPathSearch, NamesAPathThatIsVisible) {
  TypedPathSearch search;
  ForEachHidingCase({}, 4, 6, [&](const HidingCase& test) {
    for (const TypedPath& path :
         search.Find(test.View(), test.query, kNoLimits)) {
      NodeId at = test.query.source;
      for (int step = 0; step < path.length; ++step) {
        const NodeId next =
            step + 1 == path.length ? test.query.target : path.inner[step];
        const int32_t relation = path.relations[step];
        const auto id = RelationOfSigned(relation);
        const Link link =
            relation > 0 ? Link{at, id, next} : Link{next, id, at};
        EXPECT_TRUE(test.rebuilt->HasLink(link)) << test.hiding;
        at = next;
      }
    }
  });
}

// A graph rebuilt without the hidden links gives the same sample.
TEST(TypedPathSearch, SamplesWhatIsVisible) {
  TypedPathSearch search;
  TypedPathLimits limits = kNoLimits;
  limits.first = 3;
  limits.second = 4;
  limits.common = 3;
  ForEachHidingCase({}, 4, 6, [&](const HidingCase& test) {
    if (test.hiding != Hiding::kPair) return;
    const std::vector<TypedPath> hidden =
        search.Find(test.View(), test.query, limits);
    const std::vector<TypedPath> rebuilt =
        search.Find(GraphView(*test.rebuilt), test.query, limits);
    ASSERT_EQ(hidden.size(), rebuilt.size());
    for (size_t i = 0; i < hidden.size(); ++i) {
      EXPECT_EQ(hidden[i].relations, rebuilt[i].relations);
      EXPECT_EQ(hidden[i].inner, rebuilt[i].inner);
      EXPECT_FLOAT_EQ(hidden[i].count, rebuilt[i].count);
    }
  });
}

}  // namespace
}  // namespace slice
