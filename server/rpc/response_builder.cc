// One function per reply. All replies are stamped with the bundle id and the
// graph version that they were made from. A page token holds a position
// (server/rpc/page_token.h): for FindNodes in the name index, for GetNeighbors
// in the outgoing arcs followed by the incoming arcs.
#include "server/rpc/response_builder.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "common/vector_variants.h"
#include "graphstore/name_resolver.h"
#include "server/graph/link_resolver.h"
#include "server/grpc_status.h"
#include "server/limits.h"
#include "server/rpc/answer_trust.h"
#include "server/rpc/explanation.h"
#include "server/rpc/page_token.h"
#include "server/rpc/request_validation.h"
#include "server/server_metrics.h"

namespace slice {
namespace {

template <typename Response>
void Stamp(const ModelOnGraph& served, Response* response) {
  response->set_bundle_id(served.model.manifest.bundle_id);
  response->set_graph_version(served.graph.graph_version());
}

void FillResult(const ModelOnGraph& served, const LinkItem& item, bool explain,
                v1::LinkResult* result) {
  google::rpc::Status* status = result->mutable_status();
  if (!item.status.ok()) {
    *status = ToRpcStatus(item.status);
    return;
  }
  FillNode(served.graph, item.link.source, result->mutable_source());
  result->set_relation(served.graph.RelationName(item.link.relation));
  FillNode(served.graph, item.link.target, result->mutable_target());
  result->set_logit(item.prediction.logit);
  result->set_logit_structural(item.prediction.logit_structural);
  result->set_logit_context(item.prediction.logit_context);
  result->set_logit_knowledge(item.prediction.logit_knowledge);
  result->set_probability(item.prediction.probability);
  result->set_decision(item.prediction.decision);
  result->set_probability_among_kind(item.prediction.probability_among_kind);
  FillFlags(served, item.link, item.prediction, result->mutable_flags());
  result->set_decision_threshold(served.model.manifest.reading.Threshold(
      item.link.relation, item.prediction.flags));
  if (explain) FillExplanation(served, item, result->mutable_explanation());
}

// The graph that a page token belongs to. It goes on when the graph changes: a
// list that changes between two pages may miss or repeat entries.
std::string GraphText(const ServedModel& model) {
  return absl::StrCat(model.manifest.bundle_id, "@", model.base_graph_version);
}

// The arcs of a node in one direction, of one relation or of all, by position.
class ArcRange {
 public:
  ArcRange(const GraphSnapshot& snapshot, NodeId node,
           std::optional<RelationId> relation, Direction direction)
      : relation_(relation), direction_(direction) {
    if (relation.has_value()) {
      neighbors_ = snapshot.Neighbors(node, *relation, direction);
    } else {
      const ArcSpan arcs = snapshot.Arcs(node, direction);
      neighbors_ = arcs.neighbors;
      relations_ = arcs.relations;
    }
  }

  size_t size() const { return neighbors_.size(); }
  Arc operator[](size_t i) const {
    return {neighbors_[i], relation_.has_value() ? *relation_ : relations_[i],
            direction_};
  }

 private:
  std::optional<RelationId> relation_;
  Direction direction_;
  std::span<const NodeId> neighbors_;
  std::span<const RelationId> relations_;
};

// Adds the arcs at [position, position + limit) of the ranges laid end to end.
// Returns the number of arcs in all ranges.
size_t AddNeighbors(const GraphSnapshot& snapshot,
                    std::span<const ArcRange> ranges, size_t position,
                    size_t limit, v1::GetNeighborsResponse* response) {
  size_t total = 0;
  for (const ArcRange& range : ranges) {
    const size_t first = position > total ? position - total : 0;
    for (size_t i = first; i < range.size(); ++i) {
      if (total + i >= position + limit) break;
      const Arc arc = range[i];
      v1::Neighbor* neighbor = response->add_neighbors();
      FillNode(snapshot, arc.neighbor, neighbor->mutable_node());
      neighbor->set_relation(snapshot.RelationName(arc.relation));
      neighbor->set_direction(arc.direction == Direction::kOut
                                  ? v1::DIRECTION_OUT
                                  : v1::DIRECTION_IN);
    }
    total += range.size();
  }
  return total;
}

std::vector<ArcRange> RangesOf(const GraphSnapshot& snapshot, NodeId node,
                               std::optional<RelationId> relation,
                               v1::Direction direction) {
  std::vector<ArcRange> ranges;
  if (direction != v1::DIRECTION_IN) {
    ranges.emplace_back(snapshot, node, relation, Direction::kOut);
  }
  if (direction != v1::DIRECTION_OUT) {
    ranges.emplace_back(snapshot, node, relation, Direction::kIn);
  }
  return ranges;
}

// Names that are similar to a text, other than those of `found`. `type`: of
// nodes of this type alone.
void AddSimilarNames(const GraphSnapshot& graph, const std::string& text,
                     std::optional<NodeTypeId> type,
                     std::span<const NodeId> found,
                     v1::FindNodesResponse* response) {
  const auto is_found = [&](const std::string& name) {
    return std::any_of(found.begin(), found.end(), [&](NodeId node) {
      return graph.Name(node) == name || graph.Key(node) == name;
    });
  };
  for (const auto& near :
       graph.names().NearMisses(text, kSuggestions + found.size(), type)) {
    if (response->near_misses_size() == int{kSuggestions}) break;
    if (!is_found(near)) response->add_near_misses(near);
  }
}

absl::Status ReplyTooLarge() {
  return absl::ResourceExhaustedError(
      absl::StrCat("the reply is larger than ", kMaxSendBytes,
                   " bytes: ask for fewer links at a time, or without "
                   "explanations"));
}

}  // namespace

void BuildRefusedResponse(const LinkJob& job, const absl::Status& status,
                          v1::PredictLinksResponse* response) {
  Stamp(job.served(), response);
  response->set_scorer(std::string(ScorerName(job.reading().scorer)));
  const google::rpc::Status refused = ToRpcStatus(status);
  for (size_t i = 0; i < job.work().items; ++i) {
    *response->add_results()->mutable_status() = refused;
  }
}

absl::Status BuildPredictLinksResponse(const LinkJob& job,
                                       v1::PredictLinksResponse* response) {
  Stamp(job.served(), response);
  response->set_scorer(std::string(ScorerName(job.reading().scorer)));
  if (!job.ReplyFits()) return ReplyTooLarge();
  size_t bytes = 0;
  for (const LinkItem& item : job.items()) {
    v1::LinkResult* const result = response->add_results();
    FillResult(job.served(), item, job.explain(), result);
    // Only explanations are large.
    if (job.explain()) bytes += result->ByteSizeLong();
    if (bytes > kMaxSendBytes) return ReplyTooLarge();
  }
  job.graph().FillEffect(response);
  return response->ByteSizeLong() > kMaxSendBytes ? ReplyTooLarge()
                                                  : absl::OkStatus();
}

void BuildGetModelInfoResponse(const ServedModel& model,
                               v1::GetModelInfoResponse* response) {
  const BundleManifest& manifest = model.manifest;
  const auto graph = model.Graph();
  const GraphSnapshot& snapshot = *graph;
  Stamp({model, snapshot}, response);
  response->set_base_graph_version(model.base_graph_version);
  response->set_model(model.name);
  response->set_preset(manifest.preset);
  response->set_created(manifest.created);
  response->set_contract_version(manifest.contract_version);
  response->set_node_count(snapshot.present_node_count());
  response->set_link_count(snapshot.link_count());
  for (const auto& relation : snapshot.relations()) {
    response->add_relations(relation);
  }
  for (const auto& type : snapshot.node_types()) {
    response->add_node_types(type);
  }
  response->set_embedding_dim(manifest.embedding_dim);
  response->set_layers(manifest.layers);
  response->set_heads(manifest.heads);
  response->set_hidden_dim(manifest.hidden_dim);
  response->set_context_strategy(
      std::string(ContextStrategyName(manifest.context.strategy)));
  response->set_max_context_nodes(manifest.context.max_nodes);
  response->set_own_pair_links(OwnPairLinksName(manifest.own_pair_links));
  response->set_leaky(manifest.leaky);
  for (const auto& [name, value] : manifest.metrics) {
    (*response->mutable_metrics())[name] = value;
  }
  response->set_graph_digest(manifest.graph_digest);
  response->set_device(model.RunsOn());
  response->set_forward_path(
      std::string(ForwardPathName(model.scorer->path())));
  for (const ForwardTiming& timing : model.scorer->timings()) {
    v1::ForwardTiming* added = response->add_forward_timings();
    added->set_forward_path(std::string(ForwardPathName(timing.path)));
    added->set_contexts(timing.contexts);
    added->set_seconds(absl::ToDoubleSeconds(timing.duration));
  }
  response->set_instruction_set(std::string(VectorSetName(MachineVectorSet())));
  FillPairFeatureInfo(model, response->mutable_pair_features());
  response->set_server_version(std::string(ServerVersion()));
  response->set_seed(manifest.seed);
  response->set_scorer(std::string(ScorerName(manifest.reading.scorer)));
  response->set_scorer_reason(manifest.scorer_reason);
  FillCalibrations(manifest, response);
}

void BuildListRelationsResponse(const ServedModel& model,
                                v1::ListRelationsResponse* response) {
  const auto graph = model.Graph();
  const GraphSnapshot& snapshot = *graph;
  const ModelOnGraph served(model, snapshot);
  Stamp(served, response);
  const RelationSchema& schema = served.schema();
  for (size_t i = 0; i < snapshot.relation_count(); ++i) {
    const auto relation = static_cast<RelationId>(i);
    v1::RelationInfo* info = response->add_relations();
    info->set_name(snapshot.RelationName(relation));
    info->set_links(snapshot.link_count(relation));
    for (NodeTypeId type : schema.types(relation, Direction::kOut)) {
      info->add_source_types(snapshot.TypeName(type));
    }
    for (NodeTypeId type : schema.types(relation, Direction::kIn)) {
      info->add_target_types(snapshot.TypeName(type));
    }
  }
}

absl::Status BuildFindNodesResponse(const ServedModel& model,
                                    const v1::FindNodesRequest& request,
                                    v1::FindNodesResponse* response) {
  const auto graph = model.Graph();
  const GraphSnapshot& snapshot = *graph;
  std::optional<NodeTypeId> type;
  if (!request.type().empty()) {
    SLICE_ASSIGN_OR_RETURN(type, ResolveNodeType(snapshot, request.type()));
  }
  const uint64_t fingerprint = PageFingerprint(
      {"FindNodes", GraphText(model), request.prefix(), request.type()});
  SLICE_ASSIGN_OR_RETURN(const uint64_t position,
                         DecodePageToken(fingerprint, request.page_token()));
  const size_t limit = PageSizeOr(request.page_size(), kDefaultFindPageSize);
  const NodeNames& names = snapshot.names();
  // One node more than the page shows whether there is another page.
  std::vector<NodeId> found =
      names.FindPrefix(request.prefix(), type, position, limit + 1);
  if (found.size() > limit) {
    found.resize(limit);
    response->set_next_page_token(
        EncodePageToken(fingerprint, position + limit));
  }
  for (NodeId node : found) {
    FillNode(snapshot, node, response->add_nodes());
  }
  if (found.size() < limit && position == 0 && !request.prefix().empty()) {
    AddSimilarNames(snapshot, request.prefix(), type, found, response);
  }
  Stamp({model, snapshot}, response);
  return absl::OkStatus();
}

absl::Status BuildGetNeighborsResponse(const ServedModel& model,
                                       const v1::GetNeighborsRequest& request,
                                       v1::GetNeighborsResponse* response) {
  const auto graph = model.Graph();
  const GraphSnapshot& snapshot = *graph;
  SLICE_ASSIGN_OR_RETURN(const NodeId node,
                         ResolveNode(snapshot, request.node()));
  std::optional<RelationId> relation;
  if (!request.relation().empty()) {
    SLICE_ASSIGN_OR_RETURN(relation,
                           ResolveRelation(snapshot, request.relation()));
  }
  const uint64_t fingerprint = PageFingerprint(
      {"GetNeighbors", GraphText(model), snapshot.Key(node), request.relation(),
       v1::Direction_Name(request.direction())});
  SLICE_ASSIGN_OR_RETURN(const uint64_t position,
                         DecodePageToken(fingerprint, request.page_token()));

  const std::vector<ArcRange> ranges =
      RangesOf(snapshot, node, relation, request.direction());
  const size_t limit =
      PageSizeOr(request.page_size(), kDefaultNeighborsPageSize);
  const size_t total =
      AddNeighbors(snapshot, ranges, position, limit, response);
  response->set_total(total);
  if (position + limit < total) {
    response->set_next_page_token(
        EncodePageToken(fingerprint, position + limit));
  }
  FillNode(snapshot, node, response->mutable_node());
  Stamp({model, snapshot}, response);
  return absl::OkStatus();
}

}  // namespace slice
