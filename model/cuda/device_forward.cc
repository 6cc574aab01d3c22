// A batch is cut into calls of fixed sizes (model/cuda/encoder_buckets.h). Each
// call takes a free slot of the device, the buffers for the inputs and outputs
// of one call (model/cuda/encoder_device.h). The inputs are packed into the
// slot, the call is started, and the outputs are read when the call has ended.
// Several calls of a batch are in flight at once, so that one is packed while
// another computes.
//
// All threads share the slots. A thread waits for a free slot only while it
// holds none. A thread that holds slots instead waits for its own oldest call,
// returns the slot of that call and tries again to take one. So no two threads
// wait for each other.
#include "model/cuda/device_forward.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/cuda/packed_inputs.h"
#include "model/cuda/slot_pool.h"

namespace slice {
namespace {

static_assert(kEncoderOutputs == kScorers * kQuestions);

// The calls of one batch that were started and not yet read. The destructor
// waits for them, because a slot that a call still writes to must not be
// returned to the pool.
class CallsInFlight {
 public:
  // Reads the outputs of a slot whose call has ended.
  using Read = std::function<void(int slot)>;

  CallsInFlight(EncoderDevice& device, SlotPool& pool)
      : device_(device), pool_(pool) {}
  ~CallsInFlight() {
    while (!calls_.empty()) EndOldest(/*read=*/false).IgnoreError();
  }

  // Takes a free slot and calls `pack_start`, which packs and starts a call in
  // this slot. Calls `read` later, when that call has ended.
  absl::Status Start(const std::function<absl::Status(int slot)>& pack_start,
                     Read read) {
    std::optional<int> slot = pool_.TryTake();
    while (!slot.has_value() && !calls_.empty()) {
      SLICE_RETURN_IF_ERROR(EndOldest(/*read=*/true));
      slot = pool_.TryTake();
    }
    if (!slot.has_value()) slot = pool_.Take();
    // Even if starting fails, a part of the call may have been started. So the
    // slot is returned only after a wait.
    calls_.push_back({*slot, std::move(read)});
    absl::Status started = pack_start(*slot);
    if (!started.ok()) calls_.back().read = nullptr;
    return started;
  }

  // Waits for all calls and reads their outputs.
  absl::Status Finish() {
    while (!calls_.empty()) {
      SLICE_RETURN_IF_ERROR(EndOldest(/*read=*/true));
    }
    return absl::OkStatus();
  }

 private:
  struct Call {
    int slot = 0;
    Read read;
  };

  // Waits for the oldest call, reads its outputs if `read`, and returns its
  // slot to the pool.
  absl::Status EndOldest(bool read) {
    const Call call = std::move(calls_.front());
    calls_.pop_front();
    absl::Status ended = device_.Wait(call.slot);
    if (ended.ok() && read && call.read) call.read(call.slot);
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
        SLICE_RETURN_IF_ERROR(PackInputs(batch, chunk, arrays,
                                         device_->node_count(),
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
      return absl::InvalidArgumentError(
          absl::StrCat("the network reads ", arrays.pair_features,
                       " pair features, not ", feature_count));
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
    // The row's first token, among all tokens of the call without padding.
    int64_t token = 0;
    for (size_t i = 0; i < chunk.rows.size(); ++i) {
      const int64_t row = chunk.rows[i];
      std::copy_n(device_->Logits(slot) + i * kEncoderOutputs, kEncoderOutputs,
                  outputs.logits.begin() + row * kEncoderOutputs);
      const int64_t tokens = batch.row_tokens[row];
      if (!outputs.attention.empty()) {
        outputs.attention[row] =
            TakeAttention(slot, chunk.bucket, token, tokens);
      }
      token += tokens;
    }
  }

  // The attention and the cosines of one row, whose tokens are
  // [first, first + tokens) among all tokens of the call without padding.
  SemanticAssociationMatrix TakeAttention(int slot, const EncoderBucket& bucket,
                                          int64_t first, int64_t tokens) const {
    SemanticAssociationMatrix matrix;
    matrix.layers = device_->arrays().layers;
    matrix.heads = device_->arrays().heads;
    matrix.tokens = static_cast<int>(tokens);
    const int64_t capacity = int64_t{bucket.rows} * bucket.width;
    for (int64_t of = 0; of < int64_t{matrix.layers} * matrix.heads; ++of) {
      for (int64_t token = first; token < first + tokens; ++token) {
        const float* from =
            device_->Attention(slot) + (of * capacity + token) * bucket.width;
        matrix.weights.insert(matrix.weights.end(), from, from + tokens);
      }
    }
    for (int64_t depth = 0; depth <= matrix.layers; ++depth) {
      const float* from =
          device_->Cosines(slot) + (depth * capacity + first) * kCosineEnds;
      matrix.cosines.insert(matrix.cosines.end(), from,
                            from + tokens * kCosineEnds);
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
