// A batch is a part of the shuffled questions. Collect() draws the rivals and
// gives every row that the batch uses a place in the batch. The rivals come
// first, then anchors and answers, so that the scores of all rivals are one
// matrix product. Each thread takes a share of the questions and differentiates
// its loss over copies of these rows. Update() adds the gradients of all shares
// and takes one step of Adagrad on each row.
//
// The gradients of all shares are divided by the size of the batch, so their
// sum is the gradient of the mean loss. Trainings with equal seeds and equal
// numbers of threads give equal results; the number of threads changes the
// order of the sums.
#include "trainer/methods/knowledge/knowledge_learner.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "model/torch/torch_status.h"
#include "trainer/learning/training_links.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/knowledge/knowledge_loss.h"
#include "trainer/methods/knowledge/knowledge_model.h"

namespace slice {
namespace {

// Copies rows of a table into a leaf that requires a gradient.
at::Tensor GatherRows(const std::vector<float>& table, size_t width,
                      std::span<const uint32_t> rows) {
  at::Tensor gathered = at::empty(
      {static_cast<int64_t>(rows.size()), static_cast<int64_t>(width)});
  float* to = gathered.data_ptr<float>();
  for (const uint32_t row : rows) {
    to = std::copy_n(table.data() + row * width, width, to);
  }
  return gathered.set_requires_grad(true);
}

// A tensor over values [begin, end), without a copy.
at::Tensor Part(const std::vector<int64_t>& values, size_t begin, size_t end) {
  return at::from_blob(const_cast<int64_t*>(values.data() + begin),
                       {static_cast<int64_t>(end - begin)}, at::kLong);
}

}  // namespace

uint64_t KnowledgeOptions::MemoryBytes(size_t nodes, size_t relations,
                                       size_t links) const {
  const uint64_t numbers =
      nodes * (dim + 2) + KnowledgeTables::RelationRows(form, relations) *
                              KnowledgeTables::RelationWidth(form, dim);
  // The values, the squares, the stored best values, and the two copies of
  // KnowledgeModel.
  const uint64_t tables = 5 * numbers;
  const uint64_t rivals = RowPlaces::Drawn(negatives, nodes);
  const uint64_t rows = std::min<uint64_t>(nodes, rivals + 2 * batch);
  // The scores, with what the gradient keeps of them; and the rows, with a
  // gradient per thread.
  const uint64_t steps =
      8 * rivals * batch + (2 + threads) * rows * (dim + 2) + 16 * batch * dim;
  // The links, and their order in both directions.
  constexpr uint64_t kBytesOfLink = sizeof(Link) + 2 * sizeof(uint64_t);
  return sizeof(float) * (tables + steps) + kBytesOfLink * links;
}

struct KnowledgeLearner::Gradients {
  at::Tensor entities, relations;
};

KnowledgeLearner::KnowledgeLearner(const GraphSnapshot& snapshot,
                                   const MethodRanking& ranking,
                                   std::span<const LinkQuestion> questions,
                                   const KnowledgeOptions& options)
    : snapshot_(snapshot),
      ranking_(ranking),
      questions_(questions),
      options_(options),
      links_(AllLinks(snapshot)),
      order_(2 * links_.size()),
      tables_(KnowledgeTables::Random(
          options.form, options.dim, snapshot.node_count(),
          snapshot.relation_count(), CombineHash(options.seed, 11))),
      entity_squares_(tables_.entities.size()),
      relation_squares_(tables_.relations.size()),
      entity_places_(snapshot.node_count()),
      relation_places_(KnowledgeTables::RelationRows(
          options.form, snapshot.relation_count())),
      random_(CombineHash(options.seed, 12)) {
  ConfigureTorch();
  std::iota(order_.begin(), order_.end(), uint64_t{0});
}

EndQuestion KnowledgeLearner::QuestionOf(uint64_t question) const {
  const Link& link = links_[question / 2];
  return question % 2 == 0
             ? EndQuestion{link.source, link.relation, Direction::kOut}
             : EndQuestion{link.target, link.relation, Direction::kIn};
}

NodeId KnowledgeLearner::AnswerOf(uint64_t question) const {
  const Link& link = links_[question / 2];
  return question % 2 == 0 ? link.target : link.source;
}

void KnowledgeLearner::AddKnown(const EndQuestion& question, int64_t place,
                                Batch& batch) const {
  const std::span<const NodeId> known = snapshot_.Neighbors(
      question.anchor, question.relation, question.direction);
  const auto add = [&](int64_t rival) {
    if (rival >= 0 && rival < batch.rivals) {
      batch.known.push_back({place, rival});
    }
  };
  if (static_cast<int64_t>(known.size()) <= batch.rivals) {
    for (const NodeId node : known) add(entity_places_.Find(node));
    return;
  }
  for (int64_t rival = 0; rival < batch.rivals; ++rival) {
    if (std::binary_search(known.begin(), known.end(),
                           entity_places_.rows()[rival])) {
      add(rival);
    }
  }
}

KnowledgeLearner::Batch KnowledgeLearner::Collect(
    std::span<const uint64_t> questions) {
  entity_places_.Clear();
  relation_places_.Clear();
  entity_places_.Draw(options_.negatives, random_);
  Batch batch;
  batch.rivals = static_cast<int64_t>(entity_places_.rows().size());
  for (size_t i = 0; i < questions.size(); ++i) {
    const EndQuestion question = QuestionOf(questions[i]);
    const auto signed_row = KnowledgeTables::SignedRowOf(
        options_.form, question.relation, question.direction);
    AddKnown(question, static_cast<int64_t>(i), batch);
    batch.anchors.push_back(entity_places_.Place(question.anchor));
    batch.answers.push_back(entity_places_.Place(AnswerOf(questions[i])));
    batch.relations.push_back(relation_places_.Place(signed_row.row));
    batch.signs.push_back(signed_row.sign);
  }
  return batch;
}

absl::StatusOr<double> KnowledgeLearner::Differentiate(
    const Batch& batch, size_t begin, size_t end, Gradients& gradients) const {
  const at::Tensor entities = GatherRows(
      tables_.entities, tables_.entity_width(), entity_places_.rows());
  const at::Tensor relations = GatherRows(
      tables_.relations, tables_.relation_width(), relation_places_.rows());
  std::vector<int64_t> known;
  for (const auto& [question, rival] : batch.known) {
    if (question < begin || question >= end) continue;
    known.push_back((question - static_cast<int64_t>(begin)) * batch.rivals +
                    rival);
  }
  const auto count = static_cast<int64_t>(end - begin);
  const at::Tensor signs =
      at::from_blob(const_cast<float*>(batch.signs.data() + begin), {count, 1});
  const KnowledgeForm form = options_.form;
  const at::Tensor relation_places = Part(batch.relations, begin, end);
  const at::Tensor anchors =
      entities.index_select(0, Part(batch.anchors, begin, end));
  const at::Tensor answers =
      entities.index_select(0, Part(batch.answers, begin, end));
  const at::Tensor asked = relations.index_select(0, relation_places);
  const at::Tensor points = KnowledgeQueries(form, anchors, asked, signs);
  const at::Tensor of_answers = AnswerScores(form, points, anchors, answers);
  const at::Tensor of_rivals =
      RivalScores(form, points, anchors, entities.narrow(0, 0, batch.rivals),
                  Part(known, 0, known.size()));
  const at::Tensor loss =
      options_.loss == KnowledgeLoss::kSoftmax
          ? SoftmaxLoss(of_answers, of_rivals)
          : SelfAdversarialLoss(of_answers, of_rivals, options_.margin,
                                options_.temperature);
  (loss / static_cast<double>(batch.anchors.size())).backward();
  gradients = {entities.grad().contiguous(), relations.grad().contiguous()};
  return loss.item<double>();
}

void KnowledgeLearner::Update(std::span<const Gradients> gradients) {
  std::vector<const float*> entities, relations;
  for (const Gradients& share : gradients) {
    entities.push_back(share.entities.const_data_ptr<float>());
    relations.push_back(share.relations.const_data_ptr<float>());
  }
  const auto rate = static_cast<float>(options_.learning_rate);
  const size_t entity_width = tables_.entity_width();
  const size_t relation_width = tables_.relation_width();
  UpdateRows({entity_places_.rows(), std::move(entities), entity_width,
              entity_width, rate, options_.threads},
             tables_.entities, entity_squares_);
  UpdateRows({relation_places_.rows(), std::move(relations), relation_width,
              relation_width, rate, options_.threads},
             tables_.relations, relation_squares_);
}

absl::StatusOr<double> KnowledgeLearner::Step(
    std::span<const uint64_t> questions) {
  const Batch batch = Collect(questions);
  const size_t count = questions.size();
  const size_t shares = std::min<size_t>(options_.threads, count);
  std::vector<Gradients> gradients(shares);
  std::vector<absl::StatusOr<double>> losses(shares, 0.0);
  ParallelFor(shares, 1, options_.threads, [&](size_t share, size_t, int) {
    ConfigureTorchThread();
    losses[share] = CatchTorchErrors([&] {
      return Differentiate(batch, count * share / shares,
                           count * (share + 1) / shares, gradients[share]);
    });
  });
  double total = 0;
  for (const absl::StatusOr<double>& loss : losses) {
    SLICE_RETURN_IF_ERROR(loss.status());
    total += *loss;
  }
  if (!std::isfinite(total)) return std::numeric_limits<double>::quiet_NaN();
  Update(gradients);
  return total / static_cast<double>(count);
}

absl::StatusOr<double> KnowledgeLearner::RunEpoch(int /*epoch*/,
                                                  std::string* batch_name) {
  std::shuffle(order_.begin(), order_.end(), random_);
  double total = 0;
  for (size_t begin = 0; begin < order_.size(); begin += options_.batch) {
    const size_t count = std::min(options_.batch, order_.size() - begin);
    *batch_name = absl::StrCat("batch ", begin / options_.batch + 1);
    SLICE_ASSIGN_OR_RETURN(const double loss,
                           Step(std::span(order_).subspan(begin, count)));
    if (!std::isfinite(loss)) return loss;
    total += loss * static_cast<double>(count);
  }
  return total / static_cast<double>(order_.size());
}

absl::StatusOr<double> KnowledgeLearner::MeasureValid() {
  return MeanReciprocalRank(ranking_, KnowledgeModel(tables_, MethodSummary()),
                            questions_, options_.threads);
}

}  // namespace slice
