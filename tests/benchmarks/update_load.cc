// Changes the graph of a running server as fast as it can, and measures.
//
// usage: update_load HOST:PORT [--callers 1] [--batch 1] [--seconds 5]
//                    [--rate 0] [--replicas HOST:PORT,...]
//
// Each caller adds links between random nodes and removes them again. A request
// holds `batch` changes. All callers together make at most `rate` changes a
// second; 0 is no limit. With replicas, also measures until all of them have
// the change: one caller asks them for their version until they do. Prints one
// line of JSON.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"
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
  std::vector<std::string> replicas;
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
    } else if (argument == "--replicas") {
      load.replicas = absl::StrSplit(value, ',');
      ++i;
    } else {
      load.server = argument;
    }
  }
  if (load.server.empty() || load.callers < 1 || load.batch < 1) {
    std::cerr << "usage: update_load HOST:PORT [--callers N] [--batch N] "
                 "[--seconds N] [--rate N] [--replicas HOST:PORT,...]\n";
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
  FindQuery all;
  all.limit = kNodes;
  const auto nodes = client.FindNodes(all);
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

using Clients = std::vector<std::unique_ptr<LinkClient>>;

std::unique_ptr<LinkClient> Connect(const std::string& server) {
  LinkClient::Options options;
  options.connection.server = server;
  auto client = LinkClient::Create(std::move(options));
  if (!client.ok()) Fail(client.status());
  return *std::move(client);
}

// Until every replica has this version.
void WaitForAll(const Clients& replicas, uint64_t version) {
  for (const auto& replica : replicas) {
    uint64_t seen = 0;
    while (seen < version) {
      const auto state = replica->GetGraphState("");
      if (!state.ok()) Fail(state.status());
      seen = state->graph_version;
    }
  }
}

// Of the calls of a caller, in seconds.
struct Latencies {
  std::vector<double> acknowledged;
  std::vector<double> everywhere;  // empty without replicas
};

Latencies Call(const LinkClient& client, const Clients& replicas,
               const Target& target, const Load& load, uint64_t seed,
               absl::Time end) {
  Latencies latencies;
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
    latencies.acknowledged.push_back(
        absl::ToDoubleSeconds(absl::Now() - start));
    if (replicas.empty()) continue;
    WaitForAll(replicas, answer->graph_version);
    latencies.everywhere.push_back(absl::ToDoubleSeconds(absl::Now() - start));
  }
  return latencies;
}

double Milliseconds(std::vector<double> latencies, double share) {
  std::sort(latencies.begin(), latencies.end());
  const auto at = share * static_cast<double>(latencies.size() - 1);
  return 1e3 * latencies[static_cast<size_t>(at)];
}

void Run(const Load& load) {
  const auto client = Connect(load.server);
  Clients replicas;
  for (const std::string& replica : load.replicas)
    replicas.push_back(Connect(replica));
  const Target target = FindTarget(*client);
  const absl::Time start = absl::Now();
  const absl::Time end = start + absl::Seconds(load.seconds);
  std::vector<Latencies> of_callers(static_cast<size_t>(load.callers));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < of_callers.size(); ++i) {
    threads.emplace_back([&, i] {
      of_callers[i] = Call(*client, replicas, target, load, i + 1, end);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double took = absl::ToDoubleSeconds(absl::Now() - start);
  Latencies all;
  for (const Latencies& one : of_callers) {
    all.acknowledged.insert(all.acknowledged.end(), one.acknowledged.begin(),
                            one.acknowledged.end());
    all.everywhere.insert(all.everywhere.end(), one.everywhere.begin(),
                          one.everywhere.end());
  }
  const auto calls = static_cast<double>(all.acknowledged.size());
  nlohmann::json result = {{"callers", load.callers},
                           {"batch", load.batch},
                           {"rpcs_per_second", calls / took},
                           {"changes_per_second", calls * load.batch / took},
                           {"p50_ms", Milliseconds(all.acknowledged, .5)},
                           {"p99_ms", Milliseconds(all.acknowledged, .99)}};
  if (!replicas.empty()) {
    result["everywhere_p50_ms"] = Milliseconds(all.everywhere, .5);
    result["everywhere_p99_ms"] = Milliseconds(all.everywhere, .99);
  }
  std::cout << result.dump() << std::endl;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  slice::Run(slice::ReadArguments(argc, argv));
}
