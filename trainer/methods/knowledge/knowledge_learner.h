// Trains knowledge graph embeddings, batch by batch.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LEARNER_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LEARNER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/random.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/knowledge/knowledge_tables.h"
#include "trainer/methods/knowledge/row_places.h"
#include "trainer/methods/method_ranking.h"

namespace slice {

enum class KnowledgeLoss : uint8_t { kSelfAdversarial, kSoftmax };

struct KnowledgeOptions {
  KnowledgeForm form = KnowledgeForm::kTranslation;
  size_t dim = 200;
  size_t batch = 1000;     // questions
  size_t negatives = 256;  // nodes that all questions of a batch share
  double learning_rate = 0.1;
  KnowledgeLoss loss = KnowledgeLoss::kSelfAdversarial;
  double margin = 9;       // of the self-adversarial loss
  double temperature = 1;  // 0: all negatives weigh the same
  uint64_t seed = 1;
  int threads = 1;

  // Estimates the memory of a training, in bytes.
  uint64_t MemoryBytes(size_t nodes, size_t relations, size_t links) const;
};

// Learns from questions. Every train link gives two questions: one asks for its
// target, the other for its source. The anchor is the end that is not asked
// for. The rivals of an answer are nodes drawn uniformly, the same for all
// questions of a batch; true answers in the train graph do not count as rivals.
// A step changes only the rows of its batch, by Adagrad. Memory is O(nodes +
// links + batch * negatives). Thread-compatible.
class KnowledgeLearner : public EpochLearner {
 public:
  // MeasureValid() ranks `questions` by `ranking`. All references must outlive
  // the learner.
  KnowledgeLearner(const GraphSnapshot& snapshot, const MethodRanking& ranking,
                   std::span<const LinkQuestion> questions,
                   const KnowledgeOptions& options);

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override;
  // The filtered MRR of `questions`.
  absl::StatusOr<double> MeasureValid() override;
  void Keep() override { kept_ = tables_; }
  void Restore() override { tables_ = kept_; }

  const KnowledgeTables& tables() const { return tables_; }

 private:
  // The questions of a batch. Anchors, answers and relations are places of
  // rows.
  struct Batch {
    int64_t rivals = 0;  // how many; they are the first rows of the entities
    std::vector<int64_t> anchors, answers, relations;
    std::vector<float> signs;
    // The pairs (question, rival) whose rival is a true answer.
    std::vector<std::pair<int64_t, int64_t>> known;
  };
  struct Gradients;

  EndQuestion QuestionOf(uint64_t question) const;
  NodeId AnswerOf(uint64_t question) const;
  // Draws rivals and looks up the rows of the questions.
  Batch Collect(std::span<const uint64_t> questions);
  // Adds to batch.known the rivals that are true answers of `question`, which
  // has the position `place` in the batch.
  void AddKnown(const EndQuestion& question, int64_t place, Batch& batch) const;
  // Takes one step and returns the mean loss of the batch. A loss that is not
  // finite becomes NaN and changes nothing.
  absl::StatusOr<double> Step(std::span<const uint64_t> questions);
  // Returns the sum of the losses of questions [begin, end) of the batch, and
  // sets the gradients of the rows.
  absl::StatusOr<double> Differentiate(const Batch& batch, size_t begin,
                                       size_t end, Gradients& gradients) const;
  // Takes a step of Adagrad with the sum of the gradients of all shares.
  void Update(std::span<const Gradients> gradients);

  const GraphSnapshot& snapshot_;
  const MethodRanking& ranking_;
  const std::span<const LinkQuestion> questions_;
  const KnowledgeOptions options_;
  const std::vector<Link> links_;
  // The numbers of the questions in shuffled order. Question 2i asks for the
  // target of links_[i], and question 2i + 1 for its source.
  std::vector<uint64_t> order_;
  KnowledgeTables tables_, kept_;
  // Adagrad's sums of squares, parallel to the tables.
  std::vector<float> entity_squares_, relation_squares_;
  RowPlaces entity_places_, relation_places_;
  Random random_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LEARNER_H_
