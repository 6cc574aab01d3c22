// Run and RunStructural guard their calls in the same two layers. The inner
// layer, OnDeviceOrElse, moves a call to the fallback once the device is lost.
// When a call ran out of memory, the outer layer repeats it in two halves and
// puts their outputs together. DeviceHealth is shared with the server, which
// reports the loss of the device.
#include "model/guarded_forward.h"

#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>

#include "common/status_macros.h"

namespace slice {
namespace {

// Rows [begin, end) of a batch.
ContextBatch Part(const ContextBatch& batch, int64_t begin, int64_t end) {
  std::vector<int64_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return batch.Select(rows);
}

template <typename T>
void AppendTo(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()),
             std::make_move_iterator(more.end()));
}

class GuardedForward final : public ForwardPass {
 public:
  GuardedForward(std::unique_ptr<const ForwardPass> pass,
                 std::unique_ptr<const ForwardPass> fallback,
                 std::shared_ptr<DeviceHealth> health)
      : pass_(std::move(pass)),
        fallback_(std::move(fallback)),
        health_(std::move(health)) {}

  ForwardPath path() const override {
    return health_->lost() && fallback_ != nullptr ? fallback_->path()
                                                   : pass_->path();
  }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool with_attention) const override {
    if (!batch.unknown_embeddings.empty() && fallback_ != nullptr) {
      return fallback_->Run(batch, with_attention);
    }
    const auto run = [&](const ContextBatch& part) {
      return OnDeviceOrElse([&](const ForwardPass& pass) {
        return pass.Run(part, with_attention);
      });
    };
    absl::StatusOr<ForwardOutputs> whole = run(batch);
    if (!RanOut(whole.status()) || batch.rows < 2) return whole;
    health_->CountHalved();
    const int64_t middle = batch.rows / 2;
    SLICE_ASSIGN_OR_RETURN(ForwardOutputs outputs, run(Part(batch, 0, middle)));
    SLICE_ASSIGN_OR_RETURN(ForwardOutputs second,
                           run(Part(batch, middle, batch.rows)));
    AppendTo(outputs.logits, std::move(second.logits));
    AppendTo(outputs.attention, std::move(second.attention));
    return outputs;
  }

  absl::StatusOr<std::vector<float>> RunStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override {
    const auto run = [&](std::span<const float> part) {
      return OnDeviceOrElse([&](const ForwardPass& pass) {
        return pass.RunStructural(relation, part, feature_count);
      });
    };
    absl::StatusOr<std::vector<float>> whole = run(pair_features);
    const size_t rows =
        feature_count == 0 ? 0 : pair_features.size() / feature_count;
    if (!RanOut(whole.status()) || rows < 2) return whole;
    health_->CountHalved();
    const size_t middle = rows / 2 * feature_count;
    SLICE_ASSIGN_OR_RETURN(std::vector<float> logits,
                           run(pair_features.first(middle)));
    SLICE_ASSIGN_OR_RETURN(std::vector<float> second,
                           run(pair_features.subspan(middle)));
    AppendTo(logits, std::move(second));
    return logits;
  }

 private:
  static bool RanOut(const absl::Status& status) {
    return absl::IsResourceExhausted(status);
  }

  // Calls `call` with the pass on the device, or with the fallback once the
  // device is lost.
  template <typename Call>
  std::invoke_result_t<const Call&, const ForwardPass&> OnDeviceOrElse(
      const Call& call) const {
    if (!health_->lost()) {
      auto result = call(*pass_);
      if (!IsDeviceLost(result.status())) return result;
      health_->MarkLost(result.status());
    }
    if (fallback_ != nullptr) return call(*fallback_);
    return DeviceLostError("an earlier call failed");
  }

  const std::unique_ptr<const ForwardPass> pass_;
  const std::unique_ptr<const ForwardPass> fallback_;  // or null
  const std::shared_ptr<DeviceHealth> health_;
};

}  // namespace

std::unique_ptr<ForwardPass> GuardForward(
    std::unique_ptr<const ForwardPass> pass,
    std::unique_ptr<const ForwardPass> fallback,
    std::shared_ptr<DeviceHealth> health) {
  return std::make_unique<GuardedForward>(std::move(pass), std::move(fallback),
                                          std::move(health));
}

}  // namespace slice
