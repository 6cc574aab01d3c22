// A client of a slice server.
//
//   LinkClient::Options options;
//   options.connection.server = "127.0.0.1:50051";
//   SLICE_ASSIGN_OR_RETURN(auto client, LinkClient::Create(options));
//   std::vector<LinkQuery> links = {{{"curl"}, "tagged", {"role::program"}}};
//   SLICE_ASSIGN_OR_RETURN(ScoredLinks scored, client->PredictLinks(links));
//   if (scored.links[0].status.ok()) Use(scored.links[0].probability);
#ifndef SLICE_CLIENT_LINK_CLIENT_H_
#define SLICE_CLIENT_LINK_CLIENT_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "client/connection.h"
#include "client/link_types.h"
#include "client/model_types.h"
#include "client/queue_types.h"
#include "client/recommend_types.h"
#include "client/reload_types.h"
#include "client/retry_policy.h"
#include "client/update_types.h"

namespace slice {

// Thread-safe. Every call may fail with the error that the server sends, and
// with one of
//   UNAVAILABLE        no server answers, even after the retries of `retry`
//   DEADLINE_EXCEEDED  the call and its retries took longer than `max_time`
//   INTERNAL           the reply contradicts itself
class LinkClient {
 public:
  struct Options {
    ConnectionOptions connection;
    // The most time that a call and its retries may take together.
    absl::Duration max_time = absl::Seconds(30);
    // The name of the model to ask; empty: the server's default.
    std::string model;
    // The scorer that answers: "context", "ends" or "structural"; empty: the
    // bundle's default.
    std::string scorer;
    // The share of links among the pairs that are asked about; 0: that of the
    // bundle's valid links.
    double prior = 0;
    // The version of the graph that answers must have; 0: any.
    uint64_t min_graph_version = 0;
    RetryPolicy retry;
    // Waits between attempts; replaced in tests.
    std::function<void(absl::Duration)> sleep;
  };

  // Creates a client and sends nothing yet. Returns INVALID_ARGUMENT when
  // options contradict each other, and the errors of ReadFile when a
  // certificate cannot be read.
  static absl::StatusOr<std::unique_ptr<LinkClient>> Create(Options options);

  ~LinkClient();
  LinkClient(const LinkClient&) = delete;
  LinkClient& operator=(const LinkClient&) = delete;

  // Scores 1 to 1,024 links; the results are in the order of `links`. A link
  // with an unknown node or relation gets the error as its own status; the call
  // still succeeds.
  absl::StatusOr<ScoredLinks> PredictLinks(
      absl::Span<const LinkQuery> links,
      PredictClass predict_class = PredictClass::kByCount,
      const WhatIfQuery& what_if = {}) const;

  // Scores one link with its explanation. Returns exactly one link, whose
  // status is OK: an error of the link is returned as the error of the call.
  absl::StatusOr<ScoredLinks> ExplainLink(
      const LinkQuery& link, const WhatIfQuery& what_if = {}) const;

  // Finds the nodes that fit best as the unknown end of a link whose other end
  // and relation are known. The best comes first.
  absl::StatusOr<RecommendedNodes> RecommendLinks(
      const RecommendQuery& query) const;

  absl::StatusOr<ModelInfo> GetModelInfo() const;
  absl::StatusOr<RelationList> ListRelations() const;

  // The nodes whose names start with `query.prefix`, fetched in pages.
  absl::StatusOr<FoundNodes> FindNodes(const FindQuery& query) const;

  // The neighbours of a node, fetched in pages.
  absl::StatusOr<FoundNeighbors> GetNeighbors(const NeighborQuery& query) const;

  // The queues of the server. Returns UNIMPLEMENTED unless the client is
  // connected to the address that the server was given with --admin-listen.
  absl::StatusOr<QueueSnapshot> GetQueueState() const;
  // Has the server read its configuration again. UNIMPLEMENTED as above.
  absl::StatusOr<ConfigReload> ReloadConfig() const;

  // Copies the graph of the model, with its changes, into a new directory on
  // the server's machine. UNIMPLEMENTED as above.
  absl::StatusOr<CheckpointInfo> CreateCheckpoint(
      const std::string& directory) const;

  // The models that are served, sorted by name. UNIMPLEMENTED as above.
  absl::StatusOr<std::vector<ModelState>> ListModels() const;
  // Returns when the change is done. A bundle may take longer to load than the
  // client waits: then the server goes on, and ListModels shows the outcome.
  absl::Status ChangeModel(const ModelChange& change) const;

  // Changes the graph. When this returns OK, the changes are on the server's
  // disk and visible. An error of the server names the change, and nothing is
  // changed then.
  absl::StatusOr<UpdateAnswer> ApplyUpdates(const GraphEdits& edits) const;
  // What the graph is now, and the last number of `writer`, which may be empty.
  absl::StatusOr<GraphStateInfo> GetGraphState(
      const std::string& writer = "") const;

  // Waits until the client is connected. Returns UNAVAILABLE after the first
  // failed attempt to connect, or after `timeout`.
  absl::Status Connect(absl::Duration timeout) const;

  // Asks for the health of `service`, or of the whole server process when
  // `service` is empty. The call is never retried. Returns NOT_FOUND when the
  // server has no such service.
  absl::StatusOr<ServingState> CheckHealth(const std::string& service) const;

  // Calls `changed` with the present health of `service`, and again at each
  // change, until `changed` returns false; then returns OK. Otherwise returns
  // the error that ended the stream, such as DEADLINE_EXCEEDED after
  // `max_time`.
  absl::Status WatchHealth(
      const std::string& service, absl::Duration max_time,
      const std::function<bool(ServingState)>& changed) const;

  const Options& options() const { return options_; }

 private:
  struct Stubs;
  LinkClient(Options options, std::unique_ptr<const Stubs> stubs);

  // Constant after construction.
  const Options options_;
  const std::unique_ptr<const Stubs> stubs_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_CLIENT_H_
