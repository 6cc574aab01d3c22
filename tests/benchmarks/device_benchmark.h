// Benchmarks of the encoder kernel on a device: batches from arrays to logits,
// and calls of one size.
#ifndef SLICE_TESTS_BENCHMARKS_DEVICE_BENCHMARK_H_
#define SLICE_TESTS_BENCHMARKS_DEVICE_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "model/cuda/arranged_weights.h"
#include "model/cuda/encoder_device.h"
#include "model/forward_pass.h"

namespace slice {

// Makes the device "cuda", "cuda:N", or "reference": the CPU reference of the
// kernel, which shows on any machine that the benchmarks work. Its speed says
// nothing. `embeddings` must outlive the device. Returns the errors of
// MakeCudaDevice; UNIMPLEMENTED for "cuda" in a build without CUDA.
absl::StatusOr<std::unique_ptr<EncoderDevice>> MakeBenchmarkDevice(
    const ArrangedWeights& weights, const EmbeddingRows& embeddings,
    const std::string& name);

// One network on a device. Each benchmark also reports its `parity`: the
// largest difference from the logits of `expected`, divided by the larger of 1
// and the logit. It is infinite when a logit is not a number.
class DeviceBenchmark {
 public:
  // A batch of `contexts` contexts, which have from `least` to `most` tokens.
  using MakeBatch =
      std::function<ContextBatch(size_t contexts, size_t least, size_t most)>;

  // Both devices run the same network. `expected`, which must outlive this
  // object, runs it on the CPU.
  DeviceBenchmark(std::unique_ptr<EncoderDevice> for_batches,
                  std::unique_ptr<EncoderDevice> for_calls,
                  const ForwardPass& expected, MakeBatch make_batch);

  // Registers DeviceForward/NAME/CONTEXTS: batches of contexts with from
  // `least` to `most` tokens, from arrays to logits, for one thread and for
  // several. Registers DeviceCall/NAME/ROWSxWIDTH: calls of each bucket
  // (model/cuda/encoder_buckets.h), whose inputs are packed beforehand. As many
  // calls are in flight as the device has slots. This object must outlive the
  // benchmarks.
  void Register(const std::string& name, size_t least, size_t most) const;

 private:
  void RunBatches(benchmark::State& state, const ContextBatch& batch) const;
  void RunCalls(benchmark::State& state, const EncoderBucket& bucket) const;

  const std::unique_ptr<ForwardPass> forward_;
  const std::unique_ptr<EncoderDevice> device_;
  const ForwardPass& expected_;
  const MakeBatch make_batch_;
};

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_DEVICE_BENCHMARK_H_
