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
  double margin = 9;       // of the self-adversarial loss, as is
  double temperature = 1;  // 0: all negatives weigh the same
  uint64_t seed = 1;
  int threads = 1;

  // About what training `nodes` nodes and `relations` relations takes.
  uint64_t MemoryBytes(size_t nodes, size_t relations) const;
};

// Distinct rows of a table, in the order first named. Thread-compatible.
class RowPlaces {
 public:
  explicit RowPlaces(size_t table_rows) : place_(table_rows, kNone) {}

  // The place of `row` among rows(); adds it when it is new.
  int64_t Place(uint32_t row);
  // Its place, or -1.
  int64_t Find(uint32_t row) const { return place_[row]; }
  void Clear();
  std::span<const uint32_t> rows() const { return rows_; }

 private:
  static constexpr int32_t kNone = -1;
  std::vector<int32_t> place_;  // by row
  std::vector<uint32_t> rows_;
};

// Every train link asks for its target and for its source, against nodes drawn
// uniformly from the catalogue, known answers left out. Adagrad on the rows of
// a batch alone. Memory is O(nodes + links + batch * negatives).
// Thread-compatible.
class KnowledgeLearner : public EpochLearner {
 public:
  // `ranking` and `questions` measure valid. All must outlive the learner.
  KnowledgeLearner(const GraphSnapshot& snapshot, const MethodRanking& ranking,
                   std::span<const LinkQuestion> questions,
                   const KnowledgeOptions& options);

  absl::StatusOr<double> RunEpoch(int epoch, std::string* where) override;
  // Filtered MRR.
  absl::StatusOr<double> MeasureValid() override;
  void Keep() override { kept_ = tables_; }
  void Restore() override { tables_ = kept_; }

  const KnowledgeTables& tables() const { return tables_; }

 private:
  // What the questions of a batch look up, as places among its rows.
  struct Batch {
    int64_t rivals = 0;  // rows [0, rivals) of the entities
    std::vector<int64_t> anchors, answers, relations;
    std::vector<float> signs;
    // (question, rival) pairs that are links of the graph.
    std::vector<std::pair<int64_t, int64_t>> known;
  };
  struct Gradients;

  EndQuestion QuestionOf(uint64_t question) const;
  NodeId AnswerOf(uint64_t question) const;
  void DrawRivals();
  Batch Collect(std::span<const uint64_t> questions);
  void AddKnown(const EndQuestion& question, int64_t place, Batch& batch) const;
  // The mean loss of the batch; takes the step.
  absl::StatusOr<double> Step(std::span<const uint64_t> questions);
  // The sum over questions [begin, end) of the batch.
  absl::StatusOr<double> Differentiate(const Batch& batch, size_t begin,
                                       size_t end, Gradients& gradients) const;
  void Update(std::span<const Gradients> gradients);

  const GraphSnapshot& snapshot_;
  const MethodRanking& ranking_;
  const std::span<const LinkQuestion> questions_;
  const KnowledgeOptions options_;
  const std::vector<Link> links_;
  std::vector<uint64_t> order_;  // of questions: 2 * link, + 1 for the source
  KnowledgeTables tables_, kept_;
  // Parallel to the tables: Adagrad's sums of squares.
  std::vector<float> entity_squares_, relation_squares_;
  RowPlaces entity_places_, relation_places_;
  Random random_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_LEARNER_H_
