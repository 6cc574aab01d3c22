// A slice server for tests of the client: real gRPC on a loopback port of the
// system's choice, answers from a fixed toy graph.
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
#include "proto/slice/v1/admin.pb.h"
#include "proto/slice/v1/link_prediction.pb.h"

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

  // The next calls of the prediction service end with these, one each.
  void FailNext(std::vector<grpc::Status> statuses);

  // What GetQueueState answers; UNIMPLEMENTED until it is set.
  void SetQueueState(const v1::GetQueueStateResponse& state);

  // Called for every PredictLinks, unary or on a stream, before it is answered.
  void SetBeforeAnswer(
      std::function<void(const v1::PredictLinksRequest&)> before_answer);

  // Decides how each PredictLinks ends; it is answered where this says OK.
  void SetOutcome(
      std::function<grpc::Status(const v1::PredictLinksRequest&)> outcome);

  // Changes the answer to PredictLinks.
  void SetEditAnswer(std::function<void(v1::PredictLinksResponse*)> edit);

  // Health of a service; Watch streams are told. "" serves from the start.
  void SetServing(const std::string& service, bool serving);

  // The requests of PredictLinks so far, those of streams too, and the metadata
  // of the last call.
  std::vector<v1::PredictLinksRequest> requests() const;
  std::multimap<std::string, std::string> last_metadata() const;

  // How many connections the calls of the prediction service came over.
  size_t connections() const;
  // The last request of RecommendLinks. It is answered with request.k() times
  // role::program with the path of ToyLinkResult, at most 3; with none for the
  // type "none", best so far for the type "late", ranks out of order for the
  // type "mixed".
  v1::RecommendLinksRequest last_recommend_request() const;

  // The probability the server gives to a link; different for different links.
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

// The toy graph's answer to (curl, tagged, role::program) with its context.
v1::LinkResult ToyLinkResult();

// The same with a context of paths.
v1::LinkResult ToyPathResult();

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_FAKE_LINK_SERVER_H_
