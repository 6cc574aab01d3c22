// Runs calls on the calling thread, in StartEncoder and StartStructural: each
// group of rows gets fresh working memory (scratch) and goes through the
// kernel's program (model/cuda/encoder_network.h). Mistakes that would only
// sometimes show on a device always show here: memory begins as not-a-number,
// the inputs of a finished call are overwritten with numbers that are no ids,
// and the threads of a block can run a step in a shuffled order.
#include "model/cuda/reference_device.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "common/random.h"
#include "model/cuda/encoder_network.h"
#include "model/cuda/packed_inputs.h"

namespace slice {
namespace {

constexpr int kSlots = 2;

// The block of model/cuda/encoder_program.h on one CPU thread.
class ReferenceBlock {
 public:
  explicit ReferenceBlock(const ReferenceDeviceOptions& options)
      : order_(options.threads) {
    std::iota(order_.begin(), order_.end(), 0);
    if (options.order_seed == 0) return;
    Random random(options.order_seed);
    for (size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1], order_[random.Below(i)]);
    }
  }

  template <typename Step>
  void Run(const Step& step) const {
    for (const int thread : order_) {
      step(BlockThread{thread, static_cast<int>(order_.size())});
    }
  }

 private:
  std::vector<int> order_;
};

class ReferenceDevice final : public EncoderDevice {
 public:
  ReferenceDevice(ArrangedWeights weights, const EmbeddingRows& embeddings,
                  const ReferenceDeviceOptions& options)
      : weights_(std::move(weights)), embeddings_(embeddings), block_(options) {
    int64_t words = StructuralInputWords(arrays(), StructuralRows(arrays()));
    for (const EncoderBucket& bucket : EncoderBuckets(arrays(), false)) {
      words = std::max(words, InputWords(arrays(), bucket));
    }
    for (Slot& slot : slots_) slot.inputs.resize(words);
  }

  const EncoderArrays& arrays() const override { return weights_.arrays; }
  int64_t node_count() const override { return embeddings_.rows; }
  int slots() const override { return kSlots; }
  uint32_t* Inputs(int slot) override { return slots_[slot].inputs.data(); }

  absl::Status StartEncoder(int index, const EncoderBucket& bucket,
                            bool with_attention) override {
    Slot& slot = slots_[index];
    EncoderCall call;
    call.arrays = arrays();
    call.in = InputsAt(arrays(), bucket, slot.inputs.data());
    call.in.weights = weights_.values.data();
    call.in.embeddings = embeddings_.values;
    slot.logits.assign(int64_t{bucket.rows} * kEncoderOutputs, kUnwritten);
    slot.attention.assign(
        with_attention ? AttentionFloats(arrays(), bucket) : 0, kUnwritten);
    slot.cosines.assign(with_attention ? CosineFloats(arrays(), bucket) : 0,
                        kUnwritten);
    call.out.logits = slot.logits.data();
    call.out.cosines = with_attention ? slot.cosines.data() : nullptr;
    call.out.attention = with_attention ? slot.attention.data() : nullptr;
    const int rows = GroupRows(bucket);
    const int64_t floats = ScratchOf(arrays(), rows, bucket.width).floats;
    for (int group = 0; group * rows < bucket.rows; ++group) {
      std::vector<float> scratch(floats, kUnwritten);
      RunEncoderGroup(block_, call, group, rows, scratch.data());
    }
    return absl::OkStatus();
  }

  absl::Status StartStructural(int index, int rows) override {
    Slot& slot = slots_[index];
    slot.logits.assign(int64_t{rows} * kQuestions, kUnwritten);
    StructuralCall call;
    call.arrays = arrays();
    call.in = StructuralInputsAt(arrays(), rows, slot.inputs.data());
    call.in.weights = weights_.values.data();
    call.logits = slot.logits.data();
    for (int group = 0; group * kStructuralRows < rows; ++group) {
      std::vector<float> scratch(StructuralScratch(arrays()), kUnwritten);
      RunStructuralGroup(block_, call, group, scratch.data());
    }
    return absl::OkStatus();
  }

  // Overwrites the inputs with numbers that are no ids. So the next call fails
  // if it reads inputs that were not packed for it.
  absl::Status Wait(int slot) override {
    std::ranges::fill(slots_[slot].inputs, uint32_t{0xfefefefe});
    return absl::OkStatus();
  }
  const float* Logits(int slot) const override {
    return slots_[slot].logits.data();
  }
  const float* Attention(int slot) const override {
    return slots_[slot].attention.data();
  }
  const float* Cosines(int slot) const override {
    return slots_[slot].cosines.data();
  }

 private:
  static constexpr float kUnwritten = std::numeric_limits<float>::quiet_NaN();

  struct Slot {
    std::vector<uint32_t> inputs;
    std::vector<float> logits, attention, cosines;
  };

  const ArrangedWeights weights_;
  const EmbeddingRows embeddings_;
  const ReferenceBlock block_;
  Slot slots_[kSlots];
};

}  // namespace

std::unique_ptr<EncoderDevice> MakeReferenceDevice(
    ArrangedWeights weights, const EmbeddingRows& embeddings,
    const ReferenceDeviceOptions& options) {
  return std::make_unique<ReferenceDevice>(std::move(weights), embeddings,
                                           options);
}

}  // namespace slice
