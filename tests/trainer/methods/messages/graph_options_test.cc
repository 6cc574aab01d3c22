#include "trainer/methods/messages/graph_options.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/method_registry.h"

namespace slice {
namespace {

// The estimate of a method, in MiB.
double Needed(const char* method, std::vector<std::string> settings,
              const RandomMultigraphOptions& options = {}) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 1));
  MethodInput input;
  input.snapshot = snapshot.get();
  const MethodInfo& info = **FindMethod(method);
  return info.memory(input, *ParameterValues::Parse(info.parameters, settings));
}

// A step that hides all links would leave no messages to learn from.
TEST(GraphTrainingOptionsTest, ASmallGraphHasSeveralPartsWhenSampled) {
  GraphTrainingOptions options;
  options.parts = 10;
  options.batch_size = 1000;
  EXPECT_EQ(options.Parts(/*samples=*/true, 500), 10);
  EXPECT_EQ(options.Parts(/*samples=*/true, 99500), 100);
  EXPECT_EQ(options.Parts(/*samples=*/false, 99500), 10);
}

TEST(GraphMemoryTest, GrowsWithTheMemoryOfAStep) {
  const auto needed = [](const char* candidates, const char* parts,
                         const char* scorer) {
    return Needed("compgcn", {candidates, parts, scorer, "choose_by=mrr"});
  };
  const double few = needed("candidates=2", "parts=2", "scorer=distmult");
  EXPECT_GT(needed("candidates=20", "parts=2", "scorer=distmult"), few);
  const double conve = needed("candidates=2", "parts=2", "scorer=conve");
  EXPECT_GT(conve, few);
  EXPECT_LT(needed("candidates=2", "parts=20", "scorer=conve"), conve);
}

TEST(GraphMemoryTest, CandidatesCountOnlyWhereTheyAreDrawn) {
  for (const char* const method : {"hgt", "rgcn", "compgcn"}) {
    const auto needed = [&](const char* candidates, const char* measure) {
      return Needed(method, {candidates, measure});
    };
    EXPECT_EQ(needed("candidates=20", "choose_by=auroc"),
              needed("candidates=2", "choose_by=auroc"));
    EXPECT_GT(needed("candidates=20", "choose_by=mrr"),
              needed("candidates=2", "choose_by=mrr"));
  }
}

// "auto" takes samples of a graph that is too large, "whole" does not.
TEST(GraphMemoryTest, WholeGraphsHaveNoBound) {
  const auto needed = [](const char* graph) {
    return Needed("hgt", {"dim=1024", "layers=8", graph},
                  {.nodes = 1000, .links = 5000});
  };
  EXPECT_GT(needed("graph=whole"), needed("graph=auto") + 100);
}

}  // namespace
}  // namespace slice
