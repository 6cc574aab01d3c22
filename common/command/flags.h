// The flags and arguments of a command.
//
//   flags.Add("--threads", options.threads, "threads that train; 0: all")
//       .Between(0, 1024);
//   flags.Add("--data-dir", options.data_dir, "directory of the graph")
//       .Type("DIR").Required();
//
// A name is written with hyphens, as help shows it. The command line may spell
// it with underscores instead: --data_dir is --data-dir.
// Every variable given to Add must outlive the parsing of the command line. Its
// value at the call is the default that help shows.
#ifndef SLICE_COMMON_COMMAND_FLAGS_H_
#define SLICE_COMMON_COMMAND_FLAGS_H_

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/status_macros.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace slice {

// One flag or argument. Copies describe the same flag.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}

  Flag Required() const;
  // The placeholder of the value in help, such as FILE.
  Flag Type(const std::string& placeholder) const;
  // What help shows as the default; nothing when `text` is empty.
  Flag Default(const std::string& text) const;

  // The value must be in [least, most]. `most` may be infinite.
  Flag Between(double least, double most) const;
  Flag Between(absl::Duration least, absl::Duration most) const;
  Flag OneOf(std::vector<std::string> values) const;

  Flag Excludes(Flag other) const;
  Flag Needs(Flag other) const;
  // The variable of the environment that is read when the line lacks the flag.
  Flag Environment(const std::string& variable) const;

  // For lists: `separator` also parts one value from the next.
  Flag SplitAt(char separator) const;
  // For lists: every value needs the flag before it. Without this, several
  // values may follow the flag.
  Flag OneValueEach() const;
  // Marks a flag that sets the defaults of other flags. It is read before the
  // flags without this mark, wherever it is on the line.
  Flag ReadFirst() const;

 private:
  void Note(const std::string& text) const;

  CLI::Option* option_;
};

// Thread-compatible.
class CommandFlags {
 public:
  // `app` must outlive the flags.
  explicit CommandFlags(CLI::App& app) : app_(app) {}
  CommandFlags(const CommandFlags&) = delete;
  CommandFlags& operator=(const CommandFlags&) = delete;

  // A flag with a value. Value is a string, path, number, an optional string or
  // int, or a vector of strings, paths, ints or doubles (flags.cc lists them).
  // `name` may hold aliases behind commas: "-H,--header".
  template <typename Value>
  Flag Add(const std::string& name, Value& value, const std::string& help);
  // A duration with its unit, such as 5s.
  Flag Add(const std::string& name, absl::Duration& value,
           const std::string& help);
  // An argument: a value without a flag, known by its position. `name` is for
  // help ("SOURCE"). Value is a string or a vector of paths.
  template <typename Value>
  Flag AddArgument(const std::string& name, Value& value,
                   const std::string& help);
  // A flag without a value. It makes `value` true.
  Flag AddSwitch(const std::string& name, bool& value, const std::string& help);
  // A flag without a value, which makes `value` false.
  Flag AddOffSwitch(const std::string& name, bool& value,
                    const std::string& help);
  // A flag whose value is passed to `read`, whose errors are usage errors.
  Flag AddRead(const std::string& name,
               std::function<absl::Status(const std::string& text)> read,
               const std::string& help);
  // A flag whose text is one of `names`, which `parse` turns into `value`.
  template <typename Value>
  Flag AddParsed(const std::string& name,
                 absl::StatusOr<Value> (*parse)(std::string_view), Value& value,
                 std::initializer_list<const char*> names,
                 const std::string& help);

  // `check` runs once all flags are read. A status other than OK is a usage
  // error.
  void Check(std::function<absl::Status()> check);
  // Flags added from now on are in this section of help and of settings.h.
  void BeginSection(const std::string& name);
  // Arguments that the command does not know go to `rest`, as they were typed.
  void KeepUnknown(std::vector<std::string>& rest);
  // Text below the command's help.
  void Footer(const std::string& text);
  const std::vector<std::function<absl::Status()>>& checks() const {
    return checks_;
  }

 private:
  CLI::App& app_;
  std::vector<std::function<absl::Status()>> checks_;
};

// Joins names for help: "a, b or c".
std::string JoinWithOr(const std::vector<std::string>& names);

template <typename Value>
Flag CommandFlags::AddParsed(const std::string& name,
                             absl::StatusOr<Value> (*parse)(std::string_view),
                             Value& value,
                             std::initializer_list<const char*> names,
                             const std::string& help) {
  const Flag flag = AddRead(
      name,
      [parse, &value](const std::string& text) -> absl::Status {
        SLICE_ASSIGN_OR_RETURN(value, parse(text));
        return absl::OkStatus();
      },
      help + ": " + JoinWithOr({names.begin(), names.end()}));
  for (const char* candidate : names) {
    const absl::StatusOr<Value> parsed = parse(candidate);
    if (parsed.ok() && *parsed == value) flag.Default(candidate);
  }
  return flag;
}

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_FLAGS_H_
