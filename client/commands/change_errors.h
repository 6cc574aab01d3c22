// Errors about changes of the graph, in the words of the command line. The
// server names a change by its place in the request:
//   what_if.changes[1].add_link.target: no node has the key or name 'Zoe'
// The user reads
//   --with 'Bob knows Zoe': no node has the key or name 'Zoe'
#ifndef SLICE_CLIENT_COMMANDS_CHANGE_ERRORS_H_
#define SLICE_CLIENT_COMMANDS_CHANGE_ERRORS_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace slice {

// How the user calls the change at a position of the request. It may be empty.
using NameOfChange = std::function<std::string(size_t position)>;

// `error` with the names of the changes in place of "LIST[position]" and the
// field behind it. An INVALID_ARGUMENT keeps the field that it begins with, as
// its reason may not say what it is about. Another error stays as it is.
absl::Status NameChanges(const absl::Status& error, std::string_view list,
                         const NameOfChange& name);

// The end of a link that a change would add, when `error` says that no node is
// called so.
struct UnknownEnd {
  size_t position = 0;  // of the change
  bool source = false;  // the source of the link, not its target
};
std::optional<UnknownEnd> UnknownEndOf(const absl::Status& error,
                                       std::string_view list);

// `error` with "; ADVICE" behind its reason, before the names that it suggests.
absl::Status AddAdvice(const absl::Status& error, std::string_view advice);

// A word as a shell reads it: in quotes if it needs them. Tabs become blanks.
std::string ShellWord(std::string_view word);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CHANGE_ERRORS_H_
