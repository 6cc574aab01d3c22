// Says why a link got its score: the context the model saw, its attention and
// one sentence for a person.
#ifndef SLICE_SERVER_RPC_EXPLANATION_H_
#define SLICE_SERVER_RPC_EXPLANATION_H_

#include <cstdint>
#include <string>

#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/served_model.h"

namespace slice {

// Explains a scored item from its first context. REQUIRES: item.status is OK
// and its job asked for explanations.
void FillExplanation(const ServedModel& model, const LinkItem& item,
                     v1::Explanation* out);

// The metapath of FillExplanation alone. Returns how many paths travel its
// relations, 0 when they were not counted. REQUIRES: item has its encoding;
// without attention the heaviest path is taken.
uint64_t FillMetapath(
    const ServedModel& model, const LinkItem& item,
    google::protobuf::RepeatedPtrField<v1::MetapathStep>* metapath);

// "curl -depends-> libcurl4 <-depends- git (12 such paths); structure
// contributes 71 %", an arc against its direction as "<-depends-": the path of
// the path token that the ends attend to most, or in a context without such
// tokens the shortest one, which is not counted. Also says when there is none.
std::string SummarizeExplanation(const ServedModel& model,
                                 const LinkItem& item);

// Share of the structural part: |s| / (|s| + |c|) of the two logits in percent,
// rounded; 0 when both are 0.
int StructureSharePercent(const Prediction& prediction);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_EXPLANATION_H_
