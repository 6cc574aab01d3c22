// Trains networks of message passing to tell links from pairs that are no
// links.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/messages/graph_network.h"
#include "trainer/methods/messages/graph_options.h"

namespace slice {

// Estimates the memory of a training in MiB, without the graph: a learned
// vector per node with the state of Adam, the arcs, the states of all layers
// for the nodes of a step, and the scores of the candidates of a step, when
// there are any. `has_scorer`: whether the network has one.
double GraphTrainingMib(const MethodInput& input,
                        const GraphTrainingOptions& options, bool has_scorer);

using MakeNetwork = std::function<absl::StatusOr<GraphNetwork>()>;

// Trains the network that `make` makes, together with its input, a learned
// vector per node. The loss is cross-entropy on train links: each step scores
// one part of the links while the other links carry the messages. Returns the
// errors of TrainMethod (trainer/methods/link_method.h).
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainGraphNetwork(
    const MethodInput& input, const GraphTrainingOptions& options,
    const MakeNetwork& make);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
