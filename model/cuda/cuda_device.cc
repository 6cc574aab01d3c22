// Opening a device copies weights and embeddings to it and allocates everything
// that calls will use:
//   streams       four; the calls of one stream run one after the other and
//                 share a workspace;
//   buffer slots  (Slot) two per stream; each has buffers for the inputs and
//                 outputs of one call, on the host and on the device, so that
//                 the data of one call is copied while another call computes;
//   CUDA graphs   one for each buffer slot and bucket (a fixed size of a call,
//                 model/cuda/encoder_buckets.h). A CUDA graph consists of three
//                 operations (copy the inputs, run the kernel, copy the
//                 outputs). It is captured once; a single call starts it.
// Structural scores have no CUDA graph: the same three operations are enqueued
// one by one. Every public method selects the device first (Enter), because
// CUDA's current device belongs to the calling thread.
#include "model/cuda/cuda_device.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "model/cuda/cuda_memory.h"
#include "model/cuda/encoder_kernel.h"
#include "model/cuda/encoder_plan.h"
#include "model/cuda/packed_inputs.h"

namespace slice {
namespace {

constexpr int kStreams = 4;
constexpr int kSlotsPerStream = 2;

// The sizes of buffers that are large enough for every call, in 4-byte numbers.
struct SlotSizes {
  int64_t input_words = 0;
  int64_t logits = 0;
  int64_t attention = 0;
  int64_t cosines = 0;
  int64_t workspace = 0;  // one per stream
};

// Says for which calls a CUDA graph was captured.
struct BucketKey {
  int rows = 0;
  int width = 0;
  bool with_attention = false;

  auto operator<=>(const BucketKey&) const = default;
};

// A buffer slot: the buffers and CUDA graphs of one call at a time.
struct Slot {
  int stream = 0;
  PinnedArray<uint32_t> inputs;
  PinnedArray<float> logits, attention, cosines;
  DeviceArray<uint32_t> device_inputs;
  DeviceArray<float> device_logits, device_attention, device_cosines;
  CudaEvent done;  // recorded at the end of the last call in these buffers
  std::map<BucketKey, CudaGraphExec> graphs;
};

struct Stream {
  CudaStream stream;
  DeviceArray<float> workspace;  // working memory of the call that runs
};

class CudaDevice final : public EncoderDevice {
 public:
  CudaDevice(int index, const EncoderArrays& arrays, int64_t nodes)
      : index_(index), arrays_(arrays), nodes_(nodes) {}

  // Waits for the calls that were started: they still write to the buffers.
  ~CudaDevice() override {
    cudaSetDevice(index_);
    for (const Slot& slot : slots_) {
      if (slot.done != nullptr) cudaEventSynchronize(slot.done.get());
    }
  }

  absl::Status Open(const ArrangedWeights& weights,
                    const EmbeddingRows& embeddings) {
    SLICE_RETURN_IF_ERROR(Enter());
    SLICE_RETURN_IF_ERROR(ReadLimits());
    SLICE_ASSIGN_OR_RETURN(weights_, CopyToDevice(weights.values.data(),
                                                  std::ssize(weights.values)));
    SLICE_ASSIGN_OR_RETURN(
        embeddings_,
        CopyToDevice(embeddings.values, embeddings.rows * embeddings.dim));
    const SlotSizes sizes = MeasureSlots();
    for (Stream& stream : streams_) {
      SLICE_RETURN_IF_ERROR(OpenStream(sizes, stream));
    }
    for (int i = 0; i < kStreams * kSlotsPerStream; ++i) {
      slots_[i].stream = i % kStreams;
      SLICE_RETURN_IF_ERROR(OpenSlot(sizes, slots_[i]));
    }
    return absl::OkStatus();
  }

  const EncoderArrays& arrays() const override { return arrays_; }
  int64_t node_count() const override { return nodes_; }
  int slots() const override { return kStreams * kSlotsPerStream; }
  uint32_t* Inputs(int slot) override { return slots_[slot].inputs.get(); }

  absl::Status StartEncoder(int index, const EncoderBucket& bucket,
                            bool with_attention) override {
    SLICE_RETURN_IF_ERROR(Enter());
    Slot& slot = slots_[index];
    const auto graph =
        slot.graphs.find({bucket.rows, bucket.width, with_attention});
    if (graph == slot.graphs.end()) {
      return absl::InternalError(
          "no CUDA graph was captured for calls of this size");
    }
    SLICE_RETURN_IF_ERROR(
        CudaStatus(cudaGraphLaunch(graph->second.get(), StreamOf(slot)),
                   "start of a batch"));
    return RecordEnd(slot);
  }

  absl::Status StartStructural(int index, int rows) override {
    SLICE_RETURN_IF_ERROR(Enter());
    Slot& slot = slots_[index];
    SLICE_RETURN_IF_ERROR(CopyIn(slot, StructuralInputWords(arrays_, rows)));
    StructuralCall call;
    call.arrays = arrays_;
    call.in = StructuralInputsAt(arrays_, rows, slot.device_inputs.get());
    call.in.weights = weights_.get();
    call.logits = slot.device_logits.get();
    SLICE_RETURN_IF_ERROR(
        CudaStatus(LaunchStructural(PlanStructural(arrays_, rows, shared_),
                                    call, WorkspaceOf(slot), StreamOf(slot)),
                   "start of structural scores"));
    SLICE_RETURN_IF_ERROR(CopyOut(slot.device_logits.get(),
                                  int64_t{rows} * kQuestions, slot.logits.get(),
                                  slot));
    return RecordEnd(slot);
  }

  absl::Status Wait(int slot) override {
    SLICE_RETURN_IF_ERROR(Enter());
    return CudaStatus(cudaEventSynchronize(slots_[slot].done.get()),
                      "end of a batch");
  }
  const float* Logits(int slot) const override {
    return slots_[slot].logits.get();
  }
  const float* Attention(int slot) const override {
    return slots_[slot].attention.get();
  }
  const float* Cosines(int slot) const override {
    return slots_[slot].cosines.get();
  }

 private:
  // Selects the device for the calling thread.
  absl::Status Enter() const {
    return CudaStatus(cudaSetDevice(index_), "cudaSetDevice");
  }

  absl::Status ReadLimits() {
    int per_block = 0, per_multiprocessor = 0;
    SLICE_RETURN_IF_ERROR(CudaStatus(
        cudaDeviceGetAttribute(&per_block,
                               cudaDevAttrMaxSharedMemoryPerBlockOptin, index_),
        "shared memory of the device"));
    SLICE_RETURN_IF_ERROR(CudaStatus(
        cudaDeviceGetAttribute(&per_multiprocessor,
                               cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                               index_),
        "shared memory of the device"));
    shared_ = {per_block, per_multiprocessor};
    return CudaStatus(AllowSharedMemory(per_block), "use of shared memory");
  }

  SlotSizes MeasureSlots() const {
    const int structural_rows = StructuralRows(arrays_);
    SlotSizes sizes;
    sizes.input_words = StructuralInputWords(arrays_, structural_rows);
    sizes.logits = int64_t{structural_rows} * kQuestions;
    sizes.workspace =
        WorkspaceFloats(PlanStructural(arrays_, structural_rows, shared_));
    for (const bool with_attention : {false, true}) {
      for (const EncoderBucket& bucket :
           EncoderBuckets(arrays_, with_attention)) {
        sizes.input_words =
            std::max(sizes.input_words, InputWords(arrays_, bucket));
        sizes.logits =
            std::max(sizes.logits, int64_t{bucket.rows} * kEncoderOutputs);
        sizes.workspace =
            std::max(sizes.workspace,
                     WorkspaceFloats(PlanEncoder(arrays_, bucket, shared_)));
        if (!with_attention) continue;
        sizes.attention =
            std::max(sizes.attention, AttentionFloats(arrays_, bucket));
        sizes.cosines = std::max(sizes.cosines, CosineFloats(arrays_, bucket));
      }
    }
    return sizes;
  }

  absl::Status OpenStream(const SlotSizes& sizes, Stream& stream) {
    cudaStream_t made = nullptr;
    SLICE_RETURN_IF_ERROR(
        CudaStatus(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking),
                   "cudaStreamCreate"));
    stream.stream.reset(made);
    SLICE_ASSIGN_OR_RETURN(stream.workspace,
                           MakeDeviceArray<float>(sizes.workspace));
    return absl::OkStatus();
  }

  absl::Status OpenSlot(const SlotSizes& sizes, Slot& slot) {
    SLICE_ASSIGN_OR_RETURN(slot.inputs,
                           MakePinnedArray<uint32_t>(sizes.input_words));
    SLICE_ASSIGN_OR_RETURN(slot.device_inputs,
                           MakeDeviceArray<uint32_t>(sizes.input_words));
    SLICE_ASSIGN_OR_RETURN(slot.logits, MakePinnedArray<float>(sizes.logits));
    SLICE_ASSIGN_OR_RETURN(slot.device_logits,
                           MakeDeviceArray<float>(sizes.logits));
    SLICE_ASSIGN_OR_RETURN(slot.attention,
                           MakePinnedArray<float>(sizes.attention));
    SLICE_ASSIGN_OR_RETURN(slot.device_attention,
                           MakeDeviceArray<float>(sizes.attention));
    SLICE_ASSIGN_OR_RETURN(slot.cosines, MakePinnedArray<float>(sizes.cosines));
    SLICE_ASSIGN_OR_RETURN(slot.device_cosines,
                           MakeDeviceArray<float>(sizes.cosines));
    SLICE_RETURN_IF_ERROR(ZeroOutputs(sizes, slot));
    // A thread that waits for the event sleeps. By default it would spin, and
    // take a core from the threads that cut contexts.
    cudaEvent_t done = nullptr;
    SLICE_RETURN_IF_ERROR(
        CudaStatus(cudaEventCreateWithFlags(
                       &done, cudaEventDisableTiming | cudaEventBlockingSync),
                   "cudaEventCreate"));
    slot.done.reset(done);
    for (const bool with_attention : {false, true}) {
      for (const EncoderBucket& bucket :
           EncoderBuckets(arrays_, with_attention)) {
        SLICE_RETURN_IF_ERROR(Capture(bucket, with_attention, slot));
      }
    }
    return absl::OkStatus();
  }

  // The kernel writes nothing for empty rows, but their outputs are copied too.
  // Without zeros there, compute-sanitizer's initcheck would report the copies.
  absl::Status ZeroOutputs(const SlotSizes& sizes, const Slot& slot) {
    for (const auto& [array, floats] :
         {std::pair(slot.device_logits.get(), sizes.logits),
          std::pair(slot.device_attention.get(), sizes.attention),
          std::pair(slot.device_cosines.get(), sizes.cosines)}) {
      SLICE_RETURN_IF_ERROR(CudaStatus(
          cudaMemsetAsync(array, 0, static_cast<size_t>(floats) * sizeof(float),
                          StreamOf(slot)),
          "zeros for outputs"));
    }
    return absl::OkStatus();
  }

  // Records the operations of Enqueue, without running them, as the CUDA graph
  // of `slot` for `bucket`.
  absl::Status Capture(const EncoderBucket& bucket, bool with_attention,
                       Slot& slot) {
    SLICE_RETURN_IF_ERROR(
        CudaStatus(cudaStreamBeginCapture(StreamOf(slot),
                                          cudaStreamCaptureModeThreadLocal),
                   "cudaStreamBeginCapture"));
    const absl::Status enqueued = Enqueue(bucket, with_attention, slot);
    cudaGraph_t made = nullptr;
    const absl::Status ended = CudaStatus(
        cudaStreamEndCapture(StreamOf(slot), &made), "cudaStreamEndCapture");
    const CudaGraph graph(made);
    SLICE_RETURN_IF_ERROR(enqueued);
    SLICE_RETURN_IF_ERROR(ended);
    cudaGraphExec_t executable = nullptr;
    SLICE_RETURN_IF_ERROR(
        CudaStatus(cudaGraphInstantiate(&executable, graph.get(), 0),
                   "cudaGraphInstantiate"));
    slot.graphs[{bucket.rows, bucket.width, with_attention}].reset(executable);
    return absl::OkStatus();
  }

  // Enqueues a call: copies the inputs, runs the kernel, copies the outputs.
  absl::Status Enqueue(const EncoderBucket& bucket, bool with_attention,
                       Slot& slot) {
    SLICE_RETURN_IF_ERROR(CopyIn(slot, InputWords(arrays_, bucket)));
    EncoderCall call;
    call.arrays = arrays_;
    call.in = InputsAt(arrays_, bucket, slot.device_inputs.get());
    call.in.weights = weights_.get();
    call.in.embeddings = embeddings_.get();
    call.out.logits = slot.device_logits.get();
    call.out.attention = with_attention ? slot.device_attention.get() : nullptr;
    call.out.cosines = with_attention ? slot.device_cosines.get() : nullptr;
    SLICE_RETURN_IF_ERROR(
        CudaStatus(LaunchEncoder(PlanEncoder(arrays_, bucket, shared_), call,
                                 WorkspaceOf(slot), StreamOf(slot)),
                   "start of the encoder kernel"));
    SLICE_RETURN_IF_ERROR(CopyOut(call.out.logits,
                                  int64_t{bucket.rows} * kEncoderOutputs,
                                  slot.logits.get(), slot));
    if (!with_attention) return absl::OkStatus();
    SLICE_RETURN_IF_ERROR(CopyOut(call.out.attention,
                                  AttentionFloats(arrays_, bucket),
                                  slot.attention.get(), slot));
    return CopyOut(call.out.cosines, CosineFloats(arrays_, bucket),
                   slot.cosines.get(), slot);
  }

  absl::Status CopyIn(const Slot& slot, int64_t words) {
    return CudaStatus(
        cudaMemcpyAsync(slot.device_inputs.get(), slot.inputs.get(),
                        static_cast<size_t>(words) * sizeof(uint32_t),
                        cudaMemcpyHostToDevice, StreamOf(slot)),
        "copy to the device");
  }

  absl::Status CopyOut(const float* from, int64_t count, float* to,
                       const Slot& slot) {
    if (count == 0) return absl::OkStatus();
    return CudaStatus(
        cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(float),
                        cudaMemcpyDeviceToHost, StreamOf(slot)),
        "copy from the device");
  }

  absl::Status RecordEnd(const Slot& slot) {
    return CudaStatus(cudaEventRecord(slot.done.get(), StreamOf(slot)),
                      "cudaEventRecord");
  }

  cudaStream_t StreamOf(const Slot& slot) const {
    return streams_[slot.stream].stream.get();
  }
  float* WorkspaceOf(const Slot& slot) const {
    return streams_[slot.stream].workspace.get();
  }

  const int index_;
  const EncoderArrays arrays_;
  const int64_t nodes_;
  SharedMemory shared_;
  DeviceArray<float> weights_, embeddings_;
  Stream streams_[kStreams];
  Slot slots_[kStreams * kSlotsPerStream];
};

}  // namespace

absl::StatusOr<std::unique_ptr<EncoderDevice>> MakeCudaDevice(
    const ArrangedWeights& weights, const EmbeddingRows& embeddings,
    std::string_view device) {
  SLICE_ASSIGN_OR_RETURN(const int index, FindCudaDevice(device));
  auto made =
      std::make_unique<CudaDevice>(index, weights.arrays, embeddings.rows);
  SLICE_RETURN_IF_ERROR(made->Open(weights, embeddings));
  return std::unique_ptr<EncoderDevice>(std::move(made));
}

}  // namespace slice
