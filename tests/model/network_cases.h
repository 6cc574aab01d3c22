// The networks with which every hand-written forward pass is compared with the
// TorchScript, and batches for them.
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

// A small network whose sizes are no multiples of a vector.
NetworkOptions OddOptions();
// Every kind of network that can be run natively.
std::vector<NetworkOptions> AllOptions();
// The options in which these networks differ, for failure messages.
std::string CaseName(const NetworkOptions& options);

// A network with these options. No parameter is zero, and logits are as small
// as the ones of a trained network.
torch::jit::Module NetworkCase(const NetworkOptions& options);
std::vector<float> CaseEmbeddings(const NetworkOptions& options);

// 60 links of 2 to 34 tokens, and one link of `tokens` tokens.
std::vector<EncodedLink> CaseLinks(const NetworkOptions& options);
EncodedLink CaseLink(const NetworkOptions& options, size_t tokens,
                     uint64_t seed);
ContextBatch AssembleLinks(const std::vector<EncodedLink>& links);

// Logits must agree to `tolerance` times the larger of 1 and the logit,
// attention to `tolerance`.
void ExpectSameOutputs(const ForwardOutputs& actual,
                       const ForwardOutputs& expected, double tolerance);

}  // namespace slice

#endif  // SLICE_TESTS_MODEL_NETWORK_CASES_H_
