// A slice server for tests of the client. It serves real gRPC on a free
// loopback port and answers from a fixed toy graph:
//
//   curl --depends--> libcurl4 <--depends-- wget --tagged--> role::program
#ifndef SLICE_TESTS_TESTING_FAKE_LINK_SERVER_H_
#define SLICE_TESTS_TESTING_FAKE_LINK_SERVER_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/support/status.h"
#include "slice/v1/admin.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Thread-safe. A node whose name starts with "unknown" does not exist; every
// other name does.
class FakeLinkServer {
 public:
  explicit FakeLinkServer(std::shared_ptr<grpc::ServerCredentials> credentials =
                              grpc::InsecureServerCredentials());
  ~FakeLinkServer();
  FakeLinkServer(const FakeLinkServer&) = delete;
  FakeLinkServer& operator=(const FakeLinkServer&) = delete;

  // HOST:PORT.
  std::string address() const;

  // Each of the next calls of the prediction service ends with one of these.
  void FailNext(std::vector<grpc::Status> statuses);

  // Sets the answer of GetQueueState, which is UNIMPLEMENTED until then.
  void SetQueueState(const v1::GetQueueStateResponse& state);

  // `before_answer` is called for every PredictLinks request, unary or on a
  // stream, before it is answered.
  void SetBeforeAnswer(
      std::function<void(const v1::PredictLinksRequest&)> before_answer);

  // `outcome` returns the status of each PredictLinks request. With OK the
  // request is answered as usual.
  void SetOutcome(
      std::function<grpc::Status(const v1::PredictLinksRequest&)> outcome);

  // `edit` changes each answer to PredictLinks.
  void SetEditAnswer(std::function<void(v1::PredictLinksResponse*)> edit);

  // Sets the health of a service and notifies its Watch streams. "" serves from
  // the start.
  void SetServing(const std::string& service, bool serving);

  // The PredictLinks requests so far, unary and on streams, and the metadata of
  // the last call.
  std::vector<v1::PredictLinksRequest> requests() const;
  std::multimap<std::string, std::string> last_metadata() const;

  // The number of connections that calls of the prediction service came over.
  size_t connections() const;
  // The last request of RecommendLinks. The answer is role::program with the
  // path of ToyLinkResult, request.k() times but at most 3 times. The type of
  // the request changes the answer: "none" gets no recommendation, "late" gets
  // best_so_far, "mixed" gets ranks out of order.
  v1::RecommendLinksRequest last_recommend_request() const;

  // The probability that the server gives to a link. Different links have
  // different probabilities.
  static float Probability(const std::string& source,
                           const std::string& relation,
                           const std::string& target);

 private:
  struct Services;

  std::unique_ptr<Services> services_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

// A status with google.rpc.RetryInfo in its details.
grpc::Status RetryAfter(grpc::StatusCode code, absl::Duration delay);

// The answer to (curl, tagged, role::program) with its context.
v1::LinkResult ToyLinkResult();

// The same with path tokens in the context.
v1::LinkResult ToyPathResult();

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_FAKE_LINK_SERVER_H_
