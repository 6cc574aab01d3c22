// What the comparison methods of the paper have in common: they learn from the
// links of a graph and then say how likely a link is.
#ifndef SLICE_TRAINER_METHODS_LINK_METHOD_H_
#define SLICE_TRAINER_METHODS_LINK_METHOD_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/page/curve_point.h"
#include "context/end_question.h"
#include "context/node_embeddings.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/methods/method_parameters.h"

namespace slice {

// What a method may learn from. All of it must outlive the training.
struct MethodInput {
  const GraphSnapshot* snapshot = nullptr;  // train links, and no others
  // For early stopping alone; may be empty.
  std::span<const LabelledLink> valid;
  // How negatives are drawn where the method does not say it itself.
  NegativeMix negatives;
  uint64_t seed = 1;
  int threads = 1;
  absl::Duration budget = absl::InfiniteDuration();  // of the training
};

// How a training went, for progress and reports.
struct MethodSummary {
  int epochs = 0;      // that were run
  int best_epoch = 0;  // whose state is kept, from 1; 0: nothing was trained
  double best_valid = 0;
  std::string measure;            // of best_valid, such as "valid AUROC"
  std::vector<CurvePoint> loss;   // (epoch, mean loss)
  std::vector<CurvePoint> valid;  // (epoch, measure)
  std::string stopped;            // why, such as "no better for 5 epochs"
  double seconds = 0;
};

// A method that has learnt. Immutable; thread-safe.
class TrainedMethod {
 public:
  virtual ~TrainedMethod() = default;

  // How likely `links` are: of two the higher score is the likelier, whatever
  // the scale. `made_from` names for each link another whose pair is hidden as
  // well (the positive a negative was made from, or the link itself); methods
  // that do not look at the graph when they score leave it aside.
  // REQUIRES: equal sizes.
  virtual void Score(std::span<const Link> links,
                     std::span<const Link> made_from,
                     std::span<float> scores) const = 0;

  // The same for every candidate in the place asked for. By default Score().
  // REQUIRES: equal sizes.
  virtual void ScoreCandidates(const EndQuestion& question,
                               std::span<const NodeId> candidates,
                               std::span<float> scores) const;

  // [nodes, dim]; empty when the method has none to give.
  virtual NodeEmbeddings embeddings() const { return {}; }

  const MethodSummary& summary() const { return summary_; }

 protected:
  MethodSummary summary_;
};

// Learns. FAILED_PRECONDITION when the graph lacks what the method needs (node
// types), RESOURCE_EXHAUSTED when there is too little memory, INVALID_ARGUMENT
// from a parameter; ABORTED when no epoch ended with a loss that is a number.
using TrainMethod = absl::StatusOr<std::unique_ptr<const TrainedMethod>> (*)(
    const MethodInput& input, const ParameterValues& parameters);

// About how much memory a training takes beside the graph, in MiB.
using EstimateMemory = double (*)(const MethodInput& input,
                                  const ParameterValues& parameters);

// Everything a user can be told about a method.
struct MethodInfo {
  std::string name;   // "transe"
  std::string title;  // as tables show it, "TransE"
  std::string what;   // one line
  std::string paper;  // "Bordes et al., NeurIPS 2013"
  std::vector<MethodParameter> parameters;
  bool needs_node_types = false;
  // The score of a link is the dot product of its ends' embeddings, so that it
  // can be served as a bundle (dot_bundle.h).
  bool dot_product = false;
  bool learns = true;  // else one run says all: seeds change nothing
  TrainMethod train = nullptr;
  EstimateMemory memory = nullptr;  // not asked when there is none
  std::string preset = "";          // of fit, in the place of `train`
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_LINK_METHOD_H_
