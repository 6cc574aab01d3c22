// `slice-client recommend`: finds the best ends of a link whose other end is
// known.
#ifndef SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_

#include <string>

#include "client/commands/client_command.h"
#include "client/recommend_types.h"

namespace slice {

struct RecommendOptions {
  RecommendQuery query;
  // The file of the candidates; empty: those of `query`.
  std::string candidates_path;
};

// Recommends and prints; returns the exit status.
int RunRecommend(const LinkClient& client, const RecommendOptions& options,
                 const CommandOutput& output);

ClientRun DefineRecommend(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_
