// Each method builds a request, makes the call with its retries (Call), and
// converts the reply (client/proto_conversion.h). The server sends lists in
// pages; pages are fetched until the list ends or reaches the limit of the
// query. A call and its retries share one deadline. Methods are const and keep
// no state, so that any number of threads may call them.
#include "client/link_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/health_calls.h"
#include "client/model_info_conversion.h"
#include "client/proto_conversion.h"
#include "common/status_macros.h"
#include "grpcpp/grpcpp.h"
#include "slice/v1/admin.grpc.pb.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/graph_update.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {
namespace {

// The most nodes that the server puts on a page.
constexpr size_t kMaxPageSize = 1000;

// How many nodes to ask for when `have` of at most `limit` are here already. A
// `limit` of 0 means all nodes.
size_t PageSize(size_t limit, size_t have) {
  return limit == 0 ? kMaxPageSize : std::min(kMaxPageSize, limit - have);
}

// gRPC's own words for a call that took too long say nothing of what to do.
absl::Status WithAdvice(const absl::Status& status,
                        const LinkClient::Options& options) {
  if (status.message() != "Deadline Exceeded") return status;
  std::string message = absl::StrCat("no answer came within ",
                                     absl::FormatDuration(options.max_time));
  if (options.min_graph_version > 0)
    absl::StrAppend(&message, "; the graph may not have version ",
                    options.min_graph_version, " yet");
  return absl::Status(status.code(),
                      absl::StrCat(message, "; --max-time allows more"));
}

// Makes one call of `method`, a method of `stub`, with its retries.
template <typename Stub, typename Method, typename Request, typename Reply>
absl::Status Call(const LinkClient::Options& options, Stub* stub, Method method,
                  const Request& request, Reply* reply) {
  const absl::Time deadline = absl::Now() + options.max_time;
  const grpc::Status status =
      RunWithRetries(options.retry, deadline, options.sleep, [&] {
        grpc::ClientContext context;
        PrepareCall(options.connection, deadline, &context);
        reply->Clear();
        return (stub->*method)(&context, request, reply);
      });
  return WithAdvice(FromGrpcStatus(status), options);
}

v1::PredictLinksRequest PredictRequest(const LinkClient::Options& options,
                                       absl::Span<const LinkQuery> links,
                                       const WhatIfQuery& what_if) {
  v1::PredictLinksRequest request;
  request.set_model(options.model);
  request.set_scorer(options.scorer);
  request.set_prior(options.prior);
  request.set_min_graph_version(options.min_graph_version);
  for (const LinkQuery& link : links) ToProto(link, request.add_links());
  if (!what_if.empty()) ToProto(what_if, request.mutable_what_if());
  return request;
}

absl::StatusOr<ScoredLinks> Predict(const LinkClient::Options& options,
                                    v1::LinkPredictionService::Stub* stub,
                                    const v1::PredictLinksRequest& request) {
  v1::PredictLinksResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options, stub,
                             &v1::LinkPredictionService::Stub::PredictLinks,
                             request, &reply));
  return slice::FromProto(reply, static_cast<size_t>(request.links_size()));
}

// INTERNAL for an empty page that is not the last: a server that sends only
// such pages would keep the client asking forever.
absl::Status CheckPage(bool empty, const std::string& next_page_token) {
  if (!empty || next_page_token.empty()) return absl::OkStatus();
  return absl::InternalError(
      "the server sent an empty page, but says that more pages follow");
}

}  // namespace

struct LinkClient::Stubs {
  explicit Stubs(std::shared_ptr<grpc::Channel> channel)
      : channel(channel),
        links(v1::LinkPredictionService::NewStub(channel)),
        graph(v1::GraphService::NewStub(channel)),
        updates(v1::GraphUpdateService::NewStub(channel)),
        admin(v1::AdminService::NewStub(channel)) {}

  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::LinkPredictionService::Stub> links;
  const std::unique_ptr<v1::GraphService::Stub> graph;
  const std::unique_ptr<v1::GraphUpdateService::Stub> updates;
  const std::unique_ptr<v1::AdminService::Stub> admin;
};

absl::StatusOr<std::unique_ptr<LinkClient>> LinkClient::Create(
    Options options) {
  if (options.max_time <= absl::ZeroDuration())
    return absl::InvalidArgumentError("--max-time must be above 0 seconds");
  if (!options.sleep)
    options.sleep = [](absl::Duration delay) { absl::SleepFor(delay); };
  SLICE_ASSIGN_OR_RETURN(auto channel, CreateChannel(options.connection));
  return std::unique_ptr<LinkClient>(new LinkClient(
      std::move(options), std::make_unique<const Stubs>(std::move(channel))));
}

LinkClient::LinkClient(Options options, std::unique_ptr<const Stubs> stubs)
    : options_(std::move(options)), stubs_(std::move(stubs)) {}

LinkClient::~LinkClient() = default;

absl::StatusOr<ScoredLinks> LinkClient::PredictLinks(
    absl::Span<const LinkQuery> links, PredictClass predict_class,
    const WhatIfQuery& what_if) const {
  v1::PredictLinksRequest request = PredictRequest(options_, links, what_if);
  if (predict_class == PredictClass::kBulk)
    request.set_request_class(v1::REQUEST_CLASS_BULK);
  return Predict(options_, stubs_->links.get(), request);
}

absl::StatusOr<ScoredLinks> LinkClient::ExplainLink(
    const LinkQuery& link, const WhatIfQuery& what_if) const {
  v1::PredictLinksRequest request =
      PredictRequest(options_, {&link, 1}, what_if);
  request.set_explanation_level(v1::EXPLANATION_LEVEL_FULL);
  SLICE_ASSIGN_OR_RETURN(ScoredLinks scored,
                         Predict(options_, stubs_->links.get(), request));
  SLICE_RETURN_IF_ERROR(scored.links[0].status);
  if (!scored.links[0].explanation)
    return absl::InternalError("the server sent no explanation");
  return scored;
}

absl::StatusOr<RecommendedNodes> LinkClient::RecommendLinks(
    const RecommendQuery& query) const {
  v1::RecommendLinksRequest request;
  request.set_model(options_.model);
  request.set_scorer(options_.scorer);
  request.set_prior(options_.prior);
  request.set_min_graph_version(options_.min_graph_version);
  ToProto(query, &request);
  const absl::Time deadline = absl::Now() + options_.max_time;
  RecommendedNodes list;
  absl::Status malformed;
  bool begun = false;
  const auto attempt = [&] {
    list = {};
    begun = false;
    grpc::ClientContext context;
    PrepareCall(options_.connection, deadline, &context);
    const auto stream = stubs_->links->RecommendLinks(&context, request);
    v1::RecommendLinksResponse reply;
    while (malformed.ok() && stream->Read(&reply)) {
      begun = true;
      malformed = AddReply(reply, &list);
    }
    if (!malformed.ok()) context.TryCancel();
    return stream->Finish();
  };
  const grpc::Status status =
      RunWithRetries(options_.retry, deadline, options_.sleep, attempt);
  SLICE_RETURN_IF_ERROR(malformed);
  SLICE_RETURN_IF_ERROR(WithAdvice(FromGrpcStatus(status), options_));
  if (!begun) return absl::InternalError("the server sent no reply");
  return list;
}

absl::StatusOr<ModelInfo> LinkClient::GetModelInfo() const {
  v1::GetModelInfoRequest request;
  request.set_model(options_.model);
  v1::GetModelInfoResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->links.get(),
                             &v1::LinkPredictionService::Stub::GetModelInfo,
                             request, &reply));
  return slice::FromProto(reply);
}

absl::StatusOr<RelationList> LinkClient::ListRelations() const {
  v1::ListRelationsRequest request;
  request.set_model(options_.model);
  v1::ListRelationsResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->links.get(),
                             &v1::LinkPredictionService::Stub::ListRelations,
                             request, &reply));
  return slice::FromProto(reply);
}

absl::StatusOr<FoundNodes> LinkClient::FindNodes(const FindQuery& query) const {
  v1::FindNodesRequest request;
  request.set_model(options_.model);
  request.set_prefix(query.prefix);
  request.set_type(query.type);
  FoundNodes list;
  do {
    request.set_page_size(PageSize(query.limit, list.nodes.size()));
    v1::FindNodesResponse reply;
    SLICE_RETURN_IF_ERROR(Call(options_, stubs_->links.get(),
                               &v1::LinkPredictionService::Stub::FindNodes,
                               request, &reply));
    SLICE_RETURN_IF_ERROR(
        CheckPage(reply.nodes().empty(), reply.next_page_token()));
    for (const v1::Node& node : reply.nodes())
      list.nodes.push_back(slice::FromProto(node));
    list.near_misses.assign(reply.near_misses().begin(),
                            reply.near_misses().end());
    list.from = SourceOf(reply);
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty() &&
           (query.limit == 0 || list.nodes.size() < query.limit));
  list.more = !request.page_token().empty();
  return list;
}

absl::StatusOr<FoundNeighbors> LinkClient::GetNeighbors(
    const NeighborQuery& query) const {
  v1::GetNeighborsRequest request;
  request.set_model(options_.model);
  ToProto(query.node, request.mutable_node());
  request.set_relation(query.relation);
  request.set_direction(ToProto(query.direction));
  FoundNeighbors list;
  do {
    request.set_page_size(PageSize(query.limit, list.neighbors.size()));
    v1::GetNeighborsResponse reply;
    SLICE_RETURN_IF_ERROR(Call(options_, stubs_->graph.get(),
                               &v1::GraphService::Stub::GetNeighbors, request,
                               &reply));
    SLICE_RETURN_IF_ERROR(
        CheckPage(reply.neighbors().empty(), reply.next_page_token()));
    for (const v1::Neighbor& neighbor : reply.neighbors())
      list.neighbors.push_back(slice::FromProto(neighbor));
    list.node = slice::FromProto(reply.node());
    list.total = reply.total();
    list.from = SourceOf(reply);
    request.set_page_token(reply.next_page_token());
  } while (!request.page_token().empty() &&
           (query.limit == 0 || list.neighbors.size() < query.limit));
  return list;
}

absl::StatusOr<UpdateAnswer> LinkClient::ApplyUpdates(
    const GraphEdits& edits) const {
  v1::ApplyUpdatesRequest request;
  request.set_model(options_.model);
  ToProto(edits, &request);
  v1::ApplyUpdatesResponse reply;
  Options options = options_;
  options.retry.repeatable = !edits.writer.empty();
  SLICE_RETURN_IF_ERROR(Call(options, stubs_->updates.get(),
                             &v1::GraphUpdateService::Stub::ApplyUpdates,
                             request, &reply));
  return slice::FromProto(reply);
}

absl::StatusOr<GraphStateInfo> LinkClient::GetGraphState(
    const std::string& writer) const {
  v1::GetGraphStateRequest request;
  request.set_model(options_.model);
  request.set_writer(writer);
  v1::GetGraphStateResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->updates.get(),
                             &v1::GraphUpdateService::Stub::GetGraphState,
                             request, &reply));
  return slice::FromProto(reply);
}

absl::StatusOr<QueueSnapshot> LinkClient::GetQueueState() const {
  v1::GetQueueStateResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->admin.get(),
                             &v1::AdminService::Stub::GetQueueState,
                             v1::GetQueueStateRequest(), &reply));
  return slice::FromProto(reply);
}

absl::StatusOr<ConfigReload> LinkClient::ReloadConfig() const {
  v1::ReloadConfigResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->admin.get(),
                             &v1::AdminService::Stub::ReloadConfig,
                             v1::ReloadConfigRequest(), &reply));
  return ConfigReload{
      {reply.applied().begin(), reply.applied().end()},
      {reply.needs_restart().begin(), reply.needs_restart().end()}};
}

absl::StatusOr<CheckpointInfo> LinkClient::CreateCheckpoint(
    const std::string& directory) const {
  v1::CreateCheckpointRequest request;
  request.set_model(options_.model);
  request.set_directory(directory);
  v1::CreateCheckpointResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->admin.get(),
                             &v1::AdminService::Stub::CreateCheckpoint, request,
                             &reply));
  return CheckpointInfo{reply.graph_version(), reply.state_digest()};
}

absl::StatusOr<std::vector<ModelState>> LinkClient::ListModels() const {
  v1::ListModelsResponse reply;
  SLICE_RETURN_IF_ERROR(Call(options_, stubs_->admin.get(),
                             &v1::AdminService::Stub::ListModels,
                             v1::ListModelsRequest(), &reply));
  std::vector<ModelState> models;
  for (const v1::ModelState& model : reply.models()) {
    models.push_back(slice::FromProto(model));
  }
  return models;
}

absl::Status LinkClient::ChangeModel(const ModelChange& change) const {
  using Stub = v1::AdminService::Stub;
  const auto call = [&](auto method, auto request, auto reply) {
    request.set_name(change.name);
    return Call(options_, stubs_->admin.get(), method, request, &reply);
  };
  switch (change.action) {
    case ModelAction::kLoad:
      return call(&Stub::LoadModel, LoadRequestOf(change),
                  v1::LoadModelResponse());
    case ModelAction::kPromote:
      return call(&Stub::PromoteModel, v1::PromoteModelRequest(),
                  v1::PromoteModelResponse());
    case ModelAction::kSetDefault:
      return call(&Stub::SetDefault, v1::SetDefaultRequest(),
                  v1::SetDefaultResponse());
    case ModelAction::kRollBack:
      return call(&Stub::RollBack, v1::RollBackRequest(),
                  v1::RollBackResponse());
    case ModelAction::kUnload:
    case ModelAction::kDropCandidate:
      break;
  }
  v1::UnloadModelRequest unload;
  unload.set_candidate_only(change.action == ModelAction::kDropCandidate);
  return call(&Stub::UnloadModel, unload, v1::UnloadModelResponse());
}

absl::Status LinkClient::Connect(absl::Duration timeout) const {
  const ConnectionOptions& options = options_.connection;
  const absl::Time deadline = absl::Now() + timeout;
  const absl::Status connected =
      WaitUntilConnected(stubs_->channel.get(), options.server, deadline);
  if (connected.ok()) return connected;
  // A channel does not say why it has no connection. A call does.
  const absl::Status reason =
      GetHealth(stubs_->channel, options, "", deadline).status();
  return absl::IsUnavailable(reason) ? reason : connected;
}

absl::StatusOr<ServingState> LinkClient::CheckHealth(
    const std::string& service) const {
  return GetHealth(stubs_->channel, options_.connection, service,
                   absl::Now() + options_.max_time);
}

absl::Status LinkClient::WatchHealth(
    const std::string& service, absl::Duration max_time,
    const std::function<bool(ServingState)>& changed) const {
  return FollowHealth(stubs_->channel, options_.connection, service,
                      absl::Now() + max_time, changed);
}

}  // namespace slice
