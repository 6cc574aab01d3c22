// Servers to measure slice-server against, for slice-client bench:
//
//   benchmark_server empty                         an empty unary RPC
//   benchmark_server identity                      ours, with a model that
//                                                  costs nothing
//   benchmark_server direct BUNDLE DATA_DIR        the model called inside the
//                                                  handler of the RPC
//
// Listens on a free loopback port, says which on stdout, and ends at SIGTERM.
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/lock_order.h"
#include "common/status_macros.h"
#include "server/link_prediction_server.h"
#include "server/models/model_loader.h"
#include "server/stop_signal.h"
#include "tests/benchmarks/bare_services.h"
#include "tests/benchmarks/identity_model.h"

namespace slice {
namespace {

constexpr char kUsage[] =
    "usage: benchmark_server empty | identity | direct BUNDLE DATA_DIR";

void ServeUntilSignal(const std::string& address, StopSignal& stop) {
  stop.StartServing();
  std::cout << "listening on " << address << std::endl;
  stop.Wait();
}

absl::Status RunBare(const std::vector<grpc::Service*>& services,
                     StopSignal& stop) {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) return absl::UnavailableError("cannot listen");
  ServeUntilSignal(absl::StrCat("127.0.0.1:", port), stop);
  server->Shutdown();
  return absl::OkStatus();
}

absl::Status RunEmpty(StopSignal& stop) {
  EmptyPredictionService service;
  return RunBare({&service}, stop);
}

absl::Status RunDirect(const ServerOptions& options, StopSignal& stop) {
  SLICE_ASSIGN_OR_RETURN(const auto loaded, LoadModel(options));
  DirectPredictionService predictions(loaded);
  DirectGraphService graph(loaded);
  return RunBare({&predictions, &graph}, stop);
}

absl::Status RunIdentity(ServerOptions options, StopSignal& stop) {
  options.bundle = options.data_dir = "none";  // the model is made, not loaded
  SLICE_ASSIGN_OR_RETURN(auto server, LinkPredictionServer::Listen(options));
  server->Serve(MakeIdentityModel());
  ServeUntilSignal(server->address(), stop);
  server->Shutdown();
  return absl::OkStatus();
}

absl::Status Run(const std::vector<std::string>& arguments, StopSignal& stop) {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  const std::string mode = arguments.empty() ? "" : arguments[0];
  if (mode == "empty" && arguments.size() == 1) return RunEmpty(stop);
  if (mode == "identity" && arguments.size() == 1) {
    return RunIdentity(options, stop);
  }
  if (mode == "direct" && arguments.size() == 3) {
    options.bundle = arguments[1];
    options.data_dir = arguments[2];
    return RunDirect(options, stop);
  }
  return absl::InvalidArgumentError(kUsage);
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();  // as slice-server
  std::signal(SIGPIPE, SIG_IGN);
  slice::StopSignal stop;
  const absl::Status status =
      slice::Run(std::vector<std::string>(argv + 1, argv + argc), stop);
  if (status.ok()) return 0;
  std::cerr << "benchmark_server: " << status.message() << std::endl;
  return absl::IsInvalidArgument(status) ? 2 : 1;
}
