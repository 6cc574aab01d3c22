// A single link is scored by one call. The links of a file are read and checked
// before the first call, scored by several calls at once (ScoreInOrder), and
// written in order as their answers come. A link that fails gets the score
// "nan", and its error is printed with the messages. The exit status is then
// that of the first such error.
#include "client/commands/predict_command.h"

#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/answer_flags.h"
#include "client/commands/link_arguments.h"
#include "client/commands/what_if_flags.h"
#include "client/drawing/explanation_drawing.h"
#include "client/drawing/what_if_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/link_file.h"
#include "client/ordered_scoring.h"
#include "common/asked_link_file.h"
#include "common/progress.h"
#include "common/status_macros.h"

namespace slice {
namespace {

struct PredictOptions {
  LinkQuery link;
  AskedLinkFile file;  // instead of `link`
  bool flags = false;  // lines end with a column of flags
  WhatIfFlags what_if;
};

// At most this many errors are printed; the rest are only counted.
constexpr size_t kMaxPrintedErrors = 50;

// The last columns of a line.
std::string ScoreText(const ScoredLink& link, bool with_flags) {
  const std::string score =
      link.status.ok() ? absl::StrFormat("%.9g", link.probability) : "nan";
  return with_flags ? absl::StrCat(score, "\t", FlagColumn(link.flags)) : score;
}

std::optional<double> ThresholdOf(const ScoredLink& link) {
  if (link.decision_threshold > 0) return link.decision_threshold;
  return std::nullopt;  // an older server does not say it
}

int PredictOne(const LinkClient& client, const PredictOptions& asked,
               const WhatIfQuery& what_if, const CommandOutput& output) {
  const absl::Status has_ends = CheckAskedNodes(what_if, asked.link);
  if (!has_ends.ok()) return PrintUsageError(has_ends, output);
  const absl::StatusOr<ScoredLinks> scored =
      client.PredictLinks({&asked.link, 1}, PredictClass::kByCount, what_if);
  const absl::Status status =
      scored.ok() ? scored->links[0].status
                  : InWordsOfFlags(asked.what_if, what_if, scored.status());
  if (scored.ok()) {
    PrintAskedLink(what_if, asked.link, output);
    PrintWithoutEffect(what_if, scored->without_effect, output);
    const ScoredLink& link = scored->links[0];
    if (output.json) {
      output.results << ToJson(asked.link, "", link, scored->from) << "\n";
    } else if (status.ok() && output.style.terminal) {
      output.results << DrawChanges(what_if, output.style)
                     << DrawScore(link, ThresholdOf(link), output.style);
      if (asked.flags)
        output.results << "flags: " << FlagColumn(link.flags) << "\n";
      output.results << FlagNotes(link.flags);
    } else if (status.ok()) {
      output.results << asked.link.relation << "\t" << asked.link.source.text
                     << "\t" << asked.link.target.text << "\t"
                     << ScoreText(link, asked.flags) << "\n";
    }
  }
  return status.ok() ? kExitOk : PrintCallError(status, output);
}

// Writes the scores of a file's lines in order and counts what failed.
class ScoreWriter {
 public:
  ScoreWriter(const LinkFile& file, const PredictOptions& asked,
              const CommandOutput& output)
      : file_(file),
        exact_keys_(asked.link.source.exact_key),
        flags_(asked.flags),
        output_(output) {}

  LinkQuery Query(size_t i) const {
    const LinkFile::Line& line = file_.lines()[i];
    return {{std::string(line.source), exact_keys_},
            std::string(line.relation),
            {std::string(line.target), exact_keys_}};
  }

  absl::Status Write(size_t first, const ScoredLinks& scored) {
    for (size_t i = 0; i < scored.links.size(); ++i)
      WriteLine(first + i, scored.links[i], scored.from);
    written_ += scored.links.size();
    // CheckWritten (client_program.cc) prints the reason.
    return output_.results.flush()
               ? absl::OkStatus()
               : absl::CancelledError("the results cannot be written");
  }

  size_t written() const { return written_; }
  size_t failed() const { return failed_; }
  const absl::Status& first_error() const { return first_error_; }

 private:
  void WriteLine(size_t i, const ScoredLink& link, const AnswerSource& from) {
    const LinkFile::Line& line = file_.lines()[i];
    if (output_.json) {
      output_.results << ToJson(Query(i), line.label, link, from) << "\n";
    } else {
      output_.results << line.relation << "\t" << line.source << "\t"
                      << line.target << "\t";
      if (!line.label.empty()) output_.results << line.label << "\t";
      output_.results << ScoreText(link, flags_) << "\n";
    }
    if (link.status.ok()) return;
    if (failed_++ == 0) first_error_ = link.status;
    if (failed_ <= kMaxPrintedErrors) {
      output_.messages << ErrorText(
          absl::StrCat(file_.name(), ":", line.number), link.status);
    }
  }

  const LinkFile& file_;
  const bool exact_keys_;
  const bool flags_;
  const CommandOutput& output_;
  size_t written_ = 0;
  size_t failed_ = 0;
  absl::Status first_error_;
};

// Shows the progress through a file on one line: links, rate, time left, and
// the size of requests when it is not the usual one. There is no such line when
// the scores themselves appear on the terminal. A message then says when
// requests become smaller than ever before.
class FileProgress {
 public:
  FileProgress(size_t links, size_t usual_size, const CommandOutput& output)
      : usual_size_(usual_size), least_shown_(usual_size), output_(output) {
    if (!output.style.terminal) line_.emplace("predict", links, "links");
  }

  void Advance(size_t links) {
    if (line_) line_->Advance(links);
  }

  void Resized(size_t size) {
    const std::string note = absl::StrCat(size, " links per request");
    if (line_) {
      line_->SetNote(size < usual_size_ ? note : "");
      line_->Advance(0);
    } else if (size < least_shown_) {
      output_.messages << "the server is slow: asking for " << note << "\n";
      least_shown_ = size;
    }
  }

  void Finish() {
    if (line_) line_->Finish();
  }

 private:
  const size_t usual_size_;
  size_t least_shown_;
  const CommandOutput& output_;
  std::optional<ProgressLine> line_;
};

// The names of the model's relations. Knows nothing when the call fails: the
// calls that follow say why.
KnownRelations RelationsOf(const LinkClient& client) {
  const absl::StatusOr<RelationList> list = client.ListRelations();
  if (!list.ok()) return {};
  std::vector<std::string> names;
  for (const RelationInfo& relation : list->relations)
    names.push_back(relation.name);
  return KnownRelations(std::move(names));
}

absl::StatusOr<LinkFile> ReadLinkFile(const LinkClient& client,
                                      const PredictOptions& asked) {
  SLICE_ASSIGN_OR_RETURN(LinkShapeOptions shape, asked.file.ShapeOptions());
  shape.relations = RelationsOf(client);
  return LinkFile::Read(asked.file.path, shape);
}

int PredictFile(const LinkClient& client, const PredictOptions& asked,
                const WhatIfQuery& what_if, const CommandOutput& output) {
  const absl::StatusOr<LinkFile> file = ReadLinkFile(client, asked);
  if (!file.ok()) return PrintFileError(file.status(), output);
  if (!file->recognised().empty())
    output.messages << "read " << file->recognised() << "\n";
  const size_t count = file->lines().size();
  ScoreWriter writer(*file, asked, output);
  for (size_t i = 0; i < count && what_if.size() > 0; ++i) {
    if (PrintAskedLink(what_if, writer.Query(i), output)) break;
  }
  PipelineOptions options;
  options.what_if = what_if;
  FileProgress progress(count, options.chunk_links, output);
  options.resized = [&](size_t links) { progress.Resized(links); };
  const absl::Status status = ScoreInOrder(
      client, options, count, [&](size_t i) { return writer.Query(i); },
      [&](size_t first, const ScoredLinks& scored) {
        if (first == 0)
          PrintWithoutEffect(what_if, scored.without_effect, output);
        absl::Status written = writer.Write(first, scored);
        progress.Advance(scored.links.size());
        return written;
      });
  progress.Finish();
  if (writer.failed() > kMaxPrintedErrors) {
    output.messages << "... and " << writer.failed() - kMaxPrintedErrors
                    << " more links failed\n";
  }
  if (!output.results) return kExitFailure;
  if (!status.ok()) {
    output.messages << ErrorText("",
                                 InWordsOfFlags(asked.what_if, what_if, status))
                    << "stopped after " << writer.written() << " of " << count
                    << " links\n";
    return ExitCodeFor(status);
  }
  return ExitCodeFor(writer.first_error());
}

int RunPredict(const LinkClient& client, const PredictOptions& asked,
               const CommandOutput& output) {
  const absl::StatusOr<WhatIfQuery> what_if =
      ReadWhatIf(client, asked.what_if, asked.link.source.exact_key, output);
  if (!what_if.ok()) return PrintUsageError(what_if.status(), output);
  return asked.file.path.empty() ? PredictOne(client, asked, *what_if, output)
                                 : PredictFile(client, asked, *what_if, output);
}

absl::Status CheckPredict(const PredictOptions& asked) {
  const LinkQuery& link = asked.link;
  const bool none = link.source.text.empty() && link.relation.empty() &&
                    link.target.text.empty();
  const bool all = !link.source.text.empty() && !link.relation.empty() &&
                   !link.target.text.empty();
  if (asked.file.path.empty() && !all) {
    return absl::InvalidArgumentError(
        "predict needs SOURCE RELATION TARGET, or --links FILE");
  }
  if (!asked.file.path.empty() && !none) {
    return absl::InvalidArgumentError(
        "predict takes SOURCE RELATION TARGET or --links, not both");
  }
  return absl::OkStatus();
}

}  // namespace

ClientRun DefinePredict(CommandFlags& flags, ClientFlags& shared) {
  const auto asked = std::make_shared<PredictOptions>();
  AddLinkArguments(flags, asked->link);
  AddScorer(flags, shared);
  flags
      .Add("--links", asked->file.path,
           "score the lines \"relation source target [label]\" of this file, "
           "in order; - reads standard input")
      .Type("FILE");
  AddAskedLinkFileFormat(flags, asked->file);
  flags.AddSwitch("--flags", asked->flags,
                  "end each line with its flags, such as self,cold_target, "
                  "or -");
  AddPrior(flags, shared);
  AddMinGraphVersion(flags, shared);
  AddWhatIf(flags, asked->what_if);
  flags.Check([asked] { return CheckPredict(*asked); });
  return [asked](const LinkClient& client, const CommandOutput& output) {
    return RunPredict(client, *asked, output);
  };
}

}  // namespace slice
