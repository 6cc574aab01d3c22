#include "trainer/methods/link_scorer.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <functional>
#include <memory>
#include <numeric>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/methods/finite_differences.h"
#include "trainer/methods/scored_method.h"

namespace slice {
namespace {

constexpr int kDim = 12;  // a picture 3 high and 4 wide

// The score of each query with the answer in the same row.
at::Tensor PairScores(const LinkScorer& scorer, const at::Tensor& anchors,
                      const at::Tensor& labels, const at::Tensor& nodes) {
  return (scorer.Queries(anchors, labels, false) * scorer.Answers(nodes))
      .sum(1);
}

at::Tensor Rows(int64_t count, at::ScalarType type = at::kFloat) {
  return at::randn({count, kDim}, type);
}

TEST(LinkScorerTest, DistMultIsTheTripleProduct) {
  at::manual_seed(1);
  const at::Tensor a = Rows(5), z = Rows(5), t = Rows(5);
  const DistMultScorer scorer(kDim, 0);
  EXPECT_TRUE(at::allclose(PairScores(scorer, a, z, t), (a * z * t).sum(1),
                           1e-4, 1e-5));
  const at::NoGradGuard no_grad;
  const at::Tensor answer_weights = scorer.parameters()[0].normal_();
  EXPECT_TRUE(at::allclose(
      PairScores(scorer, a, z, t),
      (a * z * t).sum(1) + at::mm(t, answer_weights).squeeze(1), 1e-4, 1e-5));
}

TEST(LinkScorerTest, TranslationIsTheSquaredDistance) {
  at::manual_seed(2);
  const at::Tensor a = Rows(5), z = Rows(5), t = Rows(5);
  EXPECT_TRUE(at::allclose(PairScores(TranslationScorer(), a, z, t),
                           -(a + z - t).square().sum(1), 1e-4, 1e-4));
}

// Computes the equation of the paper number by number.
TEST(LinkScorerTest, ConvEIsAConvolutionOfTheStackedPictures) {
  at::manual_seed(3);
  const auto scorer = *ConvEScorer::Create({kDim, 2, 0.5});
  const auto parameters = scorer->parameters();
  const at::NoGradGuard no_grad;
  parameters[1].uniform_(-1, 1);
  parameters[3].uniform_(-1, 1);
  const at::Tensor a = Rows(1), z = Rows(1);
  // Six rows of four numbers: the anchor's picture above the label's.
  const at::Tensor picture = at::cat({a.view({3, 4}), z.view({3, 4})}, 0);
  at::Tensor expected = parameters[3].clone();
  int64_t feature = 0;
  for (int filter = 0; filter < 2; ++filter) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 2; ++x, ++feature) {
        float sum = parameters[1][filter].item<float>();
        for (int i = 0; i < 3; ++i) {
          for (int k = 0; k < 3; ++k) {
            sum += (picture[y + i][x + k] * parameters[0][filter][0][i][k])
                       .item<float>();
          }
        }
        expected += std::max(sum, 0.0f) * parameters[2][feature];
      }
    }
  }
  EXPECT_EQ(feature, parameters[2].size(0));
  EXPECT_TRUE(at::allclose(scorer->Queries(a, z, false)[0],
                           expected.clamp_min(0), 1e-4, 1e-5));
}

TEST(LinkScorerTest, GradientsAreThoseOfFiniteDifferences) {
  const std::shared_ptr<const LinkScorer> scorers[] = {
      std::make_shared<DistMultScorer>(kDim, 0),
      std::make_shared<TranslationScorer>(),
      *ConvEScorer::Create({kDim, 2, 0})};
  for (const auto& scorer : scorers) {
    at::manual_seed(4);
    for (at::Tensor parameter : scorer->parameters()) {
      parameter.set_data(parameter.detach().to(at::kDouble));
    }
    const auto leaf = [] {
      return Rows(3, at::kDouble).set_requires_grad(true);
    };
    const at::Tensor a = leaf(), z = leaf(), t = leaf();
    const auto sum = [&] { return PairScores(*scorer, a, z, t).sum(); };
    ExpectGradient(sum, a, "anchors");
    ExpectGradient(sum, z, "labels");
    ExpectGradient(sum, t, "nodes");
    for (const at::Tensor& parameter : scorer->parameters()) {
      ExpectGradient(sum, parameter, "parameter");
    }
  }
}

TEST(LinkScorerTest, DropoutActsInTrainingOnly) {
  at::manual_seed(5);
  const std::shared_ptr<const LinkScorer> scorers[] = {
      std::make_shared<DistMultScorer>(kDim, 0.5),
      *ConvEScorer::Create({kDim, 4, 0.5})};
  for (const auto& scorer : scorers) {
    const at::Tensor a = Rows(4), z = Rows(4);
    const at::Tensor once = scorer->Queries(a, z, false);
    EXPECT_TRUE(at::equal(scorer->Queries(a, z, false), once));
    EXPECT_FALSE(
        at::equal(scorer->Queries(a, z, true), scorer->Queries(a, z, true)));
  }
}

TEST(ScoredMethodTest, ALinkScoresAsTheMeanOfBothQuestions) {
  at::manual_seed(6);
  const at::Tensor nodes = Rows(7), labels = Rows(4);
  const auto scorer = std::make_shared<TranslationScorer>();
  const ScoredMethod method(nodes, labels, scorer, {});
  const std::vector<Link> links = {{1, 0, 2}, {6, 1, 0}, {3, 1, 3}};
  std::vector<float> scores(links.size());
  method.Score(links, links, scores);
  std::vector<NodeId> all(7);
  std::iota(all.begin(), all.end(), NodeId{0});
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [source, relation, target] = links[i];
    const at::Tensor s = nodes[source], t = nodes[target];
    const auto out = -(s + labels[2 * relation] - t).square().sum();
    const auto in = -(t + labels[2 * relation + 1] - s).square().sum();
    EXPECT_NEAR(scores[i], ((out + in) / 2).item<float>(), 1e-3);
    std::vector<float> targets(7), sources(7);
    method.ScoreCandidates({source, relation, Direction::kOut}, all, targets);
    method.ScoreCandidates({target, relation, Direction::kIn}, all, sources);
    EXPECT_NEAR(targets[target], out.item<float>(), 1e-3);
    EXPECT_NEAR(sources[source], in.item<float>(), 1e-3);
  }
}

TEST(ScoredMethodTest, KeepsItsOwnCopy) {
  const at::Tensor nodes = at::ones({3, kDim}), labels = at::ones({2, kDim});
  const ScoredMethod method(nodes, labels,
                            std::make_shared<DistMultScorer>(kDim, 0), {});
  const at::NoGradGuard no_grad;
  at::Tensor(nodes).zero_();
  at::Tensor(labels).zero_();
  const std::vector<Link> links = {{0, 0, 1}};
  std::vector<float> scores(1);
  method.Score(links, links, scores);
  EXPECT_EQ(scores[0], kDim);
  EXPECT_EQ(method.embeddings().values[0], 1);
}

}  // namespace
}  // namespace slice
