#include "model/cuda/device_forward.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "common/status_macros.h"
#include "model/cuda/packed_inputs.h"
#include "model/cuda/slot_pool.h"

namespace slice {
namespace {

static_assert(kEncoderOutputs == kScorers * kQuestions);

// The calls of one batch that are on their way: while one computes, the next is
// packed and copied. Ends them all before it is gone: a slot that is still
// written to is not handed back.
class CallsInFlight {
 public:
  // Reads the outputs of a slot whose call is over.
  using Read = std::function<void(int slot)>;

  CallsInFlight(EncoderDevice& device, SlotPool& pool)
      : device_(device), pool_(pool) {}
  ~CallsInFlight() {
    while (!calls_.empty()) EndOldest(/*wanted=*/false).IgnoreError();
  }

  // Packs and starts a call on the next free slot.
  absl::Status Start(const std::function<absl::Status(int slot)>& pack_start,
                     Read read) {
    std::optional<int> slot = pool_.TryTake();
    while (!slot.has_value() && !calls_.empty()) {
      SLICE_RETURN_IF_ERROR(EndOldest(/*wanted=*/true));
      slot = pool_.TryTake();
    }
    if (!slot.has_value()) slot = pool_.Take();
    // In flight whether it starts or not: part of it may have.
    calls_.push_back({*slot, std::move(read)});
    absl::Status started = pack_start(*slot);
    if (!started.ok()) calls_.back().read = nullptr;
    return started;
  }

  absl::Status Finish() {
    while (!calls_.empty()) {
      SLICE_RETURN_IF_ERROR(EndOldest(/*wanted=*/true));
    }
    return absl::OkStatus();
  }

 private:
  struct Call {
    int slot = 0;
    Read read;
  };

  absl::Status EndOldest(bool wanted) {
    const Call call = std::move(calls_.front());
    calls_.pop_front();
    absl::Status ended = device_.Wait(call.slot);
    if (ended.ok() && wanted && call.read) call.read(call.slot);
    pool_.Return(call.slot);
    return ended;
  }

  EncoderDevice& device_;
  SlotPool& pool_;
  std::deque<Call> calls_;
};

class DeviceForward final : public ForwardPass {
 public:
  explicit DeviceForward(std::unique_ptr<EncoderDevice> device)
      : device_(std::move(device)), pool_(device_->slots()) {}

  ForwardPath path() const override { return ForwardPath::kNative; }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool with_attention) const override {
    const EncoderArrays& arrays = device_->arrays();
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<EncoderChunk> chunks,
        PlanChunks(batch.row_tokens, arrays, with_attention));
    ForwardOutputs outputs;
    outputs.logits.resize(batch.rows * kEncoderOutputs);
    outputs.attention.resize(with_attention ? batch.rows : 0);
    CallsInFlight calls(*device_, pool_);
    for (const EncoderChunk& chunk : chunks) {
      const auto start = [&](int slot) -> absl::Status {
        SLICE_RETURN_IF_ERROR(PackInputs(batch, chunk.rows, arrays,
                                         device_->node_count(), chunk.bucket,
                                         device_->Inputs(slot)));
        return device_->StartEncoder(slot, chunk.bucket, with_attention);
      };
      SLICE_RETURN_IF_ERROR(calls.Start(start, [&, this](int slot) {
        TakeOutputs(slot, chunk, batch, outputs);
      }));
    }
    SLICE_RETURN_IF_ERROR(calls.Finish());
    return outputs;
  }

  absl::StatusOr<std::vector<float>> RunStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override {
    const EncoderArrays& arrays = device_->arrays();
    const size_t rows =
        feature_count == 0 ? 0 : pair_features.size() / feature_count;
    std::vector<float> logits(rows * kQuestions);
    if (arrays.pair_features == 0) return logits;
    if (feature_count != static_cast<size_t>(arrays.pair_features)) {
      return absl::InvalidArgumentError("not the network's pair features");
    }
    const auto at_once = static_cast<size_t>(StructuralRows(arrays));
    CallsInFlight calls(*device_, pool_);
    for (size_t begin = 0; begin < rows; begin += at_once) {
      const auto count = static_cast<int>(std::min(at_once, rows - begin));
      const auto start = [&](int slot) -> absl::Status {
        SLICE_RETURN_IF_ERROR(PackStructural(
            relation, pair_features.subspan(begin * feature_count), count,
            arrays, device_->Inputs(slot)));
        return device_->StartStructural(slot, count);
      };
      SLICE_RETURN_IF_ERROR(calls.Start(start, [&logits, this, begin,
                                                count](int slot) {
        std::copy_n(device_->Logits(slot), count * kQuestions,
                    logits.begin() + static_cast<int64_t>(begin * kQuestions));
      }));
    }
    SLICE_RETURN_IF_ERROR(calls.Finish());
    return logits;
  }

 private:
  void TakeOutputs(int slot, const EncoderChunk& chunk,
                   const ContextBatch& batch, ForwardOutputs& outputs) const {
    int64_t token = 0;  // packed
    for (size_t i = 0; i < chunk.rows.size(); ++i) {
      const int64_t row = chunk.rows[i];
      std::copy_n(device_->Logits(slot) + i * kEncoderOutputs, kEncoderOutputs,
                  outputs.logits.begin() + row * kEncoderOutputs);
      const int64_t tokens = batch.row_tokens[row];
      if (!outputs.attention.empty()) {
        outputs.attention[row] = TakeAttention(device_->Attention(slot),
                                               chunk.bucket, token, tokens);
      }
      token += tokens;
    }
  }

  // The matrix of the row whose tokens begin at `first`.
  SemanticAssociationMatrix TakeAttention(const float* attention,
                                          const EncoderBucket& bucket,
                                          int64_t first, int64_t tokens) const {
    SemanticAssociationMatrix matrix;
    matrix.layers = device_->arrays().layers;
    matrix.heads = device_->arrays().heads;
    matrix.tokens = static_cast<int>(tokens);
    const int64_t capacity = int64_t{bucket.rows} * bucket.width;
    for (int64_t of = 0; of < int64_t{matrix.layers} * matrix.heads; ++of) {
      for (int64_t token = first; token < first + tokens; ++token) {
        const float* from = attention + (of * capacity + token) * bucket.width;
        matrix.weights.insert(matrix.weights.end(), from, from + tokens);
      }
    }
    return matrix;
  }

  const std::unique_ptr<EncoderDevice> device_;
  mutable SlotPool pool_;
};

}  // namespace

std::unique_ptr<ForwardPass> MakeDeviceForward(
    std::unique_ptr<EncoderDevice> device) {
  return std::make_unique<DeviceForward>(std::move(device));
}

}  // namespace slice
