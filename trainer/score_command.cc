// A file of any length is scored in pieces: the links of a piece are read and
// looked up, scored on all threads, and written. So memory does not grow with
// the file.
#include "trainer/score_command.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/processor_count.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "common/table/link_shape.h"
#include "common/table/text_output.h"
#include "common/thousands.h"
#include "trainer/answer_rows.h"
#include "trainer/bundle_answers.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/node_lookup.h"
#include "trainer/row_errors.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

constexpr size_t kPieceLinks = 32768;

// A row of the file, and the link it means.
struct AskedLink {
  std::string relation, source, target;
  const char* label = "";
  std::optional<Link> link = {};  // none when it names something unknown
};

class LinkFileScorer {
 public:
  LinkFileScorer(const ScoreOptions& options, const OfflineModel& model,
                 const OutputReading& reading, LinkShape shape,
                 std::ostream& messages)
      : path_(options.links.path),
        model_(model),
        reading_(reading),
        with_flags_(options.flags),
        threads_(options.threads > 0 ? options.threads : ProcessorCount()),
        parser_(std::move(shape)),
        lookup_(model.graph(), options.exact_keys),
        errors_(options.links.path, messages) {}

  absl::Status Run(LineReader& lines, TextOutput& out) {
    ProgressLine progress("score", 0, "links");
    while (true) {
      SLICE_RETURN_IF_ERROR(ReadPiece(lines));
      if (piece_.empty()) break;
      SLICE_RETURN_IF_ERROR(WritePiece(out));
      rows_ += piece_.size();
      progress.Advance(piece_.size());
    }
    progress.Finish();
    return out.status();
  }

  size_t rows() const { return rows_; }
  const RowErrors& errors() const { return errors_; }

 private:
  absl::Status ReadPiece(LineReader& lines) {
    piece_.clear();
    while (piece_.size() < kPieceLinks) {
      const auto line = lines.Next();
      if (!line) return lines.status();
      LinkRow row;
      if (const auto error = parser_.Parse(*line, &row)) {
        return absl::InvalidArgumentError(
            DescribeLineError(path_, *line, *error));
      }
      AskedLink asked = {std::string(row.relation.text),
                         std::string(row.source.text),
                         std::string(row.target.text)};
      if (row.has_label) asked.label = row.positive ? "1" : "0";
      const auto link =
          lookup_.FindLink(asked.relation, asked.source, asked.target);
      if (link.ok()) {
        asked.link = *link;
      } else {
        errors_.Add(line->number, link.status());
      }
      piece_.push_back(std::move(asked));
    }
    return absl::OkStatus();
  }

  absl::Status WritePiece(TextOutput& out) {
    std::vector<Link> known;
    for (const AskedLink& asked : piece_) {
      if (asked.link) known.push_back(*asked.link);
    }
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<Prediction> predictions,
        AnswerLinks(model_.scoring(), reading_, known, threads_));
    size_t next = 0;
    for (const AskedLink& asked : piece_) {
      const RowAnswer answer = {asked.link ? &predictions[next++] : nullptr,
                                with_flags_};
      out.Append(ScoreRow(
          {asked.relation, asked.source, asked.target, asked.label}, answer));
    }
    return out.status();
  }

  const std::string& path_;
  const OfflineModel& model_;
  const OutputReading& reading_;
  const bool with_flags_;
  const int threads_;
  LinkRowParser parser_;
  NodeLookup lookup_;
  RowErrors errors_;
  std::vector<AskedLink> piece_;
  size_t rows_ = 0;
};

}  // namespace

absl::Status RunScore(const ScoreOptions& options, std::ostream& messages) {
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.out));
  SLICE_ASSIGN_OR_RETURN(LineReader lines,
                         LineReader::Open(options.links.path));
  SLICE_ASSIGN_OR_RETURN(const auto model, OfflineModel::Open(options.bundle));
  SLICE_ASSIGN_OR_RETURN(LinkShapeOptions written,
                         options.links.ShapeOptions());
  written.relations = KnownRelations(model->graph().relations());
  SLICE_ASSIGN_OR_RETURN(LinkShape shape,
                         RecogniseLinks(options.links.path, written, &lines));
  if (!shape.is_plain()) LogInfo("read %s", shape.recognised);
  SLICE_ASSIGN_OR_RETURN(OutputReading reading,
                         ReadingWith(*model, options.scorer));
  reading.prior = options.prior;
  SLICE_ASSIGN_OR_RETURN(const auto out, TextOutput::Create(options.out));
  LinkFileScorer scorer(options, *model, reading, std::move(shape), messages);
  SLICE_RETURN_IF_ERROR(scorer.Run(lines, *out));
  if (scorer.rows() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.links.path, " has no link to score"));
  }
  SLICE_RETURN_IF_ERROR(out->Commit());
  LogInfo("%s links are scored in %s",
          FormatThousands(scorer.rows() - scorer.errors().count()),
          options.out.string());
  return scorer.errors().Summary(scorer.rows(), options.out);
}

StatusRun DefineScore(CommandFlags& flags) {
  const auto options = std::make_shared<ScoreOptions>();
  flags.Add("--bundle", options->bundle, "the bundle that answers")
      .Type("DIR")
      .Required();
  flags
      .Add("--links", options->links.path,
           "score the lines \"relation source target [label]\" of this file, "
           "in order")
      .Type("FILE")
      .Required();
  AddAskedLinkFileFormat(flags, options->links);
  flags
      .Add("--out", options->out,
           "the answers, in the columns of slice-client predict")
      .Type("FILE")
      .Required();
  AddAnswerFlags(flags, options->exact_keys, options->scorer);
  flags.AddSwitch("--flags", options->flags,
                  "end each line with its flags, such as self,cold_target, "
                  "or -");
  flags
      .Add("--prior", options->prior,
           "the share of links among the pairs of the file, such as 0.001; "
           "probabilities then hold at this share instead of that of the valid "
           "links")
      .Between(1e-9, 1 - 1e-9)
      .Type("SHARE")
      .Default("");
  AddThreads(flags, options->threads);
  return [options](const CommandStreams& streams) {
    return RunScore(*options, streams.errors);
  };
}

}  // namespace slice
