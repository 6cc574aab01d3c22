#include "trainer/methods/walks/gatne/gatne_method.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/walks/gatne/random_gatne.h"

namespace slice {
namespace {

// The parameter: what scores a link. The last nodes of the graph have no link.
class GatneMethodTest : public ::testing::TestWithParam<GatneScore> {
 protected:
  float Score(const Link& link) const {
    float score = 0;
    method_.Score({&link, 1}, {&link, 1}, {&score, 1});
    return score;
  }

  double ScoreByHand(const Link& link) const {
    const auto vector = [&](NodeId node) {
      return VectorByHand(model_, node, link.relation,
                          EdgesByHand(model_, sources_, node));
    };
    const std::vector<double> u = vector(link.source), v = vector(link.target);
    const size_t dim = model_.dim;
    double score = 0;
    for (size_t k = 0; k < dim; ++k) {
      score += GetParam() == GatneScore::kCosine
                   ? u[k] * v[k]
                   : u[k] * model_.contexts[link.target * dim + k] +
                         v[k] * model_.contexts[link.source * dim + k];
    }
    return score;
  }

  const std::shared_ptr<const GraphSnapshot> snapshot_ = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 14, .links = 60, .node_types = 1}, 1));
  const std::shared_ptr<const LayeredGraph> graph_ =
      std::make_shared<const LayeredGraph>(GraphView(*snapshot_));
  const LayerRows neighbors_ = graph_->SampleNeighbors(3, 1);
  const GatneSources sources_ = {graph_.get(), &neighbors_};
  const GatneModel model_ = RandomGatne(*graph_);
  const GatneVectorsMethod method_{
      graph_, model_, EdgeVectors(model_, sources_, 1), GetParam(), {}};
};

TEST_P(GatneMethodTest, ScoresAreThoseOfTheDefinition) {
  for (const Link& link : {Link{3, 0, 5}, Link{0, 2, 13}, Link{7, 3, 7}}) {
    EXPECT_NEAR(Score(link), ScoreByHand(link), 1e-5);
  }
}

TEST_P(GatneMethodTest, TheDirectionOfALinkDoesNotMatter) {
  EXPECT_NEAR(Score({3, 0, 5}), Score({5, 0, 3}), 1e-6);
}

TEST_P(GatneMethodTest, CandidatesGetTheScoresOfTheirLinks) {
  const std::vector<NodeId> candidates = {5, 0, 13, 2, 9};
  std::vector<float> scores(candidates.size());
  for (const RelationId relation : {2, 0, 2}) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const EndQuestion question = {3, relation, direction};
      method_.ScoreCandidates(question, candidates, scores);
      for (size_t i = 0; i < candidates.size(); ++i) {
        EXPECT_NEAR(scores[i], Score(question.With(candidates[i])), 1e-5);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scores, GatneMethodTest,
                         ::testing::Values(GatneScore::kInputOutput,
                                           GatneScore::kCosine));

}  // namespace
}  // namespace slice
