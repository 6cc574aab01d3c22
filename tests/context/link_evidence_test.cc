#include "context/link_evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "common/random.h"
#include "context/path_context.h"
#include "context/unknown_nodes.h"
#include "tests/context/hidings.h"

namespace slice {
namespace {

// An encoder whose scaling moves every value, so that nothing is 0 by chance.
LinkEncoder MakeEncoder(ContextStrategy strategy, size_t relations,
                        int max_nodes, const UnknownNodes* unknown) {
  LinkEncoderOptions options;
  options.unknown_nodes = unknown;
  options.context.strategy = strategy;
  options.context.max_nodes = max_nodes;
  const size_t features = PairFeatures(relations, 3).names().size();
  std::vector<float> rows;
  for (size_t i = 0; i < 2 * features; ++i) {
    rows.push_back(i < features ? 0.25f : 2.0f);
  }
  EncoderTables tables;
  tables.scaling = FeatureScaling::Fit(rows, features);
  return LinkEncoder(options, relations, 3, std::move(tables));
}

// As a knowledge graph embedding would give, by question.
constexpr std::array<float, 2> kKnowledge = {0.75f, -0.5f};

// Calls visit(evidence) for links of random graphs.
template <typename Visit>
void ForEachEvidence(ContextStrategy strategy, Visit visit,
                     ScorerReads reads = ScorerReads::kContexts,
                     int max_nodes = 5, const UnknownNodes* unknown = nullptr) {
  RandomMultigraphOptions graph;
  graph.relations = 3;
  ForEachHidingCase(graph, 3, 5, [&](const HidingCase& test) {
    const GraphView view = test.View();
    const LinkEncoder encoder = MakeEncoder(
        strategy, view.snapshot().relation_count(), max_nodes, unknown);
    const EvidenceTables tables =
        EvidenceTables::Of(encoder, view.snapshot(), 10);
    EncodedLink whole = encoder.Encode(view, test.query);
    whole.knowledge_logits = kKnowledge;
    visit(LinkEvidence(encoder, tables, view, whole, reads), tables, encoder,
          view);
  });
}

void ExpectSameFeatures(const std::vector<float>& a,
                        const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4) << i;
}

std::vector<size_t> AllItems(const LinkEvidence& evidence) {
  std::vector<size_t> items(evidence.items().size());
  std::iota(items.begin(), items.end(), size_t{0});
  return items;
}

TEST(LinkEvidence, IsTheWholeLinkWithNothingRemovedAndWithAllKept) {
  for (const ContextStrategy strategy :
       {ContextStrategy::kTypedPaths, ContextStrategy::kShortestPaths}) {
    ForEachEvidence(strategy, [](const LinkEvidence& evidence, const auto&...) {
      const EncodedLink& whole = evidence.whole();
      const EncodedLink without = evidence.Without({});
      EXPECT_EQ(without.contexts, whole.contexts);
      EXPECT_EQ(without.pair_features, whole.pair_features);
      EXPECT_EQ(without.knowledge_logits, whole.knowledge_logits);
      const EncodedLink only = evidence.Only(AllItems(evidence));
      // Only the whole link knows of a shorter path that its context lacks.
      std::vector<ContextSubgraph> expected = whole.contexts;
      ASSERT_EQ(only.contexts.size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_GE(only.contexts[i].distance, expected[i].distance);
        expected[i].distance = only.contexts[i].distance;
      }
      EXPECT_EQ(only.contexts, expected);
      ExpectSameFeatures(only.pair_features, whole.pair_features);
      EXPECT_TRUE(only.has_embeddings);
      EXPECT_EQ(only.knowledge_logits, whole.knowledge_logits);
    });
  }
}

// The tokens of the ends hold the length of the shortest path. Removing a
// longer path leaves them as they are.
TEST(LinkEvidence, TheEndsAreToldOfTheShortestPathsAlone) {
  size_t compared = 0;
  ForEachEvidence(
      ContextStrategy::kTypedPaths,
      [&](const LinkEvidence& evidence, const auto&...) {
        const EncodedLink& whole = evidence.whole();
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          const Evidence& gone = evidence.items()[item];
          if (gone.kind != EvidenceKind::kPaths ||
              gone.length <= whole.contexts[0].distance) {
            continue;
          }
          const EncodedLink link = evidence.Without({&item, 1});
          for (size_t end = 0; end < 2; ++end) {
            EXPECT_EQ(link.contexts[0].tokens[end],
                      whole.contexts[0].tokens[end]);
          }
          ++compared;
        }
      },
      ScorerReads::kEnds, /*max_nodes=*/2);
  EXPECT_GT(compared, 20u);
}

// The bundle knows four nodes. The network would read beyond its embeddings.
TEST(LinkEvidence, HoldsTheEmbeddingsOfNodesThatCameLater) {
  const auto trained = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 4, .links = 3, .relations = 3}, 1));
  const std::vector<float> rows(4 * 2, 0.5f);
  const UnknownNodes unknown({rows, 2}, *trained);
  size_t compared = 0;
  const auto expect_embeddings = [&](const EncodedLink& link) {
    if (!link.has_embeddings) return;
    for (const ContextSubgraph& context : link.contexts) {
      for (const ContextToken& token : context.tokens) {
        if (token.node == kNoNode || !unknown.IsUnknown(token.node)) continue;
        EXPECT_TRUE(std::ranges::any_of(
            link.unknown_nodes,
            [&](const auto& one) { return one.node == token.node; }));
        ++compared;
      }
    }
  };
  for (const ContextStrategy strategy :
       {ContextStrategy::kTypedPaths, ContextStrategy::kShortestPaths}) {
    for (const ScorerReads reads :
         {ScorerReads::kPairFeatures, ScorerReads::kEnds,
          ScorerReads::kContexts}) {
      ForEachEvidence(
          strategy,
          [&](const LinkEvidence& evidence, const auto&...) {
            for (size_t item = 0; item < evidence.items().size(); ++item) {
              expect_embeddings(evidence.Without({&item, 1}));
              expect_embeddings(evidence.Only({&item, 1}));
            }
          },
          reads, /*max_nodes=*/5, &unknown);
    }
  }
  EXPECT_GT(compared, 500u);
}

// "No chain of three links" does not say that the ends cannot be reached where
// shorter paths join them.
TEST(LinkEvidence, NoChainOfALengthSaysNothingOfReachableEnds) {
  size_t compared = 0;
  ForEachEvidence(
      ContextStrategy::kTypedPaths,
      [&](const LinkEvidence& evidence, const auto&...) {
        const EncodedLink& whole = evidence.whole();
        if (whole.contexts[0].tokens[0].features[kUnreachable] != 0) return;
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          if (evidence.items()[item].kind != EvidenceKind::kNoPaths) continue;
          const EncodedLink link = evidence.Without({&item, 1});
          for (size_t end = 0; end < 2; ++end) {
            EXPECT_EQ(link.contexts[0].tokens[end].features[kUnreachable], 0);
          }
          ++compared;
        }
      });
  EXPECT_GT(compared, 20u);
}

// What the vectors of the ends say goes with the ends, and with nothing else.
TEST(LinkEvidence, KnowledgeGoesWithTheEndsAlone) {
  for (const ScorerReads reads : {ScorerReads::kPairFeatures,
                                  ScorerReads::kEnds, ScorerReads::kContexts}) {
    ForEachEvidence(
        ContextStrategy::kTypedPaths,
        [](const LinkEvidence& evidence, const auto&...) {
          constexpr std::array<float, 2> kNothing = {};
          for (size_t item = 0; item < evidence.items().size(); ++item) {
            const bool ends =
                evidence.items()[item].kind == EvidenceKind::kEnds;
            EXPECT_EQ(evidence.Without({&item, 1}).knowledge_logits,
                      ends ? kNothing : kKnowledge);
            EXPECT_EQ(evidence.Only({&item, 1}).knowledge_logits,
                      ends ? kKnowledge : kNothing);
          }
        },
        reads);
  }
}

TEST(LinkEvidence, PathsGoFromTokensAndPathFeaturesAlone) {
  size_t removed = 0;
  ForEachEvidence(
      ContextStrategy::kTypedPaths,
      [&](const LinkEvidence& evidence, const EvidenceTables& tables,
          const LinkEncoder& encoder, const GraphView& view) {
        const EncodedLink& whole = evidence.whole();
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          const Evidence& gone = evidence.items()[item];
          if (gone.kind != EvidenceKind::kPaths) continue;
          ++removed;
          const EncodedLink link = evidence.Without({&item, 1});
          for (size_t i = 0; i < whole.pair_features.size(); ++i) {
            if (tables.groups[i] != FeatureGroup::kTwoPaths &&
                tables.groups[i] != FeatureGroup::kThreePaths &&
                tables.groups[i] != FeatureGroup::kDirectLinks &&
                tables.groups[i] != FeatureGroup::kRules) {
              EXPECT_EQ(link.pair_features[i], whole.pair_features[i]);
            }
          }
          // The types that stay, in their order, and the next ones behind them.
          TypedPathSearch search;
          std::vector<TypedPath> left =
              search.Find(view, whole.link, {.types = 99});
          std::erase_if(left, [&](const TypedPath& path) {
            return path.relations == gone.type;
          });
          const auto most =
              static_cast<size_t>(encoder.options().context.max_nodes);
          left.resize(std::min(left.size(), most));
          ContextSubgraph expected;
          AssemblePathContext(view, whole.link, left, search.truncated(),
                              expected);
          EXPECT_EQ(link.contexts[0], expected);
        }
      });
  EXPECT_GT(removed, 100u);
}

TEST(LinkEvidence, AFeatureGroupGetsItsMeansAndNothingElseChanges) {
  ForEachEvidence(
      ContextStrategy::kTypedPaths,
      [&](const LinkEvidence& evidence, const EvidenceTables& tables,
          const auto&...) {
        const EncodedLink& whole = evidence.whole();
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          const Evidence& gone = evidence.items()[item];
          if (gone.kind != EvidenceKind::kFeatures) continue;
          const EncodedLink link = evidence.Without({&item, 1});
          for (size_t i = 0; i < whole.pair_features.size(); ++i) {
            EXPECT_EQ(link.pair_features[i], tables.groups[i] == gone.group
                                                 ? 0
                                                 : whole.pair_features[i]);
          }
          ASSERT_EQ(link.contexts[0].tokens.size(),
                    whole.contexts[0].tokens.size());
          for (size_t t = 2; t < link.contexts[0].tokens.size(); ++t) {
            EXPECT_EQ(link.contexts[0].tokens[t], whole.contexts[0].tokens[t]);
          }
          EXPECT_TRUE(link.has_embeddings);
        }
      });
}

TEST(LinkEvidence, WithNothingKeptNothingIsKnown) {
  ForEachEvidence(
      ContextStrategy::kTypedPaths,
      [&](const LinkEvidence& evidence, const EvidenceTables& tables,
          const auto&...) {
        const EncodedLink link = evidence.Only({});
        for (const float feature : link.pair_features) EXPECT_EQ(feature, 0);
        EXPECT_FALSE(link.has_embeddings);
        ASSERT_EQ(link.contexts[0].tokens.size(), 2u);
        for (size_t end = 0; end < 2; ++end) {
          for (const size_t feature : {0, 3, 4, kTokenFeatureCount - 1}) {
            EXPECT_EQ(link.contexts[0].tokens[end].features[feature],
                      tables.ends[end][feature]);
          }
        }
      });
}

// The links of a node that is removed are hidden: neither contexts nor features
// lead over it, as if the graph were made without them.
TEST(LinkEvidence, ANodeIsRemovedWithItsLinks) {
  size_t removed = 0;
  ForEachEvidence(
      ContextStrategy::kShortestPaths,
      [&](const LinkEvidence& evidence, const EvidenceTables&,
          const LinkEncoder& encoder, const GraphView& view) {
        const EncodedLink& whole = evidence.whole();
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          const Evidence& gone = evidence.items()[item];
          if (gone.kind != EvidenceKind::kNode) continue;
          ++removed;
          const auto& tokens = whole.contexts[0].tokens;
          GraphView hidden = view;
          for (const ContextToken& other : tokens) {
            if (other.node != tokens[gone.token].node) {
              hidden.HidePair(other.node, tokens[gone.token].node);
            }
          }
          const EncodedLink expected = encoder.Encode(hidden, whole.link);
          const EncodedLink link = evidence.Without({&item, 1});
          EXPECT_EQ(link.contexts, expected.contexts);
          EXPECT_EQ(link.pair_features, expected.pair_features);
        }
      });
  EXPECT_GT(removed, 50u);
}

// Taking the other nodes away hides links. What stays must not change by it.
TEST(LinkEvidence, BesideRemovedNodesTheKeptFeaturesKeepTheirValues) {
  size_t changed_by_nodes = 0;
  ForEachEvidence(
      ContextStrategy::kShortestPaths,
      [&](const LinkEvidence& evidence, const EvidenceTables& tables,
          const auto&...) {
        const EncodedLink& whole = evidence.whole();
        std::vector<size_t> nodes;
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          if (evidence.items()[item].kind == EvidenceKind::kNode) {
            nodes.push_back(item);
          }
        }
        changed_by_nodes +=
            evidence.Without(nodes).pair_features != whole.pair_features;
        for (size_t item = 0; item < evidence.items().size(); ++item) {
          const Evidence& kept = evidence.items()[item];
          const EncodedLink link = evidence.Only({&item, 1});
          for (size_t i = 0; i < link.pair_features.size(); ++i) {
            const bool stays = kept.kind == EvidenceKind::kFeatures &&
                               tables.groups[i] == kept.group;
            if (kept.kind == EvidenceKind::kFeatures) {
              EXPECT_EQ(link.pair_features[i],
                        stays ? whole.pair_features[i] : 0);
            }
          }
          for (size_t end = 0; end < 2; ++end) {
            const auto& had = whole.contexts[0].tokens[end].features;
            const auto& has = link.contexts[0].tokens[end].features;
            if (kept.kind == EvidenceKind::kEnds) {
              EXPECT_EQ(has.back(), had.back());
            } else if (kept.kind == EvidenceKind::kFeatures &&
                       kept.group == FeatureGroup::kDegrees) {
              EXPECT_EQ(has[0], had[0]);
            } else if (kept.kind == EvidenceKind::kFeatures &&
                       kept.group == FeatureGroup::kSlots) {
              EXPECT_EQ(has[4], had[4]);
            }
          }
        }
      });
  EXPECT_GT(changed_by_nodes, 10u);
}

TEST(LinkEvidence, ItemsAreBoundedAndContainEachOtherOnlyAsPaths) {
  ForEachEvidence(ContextStrategy::kTypedPaths,
                  [&](const LinkEvidence& evidence, const auto&...) {
                    const std::vector<Evidence>& items = evidence.items();
                    EXPECT_LE(items.size(), LinkEvidence::MostItems(5));
                    for (size_t a = 0; a < items.size(); ++a) {
                      for (size_t b = 0; b < items.size(); ++b) {
                        EXPECT_EQ(items[a].Overlaps(items[b]),
                                  items[b].Overlaps(items[a]));
                        if (a == b) {
                          EXPECT_TRUE(items[a].Overlaps(items[b]));
                        }
                        if (a != b && items[a].Overlaps(items[b])) {
                          EXPECT_EQ(items[a].length, items[b].length);
                          EXPECT_NE(items[a].kind, items[b].kind);
                        }
                      }
                    }
                  });
}

}  // namespace
}  // namespace slice
