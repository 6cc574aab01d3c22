// What a person typed after `slice-client`, checked.
#ifndef SLICE_CLIENT_COMMAND_LINE_H_
#define SLICE_CLIENT_COMMAND_LINE_H_

#include <string>
#include <variant>

#include "absl/time/time.h"
#include "client/bench/bench_options.h"
#include "client/link_client.h"
#include "client/link_types.h"
#include "client/recommend_types.h"

namespace slice {

enum class ClientCommand {
  kPredict,
  kExplain,
  kRecommend,
  kNeighbors,
  kFind,
  kRelations,
  kInfo,
  kHealth,
  kQueue,
  kBench,
};

struct CommandLine {
  ClientCommand command = ClientCommand::kInfo;
  LinkClient::Options client;
  bool max_time_given = false;
  bool json = false;
  bool ascii = false;

  LinkQuery link;          // predict and explain
  std::string links_path;  // predict --links
  bool dot = false;        // explain
  RecommendQuery recommend;
  std::string candidates_path;  // recommend --candidates
  NeighborQuery neighbors;
  FindQuery find;
  std::string service;  // health
  bool watch = false;
  size_t shed_limit = 10;  // queue
  BenchOptions bench;
};

// Why the program ends before a command runs: help or version (status 0), or a
// command line that makes no sense.
struct EarlyExit {
  int status = 0;
  std::string text;  // for standard output when status is 0, else for messages
};

// `argv` as given to main. Reads the variable SLICE_SERVER.
std::variant<CommandLine, EarlyExit> ParseCommandLine(int argc,
                                                      const char* const* argv);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMAND_LINE_H_
