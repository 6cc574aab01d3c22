// Trains ComplEx, batch by batch.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_LEARNER_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_LEARNER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/random.h"
#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/knowledge/complex_batch.h"
#include "trainer/methods/knowledge/knowledge_tables.h"
#include "trainer/methods/knowledge/row_places.h"
#include "trainer/methods/method_ranking.h"

namespace slice {

struct ComplexOptions {
  size_t dim = 256;    // real numbers per node; even
  size_t batch = 500;  // links of a step
  // Rivals of an answer: this many nodes, drawn uniformly for each step, or all
  // nodes of a graph that has fewer than twice as many.
  size_t rivals = 8192;
  // Answers of a question that a step learns at once, at most. Few make the
  // links of a step more independent; many make an epoch cheaper.
  size_t most_answers = 8;
  double learning_rate = 0.1;  // of Adagrad
  // The vectors that count are a moving average over the epochs, to which each
  // epoch adds its own with this share. 1: those of the last epoch.
  double average = 0.3;
  // Whether the true answers of a question are rivals of each other, as in
  // Lacroix et al.
  bool answers_compete = false;
  ComplexLoss loss = {.n3 = 0.05, .relation_prediction = 0.25};
  uint64_t seed = 1;
  int threads = 1;

  // Estimates the memory of a training, in bytes.
  uint64_t MemoryBytes(size_t nodes, size_t relations, size_t links) const;
};

// Learns from the questions (anchor, relation, ?) in both directions. Links
// with the same anchor and relation are one question with several answers, so
// that the scores of all nodes are computed once for all of them. Steps are
// taken by Adagrad. Memory is O(nodes * dim + batch * rivals + links).
// Thread-compatible.
class ComplexLearner : public EpochLearner {
 public:
  // MeasureValid() ranks `questions` by `ranking`. All references must outlive
  // the learner.
  ComplexLearner(const GraphSnapshot& snapshot, const MethodRanking& ranking,
                 std::span<const LinkQuestion> questions,
                 const ComplexOptions& options);

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override;
  // The filtered MRR of `questions`.
  absl::StatusOr<double> MeasureValid() override;
  void Keep() override { kept_ = Current(); }
  void Restore() override { tables_ = kept_; }

  const KnowledgeTables& tables() const { return tables_; }

 private:
  // A question and some of its answers: [begin, begin + count) of answers_.
  struct Group {
    EndQuestion question;
    uint32_t begin = 0, count = 0;
  };

  void AddGroups(Direction direction);
  void ShuffleLinks();
  // The tables that are measured and kept.
  const KnowledgeTables& Current() const {
    return options_.average < 1 ? average_ : tables_;
  }
  void AddToAverage(int epoch);
  ComplexBatch Collect(std::span<const uint32_t> groups);
  // The rivals that are true answers of the question of `group`.
  std::vector<uint32_t> KnownRivals(const Group& group, size_t rivals) const;
  // Takes one step and returns the sum of the losses of the links of the batch.
  // A loss that is not finite becomes NaN and changes nothing.
  absl::StatusOr<double> Step(const ComplexBatch& batch);

  const GraphSnapshot& snapshot_;
  const MethodRanking& ranking_;
  const std::span<const LinkQuestion> questions_;
  const ComplexOptions options_;
  std::vector<NodeId> answers_;
  std::vector<Group> groups_;
  std::vector<uint32_t> order_;  // of groups_, shuffled
  KnowledgeTables tables_, average_, kept_;
  // Adagrad's sums of squares, parallel to the tables.
  std::vector<float> entity_squares_, relation_squares_;
  RowPlaces places_;
  Random random_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_LEARNER_H_
