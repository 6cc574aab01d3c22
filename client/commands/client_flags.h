// The flags that every command of slice-client takes, and those that several
// take.
#ifndef SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_
#define SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_

#include <string>
#include <vector>

#include "client/link_client.h"
#include "common/command/flags.h"

namespace slice {

struct ClientFlags {
  LinkClient::Options client;  // whole once all flags are read
  bool json = false;
  bool ascii = false;

  // As typed. The check that AddClientFlags adds turns them into `client`.
  bool plaintext = false;
  bool tls = false;
  double max_time = 0;  // seconds; 0: not given
  int retries = -1;     // -1: not given
  std::vector<std::string> headers;
};

// The flags of the connection and of the output, and a check of them.
void AddClientFlags(CommandFlags& flags, ClientFlags& values);

// --keys: nodes are named by their keys alone.
Flag AddKeys(CommandFlags& flags, bool& exact_keys);
// --scorer, of LinkClient::Options.
Flag AddScorer(CommandFlags& flags, ClientFlags& values);
// --relation: only links of this relation.
Flag AddRelation(CommandFlags& flags, std::string& relation);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_
