// Answers as JSON, one object on one line. Scores have nine significant digits,
// enough to restore the float; NaN and infinity become null.
#ifndef SLICE_CLIENT_JSON_OUTPUT_H_
#define SLICE_CLIENT_JSON_OUTPUT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "client/link_types.h"
#include "client/queue_types.h"
#include "client/recommend_types.h"

namespace slice {

// A scored link: the query, the status, and, when the status is OK, the ends
// that the server found and the scores; also the explanation when there is one.
// `label` is the label of the link, "0" or "1"; an empty label is left out.
std::string ToJson(const LinkQuery& query, std::string_view label,
                   const ScoredLink& link, const AnswerSource& from);

// Two answers to one link, {"now": ..., "what_if": ..., "without_effect":
// [...]}: in the graph as it is, null when it lacks an end of the link, and in
// an imagined graph.
std::string ToJson(const LinkQuery& query, const ScoredLinks* now,
                   const ScoredLinks& imagined);

std::string ToJson(const ModelInfo& info);
std::string ToJson(const RelationList& list);
std::string ToJson(const FoundNodes& list);
std::string ToJson(const FoundNeighbors& list);
std::string ToJson(const RecommendedNodes& list);
std::string ToJson(const QueueSnapshot& state);

// {"service": ..., "status": "SERVING"}
std::string ToJson(const std::string& service, ServingState state);

// The name of an enumerator in the wire contract, such as "SERVING".
const char* ServingStateName(ServingState state);

}  // namespace slice

#endif  // SLICE_CLIENT_JSON_OUTPUT_H_
