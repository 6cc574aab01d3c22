// Each function converts one message, field by field. What a server sends is
// checked where the client relies on it: the positions of tokens, the size of
// the attention, the number of results and the order of ranks. A reply that
// fails a check gives INTERNAL. An enumerator that this client does not know
// becomes the most general one (node, no role, both directions).
#include "client/proto_conversion.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/connection_advice.h"
#include "common/status_macros.h"

namespace slice {
namespace {

AnswerFlags FromProto(const v1::LinkFlags& flags) {
  AnswerFlags answer;
  answer.exists = flags.exists();
  answer.self = flags.self();
  answer.off_schema_source = flags.off_schema_source();
  answer.off_schema_target = flags.off_schema_target();
  answer.cold_source = flags.cold_source();
  answer.cold_target = flags.cold_target();
  answer.unknown_source = flags.unknown_source();
  answer.unknown_target = flags.unknown_target();
  answer.truncated = flags.truncated();
  answer.schema_log_odds = flags.schema_log_odds();
  answer.notes.assign(flags.notes().begin(), flags.notes().end());
  return answer;
}

template <typename Reply>
std::vector<size_t> WithoutEffect(const Reply& reply) {
  const auto& positions = reply.what_if().without_effect();
  return {positions.begin(), positions.end()};
}

}  // namespace

absl::Status FromGrpcStatus(const grpc::Status& status) {
  std::string message = status.error_message();
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    const std::string_view advice = ConnectionAdvice(message);
    if (!advice.empty()) message.append("; ").append(advice);
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      message);
}

void ToProto(const NodeQuery& node, v1::NodeRef* ref) {
  if (node.exact_key) {
    ref->set_key(node.text);
  } else {
    ref->set_name(node.text);
  }
}

void ToProto(const LinkQuery& link, v1::LinkRef* ref) {
  ToProto(link.source, ref->mutable_source());
  ref->set_relation(link.relation);
  ToProto(link.target, ref->mutable_target());
}

void ToProto(const WhatIfQuery& query, v1::WhatIf* what_if) {
  const auto fill = [](const LinkQuery& link, v1::LinkChange* change) {
    ToProto(link.source, change->mutable_source());
    change->set_relation(link.relation);
    ToProto(link.target, change->mutable_target());
  };
  for (const ImaginedNode& node : query.added_nodes) {
    v1::NodeChange* added = what_if->add_changes()->mutable_upsert_node();
    added->set_key(node.key);
    added->set_type(node.type);
  }
  for (const NodeQuery& node : query.removed_nodes)
    ToProto(node, what_if->add_changes()->mutable_remove_node());
  for (const LinkQuery& link : query.added_links)
    fill(link, what_if->add_changes()->mutable_add_link());
  for (const LinkQuery& link : query.removed_links)
    fill(link, what_if->add_changes()->mutable_remove_link());
}

void ToProto(const GraphEdits& edits, v1::ApplyUpdatesRequest* request) {
  request->set_writer(edits.writer);
  request->set_sequence(edits.sequence);
  for (const GraphEdit& edit : edits.edits) {
    v1::GraphChange* const change = request->add_changes();
    const auto fill = [&edit](v1::LinkChange* link) {
      link->mutable_source()->set_key(edit.source);
      link->set_relation(edit.relation);
      link->mutable_target()->set_key(edit.target);
      link->set_weight(edit.weight);
    };
    switch (edit.kind) {
      case GraphEditKind::kAddLink:
        fill(change->mutable_add_link());
        break;
      case GraphEditKind::kRemoveLink:
        fill(change->mutable_remove_link());
        break;
      case GraphEditKind::kUpsertNode:
        change->mutable_upsert_node()->set_key(edit.key);
        change->mutable_upsert_node()->set_name(edit.name);
        change->mutable_upsert_node()->set_type(edit.type);
        break;
      case GraphEditKind::kRemoveNode:
        change->mutable_remove_node()->set_key(edit.key);
        break;
    }
  }
}

UpdateAnswer FromProto(const v1::ApplyUpdatesResponse& reply) {
  return {
      .graph_version = reply.graph_version(),
      .without_effect = {reply.without_effect().begin(),
                         reply.without_effect().end()},
      .repeated = reply.repeated(),
      .added_types = {reply.added_types().begin(), reply.added_types().end()}};
}

GraphStateInfo FromProto(const v1::GetGraphStateResponse& reply) {
  return {.graph_version = reply.graph_version(),
          .base_version = reply.base_version(),
          .state_digest = reply.state_digest(),
          .nodes = reply.node_count(),
          .links = reply.link_count(),
          .writable = reply.writable(),
          .not_writable_reason = reply.not_writable_reason(),
          .last_sequence = reply.last_sequence()};
}

void ToProto(const RecommendQuery& query, v1::RecommendLinksRequest* request) {
  if (!query.what_if.empty())
    ToProto(query.what_if, request->mutable_what_if());
  ToProto(query.known, query.known_is_source ? request->mutable_source()
                                             : request->mutable_target());
  request->set_relation(query.relation);
  request->set_k(static_cast<int>(query.k));
  request->set_type(query.type);
  request->set_include_existing(query.include_existing);
  for (const NodeQuery& node : query.candidates)
    ToProto(node, request->add_candidates());
}

v1::Direction ToProto(ArcDirection direction) {
  switch (direction) {
    case ArcDirection::kOut:
      return v1::DIRECTION_OUT;
    case ArcDirection::kIn:
      return v1::DIRECTION_IN;
    case ArcDirection::kBoth:
      break;
  }
  return v1::DIRECTION_UNSPECIFIED;
}

NeighborInfo FromProto(const v1::Neighbor& neighbor) {
  return {FromProto(neighbor.node()), neighbor.relation(),
          FromProto(neighbor.direction())};
}

RelationList FromProto(const v1::ListRelationsResponse& reply) {
  RelationList list;
  list.from = SourceOf(reply);
  for (const v1::RelationInfo& relation : reply.relations()) {
    list.relations.push_back(
        {relation.name(),
         relation.links(),
         {relation.source_types().begin(), relation.source_types().end()},
         {relation.target_types().begin(), relation.target_types().end()}});
  }
  return list;
}

absl::StatusOr<ScoredLink> FromProto(const v1::LinkResult& result) {
  ScoredLink link;
  if (result.status().code() != 0) {
    link.status =
        absl::Status(static_cast<absl::StatusCode>(result.status().code()),
                     result.status().message());
    return link;
  }
  link.source = FromProto(result.source());
  link.relation = result.relation();
  link.target = FromProto(result.target());
  link.logit = result.logit();
  link.logit_structural = result.logit_structural();
  link.logit_context = result.logit_context();
  link.logit_knowledge = result.logit_knowledge();
  link.probability = result.probability();
  link.decision = result.decision();
  link.probability_among_kind = result.probability_among_kind();
  link.flags = FromProto(result.flags());
  link.decision_threshold = result.decision_threshold();
  if (result.has_explanation()) {
    SLICE_ASSIGN_OR_RETURN(link.explanation, FromProto(result.explanation()));
  }
  return link;
}

absl::StatusOr<ScoredLinks> FromProto(const v1::PredictLinksResponse& reply,
                                      size_t expected) {
  if (static_cast<size_t>(reply.results_size()) != expected) {
    return absl::InternalError(absl::StrCat("the server answered ",
                                            reply.results_size(), " of ",
                                            expected, " links"));
  }
  ScoredLinks scored;
  scored.from = SourceOf(reply);
  scored.without_effect = WithoutEffect(reply);
  scored.links.reserve(expected);
  for (const v1::LinkResult& result : reply.results()) {
    SLICE_ASSIGN_OR_RETURN(ScoredLink link, FromProto(result));
    link.scorer = reply.scorer();
    scored.links.push_back(std::move(link));
  }
  return scored;
}

absl::Status AddReply(const v1::RecommendLinksResponse& reply,
                      RecommendedNodes* list) {
  list->best_so_far = reply.best_so_far();
  list->candidate_count = reply.candidate_count();
  list->scorer = reply.scorer();
  list->from = SourceOf(reply);
  list->without_effect = WithoutEffect(reply);
  if (!reply.has_recommendation()) return absl::OkStatus();
  const v1::Recommendation& best = reply.recommendation();
  if (best.rank() != list->nodes.size() + 1) {
    return absl::InternalError(absl::StrCat("the server sent rank ",
                                            best.rank(), " after rank ",
                                            list->nodes.size()));
  }
  RecommendedNode& node = list->nodes.emplace_back();
  node.rank = best.rank();
  node.node = FromProto(best.node());
  node.score = best.score();
  node.reranked = best.reranked();
  node.probability = best.probability();
  node.decision = best.decision();
  node.probability_among_kind = best.probability_among_kind();
  for (const v1::MetapathStep& step : best.metapath()) {
    node.metapath.push_back({step.token(), FromProto(step.node()),
                             step.relation(), FromProto(step.direction())});
  }
  node.metapath_count = best.metapath_count();
  node.flags = FromProto(best.flags());
  return absl::OkStatus();
}

QueueSnapshot FromProto(const v1::GetQueueStateResponse& reply) {
  const auto of_class = [](const v1::ClassQueue& queue) {
    return QueuedClass{queue.links(), queue.cost(), queue.clients()};
  };
  QueueSnapshot state;
  for (const v1::StageQueue& queue : reply.queues()) {
    const v1::NextBatch& next = queue.next_batch();
    state.stages.push_back({queue.stage(), of_class(queue.interactive()),
                            of_class(queue.bulk()), queue.oldest_age_seconds(),
                            next.interactive_links(), next.bulk_links(),
                            next.dropped_links(), next.explained(),
                            next.earliest_deadline_seconds()});
  }
  state.links = reply.links();
  state.max_links = reply.max_links();
  state.bytes = reply.bytes();
  state.max_bytes = reply.max_bytes();
  state.interactive_wait_seconds = reply.predicted_wait_interactive_seconds();
  state.bulk_wait_seconds = reply.predicted_wait_bulk_seconds();
  for (const v1::ShedRequest& shed : reply.shed()) {
    state.shed.push_back({shed.age_seconds(), shed.reason(),
                          shed.request_class() == v1::REQUEST_CLASS_BULK,
                          shed.links(), shed.predicted_wait_seconds()});
  }
  return state;
}

ModelState FromProto(const v1::ModelState& from) {
  const auto version = [](const v1::ModelVersion& one) {
    return ModelVersionState{.bundle_id = one.bundle_id(),
                             .directory = one.directory(),
                             .loaded_seconds = one.loaded_timestamp_seconds(),
                             .preset = one.preset(),
                             .nodes = one.node_count(),
                             .links = one.link_count(),
                             .scored_links = one.scored_links(),
                             .failed_links = one.failed_links()};
  };
  ModelState model;
  model.name = from.name();
  model.is_default = from.is_default();
  model.serving = version(from.serving());
  if (from.has_candidate()) {
    model.candidate = version(from.candidate());
    model.trial = {.shadow = from.trial().kind() == v1::Trial::KIND_SHADOW,
                   .by_link = from.trial().by() == v1::Trial::BY_LINK,
                   .share = from.trial().share()};
  }
  model.previous_bundle_id = from.previous_bundle_id();
  model.previous_directory = from.previous_directory();
  model.loads = from.loads();
  model.failed_loads = from.failed_loads();
  model.last_load_seconds = from.last_load_seconds();
  return model;
}

v1::LoadModelRequest LoadRequestOf(const ModelChange& change) {
  v1::LoadModelRequest request;
  request.set_name(change.name);
  request.set_bundle(change.bundle);
  if (!change.trial.has_value()) return request;
  v1::Trial* const trial = request.mutable_trial();
  trial->set_kind(change.trial->shadow ? v1::Trial::KIND_SHADOW
                                       : v1::Trial::KIND_CANARY);
  trial->set_by(change.trial->by_link ? v1::Trial::BY_LINK
                                      : v1::Trial::BY_IDENTITY);
  trial->set_share(change.trial->share);
  return request;
}

}  // namespace slice
