// `slice-client recommend`: finds the nodes that fit best as the unknown end of
// a link.
#ifndef SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_

#include <string>

#include "client/commands/client_command.h"
#include "client/commands/what_if_flags.h"
#include "client/recommend_types.h"

namespace slice {

struct RecommendOptions {
  RecommendQuery query;
  // A file that names the candidates; empty: `query` has them.
  std::string candidates_path;
  bool flags = false;  // rows end with a column of flags
  WhatIfFlags what_if;
};

// Asks for the recommendations, prints them, and returns the exit status.
int RunRecommend(const LinkClient& client, const RecommendOptions& options,
                 const CommandOutput& output);

ClientRun DefineRecommend(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_RECOMMEND_COMMAND_H_
