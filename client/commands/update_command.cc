// A file is sent in batches, each with a number. The writer is named after the
// contents of the file, so the same command goes on where an interrupted one
// stopped: the server tells the last number that it has.
#include "client/commands/update_command.h"

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/commands/change_errors.h"
#include "client/edit_file.h"
#include "client/exit_codes.h"
#include "client/interrupt.h"
#include "client/link_file.h"
#include "client/text_table.h"
#include "common/did_you_mean.h"
#include "common/progress.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

struct UpdateFlags {
  std::string action, first, second, third;
  float weight = 0;
  std::string name, writer;
  size_t batch = 1000;
};

const std::vector<std::string>& Actions() {
  static const std::vector<std::string> actions = {
      "add", "remove", "node", "remove-node", "file", "state"};
  return actions;
}

absl::Status Needs(const UpdateFlags& flags, const std::string& arguments,
                   bool given) {
  if (given) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("update ", flags.action, " needs ", arguments));
}

// An error if the line has a flag that the action does not read.
absl::Status CheckFlags(const UpdateFlags& flags) {
  const char* unread = nullptr;
  if (flags.weight != 0 && flags.action != "add") unread = "--weight";
  if (!flags.name.empty() && flags.action != "node") unread = "--name";
  if (unread == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("update ", flags.action, " takes no ", unread));
}

// What the arguments of the actions but file and state mean.
absl::StatusOr<GraphEdit> EditOf(const UpdateFlags& flags) {
  GraphEdit edit;
  if (flags.action == "add" || flags.action == "remove") {
    SLICE_RETURN_IF_ERROR(
        Needs(flags, "SOURCE RELATION TARGET", !flags.third.empty()));
    edit.kind = flags.action == "add" ? GraphEditKind::kAddLink
                                      : GraphEditKind::kRemoveLink;
    edit.source = flags.first;
    edit.relation = flags.second;
    edit.target = flags.third;
    edit.weight = flags.weight;
    return edit;
  }
  const bool adds = flags.action == "node";
  SLICE_RETURN_IF_ERROR(Needs(flags,
                              adds ? "KEY, and a TYPE if wanted" : "KEY alone",
                              !flags.first.empty() && flags.third.empty() &&
                                  (adds || flags.second.empty())));
  edit.kind = adds ? GraphEditKind::kUpsertNode : GraphEditKind::kRemoveNode;
  edit.key = flags.first;
  edit.type = flags.second;
  edit.name = flags.name;
  return edit;
}

// "", or what is new, which may be a misspelled type.
std::string NewTypes(const std::vector<std::string>& types) {
  if (types.empty()) return "";
  return absl::StrCat("; new node type", types.size() == 1 ? "" : "s", ": ",
                      absl::StrJoin(types, ", "));
}

constexpr std::string_view kChanges = "changes";  // the list of a request

// The error about the only change of a request.
absl::Status InWordsOfLine(const GraphEdit& edit, const absl::Status& error) {
  const absl::Status named =
      NameChanges(error, kChanges, [](size_t) { return ""; });
  const std::optional<UnknownEnd> unknown = UnknownEndOf(error, kChanges);
  if (!unknown) return named;
  return AddAdvice(named,
                   "add it first: slice-client update node " +
                       ShellWord(unknown->source ? edit.source : edit.target));
}

int RunEdit(const LinkClient& client, const UpdateFlags& flags,
            const CommandOutput& output) {
  const absl::StatusOr<GraphEdit> edit = EditOf(flags);
  if (!edit.ok()) return PrintUsageError(edit.status(), output);
  const absl::StatusOr<UpdateAnswer> answer =
      client.ApplyUpdates({.edits = {*edit}});
  if (!answer.ok())
    return PrintCallError(InWordsOfLine(*edit, answer.status()), output);
  const bool changed = answer->without_effect.empty();
  if (output.json) {
    output.results << nlohmann::json{{"graph_version", answer->graph_version},
                                     {"changed", changed},
                                     {"added_types", answer->added_types}}
                          .dump()
                   << "\n";
  } else {
    output.results << (changed ? "changed" : "nothing to change")
                   << "; the graph has version " << answer->graph_version
                   << NewTypes(answer->added_types) << "\n";
  }
  return kExitOk;
}

// Sends the batches of a file that the server does not have yet.
class FileUpdate {
 public:
  FileUpdate(const LinkClient& client, const CommandOutput& output,
             std::string name, EditFile file, const UpdateFlags& flags,
             std::string writer)
      : client_(client),
        output_(output),
        name_(std::move(name)),
        edits_(std::move(file.edits)),
        lines_(std::move(file.lines)),
        sizes_(BatchSizes(edits_, flags.batch)),
        writer_(std::move(writer)) {}

  absl::Status Run() {
    SLICE_ASSIGN_OR_RETURN(const GraphStateInfo state,
                           client_.GetGraphState(writer_));
    version_ = state.graph_version;
    SLICE_RETURN_IF_ERROR(CheckSameBatches(state.last_sequence));
    const InterruptWatch interrupt;
    std::optional<ProgressLine> progress;
    if (!output_.style.terminal || output_.json)
      progress.emplace("update", edits_.size(), "changes");
    for (size_t i = 0; i < sizes_.size() && !interrupt.interrupted(); ++i) {
      if (i < state.last_sequence) {
        first_ += sizes_[i];
        before_ += sizes_[i];
      } else {
        SLICE_RETURN_IF_ERROR(Send(i));
      }
      if (progress) progress->Advance(sizes_[i]);
    }
    if (progress) progress->Finish();
    if (first_ == edits_.size()) return absl::OkStatus();
    return absl::CancelledError(
        absl::StrCat("interrupted after ", first_, " of ", edits_.size(),
                     " changes; the same command goes on from there"));
  }

  const std::vector<std::string>& added_types() const { return added_types_; }

  nlohmann::json Json() const {
    return {{"graph_version", version_},
            {"sent", first_ - before_},
            {"sent_before", before_},
            {"without_effect", without_effect_},
            {"added_types", added_types_}};
  }

 private:
  // The batch, which begins with the edit `first`.
  GraphEdits Batch(size_t batch, size_t first) const {
    GraphEdits request = {.writer = writer_, .sequence = batch + 1};
    const auto begin = edits_.begin() + static_cast<ptrdiff_t>(first);
    request.edits.assign(begin, begin + static_cast<ptrdiff_t>(sizes_[batch]));
    return request;
  }

  // Sends the last batch that the server has once more. It tells when that was
  // another one: then its number does not say where to go on.
  absl::Status CheckSameBatches(uint64_t last_sequence) const {
    if (last_sequence == 0) return absl::OkStatus();
    absl::Status known =
        absl::FailedPreconditionError("sequence: it had more batches");
    if (last_sequence <= sizes_.size()) {
      const auto end = sizes_.begin() + static_cast<ptrdiff_t>(last_sequence);
      const size_t first = std::accumulate(sizes_.begin(), end - 1, size_t{0});
      known = client_.ApplyUpdates(Batch(last_sequence - 1, first)).status();
    }
    // Another error, such as a server that takes no changes, stays itself.
    if (!absl::StartsWith(known.message(), "sequence:")) return known;
    return absl::FailedPreconditionError(
        absl::StrCat(name_, ": the writer \"", writer_,
                     "\" sent other batches before (", known.message(),
                     "); give the --batch of that time to go on there, or "
                     "--writer with a new name to send all lines again"));
  }

  absl::Status Send(size_t batch) {
    const auto answer = client_.ApplyUpdates(Batch(batch, first_));
    if (!answer.ok()) return InFile(answer.status());
    version_ = answer->graph_version;
    without_effect_ += answer->without_effect.size();
    added_types_.insert(added_types_.end(), answer->added_types.begin(),
                        answer->added_types.end());
    first_ += sizes_[batch];
    return absl::OkStatus();
  }

  // The error with lines of the file in place of the positions of changes.
  absl::Status InFile(const absl::Status& error) const {
    absl::Status named = NameChanges(error, kChanges, [&](size_t position) {
      const size_t edit = first_ + position;
      return edit < lines_.size() ? absl::StrCat(name_, ":", lines_[edit])
                                  : name_;
    });
    if (UnknownEndOf(error, kChanges))
      named = AddAdvice(named, "a line with +node, a tab and its key adds it");
    return AddAdvice(
        named, first_ == 0 ? "no line is applied"
                           : absl::StrCat("the lines before ", lines_[first_],
                                          " are applied, no other is"));
  }

  const LinkClient& client_;
  const CommandOutput& output_;
  const std::string name_;
  const std::vector<GraphEdit> edits_;
  const std::vector<uint64_t> lines_;
  const std::vector<size_t> sizes_;
  const std::string writer_;
  size_t first_ = 0;   // of the edits that are not sent yet
  size_t before_ = 0;  // edits that an earlier run sent
  size_t without_effect_ = 0;
  std::vector<std::string> added_types_;
  uint64_t version_ = 0;
};

int RunFile(const LinkClient& client, const UpdateFlags& flags,
            const CommandOutput& output) {
  const absl::Status named =
      Needs(flags, "FILE alone; - is standard input",
            !flags.first.empty() && flags.second.empty());
  if (!named.ok()) return PrintUsageError(named, output);
  const absl::StatusOr<std::string> text = ReadInput(flags.first);
  if (!text.ok()) return PrintFileError(text.status(), output);
  const std::string name = flags.first == "-" ? "standard input" : flags.first;
  absl::StatusOr<EditFile> file = ParseEdits(name, *text);
  if (!file.ok()) return PrintFileError(file.status(), output);
  const std::string writer =
      flags.writer.empty()
          ? absl::StrCat("file ", Sha256Bytes(*text).substr(0, 16))
          : flags.writer;
  FileUpdate update(client, output, name, *std::move(file), flags, writer);
  const absl::Status sent = update.Run();
  if (output.json) {
    output.results << update.Json().dump() << "\n";
  } else {
    const nlohmann::json done = update.Json();
    output.results << done["sent"] << " changes sent, " << done["sent_before"]
                   << " were sent before, " << done["without_effect"]
                   << " had no effect; the graph has version "
                   << done["graph_version"] << NewTypes(update.added_types())
                   << "\n";
  }
  return sent.ok() ? kExitOk : PrintCallError(sent, output);
}

int RunState(const LinkClient& client, const UpdateFlags& flags,
             const CommandOutput& output) {
  const absl::Status alone = Needs(flags, "no more words", flags.first.empty());
  if (!alone.ok()) return PrintUsageError(alone, output);
  const absl::StatusOr<GraphStateInfo> state =
      client.GetGraphState(flags.writer);
  if (!state.ok()) return PrintCallError(state.status(), output);
  if (output.json) {
    output.results << nlohmann::json{{"graph_version", state->graph_version},
                                     {"base_version", state->base_version},
                                     {"state_digest", state->state_digest},
                                     {"nodes", state->nodes},
                                     {"links", state->links},
                                     {"writable", state->writable},
                                     {"not_writable_reason",
                                      state->not_writable_reason},
                                     {"last_sequence", state->last_sequence}}
                          .dump()
                   << "\n";
    return kExitOk;
  }
  const auto count = [&](uint64_t number) {
    return output.style.Count(number);
  };
  TextTable table({{""}, {""}});
  table.AddRow({{"version"}, {count(state->graph_version)}});
  table.AddRow({{"version of the first graph"}, {count(state->base_version)}});
  table.AddRow({{"state digest"}, {state->state_digest}});
  table.AddRow({{"nodes"}, {count(state->nodes)}});
  table.AddRow({{"links"}, {count(state->links)}});
  table.AddRow(
      {{"takes changes"},
       {state->writable ? "yes" : "no: " + state->not_writable_reason}});
  if (!flags.writer.empty())
    table.AddRow({{"last sequence"}, {count(state->last_sequence)}});
  PrintTable(table, output);
  return kExitOk;
}

int RunUpdate(const LinkClient& client, const UpdateFlags& flags,
              const CommandOutput& output) {
  const absl::Status read = CheckFlags(flags);
  if (!read.ok()) return PrintUsageError(read, output);
  if (flags.action == "file") return RunFile(client, flags, output);
  if (flags.action == "state") return RunState(client, flags, output);
  return RunEdit(client, flags, output);
}

}  // namespace

ClientRun DefineUpdate(CommandFlags& flags, ClientFlags&) {
  const auto options = std::make_shared<UpdateFlags>();
  flags
      .AddArgument("ACTION", options->action,
                   "add SOURCE RELATION TARGET; remove SOURCE RELATION TARGET; "
                   "node KEY [TYPE]; remove-node KEY; file FILE; state")
      .Required()
      .OneOf(Actions());
  flags.AddArgument("FIRST", options->first,
                    "key of the source or of the node, or a file with a change "
                    "on each line: + or -, source, relation, target; +node "
                    "key type name; -node key; tabs between them");
  flags.AddArgument("SECOND", options->second, "relation, or type of the node");
  flags.AddArgument("THIRD", options->third, "key of the target");
  flags.Add("--weight", options->weight, "weight of the link to add")
      .Between(1e-30, 1e30)
      .Default("the weight that it has; 1 for a new link");
  flags.Add("--name", options->name, "name of the node").Type("NAME");
  flags
      .Add("--writer", options->writer,
           "who sends the file, and whose last number state shows; each writer "
           "counts what it sends")
      .Type("NAME")
      .Default("named after what is in the file");
  flags.Add("--batch", options->batch, "changes of a file in one request")
      .Between(1, 10000);
  return [options](const LinkClient& client, const CommandOutput& output) {
    return RunUpdate(client, *options, output);
  };
}

}  // namespace slice
