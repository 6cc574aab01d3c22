#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/commands.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/link_file.h"
#include "client/ordered_scoring.h"
#include "client/text_table.h"
#include "common/progress.h"

namespace slice {
namespace {

// The links whose errors are told one by one.
constexpr size_t kMaxToldErrors = 50;

std::string ScoreText(const ScoredLink& link) {
  return link.status.ok() ? absl::StrFormat("%.9g", link.probability) : "nan";
}

void PrintTable(const ScoredLink& link, const CommandOutput& output) {
  TextTable table({{"source"},
                   {"relation"},
                   {"target"},
                   {"probability", true},
                   {"among kind", true},
                   {"decision"},
                   {"logit", true},
                   {"structure", true},
                   {"context", true}});
  table.AddRow({{link.source.Label(), TextColor::kSource},
                {link.relation},
                {link.target.Label(), TextColor::kTarget},
                {absl::StrFormat("%.6f", link.probability)},
                {absl::StrFormat("%.6f", link.probability_among_kind)},
                {link.decision ? "link" : "no link",
                 link.decision ? TextColor::kGood : TextColor::kBad},
                {absl::StrFormat("%+.4f", link.logit)},
                {absl::StrFormat("%+.4f", link.logit_structural)},
                {absl::StrFormat("%+.4f", link.logit_context)}});
  output.results << table.Draw(output.style, 0);
}

int PredictOne(const LinkClient& client, const CommandLine& line,
               const CommandOutput& output) {
  const absl::StatusOr<ScoredLinks> scored =
      client.PredictLinks({&line.link, 1});
  const absl::Status status =
      scored.ok() ? scored->links[0].status : scored.status();
  if (scored.ok()) {
    const ScoredLink& link = scored->links[0];
    if (line.json) {
      output.results << ToJson(line.link, "", link, scored->from) << "\n";
    } else if (status.ok() && output.style.terminal) {
      PrintTable(link, output);
    } else if (status.ok()) {
      output.results << line.link.relation << "\t" << line.link.source.text
                     << "\t" << line.link.target.text << "\t" << ScoreText(link)
                     << "\n";
    }
  }
  if (!status.ok()) output.messages << ErrorText("", status);
  return ExitCodeFor(status);
}

// Writes the scores of a file's lines in order and counts what failed.
class ScoreWriter {
 public:
  ScoreWriter(const LinkFile& file, const CommandLine& line,
              const CommandOutput& output)
      : file_(file), line_(line), output_(output) {}

  LinkQuery Query(size_t i) const {
    const LinkFile::Line& line = file_.lines()[i];
    const bool keys = line_.link.source.exact_key;
    return {{std::string(line.source), keys},
            std::string(line.relation),
            {std::string(line.target), keys}};
  }

  absl::Status Write(size_t first, const ScoredLinks& scored) {
    for (size_t i = 0; i < scored.links.size(); ++i)
      WriteLine(first + i, scored.links[i], scored.from);
    written_ += scored.links.size();
    // The caller tells the reason; going on would only lose more.
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
    if (line_.json) {
      output_.results << ToJson(Query(i), line.label, link, from) << "\n";
    } else {
      output_.results << line.relation << "\t" << line.source << "\t"
                      << line.target << "\t";
      if (!line.label.empty()) output_.results << line.label << "\t";
      output_.results << ScoreText(link) << "\n";
    }
    if (link.status.ok()) return;
    if (failed_++ == 0) first_error_ = link.status;
    if (failed_ <= kMaxToldErrors) {
      output_.messages << ErrorText(
          absl::StrCat(file_.name(), ":", line.number), link.status);
    }
  }

  const LinkFile& file_;
  const CommandLine& line_;
  const CommandOutput& output_;
  size_t written_ = 0;
  size_t failed_ = 0;
  absl::Status first_error_;
};

// Shows how far a file is and how fast: links, rate, time left, and the size of
// requests where it is not the usual one. On a terminal that shows the scores
// too, these are the progress, and a size is told when it is the least so far.
class FileProgress {
 public:
  FileProgress(size_t links, size_t usual_size, const CommandOutput& output)
      : usual_size_(usual_size), least_told_(usual_size), output_(output) {
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
    } else if (size < least_told_) {
      output_.messages << "the server is slow: asking for " << note << "\n";
      least_told_ = size;
    }
  }

  void Finish() {
    if (line_) line_->Finish();
  }

 private:
  const size_t usual_size_;
  size_t least_told_;
  const CommandOutput& output_;
  std::optional<ProgressLine> line_;
};

int PredictFile(const LinkClient& client, const CommandLine& line,
                const CommandOutput& output) {
  const absl::StatusOr<LinkFile> file = LinkFile::Read(line.links_path);
  if (!file.ok()) {
    output.messages << "error: " << file.status().message() << "\n";
    return absl::IsInvalidArgument(file.status()) ? kExitUsage : kExitFailure;
  }
  const size_t count = file->lines().size();
  ScoreWriter writer(*file, line, output);
  PipelineOptions options;
  FileProgress progress(count, options.chunk_links, output);
  options.resized = [&](size_t links) { progress.Resized(links); };
  const absl::Status status = ScoreInOrder(
      client, options, count, [&](size_t i) { return writer.Query(i); },
      [&](size_t first, const ScoredLinks& scored) {
        absl::Status written = writer.Write(first, scored);
        progress.Advance(scored.links.size());
        return written;
      });
  progress.Finish();
  if (writer.failed() > kMaxToldErrors) {
    output.messages << "... and " << writer.failed() - kMaxToldErrors
                    << " more links failed\n";
  }
  if (!output.results) return kExitFailure;
  if (!status.ok()) {
    output.messages << ErrorText("", status) << "stopped after "
                    << writer.written() << " of " << count << " links\n";
    return ExitCodeFor(status);
  }
  return ExitCodeFor(writer.first_error());
}

}  // namespace

int RunPredict(const LinkClient& client, const CommandLine& line,
               const CommandOutput& output) {
  return line.links_path.empty() ? PredictOne(client, line, output)
                                 : PredictFile(client, line, output);
}

}  // namespace slice
