#include "trainer/methods/untrained_methods.h"

#include <utility>

#include "common/status_macros.h"
#include "trainer/evaluation/baselines.h"

namespace slice {
namespace {

class UntrainedMethod : public TrainedMethod {
 public:
  explicit UntrainedMethod(std::unique_ptr<BaselineScorer> scorer)
      : scorer_(std::move(scorer)) {
    summary_.stopped = "nothing to learn";
  }

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override {
    scorer_->Score(links, scores, made_from);
  }

 private:
  const std::unique_ptr<const BaselineScorer> scorer_;
};

template <Baseline kBaseline>
absl::StatusOr<std::unique_ptr<const TrainedMethod>> MakeUntrained(
    const MethodInput& input, const ParameterValues& /*parameters*/) {
  SLICE_ASSIGN_OR_RETURN(auto scorer,
                         BaselineScorer::Create(kBaseline, *input.snapshot));
  return std::make_unique<const UntrainedMethod>(std::move(scorer));
}

template <Baseline kBaseline>
MethodInfo Describe(std::string name, std::string description,
                    std::string paper) {
  MethodInfo info;
  info.name = std::move(name);
  info.title = std::string(BaselineName(kBaseline));
  info.description = std::move(description);
  info.paper = std::move(paper);
  info.learns = false;
  info.train = MakeUntrained<kBaseline>;
  return info;
}

}  // namespace

std::vector<MethodInfo> UntrainedMethods() {
  return {
      Describe<Baseline::kPopularity>(
          "popularity", "number of links by the relation into the target", ""),
      Describe<Baseline::kCommonNeighbors>(
          "common-neighbors", "number of neighbours that both ends share",
          "Liben-Nowell and Kleinberg, CIKM 2003"),
      Describe<Baseline::kAdamicAdar>(
          "adamic-adar",
          "shared neighbours, those with few neighbours counting more",
          "Adamic and Adar, Social Networks 2003"),
      Describe<Baseline::kThreePaths>(
          "three-path",
          "paths of three links, weighted by the degrees of their inner nodes",
          "Kovacs et al., Nature Communications 2019"),
  };
}

}  // namespace slice
