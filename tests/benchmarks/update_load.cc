// Changes the graph of a running server as fast as it can, and measures.
//
// usage: update_load HOST:PORT [--callers 1] [--batch 1] [--seconds 5]
//                    [--rate 0]
//
// Each caller adds links between random nodes and removes them again. A request
// holds `batch` changes. All callers together make at most `rate` changes a
// second; 0 is no limit. Prints one line of JSON.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/link_client.h"
#include "common/random.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

constexpr size_t kNodes = 5000;

struct Load {
  std::string server;
  int callers = 1;
  int batch = 1;
  double seconds = 5;
  double rate = 0;
};

struct Target {
  std::vector<std::string> keys;
  std::string relation;
};

[[noreturn]] void Fail(const absl::Status& status) {
  std::cerr << status << std::endl;
  std::exit(1);
}

Load ReadArguments(int argc, char** argv) {
  Load load;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (argument == "--callers") {
      load.callers = std::atoi(value.c_str());
      ++i;
    } else if (argument == "--batch") {
      load.batch = std::atoi(value.c_str());
      ++i;
    } else if (argument == "--seconds") {
      load.seconds = std::atof(value.c_str());
      ++i;
    } else if (argument == "--rate") {
      load.rate = std::atof(value.c_str());
      ++i;
    } else {
      load.server = argument;
    }
  }
  if (load.server.empty() || load.callers < 1 || load.batch < 1) {
    std::cerr << "usage: update_load HOST:PORT [--callers N] [--batch N] "
                 "[--seconds N] [--rate N]\n";
    std::exit(2);
  }
  return load;
}

Target FindTarget(const LinkClient& client) {
  Target target;
  const auto relations = client.ListRelations();
  if (!relations.ok()) Fail(relations.status());
  uint64_t most = 0;
  for (const RelationInfo& relation : relations->relations) {
    if (relation.links < most) continue;
    most = relation.links;
    target.relation = relation.name;
  }
  const auto nodes = client.FindNodes({.limit = kNodes});
  if (!nodes.ok()) Fail(nodes.status());
  for (const NodeInfo& node : nodes->nodes) target.keys.push_back(node.key);
  return target;
}

// Different random links.
std::vector<GraphEdit> RandomLinks(const Target& target, int count,
                                   Random& random) {
  std::vector<GraphEdit> edits;
  const auto nodes = static_cast<uint32_t>(target.keys.size());
  // Sources ascend in steps, so that no link repeats.
  uint32_t source = random.Below(nodes);
  for (int i = 0; i < count; ++i, source = (source + 1) % nodes) {
    GraphEdit& edit = edits.emplace_back();
    edit.source = target.keys[source];
    edit.relation = target.relation;
    edit.target = target.keys[random.Below(nodes)];
  }
  return edits;
}

// Returns the latencies of its calls, in seconds.
std::vector<double> Call(const LinkClient& client, const Target& target,
                         const Load& load, uint64_t seed, absl::Time end) {
  std::vector<double> latencies;
  Random random(seed);
  GraphEdits request;
  bool removes = false;
  const absl::Duration pause =
      load.rate > 0 ? absl::Seconds(load.batch * load.callers / load.rate)
                    : absl::ZeroDuration();
  for (absl::Time next = absl::Now(); absl::Now() < end; next += pause) {
    if (load.rate > 0) absl::SleepFor(next - absl::Now());
    if (!removes) request.edits = RandomLinks(target, load.batch, random);
    for (GraphEdit& edit : request.edits) {
      edit.kind =
          removes ? GraphEditKind::kRemoveLink : GraphEditKind::kAddLink;
    }
    removes = !removes;
    const absl::Time start = absl::Now();
    const auto answer = client.ApplyUpdates(request);
    if (!answer.ok()) Fail(answer.status());
    latencies.push_back(absl::ToDoubleSeconds(absl::Now() - start));
  }
  return latencies;
}

double Quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share *
                                    static_cast<double>(sorted.size() - 1))];
}

void Run(const Load& load) {
  LinkClient::Options options;
  options.connection.server = load.server;
  auto client = LinkClient::Create(std::move(options));
  if (!client.ok()) Fail(client.status());
  const Target target = FindTarget(**client);
  const absl::Time start = absl::Now();
  const absl::Time end = start + absl::Seconds(load.seconds);
  std::vector<std::vector<double>> of_callers(
      static_cast<size_t>(load.callers));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < of_callers.size(); ++i) {
    threads.emplace_back(
        [&, i] { of_callers[i] = Call(**client, target, load, i + 1, end); });
  }
  for (std::thread& thread : threads) thread.join();
  const double took = absl::ToDoubleSeconds(absl::Now() - start);
  std::vector<double> latencies;
  for (const auto& of_caller : of_callers)
    latencies.insert(latencies.end(), of_caller.begin(), of_caller.end());
  std::sort(latencies.begin(), latencies.end());
  const auto calls = static_cast<double>(latencies.size());
  std::cout << nlohmann::json{{"callers", load.callers},
                              {"batch", load.batch},
                              {"rpcs_per_second", calls / took},
                              {"changes_per_second", calls * load.batch / took},
                              {"p50_ms", 1e3 * Quantile(latencies, .5)},
                              {"p99_ms", 1e3 * Quantile(latencies, .99)}}
                   .dump()
            << std::endl;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  slice::Run(slice::ReadArguments(argc, argv));
}
