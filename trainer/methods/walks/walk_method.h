// What the methods that train on walks have in common.
#ifndef SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_
#define SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/embedding/walk_training.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_parameters.h"
#include "trainer/methods/walks/labelled_walk_graph.h"
#include "trainer/methods/walks/walk_schemes.h"

namespace slice {

// The parameters dim, walks_per_node, walk_length, window and negatives, in
// this order.
std::vector<MethodParameter> WalkParameters(int walks_per_node);
// The parameter learning_rate.
MethodParameter WalkLearningRate();

// The options of skip-gram, as the parameters set them.
WalkTrainingOptions WalkTrainingOptionsOf(const MethodInput& input,
                                          const ParameterValues& parameters);

// Estimates the memory of a training in MiB, for MethodInfo::memory.
double EstimateWalkMib(const MethodInput& input,
                       const ParameterValues& parameters);
// The same of a method with MetapathParameters, which may search for metapaths
// before it trains.
double EstimateMetapathMib(const MethodInput& input,
                           const ParameterValues& parameters);

// The parameters metapaths and metapath_count, in this order.
std::vector<MethodParameter> MetapathParameters();
// The metapaths that walks follow, as these parameters choose them: the common
// ones of up to four steps, or those of a list. Logs them. Returns the errors
// of ParseWalkSchemes().
absl::StatusOr<std::vector<WalkScheme>> ChooseWalkSchemes(
    const MethodInput& input, const ParameterValues& parameters,
    const LabelledWalkGraph& graph);

// The summary of a training with these mean losses, one for each walk from all
// starts. `cut_short` says whether the budget of `input` ended it.
MethodSummary SummarizeWalks(const MethodInput& input,
                             std::span<const double> losses, bool cut_short);

// The defaults of methods whose epochs take one walk from each start.
struct WalkEpochDefaults {
  int epochs = 100;
  int batch = 128;
  double learning_rate = 0.1;
  int look_every = 1;
};
// The parameters epochs, batch, learning_rate, patience and look_every, in this
// order.
std::vector<MethodParameter> WalkEpochParameters(
    const WalkEpochDefaults& defaults);
// Runs these epochs within `budget`. Returns the errors of RunEpochs().
absl::StatusOr<MethodSummary> RunWalkEpochs(const MethodInput& input,
                                            const ParameterValues& parameters,
                                            absl::Duration budget,
                                            const std::string& title,
                                            EpochLearner& learner);

// Calls step(batch) for pieces of `size` starts, which `batch_name` names for
// messages. Stops and returns false when a step does, because its loss is not
// finite.
template <typename Start, typename Step>
bool ForEachBatch(const std::vector<Start>& starts, size_t size,
                  std::string* batch_name, Step step) {
  for (size_t begin = 0; begin < starts.size(); begin += size) {
    *batch_name = absl::StrCat("batch ", begin / size + 1);
    const size_t count = std::min(size, starts.size() - begin);
    if (!step(std::span(starts).subspan(begin, count))) return false;
  }
  return true;
}

// FAILED_PRECONDITION: no walk can leave its start.
absl::Status NoWalksError();

// The type of each node, [nodes]: the groups of noise that is typed.
std::vector<uint32_t> NoiseTypes(const GraphSnapshot& snapshot);

// Uniform numbers in [-bound, bound), to start from.
std::vector<float> RandomTable(size_t size, double bound, uint64_t seed);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_
