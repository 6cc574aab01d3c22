// What all comparison methods have in common: they learn from the links of a
// graph and then score links.
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

// What a method may learn from. Everything that it refers to must outlive the
// training.
struct MethodInput {
  const GraphSnapshot* snapshot = nullptr;  // the train links alone
  // Rows of the valid file, for early stopping alone. May be empty.
  std::span<const LabelledLink> valid;
  // How to draw negatives, for methods that do not define it themselves.
  NegativeMix negatives;
  uint64_t seed = 1;
  int threads = 1;
  absl::Duration budget = absl::InfiniteDuration();  // of the training
  bool ranks = true;  // whether candidates are ranked by the trained method
};

// How a training went. Reports show it.
struct MethodSummary {
  int epochs = 0;      // finished
  int best_epoch = 0;  // whose state was kept; from 1; 0: nothing was trained
  double best_valid = 0;
  std::string measure;  // the name of best_valid, such as "valid AUROC"
  std::vector<CurvePoint> loss;   // (epoch, mean loss)
  std::vector<CurvePoint> valid;  // (epoch, measure)
  std::string stopped;  // the reason, such as "no better for 5 epochs"
  double seconds = 0;
};

// A trained method. Immutable; thread-safe.
class TrainedMethod {
 public:
  virtual ~TrainedMethod() = default;

  // Scores `links`: of two links the likelier one has the higher score. The
  // scale is the method's own. made_from[i] is the positive that links[i] was
  // made from when links[i] is a made negative, and links[i] itself otherwise.
  // A method that reads the graph while it scores hides the pairs of links[i]
  // and of made_from[i]; other methods ignore `made_from`. REQUIRES: the spans
  // have equal sizes.
  virtual void Score(std::span<const Link> links,
                     std::span<const Link> made_from,
                     std::span<float> scores) const = 0;

  // Scores each candidate as the answer to `question`; of two candidates the
  // likelier one has the higher score. Calls Score() with the links
  // question.With(candidate) unless a method overrides it. One that scores the
  // two directions of a link apart takes that of the question here, and the
  // mean of both in Score(). REQUIRES: `candidates` and `scores` have equal
  // sizes.
  virtual void ScoreCandidates(const EndQuestion& question,
                               std::span<const NodeId> candidates,
                               std::span<float> scores) const;

  // The vectors of the nodes, [nodes, dim]; empty when the method has none.
  virtual NodeEmbeddings embeddings() const { return {}; }

  const MethodSummary& summary() const { return summary_; }

 protected:
  MethodSummary summary_;
};

// Trains a method. FAILED_PRECONDITION when the graph lacks what the method
// needs, such as links or node types. INVALID_ARGUMENT when a parameter does
// not fit. RESOURCE_EXHAUSTED when memory runs out. ABORTED when a loss is not
// a finite number before a first state was kept.
using TrainMethod = absl::StatusOr<std::unique_ptr<const TrainedMethod>> (*)(
    const MethodInput& input, const ParameterValues& parameters);

// Estimates the memory of a training in MiB, without the graph.
using EstimateMemory = double (*)(const MethodInput& input,
                                  const ParameterValues& parameters);

inline constexpr std::string_view kAlways = "always";

// The description of a method: its names, its parameters and how to train it.
struct MethodInfo {
  std::string name;         // "transe"
  std::string title;        // the name in tables, "TransE"
  std::string description;  // one line
  std::string paper;        // "Bordes et al., NeurIPS 2013"
  std::vector<MethodParameter> parameters;
  bool needs_node_types = false;
  // When the score of a link is the dot product of its ends' embeddings:
  // kAlways, the setting that makes it so ("score=dot"), or "" for never. Such
  // a method can be published as a bundle (trainer/methods/dot_bundle.h).
  std::string dot_product;
  bool learns = true;  // false: no seed changes the result
  // The least share of the budget that bounds a part of the training.
  double least_budget_part = 1;
  TrainMethod train = nullptr;
  EstimateMemory memory = nullptr;  // null: no check of memory
  // The preset of `slice-trainer fit` that trains this method instead of
  // `train`; or empty.
  std::string preset;
};

bool ScoresByDotProduct(const MethodInfo& info,
                        const ParameterValues& parameters);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_LINK_METHOD_H_
