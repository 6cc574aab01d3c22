// A benchmark of batches gives whole batches to the forward pass, as the
// executors of a server do. A benchmark of calls goes below it: it packs the
// inputs of one bucket into every slot of the device once, and then starts the
// slots in turn. A slot is waited for before it is started again, so all slots
// but one are busy. That shows what the device can do when packing costs
// nothing.
#include "tests/benchmarks/device_benchmark.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "common/status_macros.h"
#include "model/cuda/device_forward.h"
#include "model/cuda/encoder_buckets.h"
#include "model/cuda/packed_inputs.h"
#include "model/cuda/reference_device.h"
#include "model/device.h"

#ifdef SLICE_CUDA
#include "model/cuda/cuda_device.h"
#endif

namespace slice {
namespace {

constexpr size_t kBatchContexts[] = {1, 8, 64, 256, 1024};
// The batch that several threads run at once.
constexpr size_t kSharedContexts = 256;
constexpr int kThreads[] = {4, 8};

double Difference(std::span<const float> actual,
                  std::span<const float> expected) {
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double scale = std::max(1.0, std::abs(double{expected[i]}));
    const double difference =
        std::abs(double{actual[i]} - double{expected[i]}) / scale;
    if (!std::isfinite(difference)) {
      return std::numeric_limits<double>::infinity();
    }
    largest = std::max(largest, difference);
  }
  return largest;
}

void Report(benchmark::State& state, int64_t contexts, double parity) {
  state.counters["contexts/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * contexts),
                         benchmark::Counter::kIsRate);
  state.counters["parity"] =
      benchmark::Counter(parity, benchmark::Counter::kAvgThreads);
}

void Skip(benchmark::State& state, const absl::Status& why) {
  state.SkipWithError(std::string(why.message()).c_str());
}

// Writes the same call into every slot.
absl::Status PackAllSlots(const ContextBatch& batch,
                          const EncoderBucket& bucket, EncoderDevice& device) {
  EncoderChunk chunk;
  chunk.bucket = bucket;
  chunk.rows.resize(batch.rows);
  std::iota(chunk.rows.begin(), chunk.rows.end(), 0);
  for (int slot = 0; slot < device.slots(); ++slot) {
    SLICE_RETURN_IF_ERROR(PackInputs(batch, chunk, device.arrays(),
                                     device.node_count(), device.Inputs(slot)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<EncoderDevice>> MakeBenchmarkDevice(
    const ArrangedWeights& weights, const EmbeddingRows& embeddings,
    const std::string& name) {
  if (name == "reference") return MakeReferenceDevice(weights, embeddings, {});
  SLICE_RETURN_IF_ERROR(CheckDevice(name));
#ifdef SLICE_CUDA
  if (name != "cpu") return MakeCudaDevice(weights, embeddings, name);
#endif
  return absl::InvalidArgumentError(
      "--device=cpu is not possible; use cuda, cuda:N or reference");
}

DeviceBenchmark::DeviceBenchmark(std::unique_ptr<EncoderDevice> for_batches,
                                 std::unique_ptr<EncoderDevice> for_calls,
                                 const ForwardPass& expected,
                                 MakeBatch make_batch)
    : forward_(MakeDeviceForward(std::move(for_batches))),
      device_(std::move(for_calls)),
      expected_(expected),
      make_batch_(std::move(make_batch)) {}

void DeviceBenchmark::Register(const std::string& name, size_t least,
                               size_t most) const {
  const auto batches = [this, name, least, most](size_t contexts) {
    return benchmark::RegisterBenchmark(
               ("DeviceForward/" + name + "/" + std::to_string(contexts))
                   .c_str(),
               [this, contexts, least, most](benchmark::State& state) {
                 RunBatches(state, make_batch_(contexts, least, most));
               })
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
  };
  for (const size_t contexts : kBatchContexts) batches(contexts);
  for (const int threads : kThreads) batches(kSharedContexts)->Threads(threads);
  for (const EncoderBucket& bucket : EncoderBuckets(device_->arrays(), false)) {
    benchmark::RegisterBenchmark(
        ("DeviceCall/" + name + "/" + std::to_string(bucket.rows) + "x" +
         std::to_string(bucket.width))
            .c_str(),
        [this, bucket](benchmark::State& state) { RunCalls(state, bucket); })
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime();
  }
}

void DeviceBenchmark::RunBatches(benchmark::State& state,
                                 const ContextBatch& batch) const {
  absl::StatusOr<ForwardOutputs> outputs = ForwardOutputs();
  for (auto _ : state) {
    outputs = forward_->Run(batch, /*with_attention=*/false);
    if (!outputs.ok()) {
      Skip(state, outputs.status());
      return;
    }
    benchmark::DoNotOptimize(outputs->logits.data());
  }
  const auto expected = expected_.Run(batch, /*with_attention=*/false);
  if (!expected.ok()) return Skip(state, expected.status());
  Report(state, batch.rows, Difference(outputs->logits, expected->logits));
}

void DeviceBenchmark::RunCalls(benchmark::State& state,
                               const EncoderBucket& bucket) const {
  const ContextBatch batch =
      make_batch_(bucket.rows, bucket.width, bucket.width);
  absl::Status status = PackAllSlots(batch, bucket, *device_);
  if (!status.ok()) return Skip(state, status);
  const int slots = device_->slots();
  int64_t started = 0;
  for (auto _ : state) {
    const int slot = static_cast<int>(started % slots);
    if (started >= slots) status = device_->Wait(slot);
    if (status.ok()) {
      status = device_->StartEncoder(slot, bucket, /*with_attention=*/false);
    }
    if (!status.ok()) {
      Skip(state, status);
      break;
    }
    ++started;
  }
  for (int slot = 0; slot < std::min<int64_t>(started, slots); ++slot) {
    status.Update(device_->Wait(slot));
  }
  const auto expected = expected_.Run(batch, /*with_attention=*/false);
  status.Update(expected.status());
  if (!status.ok()) return Skip(state, status);
  Report(state, batch.rows,
         Difference({device_->Logits(0), expected->logits.size()},
                    expected->logits));
}

}  // namespace slice
