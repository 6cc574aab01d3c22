// A batch is a part of the shuffled questions. Each thread differentiates a
// share of them over copies of the rows that the batch uses; the sum of the
// gradients of all shares is one step of Adagrad. Trainings with equal seeds
// and equal numbers of threads give equal results.
#include "trainer/methods/knowledge/complex_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "model/torch/torch_status.h"
#include "trainer/learning/training_links.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/knowledge/knowledge_model.h"

namespace slice {
namespace {

bool IsSame(const EndQuestion& a, const EndQuestion& b) {
  return a.anchor == b.anchor && a.relation == b.relation &&
         a.direction == b.direction;
}

// The gradients of all shares by the rows of one table.
std::vector<const float*> RowsOf(std::span<const ComplexGradients> shares,
                                 std::vector<float> ComplexGradients::*member) {
  std::vector<const float*> rows;
  for (const ComplexGradients& share : shares) {
    rows.push_back((share.*member).data());
  }
  return rows;
}

// A link in both directions: its answers, questions and their order.
constexpr uint64_t kBytesOfLink = 64;

}  // namespace

uint64_t ComplexOptions::MemoryBytes(size_t nodes, size_t relations,
                                     size_t links) const {
  // The values, the squares, the average, the stored best values, and the two
  // copies of KnowledgeModel.
  const uint64_t tables = 6 * (nodes * (dim + 2) + 2 * relations * dim);
  const uint64_t rows =
      std::min<uint64_t>(nodes, RowPlaces::Drawn(rivals, nodes) + 2 * batch);
  // Of each thread: two copies and two gradients of the rows, and of those of
  // relations; and the scores.
  const uint64_t steps =
      threads * 4 * (rows + 2 * relations) * dim + 2 * rows * batch;
  return sizeof(float) * (tables + steps) + kBytesOfLink * links;
}

ComplexLearner::ComplexLearner(const GraphSnapshot& snapshot,
                               const MethodRanking& ranking,
                               std::span<const LinkQuestion> questions,
                               const ComplexOptions& options)
    : snapshot_(snapshot),
      ranking_(ranking),
      questions_(questions),
      options_(options),
      tables_(KnowledgeTables::Random(
          KnowledgeForm::kProduct, options.dim, snapshot.node_count(),
          snapshot.relation_count(), CombineHash(options.seed, 11))),
      entity_squares_(tables_.entities.size()),
      relation_squares_(tables_.relations.size()),
      places_(snapshot.node_count()),
      random_(CombineHash(options.seed, 12)) {
  ConfigureTorch();
  AddGroups(Direction::kOut);
  AddGroups(Direction::kIn);
  order_.resize(groups_.size());
  std::iota(order_.begin(), order_.end(), 0u);
}

void ComplexLearner::AddGroups(Direction direction) {
  std::vector<Link> links = AllLinks(snapshot_);
  const auto key = [&](const Link& link) {
    return direction == Direction::kOut
               ? std::tuple(link.source, link.relation, link.target)
               : std::tuple(link.target, link.relation, link.source);
  };
  std::sort(links.begin(), links.end(),
            [&](const Link& a, const Link& b) { return key(a) < key(b); });
  for (const Link& link : links) {
    const auto [anchor, relation, answer] = key(link);
    const EndQuestion question{anchor, relation, direction};
    const bool goes_on = !groups_.empty() &&
                         IsSame(groups_.back().question, question) &&
                         groups_.back().count < options_.most_answers;
    if (!goes_on) {
      groups_.push_back({question, static_cast<uint32_t>(answers_.size())});
    }
    ++groups_.back().count;
    answers_.push_back(answer);
  }
}

std::vector<uint32_t> ComplexLearner::KnownRivals(const Group& group,
                                                  size_t rivals) const {
  const EndQuestion& question = group.question;
  const std::span<const NodeId> known = snapshot_.Neighbors(
      question.anchor, question.relation, question.direction);
  std::vector<uint32_t> places;
  for (const NodeId node : known) {
    const int64_t place = places_.Find(node);
    if (place >= 0 && place < static_cast<int64_t>(rivals)) {
      places.push_back(static_cast<uint32_t>(place));
    }
  }
  return places;
}

ComplexBatch ComplexLearner::Collect(std::span<const uint32_t> groups) {
  ComplexBatch batch;
  places_.Clear();
  places_.Draw(options_.rivals, random_);
  batch.rivals = places_.rows().size();
  const auto place = [&](NodeId node) {
    return static_cast<uint32_t>(places_.Place(node));
  };
  for (const uint32_t i : groups) {
    const Group& group = groups_[i];
    ComplexQuestion question;
    question.relation =
        KnowledgeTables::SignedRowOf(tables_.form, group.question.relation,
                                     group.question.direction)
            .row;
    if (!options_.answers_compete) {
      question.known = KnownRivals(group, batch.rivals);
    }
    question.anchor = place(group.question.anchor);
    for (uint32_t k = 0; k < group.count; ++k) {
      question.answers.push_back(place(answers_[group.begin + k]));
    }
    batch.links += group.count;
    batch.questions.push_back(std::move(question));
  }
  batch.entities.assign(places_.rows().begin(), places_.rows().end());
  return batch;
}

absl::StatusOr<double> ComplexLearner::Step(const ComplexBatch& batch) {
  const size_t count = batch.questions.size();
  const size_t shares = std::min<size_t>(options_.threads, count);
  std::vector<ComplexGradients> gradients(shares);
  std::vector<absl::Status> statuses(shares);
  ParallelFor(shares, 1, options_.threads, [&](size_t share, size_t, int) {
    ConfigureTorchThread();
    statuses[share] = CatchTorchErrors([&] {
      gradients[share] =
          Differentiate(tables_, batch, count * share / shares,
                        count * (share + 1) / shares, options_.loss);
      return absl::OkStatus();
    });
  });
  double total = 0;
  for (size_t share = 0; share < shares; ++share) {
    SLICE_RETURN_IF_ERROR(statuses[share]);
    total += gradients[share].loss;
  }
  if (!std::isfinite(total)) return std::numeric_limits<double>::quiet_NaN();
  const auto rate = static_cast<float>(options_.learning_rate);
  const size_t dim = options_.dim;
  std::vector<uint32_t> relations(tables_.relations.size() / dim);
  std::iota(relations.begin(), relations.end(), 0u);
  UpdateRows({batch.entities, RowsOf(gradients, &ComplexGradients::entities),
              dim, tables_.entity_width(), rate, options_.threads},
             tables_.entities, entity_squares_);
  UpdateRows({relations, RowsOf(gradients, &ComplexGradients::relations), dim,
              dim, rate, options_.threads},
             tables_.relations, relation_squares_);
  return total;
}

// Shuffles the groups, and the answers of each question among its groups.
void ComplexLearner::ShuffleLinks() {
  for (size_t first = 0; first < groups_.size();) {
    const uint32_t begin = groups_[first].begin;
    uint32_t end = begin;
    const EndQuestion question = groups_[first].question;
    while (first < groups_.size() &&
           IsSame(groups_[first].question, question)) {
      end += groups_[first++].count;
    }
    std::shuffle(answers_.begin() + begin, answers_.begin() + end, random_);
  }
  std::shuffle(order_.begin(), order_.end(), random_);
}

void ComplexLearner::AddToAverage(int epoch) {
  if (epoch == 1) {
    average_ = tables_;
    return;
  }
  const auto share = static_cast<float>(options_.average);
  const auto add = [&](const std::vector<float>& from, std::vector<float>& to) {
    for (size_t i = 0; i < to.size(); ++i) to[i] += share * (from[i] - to[i]);
  };
  add(tables_.entities, average_.entities);
  add(tables_.relations, average_.relations);
}

absl::StatusOr<double> ComplexLearner::RunEpoch(int epoch,
                                                std::string* batch_name) {
  ShuffleLinks();
  double total = 0;
  size_t number = 0, begin = 0;
  while (begin < order_.size()) {
    size_t end = begin, links = 0;
    while (end < order_.size() && links < options_.batch) {
      links += groups_[order_[end++]].count;
    }
    *batch_name = absl::StrCat("batch ", ++number);
    const ComplexBatch batch =
        Collect(std::span(order_).subspan(begin, end - begin));
    SLICE_ASSIGN_OR_RETURN(const double loss, Step(batch));
    if (!std::isfinite(loss)) return loss;
    total += loss;
    begin = end;
  }
  if (options_.average < 1) AddToAverage(epoch);
  return total / static_cast<double>(answers_.size());
}

absl::StatusOr<double> ComplexLearner::MeasureValid() {
  return MeanReciprocalRank(ranking_,
                            KnowledgeModel(Current(), MethodSummary()),
                            questions_, options_.threads);
}

}  // namespace slice
