// Writes what a person reads of an explanation: each item of evidence in words
// and numbers, and the sentence that gives the reasons for a score.
#ifndef SLICE_SERVER_RPC_EXPLANATION_SENTENCE_H_
#define SLICE_SERVER_RPC_EXPLANATION_SENTENCE_H_

#include <cstdint>
#include <string>

#include "server/models/served_model.h"
#include "server/pipeline/link_job.h"

namespace slice {

// How many paths an item of evidence stands for; 0 when it is no path.
uint64_t PathCountOf(const LinkItem& item, const Evidence& evidence);

// What the evidence is, without a full stop, such as "9 packages such as
// crystal have a link "recommends" to libssl-dev and a link "tagged" to
// role::devel-lib". REQUIRES: item.encoded is that of a scored link.
std::string DescribeEvidence(const ModelOnGraph& served, const LinkItem& item,
                             const Evidence& evidence);

// The named evidence and what the score becomes without it, or that no reason
// can be named. REQUIRES: item.evidence has items.
std::string DescribeReasons(const ModelOnGraph& served, const LinkItem& item);

// What the search for the context visited, when it did not visit everything.
std::string DescribeSearch(const ModelOnGraph& served);

// A path of a path token, from end to end: "curl -depends-> libcurl4 <-depends-
// git", where "<-depends-" is a step against the direction of the link.
std::string DescribePath(const ModelOnGraph& served,
                         const ContextSubgraph& context, size_t token);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_EXPLANATION_SENTENCE_H_
