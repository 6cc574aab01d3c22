#include "server/rpc/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "server/rpc/explanation_sentence.h"
#include "tests/testing/fake_scorer.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ExplanationTest : public ::testing::Test {
 protected:
  explicit ExplanationTest(
      ContextStrategy strategy = ContextStrategy::kShortestPaths,
      int contexts_per_link = 1)
      : model_(MakeFakeModel(ToySnapshot(), "default", 0, strategy,
                             contexts_per_link)
                   .served) {}

  // The item of a link that the fake scorer explained.
  LinkItem Explained(const std::string& source, const std::string& relation,
                     const std::string& target) {
    LinkItem item;
    item.link = ToyLink(*model_->snapshot, source, relation, target);
    item.encoded = model_->encoder->Encode(*model_->snapshot, item.link);
    const std::vector<const EncodedLink*> links = {&item.encoded};
    auto scored = model_->scorer->Explain(ContextBatch::Assemble(links));
    item.prediction = scored->predictions[0];
    item.attention = scored->attention[0];
    for (size_t i = 0;
         item.encoded.contexts.size() > 1 && i < item.encoded.contexts.size();
         ++i) {
      item.contexts.push_back(
          {scored->context_predictions[i], scored->attention[i]});
    }
    item.contributions = scored->contributions[0];
    return item;
  }

  v1::Explanation Explain(const LinkItem& item) {
    v1::Explanation explanation;
    FillExplanation(ModelOnGraph(*model_), item, &explanation);
    return explanation;
  }

  const std::shared_ptr<const ServedModel> model_;
};

TEST_F(ExplanationTest, TokensBeginWithSourceAndTarget) {
  const auto explanation = Explain(Explained("curl", "depends", "libssl3"));
  ASSERT_GE(explanation.tokens_size(), 3);
  EXPECT_EQ(explanation.tokens(0).kind(), v1::TOKEN_KIND_NODE);
  EXPECT_EQ(explanation.tokens(0).role(), v1::TOKEN_ROLE_SOURCE);
  EXPECT_EQ(explanation.tokens(0).node().key(), "curl");
  EXPECT_EQ(explanation.tokens(1).role(), v1::TOKEN_ROLE_TARGET);
  EXPECT_EQ(explanation.tokens(1).node().name(), "TLS library");
  EXPECT_EQ(explanation.tokens(2).role(), v1::TOKEN_ROLE_BETWEEN);
}

// Checks a v1::Explanation or v1::ExplainedContext: every row of its attention
// sums to 1, and so does the attention of each end over the tokens.
template <typename Message>
void ExpectAttentionSumsToOne(const Message& explained) {
  const v1::AttentionMatrix& matrix = explained.attention();
  ASSERT_EQ(matrix.tokens(), explained.tokens_size());
  ASSERT_GT(matrix.weights_size(), 0);
  ASSERT_EQ(matrix.weights_size(), matrix.layers() * matrix.heads() *
                                       matrix.tokens() * matrix.tokens());
  for (uint32_t row = 0; row < matrix.weights_size() / matrix.tokens(); ++row) {
    float sum = 0;
    for (uint32_t i = 0; i < matrix.tokens(); ++i) {
      sum += matrix.weights(row * matrix.tokens() + i);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  float from_source = 0, from_target = 0;
  for (const auto& token : explained.tokens()) {
    from_source += token.attention_from_source();
    from_target += token.attention_from_target();
  }
  EXPECT_NEAR(from_source, 1, 1e-5);
  EXPECT_NEAR(from_target, 1, 1e-5);
}

TEST_F(ExplanationTest, AttentionRowsAndRolloutsSumToOne) {
  ExpectAttentionSumsToOne(Explain(Explained("curl", "depends", "libssl3")));
}

TEST_F(ExplanationTest, ALinkOfOneContextListsNone) {
  const LinkItem item = Explained("curl", "depends", "libssl3");
  ASSERT_EQ(item.encoded.contexts.size(), 1);
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.contexts_size(), 0);
  EXPECT_EQ(explanation.context_pooling(), "");
}

TEST_F(ExplanationTest, EveryEdgeIsALinkOfTheGraphAndNotTheQueriedPair) {
  const auto explanation = Explain(Explained("curl", "depends", "libssl3"));
  ASSERT_GT(explanation.edges_size(), 0);
  for (const auto& edge : explanation.edges()) {
    const std::string source = explanation.tokens(edge.source()).node().key();
    const std::string target = explanation.tokens(edge.target()).node().key();
    EXPECT_TRUE(model_->snapshot->HasLink(
        ToyLink(*model_->snapshot, source, edge.relation(), target)));
    EXPECT_FALSE(source == "curl" && target == "libssl3");
    EXPECT_FALSE(source == "libssl3" && target == "curl");
  }
}

TEST_F(ExplanationTest, TheMetapathLeadsFromSourceToTarget) {
  const auto explanation = Explain(Explained("curl", "depends", "libssl3"));
  ASSERT_EQ(explanation.metapath_size(), explanation.distance() + 1);
  EXPECT_EQ(explanation.metapath(0).token(), 0);
  EXPECT_EQ(explanation.metapath(0).relation(), "");
  EXPECT_EQ(explanation.metapath(explanation.metapath_size() - 1).token(), 1);
  EXPECT_EQ(explanation.metapath_count(), 0);
  for (const auto& step : explanation.metapath()) {
    EXPECT_EQ(step.node().key(), explanation.tokens(step.token()).node().key());
  }
  for (int i = 1; i < explanation.metapath_size(); ++i) {
    EXPECT_NE(explanation.metapath(i).relation(), "");
    EXPECT_NE(explanation.metapath(i).direction(), v1::DIRECTION_UNSPECIFIED);
  }
}

TEST_F(ExplanationTest, TheEffectOfANodeIsNoPath) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  const auto before = Explain(item);
  item.token_effects.assign(item.encoded.contexts[0].tokens.size(), 0);
  item.token_effects[2] = 1;
  const auto after = Explain(item);
  EXPECT_EQ(after.tokens(2).logit_effect(), 1);
  ASSERT_EQ(after.metapath_size(), before.metapath_size());
  for (int i = 0; i < after.metapath_size(); ++i) {
    EXPECT_EQ(after.metapath(i).token(), before.metapath(i).token());
    EXPECT_EQ(after.metapath(i).relation(), before.metapath(i).relation());
  }
}

TEST_F(ExplanationTest, TheSummaryWritesThePathWithNamesAndDirections) {
  const LinkItem forwards = Explained("curl", "depends", "libssl3");
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), forwards),
              StartsWith("curl -depends-> libcurl4 -depends-> TLS library; "
                         "structure contributes "));
  const LinkItem backwards = Explained("libcurl4-dev", "depends", "curl");
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), backwards),
              StartsWith("libcurl4-dev -depends-> libcurl4 <-depends- curl; "));
}

TEST_F(ExplanationTest, ALinkWithoutPathIsExplainedToo) {
  const auto explanation = Explain(Explained("curl", "depends", "lonely"));
  EXPECT_EQ(explanation.distance(), -1);
  EXPECT_EQ(explanation.metapath_size(), 0);
  EXPECT_EQ(explanation.max_hops(), 6);
  EXPECT_THAT(explanation.summary(), StartsWith("No path within 6 hops; "));
}

TEST_F(ExplanationTest, ASelfLoopSaysSo) {
  const LinkItem item = Explained("privoxy", "suggests", "privoxy");
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              StartsWith("Source and target are one node; "));
}

TEST_F(ExplanationTest, ASearchOfASampleSaysWhatWasSearched) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  EXPECT_EQ(Explain(item).searched(), "");
  item.encoded.contexts[0].truncated = true;
  EXPECT_TRUE(Explain(item).truncated());
  EXPECT_THAT(
      Explain(item).searched(),
      HasSubstr("only a sample was searched: at most 500 neighbours of a "
                "node and 20,000 links"));
}

TEST_F(ExplanationTest, ASearchOfASampleDoesNotSayThatThereIsNoPath) {
  LinkItem item = Explained("curl", "depends", "lonely");
  EXPECT_THAT(Explain(item).summary(), StartsWith("No path within 6 hops; "));
  item.encoded.contexts[0].truncated = true;
  EXPECT_THAT(
      Explain(item).summary(),
      StartsWith("No path found within 6 hops (not all were searched)"));
}

TEST_F(ExplanationTest, PairFeaturesCarryTheirNames) {
  const LinkItem item = Explained("curl", "depends", "libssl3");
  const auto explanation = Explain(item);
  ASSERT_EQ(explanation.pair_features_size(),
            item.encoded.pair_features.size());
  for (int i = 0; i < explanation.pair_features_size(); ++i) {
    EXPECT_EQ(explanation.pair_features(i).name(),
              model_->manifest.pair_features[i]);
    EXPECT_EQ(explanation.pair_features(i).value(),
              item.encoded.pair_features[i]);
    EXPECT_EQ(explanation.pair_features(i).contribution(),
              item.contributions[i]);
  }
}

TEST_F(ExplanationTest, EveryPairFeatureIsDescribed) {
  google::protobuf::RepeatedPtrField<v1::PairFeatureInfo> features;
  FillPairFeatureInfo(*model_, &features);
  ASSERT_EQ(features.size(), model_->manifest.pair_features.size());
  for (int i = 0; i < features.size(); ++i) {
    EXPECT_EQ(features[i].name(), model_->manifest.pair_features[i]);
    EXPECT_NE(features[i].description(), "") << features[i].name();
    EXPECT_NE(features[i].group(), "other") << features[i].name();
  }
}

class SeveralContextsTest : public ExplanationTest {
 protected:
  SeveralContextsTest() : ExplanationTest(ContextStrategy::kRandomWalks, 5) {}

  static std::vector<std::string> KeysOf(
      const google::protobuf::RepeatedPtrField<v1::ExplanationToken>& tokens) {
    std::vector<std::string> keys;
    for (const auto& token : tokens) keys.push_back(token.node().key());
    return keys;
  }
};

TEST_F(SeveralContextsTest, EachIsShownInTheOrderInWhichItWasDrawn) {
  const LinkItem item = Explained("curl", "depends", "libssl3");
  const auto explanation = Explain(item);
  ASSERT_EQ(explanation.contexts_size(), 5);
  std::set<std::vector<std::string>> different;
  for (int i = 0; i < 5; ++i) {
    const ContextSubgraph& drawn = item.encoded.contexts[i];
    const v1::ExplainedContext& shown = explanation.contexts(i);
    std::vector<std::string> keys;
    for (const ContextToken& token : drawn.tokens) {
      keys.push_back(model_->snapshot->Key(token.node));
    }
    EXPECT_EQ(KeysOf(shown.tokens()), keys);
    EXPECT_EQ(shown.edges_size(), drawn.edges.size());
    ExpectAttentionSumsToOne(shown);
    different.insert(keys);
  }
  EXPECT_GT(different.size(), 1);
  EXPECT_EQ(KeysOf(explanation.tokens()),
            KeysOf(explanation.contexts(0).tokens()));
  EXPECT_EQ(explanation.attention().weights_size(),
            explanation.contexts(0).attention().weights_size());
}

TEST_F(SeveralContextsTest, TheirLogitsMakeTheProbabilityOfTheLink) {
  const LinkItem item = Explained("curl", "depends", "libssl3");
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.context_pooling(), "mean");
  double sum = 0;
  for (const auto& context : explanation.contexts()) {
    sum += context.logit();
    EXPECT_NEAR(context.probability(), 1 / (1 + std::exp(-context.logit())),
                1e-5);
  }
  EXPECT_GT(std::abs(explanation.contexts(0).logit() - sum / 5), 0.1);
  EXPECT_NEAR(item.prediction.probability, 1 / (1 + std::exp(-sum / 5)), 1e-5);
}

TEST_F(SeveralContextsTest, EffectsBelongToTheLinkAndNotToAContext) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  item.token_effects.assign(item.encoded.contexts[0].tokens.size(), 0.5f);
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.tokens(0).logit_effect(), 0.5f);
  EXPECT_EQ(explanation.contexts(0).tokens(0).logit_effect(), 0);
}

class PathExplanationTest : public ExplanationTest {
 protected:
  PathExplanationTest() : ExplanationTest(ContextStrategy::kTypedPaths) {}

  bool HasStep(NodeId from, const v1::PathStep& step, NodeId to) const {
    const GraphSnapshot& graph = *model_->snapshot;
    const RelationId relation = ToyRelation(graph, step.relation());
    return step.direction() == v1::DIRECTION_OUT
               ? graph.HasLink({from, relation, to})
               : graph.HasLink({to, relation, from});
  }

  // Counts by brute force the paths from `from` over the steps `i` and later.
  // The inner nodes of a path differ from each other and from the ends.
  uint64_t CountPaths(const v1::ExplanationToken& token, const Link& link,
                      int i, NodeId from, NodeId before) const {
    if (i + 1 == token.path_size()) {
      return HasStep(from, token.path(i), link.target);
    }
    uint64_t count = 0;
    for (NodeId node = 0; node < model_->snapshot->node_count(); ++node) {
      if (node == link.source || node == link.target || node == before ||
          node == from || !HasStep(from, token.path(i), node)) {
        continue;
      }
      count += CountPaths(token, link, i + 1, node, from);
    }
    return count;
  }

  // Makes every token pay `share` of its attention to `token`.
  static void AttendTo(size_t token, float share, LinkItem& item) {
    SemanticAssociationMatrix& matrix = item.attention;
    const int others = matrix.tokens - 1;
    for (size_t i = 0; i < matrix.weights.size(); ++i) {
      matrix.weights[i] =
          i % matrix.tokens == token ? share : (1 - share) / others;
    }
  }
};

TEST_F(PathExplanationTest, PathTokensFollowTheEnds) {
  const LinkItem item = Explained("curl", "depends", "libssl3");
  const auto explanation = Explain(item);
  ASSERT_GT(explanation.tokens_size(), 2);
  EXPECT_EQ(explanation.tokens(0).node().key(), "curl");
  EXPECT_EQ(explanation.tokens(1).node().key(), "libssl3");
  EXPECT_EQ(explanation.edges_size(), 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(explanation.tokens(i).path_size(), 0);
    EXPECT_EQ(explanation.tokens(i).path_count(), 0);
  }
  for (int i = 2; i < explanation.tokens_size(); ++i) {
    const v1::ExplanationToken& token = explanation.tokens(i);
    EXPECT_EQ(token.kind(), v1::TOKEN_KIND_PATH);
    EXPECT_FALSE(token.has_node());
    ASSERT_GT(token.path_size(), 0);
    NodeId at = item.link.source;
    for (const v1::PathStep& step : token.path()) {
      const auto next = model_->snapshot->names().FindKey(step.node().key());
      ASSERT_TRUE(next.has_value());
      EXPECT_TRUE(HasStep(at, step, *next)) << token.ShortDebugString();
      at = *next;
    }
    EXPECT_EQ(at, item.link.target);
  }
}

TEST_F(PathExplanationTest, CountsThePathsOfAToken) {
  int counted = 0;
  for (const auto& [source, target] :
       {std::pair("curl", "libssl3"), std::pair("libcurl4-dev", "libssl-dev"),
        std::pair("curl", "libcurl4-dev"), std::pair("curl", "openssl")}) {
    const LinkItem item = Explained(source, "depends", target);
    const auto explanation = Explain(item);
    for (int i = 2; i < explanation.tokens_size(); ++i) {
      const v1::ExplanationToken& token = explanation.tokens(i);
      EXPECT_EQ(token.path_count(),
                CountPaths(token, item.link, 0, item.link.source, kNoNode))
          << token.ShortDebugString();
      ++counted;
    }
  }
  EXPECT_GT(counted, 5);
}

// 2^24 + 1 is no float: the count does not come from the token's features.
TEST_F(PathExplanationTest, LargeCountsArriveWhole) {
  constexpr uint64_t kCount = (uint64_t{1} << 24) + 1;
  LinkItem item = Explained("curl", "depends", "libssl3");
  ASSERT_GT(item.encoded.contexts[0].tokens.size(), 2u);
  item.encoded.contexts[0].tokens[2].path_count = kCount;
  AttendTo(2, 0.9f, item);
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.tokens(2).path_count(), kCount);
  EXPECT_EQ(explanation.metapath_count(), kCount);
}

TEST_F(PathExplanationTest, TheMetapathIsThatOfTheTokenAttendedToMost) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  const int tokens = static_cast<int>(item.encoded.contexts[0].tokens.size());
  ASSERT_GT(tokens, 3);
  for (int token = 2; token < tokens; ++token) {
    AttendTo(token, 0.9f, item);
    const auto explanation = Explain(item);
    const v1::ExplanationToken& chosen = explanation.tokens(token);
    ASSERT_EQ(explanation.metapath_size(), chosen.path_size() + 1);
    EXPECT_EQ(explanation.metapath(0).node().key(), "curl");
    EXPECT_EQ(explanation.metapath(0).token(), 0);
    for (int i = 0; i < chosen.path_size(); ++i) {
      const v1::MetapathStep& step = explanation.metapath(i + 1);
      EXPECT_EQ(step.relation(), chosen.path(i).relation());
      EXPECT_EQ(step.direction(), chosen.path(i).direction());
      EXPECT_EQ(step.node().key(), chosen.path(i).node().key());
      EXPECT_EQ(step.token(), i + 1 < chosen.path_size() ? token : 1);
    }
    EXPECT_EQ(explanation.metapath_count(), chosen.path_count());
  }
}

// Where no path has an effect, rounding must not choose among them.
TEST_F(PathExplanationTest, AnEffectOfRoundingChoosesNoPath) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  const int tokens = static_cast<int>(item.encoded.contexts[0].tokens.size());
  ASSERT_GT(tokens, 3);
  AttendTo(2, 0.9f, item);
  for (const auto& [effect, shown] :
       {std::pair(0.0f, 2), std::pair(9e-7f, 2), std::pair(0.01f, 3)}) {
    item.token_effects.assign(static_cast<size_t>(tokens), 0);
    item.token_effects[3] = effect;
    const auto explanation = Explain(item);
    EXPECT_EQ(explanation.metapath(1).token(),
              explanation.metapath_size() == 2 ? 1 : shown)
        << effect;
    EXPECT_EQ(explanation.metapath_size(),
              explanation.tokens(shown).path_size() + 1);
    EXPECT_EQ(explanation.metapath(1).relation(),
              explanation.tokens(shown).path(0).relation());
  }
}

TEST_F(PathExplanationTest, WithoutAttentionTheHeaviestPathIsShown) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  item.attention = SemanticAssociationMatrix();
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.metapath_count(), explanation.tokens(2).path_count());
  ASSERT_EQ(explanation.metapath_size(), explanation.tokens(2).path_size() + 1);
  EXPECT_EQ(explanation.metapath(1).relation(),
            explanation.tokens(2).path(0).relation());
}

TEST_F(PathExplanationTest, TheSummaryWritesThePathWithNamesAndItsCount) {
  const LinkItem item = Explained("libcurl4-dev", "depends", "curl");
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              StartsWith("libcurl4-dev -depends-> libcurl4 <-depends- curl "
                         "(1 such path); structure contributes "));
}

// The evidence of a link, with made-up effects: those of `named` are 2, 1 ...,
// all others 0.
AnsweredEvidence EvidenceOf(const ServedModel& model, const LinkItem& item,
                            const std::vector<EvidenceKind>& named) {
  const GraphView view = model.encoder->QueryView(*model.snapshot, item.link);
  const LinkEvidence evidence(*model.encoder, model.evidence, view,
                              item.encoded);
  AnsweredEvidence answer;
  answer.items = evidence.items();
  answer.effects.probability_without_named = 0.41f;
  answer.effects.probability_only_named = 0.9f;
  for (const EvidenceKind kind : named) {
    for (size_t i = 0; i < answer.items.size(); ++i) {
      if (answer.items[i].kind != kind) continue;
      answer.effects.effects.push_back({i, 2.0f, 0.41f, true});
      break;
    }
  }
  answer.paths = {0, 0, 3, 12};
  return answer;
}

TEST_F(PathExplanationTest, ReasonsNameThePathsWithNamesAndNumbers) {
  LinkItem item = Explained("libcurl4-dev", "depends", "curl");
  item.prediction.probability = 0.99f;
  item.evidence = EvidenceOf(*model_, item, {EvidenceKind::kPaths});
  const auto explanation = Explain(item);
  EXPECT_EQ(explanation.summary(),
            "libcurl4 has a link \"depends\" from libcurl4-dev and a link "
            "\"depends\" from curl; without them 0.99 becomes 0.41");
  ASSERT_EQ(explanation.evidence_size(), 1);
  const v1::Evidence& evidence = explanation.evidence(0);
  EXPECT_EQ(evidence.kind(), v1::EVIDENCE_KIND_PATHS);
  EXPECT_EQ(evidence.group(), "common_neighbors");
  EXPECT_EQ(evidence.path_count(), 1);
  EXPECT_EQ(evidence.logit_effect(), 2.0f);
  EXPECT_EQ(evidence.probability_without(), 0.41f);
  EXPECT_TRUE(evidence.named());
  EXPECT_EQ(explanation.tokens(evidence.token()).kind(), v1::TOKEN_KIND_PATH);
  EXPECT_EQ(explanation.probability_without_named(), 0.41f);
  EXPECT_EQ(explanation.probability_only_named(), 0.9f);
}

// All chains and those of one type are counted by samples of their own. A part
// must not exceed the whole.
TEST_F(PathExplanationTest, CountsOfASampleAreEstimatesThatAgree) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  std::vector<ContextToken>& tokens = item.encoded.contexts[0].tokens;
  const auto token =
      std::find_if(tokens.begin(), tokens.end(), [](const auto& each) {
        return each.kind == TokenKind::kPath && LengthOf(each.relations) == 3;
      });
  ASSERT_NE(token, tokens.end());
  token->path_count = 29'303;
  Evidence type = {.kind = EvidenceKind::kPaths, .length = 3};
  type.token = static_cast<size_t>(token - tokens.begin());
  const Evidence all = {.kind = EvidenceKind::kAllPaths, .length = 3};
  item.evidence.paths[3] = 4'366;
  const ModelOnGraph served(*model_);
  EXPECT_THAT(DescribeEvidence(served, item, type),
              StartsWith("there are 29,303 paths such as curl"));
  EXPECT_THAT(DescribeEvidence(served, item, all),
              StartsWith("29,303 chains of three links join curl"));
  item.encoded.contexts[0].truncated = true;
  EXPECT_THAT(DescribeEvidence(served, item, type),
              StartsWith("there are about 29,000 paths such as curl"));
  EXPECT_THAT(DescribeEvidence(served, item, all),
              StartsWith("about 29,000 chains of three links join curl"));
  item.evidence.paths[3] = 41'523;
  EXPECT_EQ(PathCountOf(item, all), 41'523u);
}

TEST_F(PathExplanationTest, LinksThatJoinTheEndsAreNamed) {
  // A model that sees the other links between the ends.
  const FakeModel fake =
      MakeFakeModel(ToySnapshot(), "default", 0, ContextStrategy::kTypedPaths);
  const auto model = std::const_pointer_cast<ServedModel>(fake.served);
  LinkEncoderOptions options = model->encoder->options();
  options.own_pair_links = OwnPairLinks::kReveal;
  EncoderTables tables = model->encoder->tables();
  const GraphSnapshot& graph = *model->snapshot;
  model->encoder =
      std::make_unique<LinkEncoder>(options, graph.relation_count(),
                                    graph.node_type_count(), std::move(tables));
  const auto described = [&](const std::string& source,
                             const std::string& relation,
                             const std::string& target, EvidenceKind kind) {
    LinkItem item;
    item.link = ToyLink(graph, source, relation, target);
    item.encoded = model->encoder->Encode(graph, item.link);
    const Evidence evidence = {
        .kind = kind, .group = FeatureGroup::kDirectLinks, .length = 1};
    return DescribeEvidence(ModelOnGraph(*model), item, evidence);
  };
  for (const EvidenceKind kind :
       {EvidenceKind::kAllPaths, EvidenceKind::kFeatures}) {
    EXPECT_EQ(described("curl", "suggests", "libssl3", kind),
              "curl -depends-> TLS library and 1 more link join them");
    EXPECT_EQ(described("libcurl4", "suggests", "curl", kind),
              "there is the link libcurl4 <-depends- curl");
    // The link itself is hidden.
    EXPECT_EQ(described("curl", "recommends", "libssl3", kind),
              "there is the link curl -depends-> TLS library");
  }
  EXPECT_EQ(described("curl", "depends", "lonely", EvidenceKind::kFeatures),
            "no other link joins curl and lonely");
}

TEST_F(PathExplanationTest, ReasonsSayWhatTakesThePlaceOfTheEvidence) {
  LinkItem item = Explained("curl", "depends", "lonely");
  item.prediction.probability = 0.001f;
  item.prediction.decision = false;
  // The features of the fake model are all at their means, so that it has no
  // such item of its own.
  item.evidence.items = {
      {EvidenceKind::kNoPaths, FeatureGroup::kTwoPaths, 0, {}, 2},
      {.kind = EvidenceKind::kEnds}};
  EvidenceEffects& effects = item.evidence.effects;
  effects.probability_without_named = 0.41f;
  effects.effects = {{0, -2.0f, 0.41f, true}, {1, -1.0f, 0.2f, false}};
  EXPECT_EQ(
      SummarizeExplanation(ModelOnGraph(*model_), item),
      "Against the link: curl and lonely have no neighbour in common; with as "
      "many as usual 0.0010 becomes 0.41");
  effects.effects[1].named = true;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("; without all this 0.0010 becomes 0.41"));
  effects.effects[0].named = false;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("(their vectors); without this 0.0010 becomes 0.41"));
}

TEST_F(PathExplanationTest, ChainsThatWereNotFoundInASampleMayExist) {
  LinkItem item = Explained("curl", "depends", "lonely");
  item.evidence.items = {
      {EvidenceKind::kNoPaths, FeatureGroup::kThreePaths, 0, {}, 3}};
  item.evidence.effects.effects = {{0, -2.0f, 0.41f, true}};
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("no chain of three links joins curl and lonely; "));
  item.encoded.contexts[0].truncated = true;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("no chain of three links was found that joins curl and "
                        "lonely (not all were searched); "));
}

TEST_F(PathExplanationTest, ReasonsForAndAgainstTheLinkAreToldApart) {
  LinkItem item = Explained("curl", "depends", "lonely");
  item.evidence.items = {
      {EvidenceKind::kNoPaths, FeatureGroup::kTwoPaths, 0, {}, 2},
      {.kind = EvidenceKind::kEnds}};
  const std::string none = "curl and lonely have no neighbour in common";
  const std::string ends =
      "what curl and lonely are in themselves (their vectors)";
  EvidenceEffects& effects = item.evidence.effects;
  effects.effects = {{0, -2.0f, 0.41f, true}, {1, 1.0f, 0.2f, true}};
  const struct {
    bool decision;
    std::string reasons;
  } cases[] = {
      {true, "What" + ends.substr(4) + "; against it: " + none + "; without"},
      {false, "Against the link: " + none + "; for it: " + ends + "; without"}};
  for (const auto& [decision, reasons] : cases) {
    item.prediction.decision = decision;
    EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
                StartsWith(reasons));
  }
  effects.effects[0].named = false;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              StartsWith("Little speaks for the link: " + ends));
}

// What a pair is may move the score more than all evidence about it.
TEST_F(PathExplanationTest, AnUnlikelyPairIsTheReason) {
  LinkItem item = Explained("curl", "depends", "curl");
  item.prediction.probability = 1e-5f;
  item.prediction.decision = false;
  item.prediction.flags.self = true;
  item.prediction.flags.cold_source = true;  // that is no reason
  item.prediction.schema_log_odds = -12;
  item.evidence.items = {{.kind = EvidenceKind::kEnds}};
  item.evidence.effects.effects = {{0, -2.0f, 0.41f, true}};
  EXPECT_EQ(SummarizeExplanation(ModelOnGraph(*model_), item),
            "Against the link: both ends are one node; depends links no node "
            "to itself in the graph; without this 0.0000 becomes 0.62");
  // Also where the probability is too small to show.
  item.prediction.probability = 1e-14f;
  item.prediction.schema_log_odds = -25;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("without this 0.0000 becomes 0.0007"));
  // Evidence may weigh more than what the kinds of the nodes are, but a node
  // with itself is the reason whatever the evidence says.
  item.prediction.schema_log_odds = -1;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("both ends are one node"));
  item.prediction.flags.self = false;
  item.prediction.flags.off_schema_target = true;
  EXPECT_THAT(SummarizeExplanation(ModelOnGraph(*model_), item),
              HasSubstr("(their vectors)"));
}

TEST_F(PathExplanationTest, RulesAreSaidOfPathsThatThereAre) {
  LinkItem item = Explained("curl", "depends", "lonely");
  const Evidence rules{.kind = EvidenceKind::kFeatures,
                       .group = FeatureGroup::kRules};
  EXPECT_EQ(DescribeEvidence(ModelOnGraph(*model_), item, rules),
            "no path between curl and lonely to which a path rule applies");
  item.evidence.paths[3] = 2;
  EXPECT_THAT(DescribeEvidence(ModelOnGraph(*model_), item, rules),
              StartsWith("how often paths like those between curl and lonely"));
}

TEST_F(PathExplanationTest, SaysPlainlyThatNoReasonCanBeNamed) {
  LinkItem item = Explained("curl", "depends", "libssl3");
  item.prediction.probability = 0.5f;
  item.evidence = EvidenceOf(*model_, item, {EvidenceKind::kPaths});
  item.evidence.effects.effects[0].named = false;
  item.evidence.effects.effects[0].logit_effect = -0.04f;
  EXPECT_EQ(
      SummarizeExplanation(ModelOnGraph(*model_), item),
      "No reason can be named: nothing that was removed changes the logit "
      "by more than 0.04 (probability 0.50)");
}

TEST_F(PathExplanationTest, SaysHowFarItLooked) {
  const auto explanation = Explain(Explained("curl", "depends", "lonely"));
  EXPECT_EQ(explanation.distance(), -1);
  EXPECT_EQ(explanation.metapath_size(), 0);
  EXPECT_EQ(explanation.max_hops(), 3);
  EXPECT_THAT(explanation.summary(), StartsWith("No path within 3 hops; "));
}

TEST(StructureShareTest, IsTheShareOfTheAbsoluteLogits) {
  Prediction prediction;
  EXPECT_EQ(StructureSharePercent(prediction), 0);
  prediction.logit_structural = -3;
  prediction.logit_context = 1;
  EXPECT_EQ(StructureSharePercent(prediction), 75);
  prediction.logit_structural = 0;
  EXPECT_EQ(StructureSharePercent(prediction), 0);
}

}  // namespace
}  // namespace slice
