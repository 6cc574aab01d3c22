#include "trainer/methods/messages/gcn.h"

#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/gcn_encoder.h"
#include "trainer/methods/messages/graph_training.h"

namespace slice {
namespace {

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  GraphTrainingOptions options = ReadGraphTraining(parameters);
  options.title = "GCN";
  return TrainGraphNetwork(input, options, [&] {
    return GraphNetwork{std::make_unique<GcnEncoder>(ShapeOf(options)),
                        nullptr};
  });
}

}  // namespace

MethodInfo GcnMethod() {
  MethodInfo info;
  info.name = "gcn";
  info.title = "GCN";
  info.description =
      "graph convolutions over learned node vectors; ignores relations; dot "
      "product";
  info.paper = "Kipf and Welling, ICLR 2017";
  info.parameters = GraphTrainingParameters(DotProductDefaults());
  info.dot_product = kAlways;
  info.train = Train;
  info.memory = [](const MethodInput& input,
                   const ParameterValues& parameters) {
    return GraphTrainingMib(input, ReadGraphTraining(parameters),
                            /*has_scorer=*/false);
  };
  return info;
}

}  // namespace slice
