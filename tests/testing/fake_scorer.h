// A scorer whose answer depends on the link alone, so that tests can predict
// it.
#ifndef SLICE_TESTS_TESTING_FAKE_SCORER_H_
#define SLICE_TESTS_TESTING_FAKE_SCORER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "graphstore/graph_snapshot.h"
#include "model/batch_scorer.h"
#include "server/models/served_model.h"

namespace slice {

// The prediction of every FakeScorer with this bias for a link. The structural
// logit is `bias`.
Prediction FakePrediction(const Link& link, float bias = 0);

// What an explanation of a FakeScorer says of context number `position` of the
// `count` contexts of a link. The contexts differ; the mean of their logits is
// that of the link.
Prediction FakeContextPrediction(const Link& link, float bias, size_t position,
                                 size_t count);

// Thread-safe. Scores by FakePrediction; attention is uniform, one layer and
// two heads; every pair feature contributes -2 times its value.
class FakeScorer final : public BatchScorer {
 public:
  explicit FakeScorer(float bias = 0) : bias_(bias) {}

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override;
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override;

  std::vector<ForwardTiming> timings() const override {
    return forward_timings;
  }
  std::vector<ForwardTiming> forward_timings;

  // After Hold, calls wait inside until Release.
  void Hold();
  void Release();
  // Returns once `count` calls are waiting.
  void WaitForHeldCalls(int count) const;

  // From now on calls fail with `status`.
  void FailWith(absl::Status status);

  // The links of each batch so far, counted, and every link scored so far.
  std::vector<int64_t> batch_sizes() const;
  std::multiset<Link> links() const;
  int explain_calls() const;

 private:
  absl::Status Enter(const ContextBatch& batch, bool explain) const;

  const float bias_;

  mutable Mutex mutex_;
  mutable CondVar changed_;
  bool held_ ABSL_GUARDED_BY(mutex_) = false;
  mutable int held_calls_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  mutable std::vector<int64_t> batch_sizes_ ABSL_GUARDED_BY(mutex_);
  mutable std::multiset<Link> links_ ABSL_GUARDED_BY(mutex_);
  mutable int explain_calls_ ABSL_GUARDED_BY(mutex_) = 0;
};

// A model that serves `snapshot` with a FakeScorer, and that scorer.
struct FakeModel {
  std::shared_ptr<const ServedModel> served;
  FakeScorer* scorer = nullptr;
};
FakeModel MakeFakeModel(
    std::shared_ptr<const GraphSnapshot> snapshot,
    const std::string& name = "default", float bias = 0,
    ContextStrategy strategy = ContextStrategy::kShortestPaths,
    int contexts_per_link = 1);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_FAKE_SCORER_H_
