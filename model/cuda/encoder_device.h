// The interface of what runs the encoder kernel: a CUDA device, or the CPU
// reference.
#ifndef SLICE_MODEL_CUDA_ENCODER_DEVICE_H_
#define SLICE_MODEL_CUDA_ENCODER_DEVICE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_buckets.h"

namespace slice {

// A device has slots. A slot is the buffers for the inputs and outputs of one
// call. The caller writes the inputs to a slot, starts a call in it, waits for
// the call and reads the outputs. Slots are independent of each other, so that
// the data of one call is copied while another call computes.
//
// Thread-safe as long as no two threads use the same slot at once.
// StartEncoder, StartStructural and Wait return RESOURCE_EXHAUSTED when memory
// ran out, DeviceLostError (model/device_health.h) when the device is lost, and
// INTERNAL for other errors.
class EncoderDevice {
 public:
  virtual ~EncoderDevice() = default;

  virtual const EncoderArrays& arrays() const = 0;
  virtual int64_t node_count() const = 0;  // rows of embeddings
  virtual int slots() const = 0;

  // The memory for the inputs of the slot's next call; its layout is in
  // model/cuda/packed_inputs.h.
  virtual uint32_t* Inputs(int slot) = 0;

  // Starts a call that runs the network on the slot's inputs, and returns at
  // once.
  virtual absl::Status StartEncoder(int slot, const EncoderBucket& bucket,
                                    bool with_attention) = 0;
  // Starts a call that runs the structural scorer alone. REQUIRES: rows <=
  // StructuralRows(arrays()).
  virtual absl::Status StartStructural(int slot, int rows) = 0;

  // Returns when the slot's last call has ended. From then until the next call
  // is started in this slot, its outputs are valid: Logits is [rows, 6] (after
  // StartStructural [rows, 2]); Attention and Cosines are as in EncoderOutputs.
  virtual absl::Status Wait(int slot) = 0;
  virtual const float* Logits(int slot) const = 0;
  virtual const float* Attention(int slot) const = 0;
  virtual const float* Cosines(int slot) const = 0;
};

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_DEVICE_H_
