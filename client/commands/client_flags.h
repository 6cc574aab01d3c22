// The flags that every command of slice-client takes, and the flags that
// several commands share.
#ifndef SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_
#define SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_

#include <string>
#include <vector>

#include "client/link_client.h"
#include "common/command/flags.h"

namespace slice {

struct ClientFlags {
  LinkClient::Options client;  // complete once all flags are read
  bool json = false;
  bool ascii = false;

  // The flags as typed. The check that AddClientFlags adds puts them into
  // `client`.
  bool plaintext = false;
  bool tls = false;
  std::string token_file;
  double max_time = 0;  // seconds; 0: not given
  int retries = -1;     // -1: not given
  std::vector<std::string> headers;
};

// Adds the flags of the connection and of the output, and the check that
// completes `values.client` when all flags are read.
void AddClientFlags(CommandFlags& flags, ClientFlags& values);

// Adds --keys: nodes are named by their keys, never by their names.
Flag AddKeys(CommandFlags& flags, bool& exact_keys);
// Adds --scorer: the scorer that answers (LinkClient::Options::scorer).
Flag AddScorer(CommandFlags& flags, ClientFlags& values);
// Adds --prior: the caller's share of links (LinkClient::Options::prior).
Flag AddPrior(CommandFlags& flags, ClientFlags& values);
// Adds --min-graph-version (LinkClient::Options::min_graph_version).
Flag AddMinGraphVersion(CommandFlags& flags, ClientFlags& values);
// Adds --relation: only links of this relation count.
Flag AddRelation(CommandFlags& flags, std::string& relation);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CLIENT_FLAGS_H_
