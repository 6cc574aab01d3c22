// Closed-loop load on a running server: each client sends its next call when
// the last one was answered.
//
//   serving_load --server HOST:PORT --links FILE [--clients 64]
//       [--links_per_call 16] [--seconds 60] [--deadline_ms 5000]
//
// FILE has lines `relation source target`, tab-separated, more columns ignored.
// Prints one JSON object; exit status 1 when a call failed. With
// --until_refused clients stop quietly at UNAVAILABLE.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "common/random.h"
#include "proto/slice/v1/link_prediction.grpc.pb.h"

namespace slice {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct LoadOptions {
  std::string server;
  std::string links;
  int clients = 64;
  int links_per_call = 16;
  int seconds = 60;
  int deadline_ms = 5000;
  bool until_refused = false;
};

struct ClientResult {
  std::vector<double> seconds;    // of each call that was answered
  std::map<int, int64_t> errors;  // calls by status code
  int64_t bad_links = 0;          // links answered with a status
  std::string first_error;
};

std::vector<v1::LinkRef> ReadLinks(const std::string& path) {
  std::vector<v1::LinkRef> links;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    v1::LinkRef& link = links.emplace_back();
    link.set_relation(line.substr(0, first));
    link.mutable_source()->set_key(line.substr(first + 1, second - first - 1));
    const size_t third = line.find('\t', second + 1);
    link.mutable_target()->set_key(line.substr(
        second + 1,
        third == std::string::npos ? std::string::npos : third - second - 1));
  }
  return links;
}

void RunClient(const LoadOptions& options,
               const std::vector<v1::LinkRef>& links, int number,
               SteadyClock::time_point end, ClientResult& result) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A connection of its own.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const auto stub =
      v1::LinkPredictionService::NewStub(grpc::CreateCustomChannel(
          options.server, grpc::InsecureChannelCredentials(), arguments));
  Random random(number);
  while (SteadyClock::now() < end) {
    v1::PredictLinksRequest request;
    for (int i = 0; i < options.links_per_call; ++i) {
      *request.add_links() = links[random.Below(links.size())];
    }
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::milliseconds(options.deadline_ms));
    v1::PredictLinksResponse response;
    const auto start = SteadyClock::now();
    const grpc::Status status =
        stub->PredictLinks(&context, request, &response);
    if (!status.ok()) {
      if (options.until_refused && status.error_code() == grpc::UNAVAILABLE) {
        return;
      }
      ++result.errors[status.error_code()];
      if (result.first_error.empty()) {
        result.first_error = status.error_message();
      }
      continue;
    }
    const std::chrono::duration<double> took = SteadyClock::now() - start;
    result.seconds.push_back(took.count());
    for (const auto& one : response.results()) {
      result.bad_links += one.status().code() != 0;
    }
  }
}

double Quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1,
                         static_cast<size_t>(q * sorted.size()))];
}

int Report(const LoadOptions& options, double seconds,
           const std::vector<ClientResult>& results) {
  std::vector<double> latencies;
  std::map<int, int64_t> errors;
  int64_t bad_links = 0, failed = 0;
  std::string first_error;
  for (const ClientResult& result : results) {
    latencies.insert(latencies.end(), result.seconds.begin(),
                     result.seconds.end());
    for (const auto& [code, count] : result.errors) {
      errors[code] += count;
      failed += count;
    }
    bad_links += result.bad_links;
    if (first_error.empty()) first_error = result.first_error;
  }
  std::sort(latencies.begin(), latencies.end());
  nlohmann::json report = {
      {"calls", latencies.size()},
      {"links_per_second", latencies.size() * options.links_per_call / seconds},
      {"p50_ms", 1000 * Quantile(latencies, 0.5)},
      {"p99_ms", 1000 * Quantile(latencies, 0.99)},
      {"failed_calls", failed},
      {"bad_links", bad_links},
      {"first_error", first_error}};
  for (const auto& [code, count] : errors) {
    report["errors"][std::to_string(code)] = count;
  }
  std::cout << report.dump() << std::endl;
  return failed == 0 && bad_links == 0 && !latencies.empty() ? 0 : 1;
}

int Main(int argc, char** argv) {
  LoadOptions options;
  CLI::App app("Closed-loop load on a running server.");
  app.add_option("--server", options.server)->required();
  app.add_option("--links", options.links)->required();
  app.add_option("--clients", options.clients);
  app.add_option("--links_per_call", options.links_per_call);
  app.add_option("--seconds", options.seconds);
  app.add_option("--deadline_ms", options.deadline_ms);
  app.add_flag("--until_refused", options.until_refused);
  CLI11_PARSE(app, argc, argv);
  const std::vector<v1::LinkRef> links = ReadLinks(options.links);
  if (links.empty()) {
    std::cerr << "no links in " << options.links << std::endl;
    return 1;
  }
  const auto start = SteadyClock::now();
  const auto end = start + std::chrono::seconds(options.seconds);
  std::vector<ClientResult> results(options.clients);
  std::vector<std::thread> threads;
  for (int i = 0; i < options.clients; ++i) {
    threads.emplace_back(
        [&, i] { RunClient(options, links, i, end, results[i]); });
  }
  for (auto& thread : threads) thread.join();
  const std::chrono::duration<double> took = SteadyClock::now() - start;
  return Report(options, took.count(), results);
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
