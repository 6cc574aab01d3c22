// The flags of a what-if question: --with, --without, --with-node and
// --without-node.
#ifndef SLICE_CLIENT_COMMANDS_WHAT_IF_FLAGS_H_
#define SLICE_CLIENT_COMMANDS_WHAT_IF_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/commands/client_command.h"
#include "client/link_client.h"
#include "client/what_if_types.h"
#include "common/command/flags.h"

namespace slice {

// The values as typed.
struct WhatIfFlags {
  std::vector<std::string> with, without;            // links
  std::vector<std::string> with_node, without_node;  // nodes

  bool empty() const {
    return with.empty() && without.empty() && with_node.empty() &&
           without_node.empty();
  }
};

void AddWhatIf(CommandFlags& flags, WhatIfFlags& values);

// Cuts a link "SOURCE RELATION TARGET" into its three parts: at tabs where it
// has any, else at blanks. In a link of more than three words, one of
// `relations` must stand between its ends, and only one way to cut it may be
// possible; otherwise INVALID_ARGUMENT.
absl::StatusOr<LinkQuery> ParseLink(const std::string& text, bool exact_keys,
                                    const std::vector<std::string>& relations);

// Reads the values. A node to add is a key, or "type:key" where the graph has
// that type; a note says when a type seems to be misspelt. Asks the client for
// the relations of the graph only if a link has more than three words, and for
// the types only if a node has a colon.
absl::StatusOr<WhatIfQuery> ReadWhatIf(const LinkClient& client,
                                       const WhatIfFlags& values,
                                       bool exact_keys,
                                       const CommandOutput& output);

// The server's error about a change, with the flag that asks for the change in
// place of its position. `query` was read from `values`. Of a link with an
// unknown end it says how to imagine that node.
absl::Status InWordsOfFlags(const WhatIfFlags& values, const WhatIfQuery& query,
                            const absl::Status& error);

// INVALID_ARGUMENT when the question takes away a node that it asks about.
absl::Status CheckAskedNodes(const WhatIfQuery& query, const LinkQuery& asked);

// Says that a question never sees the link it asks about, if a change is about
// that link, and returns whether it is.
bool PrintAskedLink(const WhatIfQuery& query, const LinkQuery& asked,
                    const CommandOutput& output);

// One line for each change that changed nothing.
void PrintWithoutEffect(const WhatIfQuery& query,
                        const std::vector<size_t>& without_effect,
                        const CommandOutput& output);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_WHAT_IF_FLAGS_H_
