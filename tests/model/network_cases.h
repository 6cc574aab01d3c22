// The networks that every hand-written forward pass is held to, and batches for
// them.
#ifndef SLICE_TESTS_MODEL_NETWORK_CASES_H_
#define SLICE_TESTS_MODEL_NETWORK_CASES_H_

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "context/link_encoder.h"
#include "model/context_batch.h"
#include "model/forward_pass.h"
#include "model/network_options.h"

namespace slice {

inline constexpr int64_t kCaseNodes = 30;

// Small enough for a test, of odd sizes.
NetworkOptions OddOptions();
// Every kind of network that is run natively.
std::vector<NetworkOptions> AllOptions();
// What tells one of them from the others.
std::string CaseName(const NetworkOptions& options);

// A network of these options with parameters that are all away from zero,
// small enough for its logits to be those of a trained one.
torch::jit::Module NetworkCase(const NetworkOptions& options);
std::vector<float> CaseEmbeddings(const NetworkOptions& options);

// 60 links of 2 to 34 tokens; one of `tokens`.
std::vector<EncodedLink> CaseLinks(const NetworkOptions& options);
EncodedLink CaseLink(const NetworkOptions& options, size_t tokens,
                     uint64_t seed);
ContextBatch AssembleLinks(const std::vector<EncodedLink>& links);

// Equal to `tolerance` of the larger of 1 and the logit, attention to
// `tolerance`.
void ExpectSameOutputs(const ForwardOutputs& actual,
                       const ForwardOutputs& expected, double tolerance);

}  // namespace slice

#endif  // SLICE_TESTS_MODEL_NETWORK_CASES_H_
