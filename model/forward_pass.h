// The interface for running a network: the methods of the TorchScript contract
// (docs/model-contract.md) on plain arrays. It has several implementations.
#ifndef SLICE_MODEL_FORWARD_PASS_H_
#define SLICE_MODEL_FORWARD_PASS_H_

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/types.h"
#include "model/context_batch.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// How a network is run.
//   kAuto            kNative where the bundle holds the network for our kernels
//                    and on a device; otherwise, on the CPU, the faster of
//                    kNative and kTorchScript, as measured; kTorchScript if
//                    there is no native pass
//   kTorchScript     the definition of the network, run by LibTorch
//   kNative          our own kernels
//   kNativeBfloat16  our own kernels with bfloat16 weights: faster, less exact;
//                    never chosen by kAuto
enum class ForwardPath { kAuto, kTorchScript, kNative, kNativeBfloat16 };
// "auto", "torchscript", "native", "native-bf16".
std::string_view ForwardPathName(ForwardPath path);
// INVALID_ARGUMENT for another name, listing the four.
absl::StatusOr<ForwardPath> ParseForwardPath(std::string_view name);

// The global embeddings [rows, dim]; they must outlive the forward passes that
// read them.
struct EmbeddingRows {
  const float* values = nullptr;
  int64_t rows = 0;
  int64_t dim = 0;
};

struct ForwardOutputs {
  // [rows, kScorers * kQuestions]; OutputNames() names the columns.
  std::vector<float> logits;
  // [rows], each without padding. Empty unless attention was asked for.
  std::vector<SemanticAssociationMatrix> attention;
};

// One way to run one network. Thread-safe. Errors: INTERNAL when the network
// fails, RESOURCE_EXHAUSTED when memory ran out.
class ForwardPass {
 public:
  virtual ~ForwardPass() = default;

  virtual ForwardPath path() const = 0;

  virtual absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                             bool with_attention) const = 0;

  // Computes the structural logits [rows, kQuestions] of links of one relation
  // from their scaled pair features [rows, feature_count].
  virtual absl::StatusOr<std::vector<float>> RunStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const = 0;
};

}  // namespace slice

#endif  // SLICE_MODEL_FORWARD_PASS_H_
