#include "trainer/methods/knowledge/complex.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/freed_memory.h"
#include "common/status_macros.h"
#include "model/native/bfloat16_product.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/knowledge/knowledge_model.h"
#include "trainer/methods/method_ranking.h"

namespace slice {
namespace {

ComplexTraining ReadTraining(const MethodInput& input,
                             const ParameterValues& parameters) {
  ComplexTraining training;
  ComplexOptions& options = training.options;
  options.dim = static_cast<size_t>(parameters.Whole("dim"));
  options.batch = static_cast<size_t>(parameters.Whole("batch"));
  options.rivals = static_cast<size_t>(parameters.Whole("negatives"));
  options.most_answers = static_cast<size_t>(parameters.Whole("most_answers"));
  options.average = parameters.Number("average");
  options.learning_rate = parameters.Number("learning_rate");
  options.loss.n3 = parameters.Number("n3");
  options.loss.relation_prediction = parameters.Number("relation_prediction");
  options.answers_compete = parameters.Word("answers") == "compete";
  options.loss.bfloat16 = MachineHasBfloat16Products();
  options.seed = input.seed;
  options.threads = std::max(1, input.threads);
  training.epochs = parameters.Whole("epochs");
  training.patience = parameters.Whole("patience");
  training.valid_links = static_cast<size_t>(parameters.Whole("valid_links"));
  training.look_every = parameters.Whole("look_every");
  training.budget = input.budget;
  return training;
}

double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  return static_cast<double>(
             ReadTraining(input, parameters)
                 .options.MemoryBytes(input.snapshot->node_count(),
                                      input.snapshot->relation_count(),
                                      input.snapshot->link_count())) /
         (1 << 20);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  SLICE_ASSIGN_OR_RETURN(TrainedComplex trained,
                         TrainComplex(*input.snapshot, input.valid,
                                      ReadTraining(input, parameters)));
  return std::make_unique<const KnowledgeModel>(trained.tables,
                                                std::move(trained.summary));
}

std::vector<MethodParameter> Parameters() {
  using P = MethodParameter;
  const ComplexTraining defaults;
  const ComplexOptions& options = defaults.options;
  return {
      P::Whole("dim", static_cast<int>(options.dim), 2, 4096,
               "real numbers per node"),
      P::Whole("epochs", defaults.epochs, 1, 10000,
               "passes over the links, at most"),
      P::Whole("batch", static_cast<int>(options.batch), 1, 1 << 20,
               "links of a step; every link counts in both directions"),
      P::Whole("negatives", static_cast<int>(options.rivals), 1, 1 << 20,
               "nodes that all questions of a batch share; all nodes of the "
               "graph when it has fewer than twice this number"),
      P::Whole("most_answers", static_cast<int>(options.most_answers), 1,
               1 << 20, "answers of one question that a step learns, at most"),
      P::Number("average", options.average, 1e-9, 1,
                "share of an epoch in the moving average of the vectors over "
                "the epochs; 1: no average"),
      P::Whole("valid_links", static_cast<int>(defaults.valid_links), 1,
               1 << 20, "links that a measurement of valid ranks, at most"),
      P::Number("learning_rate", options.learning_rate, 1e-9, 10, "of Adagrad"),
      P::Number("n3", options.loss.n3, 0, 1000,
                "weight of the cubed norms of the vectors of a link"),
      P::Number("relation_prediction", options.loss.relation_prediction, 0,
                1000, "weight of the loss of the relation among all relations"),
      P::Word("answers", {"compete", "left_out"},
              "the true answers of a question are rivals of each other, as in "
              "Lacroix et al., or not"),
      P::Whole("patience", defaults.patience, 0, 1000,
               "measurements of valid without an improvement; 0: no limit"),
      P::Whole("look_every", defaults.look_every, 1, 1000,
               "epochs from one measurement of valid to the next"),
  };
}

}  // namespace

absl::StatusOr<TrainedComplex> TrainComplex(const GraphSnapshot& snapshot,
                                            std::span<const LabelledLink> valid,
                                            const ComplexTraining& training) {
  if (training.options.dim % 2 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dim is ", training.options.dim,
                     "; it must be even, because a complex number takes two"));
  }
  if (snapshot.link_count() == 0) {
    return absl::FailedPreconditionError("the graph has no link to learn from");
  }
  const FreedMemoryKeeper keeper;
  const std::span<const LabelledLink> held_out[] = {valid};
  const MethodRanking ranking(snapshot, held_out);
  const std::vector<LinkQuestion> questions =
      SampleQuestions(valid, training.valid_links);
  ComplexLearner learner(snapshot, ranking, questions, training.options);
  EpochLoopOptions loop;
  loop.epochs = training.epochs;
  loop.patience = training.patience;
  loop.look_every = training.look_every;
  loop.measure = "valid MRR";
  loop.budget = training.budget;
  loop.title = "training ComplEx";
  SLICE_ASSIGN_OR_RETURN(
      MethodSummary summary,
      RunEpochs(loop, !questions.empty(), *Clock::Real(), learner));
  return TrainedComplex{learner.tables(), std::move(summary)};
}

MethodInfo ComplexMethod() {
  MethodInfo info;
  info.name = "complex";
  info.title = "ComplEx";
  info.description =
      "products of complex numbers, each direction of a relation on its own; "
      "N3 and relation prediction";
  info.paper =
      "Trouillon et al., ICML 2016; Lacroix et al., ICML 2018; Chen et al., "
      "AKBC 2021";
  info.parameters = Parameters();
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
