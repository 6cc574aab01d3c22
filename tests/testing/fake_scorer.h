// A scorer whose scores can be told from the link alone.
#ifndef SLICE_TESTS_TESTING_FAKE_SCORER_H_
#define SLICE_TESTS_TESTING_FAKE_SCORER_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "graphstore/graph_snapshot.h"
#include "model/link_predictor.h"
#include "server/pipeline/served_model.h"

namespace slice {

// What every fake scorer says of a link: equal links, equal predictions. The
// structural logit is `bias`.
Prediction FakePrediction(const Link& link, float bias = 0);

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

  // While held, calls wait inside. Release lets them go on.
  void Hold();
  void Release();
  // Returns once `count` calls are waiting.
  void WaitForHeldCalls(int count) const;

  // From now on calls fail with `status`.
  void FailWith(absl::Status status);

  // What was asked so far: links per batch, and each link scored.
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

// A model that serves `snapshot` with a FakeScorer, which stays reachable
// through `scorer`.
struct FakeModel {
  std::shared_ptr<const ServedModel> served;
  FakeScorer* scorer = nullptr;
};
FakeModel MakeFakeModel(
    std::shared_ptr<const GraphSnapshot> snapshot,
    const std::string& name = "default", float bias = 0,
    ContextStrategy strategy = ContextStrategy::kShortestPaths);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_FAKE_SCORER_H_
