// The four methods share one training. The options come from the parameters;
// KnowledgeLearner learns from the train links in the epoch loop;
// KnowledgeModel scores with the tables of the best epoch. The methods differ
// only in their KnowledgeForm and in their defaults.
//
// Early stopping ranks a sample of the valid links. A batch holds one score for
// every question and every shared negative, so Validate() bounds the number of
// these scores. KnowledgeOptions::MemoryBytes() estimates the memory of the
// whole training.
#include "trainer/methods/knowledge/knowledge_embedding.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/freed_memory.h"
#include "common/status_macros.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/knowledge/knowledge_learner.h"
#include "trainer/methods/knowledge/knowledge_model.h"
#include "trainer/methods/knowledge/row_places.h"
#include "trainer/methods/method_ranking.h"

namespace slice {
namespace {

// How many valid links early stopping ranks. On large graphs there are fewer,
// so that one measurement takes about kMostValidProducts multiplications.
constexpr size_t kMostValidLinks = 500, kLeastValidLinks = 50;
constexpr size_t kMostValidProducts = size_t{1} << 34;
// The most scores of a batch. All of them are in memory at once.
constexpr size_t kMostScoresOfBatch = size_t{1} << 26;

size_t ValidLinksToRank(size_t nodes, size_t dim) {
  return std::clamp(kMostValidProducts / (2 * nodes * dim + 1),
                    kLeastValidLinks, kMostValidLinks);
}

absl::Status Validate(const KnowledgeOptions& options,
                      const GraphSnapshot& snapshot) {
  if (options.form != KnowledgeForm::kTranslation && options.dim % 2 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dim is ", options.dim,
                     "; it must be even, because this method rotates or "
                     "reflects pairs of coordinates"));
  }
  const size_t rivals =
      RowPlaces::Drawn(options.negatives, snapshot.node_count());
  if (options.batch * rivals > kMostScoresOfBatch) {
    return absl::InvalidArgumentError(absl::StrCat(
        "batch ", options.batch, " times negatives ", rivals, " is ",
        options.batch * rivals, " scores; ", kMostScoresOfBatch,
        " can be held at once; lower batch or negatives"));
  }
  if (snapshot.link_count() == 0) {
    return absl::FailedPreconditionError("the graph has no link to learn from");
  }
  return absl::OkStatus();
}

KnowledgeOptions ReadOptions(KnowledgeForm form, const MethodInput& input,
                             const ParameterValues& parameters) {
  KnowledgeOptions options;
  options.form = form;
  options.dim = static_cast<size_t>(parameters.Whole("dim"));
  options.batch = static_cast<size_t>(parameters.Whole("batch"));
  options.negatives = static_cast<size_t>(parameters.Whole("negatives"));
  options.learning_rate = parameters.Number("learning_rate");
  options.loss = parameters.Word("loss") == "softmax"
                     ? KnowledgeLoss::kSoftmax
                     : KnowledgeLoss::kSelfAdversarial;
  options.margin = parameters.Number("margin");
  options.temperature = parameters.Number("temperature");
  options.seed = input.seed;
  options.threads = std::max(1, input.threads);
  return options;
}

template <KnowledgeForm kForm>
double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  const KnowledgeOptions options = ReadOptions(kForm, input, parameters);
  return static_cast<double>(options.MemoryBytes(
             input.snapshot->node_count(), input.snapshot->relation_count(),
             input.snapshot->link_count())) /
         (1 << 20);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    KnowledgeForm form, const MethodInput& input,
    const ParameterValues& parameters) {
  const GraphSnapshot& snapshot = *input.snapshot;
  const KnowledgeOptions options = ReadOptions(form, input, parameters);
  SLICE_RETURN_IF_ERROR(Validate(options, snapshot));
  const FreedMemoryKeeper keeper;  // every step makes the same large arrays
  const std::span<const LabelledLink> held_out[] = {input.valid};
  const MethodRanking ranking(snapshot, held_out);
  const std::vector<LinkQuestion> questions = SampleQuestions(
      input.valid, ValidLinksToRank(snapshot.node_count(), options.dim));
  KnowledgeLearner learner(snapshot, ranking, questions, options);
  EpochLoopOptions loop;
  loop.epochs = parameters.Whole("epochs");
  loop.patience = parameters.Whole("patience");
  loop.look_every = parameters.Whole("look_every");
  loop.measure = "valid MRR";
  loop.budget = input.budget;
  SLICE_ASSIGN_OR_RETURN(
      MethodSummary summary,
      RunEpochs(loop, !questions.empty(), *Clock::Real(), learner));
  return std::make_unique<const KnowledgeModel>(learner.tables(),
                                                std::move(summary));
}

template <KnowledgeForm kForm>
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainForm(
    const MethodInput& input, const ParameterValues& parameters) {
  return Train(kForm, input, parameters);
}

// The parameters of all forms, with the defaults of one form.
std::vector<MethodParameter> ParametersOf(const KnowledgeOptions& defaults,
                                          int patience) {
  using P = MethodParameter;
  return {
      P::Whole("dim", static_cast<int>(defaults.dim), 1, 4096,
               "numbers per node"),
      P::Whole("epochs", 50, 1, 10000, "passes over the links, at most"),
      P::Whole("batch", static_cast<int>(defaults.batch), 1, 1 << 20,
               "questions of a step; every link makes two"),
      P::Whole(
          "negatives", static_cast<int>(defaults.negatives), 1, 1 << 20,
          "nodes that all questions of a batch share; all nodes of the graph "
          "when it has fewer than twice this number"),
      P::Number("learning_rate", defaults.learning_rate, 1e-9, 10,
                "of Adagrad"),
      P::Word("loss", {"self_adversarial", "softmax"},
              "loss of an answer among the negatives"),
      P::Number("margin", defaults.margin, -1000, 1000,
                "of the self-adversarial loss"),
      P::Number(
          "temperature", defaults.temperature, 0, 1000,
          "of the negatives' weights in the self-adversarial loss; 0: equal"),
      P::Whole("patience", patience, 0, 1000,
               "measurements of valid without an improvement; 0: no limit"),
      P::Whole("look_every", 3, 1, 1000,
               "epochs from one measurement of valid to the next"),
  };
}

// The description of a form, without its names.
template <KnowledgeForm kForm>
MethodInfo DescribeForm(const KnowledgeOptions& defaults, int patience) {
  MethodInfo info;
  info.parameters = ParametersOf(defaults, patience);
  info.train = TrainForm<kForm>;
  info.memory = EstimateMib<kForm>;
  return info;
}

// RotE, RefE or AttE: three forms of one paper, which share their defaults.
template <KnowledgeForm kForm>
MethodInfo DescribeTurns(std::string name, std::string title,
                         std::string description) {
  KnowledgeOptions defaults;
  defaults.margin = 6;  // for squared distances
  MethodInfo info = DescribeForm<kForm>(defaults, 3);
  info.name = std::move(name);
  info.title = std::move(title);
  info.description = std::move(description);
  info.paper = "Chami et al., ACL 2020";
  return info;
}

}  // namespace

MethodInfo TranseMethod() {
  // The MRR of TransE can stay the same for many epochs before it rises.
  MethodInfo info =
      DescribeForm<KnowledgeForm::kTranslation>(KnowledgeOptions(), 5);
  info.name = "transe";
  info.title = "TransE";
  info.description =
      "relations as translations, h + r near t; self-adversarial negatives";
  info.paper = "Bordes et al., NeurIPS 2013; Sun et al., ICLR 2019";
  return info;
}

MethodInfo RoteMethod() {
  return DescribeTurns<KnowledgeForm::kRotation>(
      "rote", "RotE",
      "relations as rotations and translations, each direction on its own");
}

MethodInfo RefeMethod() {
  return DescribeTurns<KnowledgeForm::kReflection>(
      "refe", "RefE",
      "relations as reflections and translations, each direction on its own");
}

MethodInfo AtteMethod() {
  return DescribeTurns<KnowledgeForm::kAttention>(
      "atte", "AttE",
      "relations as rotations and reflections, mixed by attention, and "
      "translations, each direction on its own");
}

}  // namespace slice
