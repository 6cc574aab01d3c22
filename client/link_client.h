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
#include "client/queue_types.h"
#include "client/recommend_types.h"
#include "client/retry_policy.h"

namespace slice {

// Thread-safe. Every call may fail with the server's own code and with
//   UNAVAILABLE        no server there, after the retries of `retry`
//   DEADLINE_EXCEEDED  `max_time` passed
//   INTERNAL           a reply that contradicts itself
class LinkClient {
 public:
  struct Options {
    ConnectionOptions connection;
    // Bounds a call together with its retries.
    absl::Duration max_time = absl::Seconds(30);
    // The name of the model to ask; empty: the server's default.
    std::string model;
    // The scorer that answers: "context", "ends" or "structural"; empty: the
    // bundle's default.
    std::string scorer;
    RetryPolicy retry;
    // Waits between attempts; replaced in tests.
    std::function<void(absl::Duration)> sleep;
  };

  // Sends nothing yet. INVALID_ARGUMENT for options that contradict each other;
  // the errors of ReadFile for a certificate that cannot be read.
  static absl::StatusOr<std::unique_ptr<LinkClient>> Create(Options options);

  ~LinkClient();
  LinkClient(const LinkClient&) = delete;
  LinkClient& operator=(const LinkClient&) = delete;

  // Scores 1 to 1,024 links, in order. An unknown node or relation is the
  // status of its link, not of the call.
  absl::StatusOr<ScoredLinks> PredictLinks(
      absl::Span<const LinkQuery> links,
      PredictClass predict_class = PredictClass::kByCount) const;

  // Scores one link with its explanation. The result is one link whose status
  // is OK. An error of the link is the error of the call.
  absl::StatusOr<ScoredLinks> ExplainLink(const LinkQuery& link) const;

  // The best ends of a link whose other end is known, the best first.
  absl::StatusOr<RecommendedNodes> RecommendLinks(
      const RecommendQuery& query) const;

  absl::StatusOr<ModelInfo> GetModelInfo() const;
  absl::StatusOr<RelationList> ListRelations() const;

  // Nodes whose names start with the prefix, fetched in pages.
  absl::StatusOr<FoundNodes> FindNodes(const FindQuery& query) const;

  // The neighbours of a node, fetched in pages.
  absl::StatusOr<FoundNeighbors> GetNeighbors(const NeighborQuery& query) const;

  // The queues of the server. UNIMPLEMENTED unless the connection goes to the
  // listener of the server's --admin-listen.
  absl::StatusOr<QueueSnapshot> GetQueueState() const;

  // Waits until the client is connected. UNAVAILABLE at the first refusal, or
  // after `timeout`.
  absl::Status Connect(absl::Duration timeout) const;

  // The health of a service, or of the whole process when it is empty. Never
  // retried. NOT_FOUND when the server has no such service.
  absl::StatusOr<ServingState> CheckHealth(const std::string& service) const;

  // Calls `changed` with the health now and at each change. Returns OK after
  // `changed` has returned false, otherwise the error that ended the stream,
  // such as DEADLINE_EXCEEDED after `max_time`.
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
