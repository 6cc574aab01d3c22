// The services of slice.v1 and the health service, over gRPC's synchronous API.
// They share a FakeState. Under one mutex it holds what tests set (statuses,
// answers) and what they read (requests, metadata, peers). Answers are made
// from the request by simple rules: names that begin with "unknown" do not
// exist, and the probability of a link is a hash of its names.
#include "tests/testing/fake_link_server.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/random.h"
#include "google/protobuf/text_format.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/server_builder.h"
#include "slice/v1/admin.grpc.pb.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {
namespace {

constexpr const char kToyLink[] = R"pb(
  source { key: "curl" name: "curl" type: "package" }
  relation: "tagged"
  target { key: "role::program" name: "role::program" type: "debtag" }
  logit: 3.58
  logit_structural: 2.9
  logit_context: 0.68
  probability: 0.9731
  decision: true
  probability_among_kind: 0.8125
  explanation {
    tokens {
      kind: TOKEN_KIND_NODE
      role: TOKEN_ROLE_SOURCE
      node { key: "curl" name: "curl" type: "package" }
      attention_from_source: 0.25
      attention_from_target: 0.125
    }
    tokens {
      kind: TOKEN_KIND_NODE
      role: TOKEN_ROLE_TARGET
      node { key: "role::program" name: "role::program" type: "debtag" }
      attention_from_source: 0.125
      attention_from_target: 0.375
    }
    tokens {
      kind: TOKEN_KIND_NODE
      role: TOKEN_ROLE_BETWEEN
      node { key: "libcurl4" name: "libcurl4" type: "package" }
      attention_from_source: 0.5
      attention_from_target: 0.25
      logit_effect: 0.9
    }
    tokens {
      kind: TOKEN_KIND_NODE
      role: TOKEN_ROLE_BETWEEN
      node { key: "wget" name: "wget" type: "package" }
      attention_from_source: 0.125
      attention_from_target: 0.25
      logit_effect: -0.05
    }
    edges { source: 0 target: 2 relation: "depends" }
    edges { source: 3 target: 2 relation: "depends" }
    edges { source: 3 target: 2 relation: "suggests" }
    edges { source: 3 target: 1 relation: "tagged" }
    metapath { token: 0 }
    metapath { token: 2 relation: "depends" direction: DIRECTION_OUT }
    metapath { token: 3 relation: "depends" direction: DIRECTION_IN }
    metapath { token: 1 relation: "tagged" direction: DIRECTION_OUT }
    attention {
      layers: 1
      heads: 1
      tokens: 4
      weights: [
        0.25,
        0.125,
        0.5,
        0.125,
        0.125,
        0.375,
        0.25,
        0.25,
        0.25,
        0.25,
        0.25,
        0.25,
        0.5,
        0.25,
        0.125,
        0.125
      ]
    }
    token_cosines: [ 1, 0.25, 0.25, 1, 0.5, 0.5, 0.125, 0.25 ]
    token_cosines: [ 1, 0.75, 0.75, 1, 0.5, 0.5, 0.25, 0.5 ]
    pair_features { name: "log_degree_source" value: 3.5 contribution: 0.25 }
    pair_features { name: "three_paths" value: 2.25 contribution: 1.25 }
    pair_features { name: "common_neighbours" value: -1.5 contribution: -0.75 }
    distance: 3
    max_hops: 6
    summary: "curl shares libcurl4 with wget, which is tagged role::program."
  })pb";

constexpr const char kToyPaths[] = R"pb(
  tokens {
    kind: TOKEN_KIND_NODE
    role: TOKEN_ROLE_SOURCE
    node { key: "curl" name: "curl" type: "package" }
    attention_from_source: 0.25
    attention_from_target: 0.125
  }
  tokens {
    kind: TOKEN_KIND_NODE
    role: TOKEN_ROLE_TARGET
    node { key: "role::program" name: "role::program" type: "debtag" }
    attention_from_source: 0.125
    attention_from_target: 0.375
  }
  tokens {
    kind: TOKEN_KIND_PATH
    role: TOKEN_ROLE_BETWEEN
    attention_from_source: 0.125
    attention_from_target: 0.25
    logit_effect: 0.9
    path {
      relation: "suggests"
      direction: DIRECTION_OUT
      node { key: "wget" name: "wget" type: "package" }
    }
    path {
      relation: "tagged"
      direction: DIRECTION_OUT
      node { key: "role::program" name: "role::program" type: "debtag" }
    }
    path_count: 1
  }
  tokens {
    kind: TOKEN_KIND_PATH
    role: TOKEN_ROLE_BETWEEN
    attention_from_source: 0.5
    attention_from_target: 0.25
    logit_effect: 3.9
    path {
      relation: "depends"
      direction: DIRECTION_OUT
      node { key: "libcurl4" name: "libcurl4" type: "package" }
    }
    path {
      relation: "depends"
      direction: DIRECTION_IN
      node { key: "wget" name: "wget" type: "package" }
    }
    path {
      relation: "tagged"
      direction: DIRECTION_OUT
      node { key: "role::program" name: "role::program" type: "debtag" }
    }
    path_count: 1234
  }
  metapath {
    token: 0
    node { key: "curl" name: "curl" type: "package" }
  }
  metapath {
    token: 3
    relation: "depends"
    direction: DIRECTION_OUT
    node { key: "libcurl4" name: "libcurl4" type: "package" }
  }
  metapath {
    token: 3
    relation: "depends"
    direction: DIRECTION_IN
    node { key: "wget" name: "wget" type: "package" }
  }
  metapath {
    token: 1
    relation: "tagged"
    direction: DIRECTION_OUT
    node { key: "role::program" name: "role::program" type: "debtag" }
  }
  metapath_count: 1234
  attention { layers: 0 heads: 0 tokens: 0 }
  pair_features { name: "three_paths" value: 2.25 contribution: 1.25 }
  distance: 2
  max_hops: 3
  truncated: true
  searched: "of nodes with many neighbours only a sample was searched: 256 common neighbours"
  summary: "There are 1,234 paths such as curl -depends-> libcurl4 <-depends- wget -tagged-> role::program; without them 0.97 becomes 0.41"
  evidence {
    kind: EVIDENCE_KIND_PATHS
    group: "three_paths"
    token: 3
    path_count: 1234
    logit_effect: 3.9
    probability_without: 0.41
    named: true
    description: "there are 1,234 paths such as curl -depends-> libcurl4 <-depends- wget -tagged-> role::program"
  }
  evidence {
    kind: EVIDENCE_KIND_PAIR_FEATURES
    group: "degrees"
    logit_effect: -0.8
    probability_without: 0.9875
    description: "curl has 12 neighbours and role::program has 6,512"
  }
  probability_without_named: 0.41
  probability_only_named: 0.93
)pb";

constexpr const char kModelInfo[] = R"pb(
  model: "default"
  bundle_id: "toy"
  preset: "default"
  created: "2024-01-02T03:04:05Z"
  contract_version: 1
  node_count: 4
  link_count: 4
  relations: [ "depends", "suggests", "tagged" ]
  node_types: [ "package", "debtag" ]
  embedding_dim: 128
  layers: 1
  heads: 4
  hidden_dim: 64
  context_strategy: "paths"
  max_context_nodes: 12
  own_pair_links: "hide"
  scorer: "context"
  decision_threshold: 0.41
  temperature: 1.25
  metrics { key: "test.auroc" value: 0.9931 }
  graph_digest: "0123abcd"
  graph_version: 7
  device: "cpu"
  forward_path: "native"
  forward_timings { forward_path: "native" contexts: 64 seconds: 0.000337 }
  forward_timings { forward_path: "torchscript" contexts: 64 seconds: 0.00195 }
  instruction_set: "avx512"
  server_version: "0.1.0"
  seed: 42
)pb";

template <typename Message>
Message Parsed(const char* text) {
  Message message;
  GOOGLE_CHECK(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

const std::string& TextOf(const v1::NodeRef& node) {
  return node.has_key() ? node.key() : node.name();
}

bool IsUnknown(const std::string& name) {
  return absl::StartsWith(name, "unknown");
}

// The state that the services share.
struct FakeState {
  Mutex mutex;
  std::vector<grpc::Status> failures ABSL_GUARDED_BY(mutex);
  std::function<void(const v1::PredictLinksRequest&)> before_answer
      ABSL_GUARDED_BY(mutex);
  std::function<grpc::Status(const v1::PredictLinksRequest&)> outcome
      ABSL_GUARDED_BY(mutex);
  std::function<void(v1::PredictLinksResponse*)> edit ABSL_GUARDED_BY(mutex);
  v1::RecommendLinksRequest recommend_request ABSL_GUARDED_BY(mutex);
  std::vector<v1::PredictLinksRequest> requests ABSL_GUARDED_BY(mutex);
  std::multimap<std::string, std::string> metadata ABSL_GUARDED_BY(mutex);
  std::optional<v1::GetQueueStateResponse> queue_state ABSL_GUARDED_BY(mutex);
  std::set<std::string> peers ABSL_GUARDED_BY(mutex);

  // Begins a call: remembers its metadata and returns the status of FailNext.
  grpc::Status Begin(const grpc::ServerContext& context) {
    MutexLock lock(&mutex);
    peers.insert(context.peer());
    metadata.clear();
    for (const auto& [name, value] : context.client_metadata())
      metadata.emplace(std::string(name.data(), name.size()),
                       std::string(value.data(), value.size()));
    if (failures.empty()) return grpc::Status::OK;
    grpc::Status failure = failures.front();
    failures.erase(failures.begin());
    return failure;
  }
};

v1::LinkResult Score(const v1::LinkRef& link, bool explain) {
  v1::LinkResult result;
  for (const v1::NodeRef* node : {&link.source(), &link.target()}) {
    if (!IsUnknown(TextOf(*node))) continue;
    result.mutable_status()->set_code(grpc::StatusCode::NOT_FOUND);
    result.mutable_status()->set_message(
        absl::StrCat("no node has the key or name \"", TextOf(*node),
                     "\"; did you mean \"curl\" or \"wget\"?"));
    return result;
  }
  if (explain) return ToyLinkResult();
  const auto fill = [](const v1::NodeRef& ref, v1::Node* node) {
    node->set_key(TextOf(ref));
    node->set_name(TextOf(ref));
    node->set_type("package");
  };
  fill(link.source(), result.mutable_source());
  result.set_relation(link.relation());
  fill(link.target(), result.mutable_target());
  const float probability = FakeLinkServer::Probability(
      TextOf(link.source()), link.relation(), TextOf(link.target()));
  result.set_probability(probability);
  result.set_logit(std::log(probability / (1 - probability)));
  result.set_logit_structural(result.logit());
  result.set_decision(probability >= 0.41f);
  result.set_probability_among_kind(probability / 2);
  return result;
}

class PredictionService final : public v1::LinkPredictionService::Service {
 public:
  explicit PredictionService(FakeState* state) : state_(state) {}

  grpc::Status PredictLinks(grpc::ServerContext* context,
                            const v1::PredictLinksRequest* request,
                            v1::PredictLinksResponse* reply) override {
    context->AddTrailingMetadata("slice-queue-micros", "120");
    context->AddTrailingMetadata("slice-context-micros", "30");
    context->AddTrailingMetadata("slice-model-micros", "450");
    context->AddTrailingMetadata("slice-batch-size", "8");
    return Answer(context, request, reply);
  }

  grpc::Status StreamPredictLinks(
      grpc::ServerContext* context,
      grpc::ServerReaderWriter<v1::PredictLinksResponse,
                               v1::PredictLinksRequest>* stream) override {
    v1::PredictLinksRequest request;
    while (stream->Read(&request)) {
      v1::PredictLinksResponse reply;
      const grpc::Status status = Answer(context, &request, &reply);
      if (!status.ok()) return status;
      if (!stream->Write(reply)) break;
    }
    return grpc::Status::OK;
  }

  grpc::Status Answer(grpc::ServerContext* context,
                      const v1::PredictLinksRequest* request,
                      v1::PredictLinksResponse* reply) {
    std::function<void(const v1::PredictLinksRequest&)> before_answer;
    std::function<grpc::Status(const v1::PredictLinksRequest&)> outcome;
    std::function<void(v1::PredictLinksResponse*)> edit;
    const grpc::Status failure = state_->Begin(*context);
    {
      MutexLock lock(&state_->mutex);
      state_->requests.push_back(*request);
      before_answer = state_->before_answer;
      outcome = state_->outcome;
      edit = state_->edit;
    }
    if (before_answer) before_answer(*request);
    if (!failure.ok()) return failure;
    if (outcome) {
      grpc::Status ended = outcome(*request);
      if (!ended.ok()) return ended;
    }
    const bool explain =
        request->explanation_level() >= v1::EXPLANATION_LEVEL_CONTEXT;
    for (const v1::LinkRef& link : request->links())
      *reply->add_results() = Score(link, explain);
    reply->set_bundle_id("toy");
    reply->set_graph_version(7);
    reply->set_scorer(request->scorer().empty() ? "context"
                                                : request->scorer());
    if (edit) edit(reply);
    return grpc::Status::OK;
  }

  grpc::Status RecommendLinks(
      grpc::ServerContext* context, const v1::RecommendLinksRequest* request,
      grpc::ServerWriter<v1::RecommendLinksResponse>* writer) override {
    const grpc::Status failure = state_->Begin(*context);
    {
      MutexLock lock(&state_->mutex);
      state_->recommend_request = *request;
    }
    if (!failure.ok()) return failure;
    v1::RecommendLinksResponse reply;
    reply.set_bundle_id("toy");
    reply.set_graph_version(7);
    reply.set_scorer("context");
    reply.set_candidate_count(5);
    reply.set_best_so_far(request->type() == "late");
    const v1::LinkResult link = ToyLinkResult();
    const int count = request->type() == "none" ? 0 : std::min(3, request->k());
    if (count == 0) writer->Write(reply);
    for (int i = 0; i < count; ++i) {
      v1::Recommendation* best = reply.mutable_recommendation();
      best->set_rank(request->type() == "mixed" ? 2 : i + 1);
      *best->mutable_node() = link.target();
      best->set_score(2.5f - i);
      best->set_reranked(true);
      best->set_probability(link.probability());
      best->set_decision(true);
      *best->mutable_metapath() = link.explanation().metapath();
      for (v1::MetapathStep& step : *best->mutable_metapath()) {
        *step.mutable_node() = link.explanation().tokens(step.token()).node();
      }
      if (!writer->Write(reply)) break;
    }
    return grpc::Status::OK;
  }

  grpc::Status GetModelInfo(grpc::ServerContext* context,
                            const v1::GetModelInfoRequest* request,
                            v1::GetModelInfoResponse* reply) override {
    if (grpc::Status failure = state_->Begin(*context); !failure.ok())
      return failure;
    if (!request->model().empty() && request->model() != "default")
      return grpc::Status(grpc::StatusCode::NOT_FOUND,
                          "no model \"" + request->model() + "\"");
    *reply = Parsed<v1::GetModelInfoResponse>(kModelInfo);
    return grpc::Status::OK;
  }

  grpc::Status ListRelations(grpc::ServerContext* context,
                             const v1::ListRelationsRequest* request,
                             v1::ListRelationsResponse* reply) override {
    if (grpc::Status failure = state_->Begin(*context); !failure.ok())
      return failure;
    v1::RelationInfo* relation = reply->add_relations();
    relation->set_name("tagged");
    relation->set_links(1);
    relation->add_source_types("package");
    relation->add_target_types("debtag");
    reply->set_bundle_id("toy");
    return grpc::Status::OK;
  }

  // Lists the nodes "<prefix>0" to "<prefix>2499" in pages.
  grpc::Status FindNodes(grpc::ServerContext* context,
                         const v1::FindNodesRequest* request,
                         v1::FindNodesResponse* reply) override {
    if (grpc::Status failure = state_->Begin(*context); !failure.ok())
      return failure;
    if (IsUnknown(request->prefix())) {
      reply->add_near_misses("curl");
      return grpc::Status::OK;
    }
    int64_t begin = 0;
    (void)absl::SimpleAtoi(request->page_token(), &begin);
    const int64_t end = std::min<int64_t>(2500, begin + request->page_size());
    for (int64_t i = begin; i < end; ++i) {
      v1::Node* node = reply->add_nodes();
      node->set_key(absl::StrCat(request->prefix(), i));
      node->set_name(absl::StrCat(request->prefix(), i));
      node->set_type(request->type().empty() ? "package" : request->type());
    }
    if (end < 2500) reply->set_next_page_token(absl::StrCat(end));
    return grpc::Status::OK;
  }

 private:
  FakeState* const state_;
};

class ToyGraphService final : public v1::GraphService::Service {
 public:
  // Lists three neighbours in pages.
  grpc::Status GetNeighbors(grpc::ServerContext* context,
                            const v1::GetNeighborsRequest* request,
                            v1::GetNeighborsResponse* reply) override {
    const std::string& name = TextOf(request->node());
    if (IsUnknown(name))
      return grpc::Status(grpc::StatusCode::NOT_FOUND,
                          "no node has the key or name \"" + name + "\"");
    reply->mutable_node()->set_key(name);
    int64_t begin = 0;
    (void)absl::SimpleAtoi(request->page_token(), &begin);
    const int64_t end = std::min<int64_t>(3, begin + request->page_size());
    for (int64_t i = begin; i < end; ++i) {
      v1::Neighbor* neighbor = reply->add_neighbors();
      neighbor->mutable_node()->set_key(absl::StrCat("neighbor", i));
      neighbor->mutable_node()->set_name(absl::StrCat("Neighbor ", i));
      neighbor->mutable_node()->set_type("package");
      neighbor->set_relation(request->relation().empty() ? "depends"
                                                         : request->relation());
      neighbor->set_direction(i < 2 ? v1::DIRECTION_OUT : v1::DIRECTION_IN);
    }
    if (end < 3) reply->set_next_page_token(absl::StrCat(end));
    reply->set_total(3);
    return grpc::Status::OK;
  }
};

class FakeAdminService final : public v1::AdminService::Service {
 public:
  explicit FakeAdminService(FakeState* state) : state_(state) {}

  grpc::Status GetQueueState(grpc::ServerContext* context,
                             const v1::GetQueueStateRequest* request,
                             v1::GetQueueStateResponse* reply) override {
    MutexLock lock(&state_->mutex);
    if (!state_->queue_state)
      return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "");
    *reply = *state_->queue_state;
    return grpc::Status::OK;
  }

 private:
  FakeState* const state_;
};

class HealthService final : public grpc::health::v1::Health::Service {
 public:
  void Set(const std::string& service, bool serving) {
    MutexLock lock(&mutex_);
    serving_[service] = serving;
    ++version_;
    changed_.SignalAll();
  }

  void Stop() {
    MutexLock lock(&mutex_);
    stopped_ = true;
    changed_.SignalAll();
  }

  grpc::Status Check(grpc::ServerContext* context,
                     const grpc::health::v1::HealthCheckRequest* request,
                     grpc::health::v1::HealthCheckResponse* reply) override {
    MutexLock lock(&mutex_);
    if (!serving_.count(request->service()))
      return grpc::Status(grpc::StatusCode::NOT_FOUND, "unknown service");
    reply->set_status(StatusOf(request->service()));
    return grpc::Status::OK;
  }

  grpc::Status Watch(grpc::ServerContext* context,
                     const grpc::health::v1::HealthCheckRequest* request,
                     grpc::ServerWriter<grpc::health::v1::HealthCheckResponse>*
                         writer) override {
    for (uint64_t seen = 0;;) {
      grpc::health::v1::HealthCheckResponse reply;
      {
        MutexLock lock(&mutex_);
        while (version_ == seen && !stopped_ && !context->IsCancelled())
          changed_.WaitFor(&mutex_, absl::Milliseconds(5));
        if (stopped_ || context->IsCancelled()) return grpc::Status::OK;
        seen = version_;
        reply.set_status(StatusOf(request->service()));
      }
      writer->Write(reply);
    }
  }

 private:
  grpc::health::v1::HealthCheckResponse::ServingStatus StatusOf(
      const std::string& service) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const auto found = serving_.find(service);
    if (found == serving_.end())
      return grpc::health::v1::HealthCheckResponse::SERVICE_UNKNOWN;
    return found->second ? grpc::health::v1::HealthCheckResponse::SERVING
                         : grpc::health::v1::HealthCheckResponse::NOT_SERVING;
  }

  Mutex mutex_;
  CondVar changed_;
  std::map<std::string, bool> serving_ ABSL_GUARDED_BY(mutex_) = {{"", true}};
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

struct FakeLinkServer::Services {
  FakeState state;
  PredictionService prediction{&state};
  ToyGraphService graph;
  FakeAdminService admin{&state};
  HealthService health;
};

FakeLinkServer::FakeLinkServer(
    std::shared_ptr<grpc::ServerCredentials> credentials)
    : services_(std::make_unique<Services>()) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", std::move(credentials), &port_);
  builder.RegisterService(&services_->prediction);
  builder.RegisterService(&services_->graph);
  builder.RegisterService(&services_->admin);
  builder.RegisterService(&services_->health);
  server_ = builder.BuildAndStart();
  GOOGLE_CHECK(server_ != nullptr);
}

FakeLinkServer::~FakeLinkServer() {
  services_->health.Stop();
  server_->Shutdown();
  server_->Wait();
}

std::string FakeLinkServer::address() const {
  return absl::StrCat("127.0.0.1:", port_);
}

void FakeLinkServer::FailNext(std::vector<grpc::Status> statuses) {
  MutexLock lock(&services_->state.mutex);
  services_->state.failures = std::move(statuses);
}

void FakeLinkServer::SetBeforeAnswer(
    std::function<void(const v1::PredictLinksRequest&)> before_answer) {
  MutexLock lock(&services_->state.mutex);
  services_->state.before_answer = std::move(before_answer);
}

void FakeLinkServer::SetOutcome(
    std::function<grpc::Status(const v1::PredictLinksRequest&)> outcome) {
  MutexLock lock(&services_->state.mutex);
  services_->state.outcome = std::move(outcome);
}

void FakeLinkServer::SetEditAnswer(
    std::function<void(v1::PredictLinksResponse*)> edit) {
  MutexLock lock(&services_->state.mutex);
  services_->state.edit = std::move(edit);
}

void FakeLinkServer::SetServing(const std::string& service, bool serving) {
  services_->health.Set(service, serving);
}

void FakeLinkServer::SetQueueState(const v1::GetQueueStateResponse& state) {
  MutexLock lock(&services_->state.mutex);
  services_->state.queue_state = state;
}

std::vector<v1::PredictLinksRequest> FakeLinkServer::requests() const {
  MutexLock lock(&services_->state.mutex);
  return services_->state.requests;
}

v1::RecommendLinksRequest FakeLinkServer::last_recommend_request() const {
  MutexLock lock(&services_->state.mutex);
  return services_->state.recommend_request;
}

std::multimap<std::string, std::string> FakeLinkServer::last_metadata() const {
  MutexLock lock(&services_->state.mutex);
  return services_->state.metadata;
}

size_t FakeLinkServer::connections() const {
  MutexLock lock(&services_->state.mutex);
  return services_->state.peers.size();
}

float FakeLinkServer::Probability(const std::string& source,
                                  const std::string& relation,
                                  const std::string& target) {
  const uint64_t hash =
      HashBytes(absl::StrCat(source, "\t", relation, "\t", target));
  return (0.5f + static_cast<float>(hash % 999983)) / 999983.0f;
}

grpc::Status RetryAfter(grpc::StatusCode code, absl::Duration delay) {
  google::rpc::RetryInfo info;
  info.mutable_retry_delay()->set_seconds(absl::ToInt64Seconds(delay));
  info.mutable_retry_delay()->set_nanos(
      absl::ToInt64Nanoseconds(delay - absl::Floor(delay, absl::Seconds(1))));
  google::rpc::Status rich;
  rich.set_code(code);
  rich.add_details()->PackFrom(info);
  return grpc::Status(code, "the server is full", rich.SerializeAsString());
}

v1::LinkResult ToyLinkResult() { return Parsed<v1::LinkResult>(kToyLink); }

v1::LinkResult ToyPathResult() {
  v1::LinkResult result = ToyLinkResult();
  *result.mutable_explanation() = Parsed<v1::Explanation>(kToyPaths);
  return result;
}

}  // namespace slice
