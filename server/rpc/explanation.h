// Builds the explanation of a score: the context that the model read, its
// attention, and one sentence for a person.
#ifndef SLICE_SERVER_RPC_EXPLANATION_H_
#define SLICE_SERVER_RPC_EXPLANATION_H_

#include <cstdint>
#include <string>

#include "server/models/served_model.h"
#include "server/pipeline/link_job.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Explains a scored item from its first context and, if it has several, shows
// what each of them says. REQUIRES: item.status is OK and its job asked for
// explanations.
void FillExplanation(const ModelOnGraph& served, const LinkItem& item,
                     v1::Explanation* out);

// Fills only the metapath of an explanation: the path that the summary shows.
// Returns how many paths travel the same relations, or 0 when they were not
// counted. For an item without attention, the path is the one of the greatest
// weight (docs/model.md). REQUIRES: item.encoded is set.
uint64_t FillMetapath(
    const ModelOnGraph& served, const LinkItem& item,
    google::protobuf::RepeatedPtrField<v1::MetapathStep>* metapath);

// Describes each pair feature of the model.
void FillPairFeatureInfo(
    const ServedModel& model,
    google::protobuf::RepeatedPtrField<v1::PairFeatureInfo>* features);

// One sentence. Of an item with evidence, it names the reasons for the score
// (DescribeReasons). Otherwise it is such as "curl -depends-> libcurl4
// <-depends- git (12 such paths); structure contributes 71 %", where
// "<-depends-" is a step against the direction of the link. It then shows the
// path of the path token that the ends attend to most or, in a context without
// path tokens, the shortest path without a count. It also says when there is no
// path.
std::string SummarizeExplanation(const ModelOnGraph& served,
                                 const LinkItem& item);

// The share of the structural part in percent, rounded: 100 |s| / (|s| + |c| +
// |k|), where s is logit_structural, c is logit_context and k is
// logit_knowledge; 0 when all are 0.
int StructureSharePercent(const Prediction& prediction);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_EXPLANATION_H_
