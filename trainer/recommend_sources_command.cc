// The sources are answered in pieces, so that memory does not grow with the
// file: the sources of a piece are read and looked up, each source and relation
// becomes a question, the questions are answered on all threads, and the rows
// are written in the order of the file. A question is answered by one thread:
// with many questions that is faster than several threads for one.
#include "trainer/recommend_sources_command.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/parallel.h"
#include "common/processor_count.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/text_fields.h"
#include "common/table/text_output.h"
#include "common/thousands.h"
#include "context/slot_candidates.h"
#include "graphstore/name_resolver.h"
#include "model/link_recommender.h"
#include "trainer/answer_rows.h"
#include "trainer/bundle_answers.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/node_lookup.h"
#include "trainer/row_errors.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

constexpr size_t kPieceSources = 1024;
constexpr size_t kMostTargets = 1000;  // as many as the server gives

struct AskedSource {
  std::string text;
  std::optional<NodeId> node;  // none when it is unknown
};

// A relation that is asked about.
struct AskedRelation {
  RelationId id = 0;
  std::vector<NodeTypeId> source_types;
  std::vector<NodeId> candidates;
};

struct AskedQuestion {
  const AskedSource* source = nullptr;
  const AskedRelation* relation = nullptr;
};

absl::StatusOr<std::vector<AskedRelation>> FindRelations(
    const GraphSnapshot& graph, const std::vector<std::string>& names) {
  std::vector<AskedRelation> relations;
  for (const std::string& name : names) {
    const auto relation = ResolveRelation(graph, name);
    if (!relation.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--relation: ", std::string(relation.status().message())));
    }
    relations.push_back({*relation, {}, {}});
  }
  for (RelationId id = 0; names.empty() && id < graph.relation_count(); ++id) {
    relations.push_back({id, SlotTypes(graph, id, Direction::kIn), {}});
  }
  for (AskedRelation& relation : relations) {
    relation.candidates = SlotCandidates(graph, relation.id, Direction::kOut);
    EraseUnfit(graph, graph.schema(), relation.id, Direction::kOut,
               relation.candidates);
  }
  return relations;
}

// A name in quotes, as RFC 4180 writes it, without them.
std::string WithoutQuotes(const std::string& text) {
  FieldSplitter splitter({Separator::kTab, /*quoted=*/true});
  std::vector<TextField> fields;
  const bool good = !splitter.Split(text, &fields).has_value();
  return good && fields.size() == 1 ? std::string(fields[0].text) : text;
}

class SourceFileRecommender {
 public:
  SourceFileRecommender(const RecommendSourcesOptions& options,
                        const OfflineModel& model, const OutputReading& reading,
                        std::vector<AskedRelation> relations,
                        std::ostream& messages)
      : options_(options),
        graph_(model.graph()),
        scoring_(model.scoring()),
        reading_(reading),
        threads_(options.threads > 0 ? options.threads : ProcessorCount()),
        relations_(std::move(relations)),
        recommender_(graph_, *scoring_.encoder, *scoring_.scorer,
                     reading.rule_weights),
        lookup_(graph_, options.exact_keys),
        errors_(options.sources, messages) {}

  absl::Status Run(LineReader& lines, TextOutput& out) {
    ProgressLine progress("recommend", 0, "sources");
    while (true) {
      SLICE_RETURN_IF_ERROR(ReadPiece(lines));
      if (piece_.empty()) break;
      SLICE_RETURN_IF_ERROR(WritePiece(progress, out));
      sources_ += piece_.size();
    }
    progress.Finish();
    return out.status();
  }

  size_t sources() const { return sources_; }
  const RowErrors& errors() const { return errors_; }

 private:
  absl::Status ReadPiece(LineReader& lines) {
    piece_.clear();
    while (piece_.size() < kPieceSources) {
      const auto line = lines.Next();
      if (!line) return lines.status();
      const absl::string_view text = absl::StripAsciiWhitespace(
          absl::string_view(line->text.data(), line->text.size()));
      AskedSource source{std::string(text), std::nullopt};
      auto node = lookup_.Node(source.text);
      if (const std::string bare = WithoutQuotes(source.text);
          !node.ok() && bare != source.text) {
        const auto found = lookup_.Node(bare);
        if (found.ok()) source.text = bare;
        node = found;
      }
      if (node.ok()) {
        source.node = *node;
      } else {
        errors_.Add(line->number, node.status());
      }
      piece_.push_back(std::move(source));
    }
    return absl::OkStatus();
  }

  // Whether links of the relation lead from nodes of the type of the source.
  // Of named relations everything may be asked.
  bool Fits(const AskedSource& source, const AskedRelation& relation) const {
    if (!options_.relations.empty()) return true;
    return source.node && std::binary_search(relation.source_types.begin(),
                                             relation.source_types.end(),
                                             graph_.Type(*source.node));
  }

  std::vector<AskedQuestion> QuestionsOfPiece() const {
    std::vector<AskedQuestion> questions;
    for (const AskedSource& source : piece_) {
      if (!source.node && options_.relations.empty()) {
        questions.push_back({&source, nullptr});
      }
      for (const AskedRelation& relation : relations_) {
        if (Fits(source, relation)) questions.push_back({&source, &relation});
      }
    }
    return questions;
  }

  absl::Status WritePiece(ProgressLine& progress, TextOutput& out) {
    const std::vector<AskedQuestion> questions = QuestionsOfPiece();
    std::vector<absl::StatusOr<std::string>> rows(questions.size());
    ParallelFor(questions.size(), 1, threads_, [&](size_t begin, size_t, int) {
      rows[begin] = RowsOf(questions[begin]);
      const bool is_last =
          begin + 1 == questions.size() ||
          questions[begin + 1].source != questions[begin].source;
      if (is_last) progress.Advance(1);
    });
    for (const absl::StatusOr<std::string>& row : rows) {
      SLICE_RETURN_IF_ERROR(row.status());
      out.Append(*row);
    }
    return out.status();
  }

  // The rows of one question. Thread-safe.
  absl::StatusOr<std::string> RowsOf(const AskedQuestion& asked) const {
    const std::string relation = asked.relation == nullptr
                                     ? ""
                                     : graph_.RelationName(asked.relation->id);
    if (!asked.source->node) {
      return RecommendRow({relation, asked.source->text, ""}, {}, 0, 0);
    }
    RecommendQuestion question;
    question.question = {*asked.source->node, asked.relation->id};
    question.candidates = asked.relation->candidates;
    std::erase(question.candidates, *asked.source->node);
    EraseLinked(graph_, question.question, question.candidates);
    question.k = options_.k;
    question.reading = reading_;
    SLICE_ASSIGN_OR_RETURN(
        const RankedEnds ranked,
        recommender_.Rank(graph_, question, {.clock = Clock::Real()}));
    std::vector<Link> links;
    for (const RankedEnds::End& end : ranked.ends) {
      links.push_back(question.question.With(end.node));
    }
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                           AnswerLinks(scoring_, reading_, links, 1));
    std::string rows;
    for (size_t i = 0; i < links.size(); ++i) {
      rows += RecommendRow(
          {relation, asked.source->text, graph_.Key(links[i].target)},
          {&predictions[i]}, i + 1, ranked.ends[i].score);
    }
    return rows;
  }

  const RecommendSourcesOptions& options_;
  const GraphSnapshot& graph_;
  const ScoringModel scoring_;
  const OutputReading reading_;
  const int threads_;
  const std::vector<AskedRelation> relations_;
  const LinkRecommender recommender_;
  NodeLookup lookup_;
  RowErrors errors_;
  std::vector<AskedSource> piece_;
  size_t sources_ = 0;
};

}  // namespace

absl::Status RunRecommendSources(const RecommendSourcesOptions& options,
                                 std::ostream& messages) {
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.out));
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(options.sources));
  SLICE_ASSIGN_OR_RETURN(const auto model, OfflineModel::Open(options.bundle));
  SLICE_RETURN_IF_ERROR(model->CheckRankable());
  SLICE_ASSIGN_OR_RETURN(const OutputReading reading,
                         ReadingWith(*model, options.scorer));
  SLICE_ASSIGN_OR_RETURN(std::vector<AskedRelation> relations,
                         FindRelations(model->graph(), options.relations));
  SLICE_ASSIGN_OR_RETURN(const auto out, TextOutput::Create(options.out));
  SourceFileRecommender recommender(options, *model, reading,
                                    std::move(relations), messages);
  SLICE_RETURN_IF_ERROR(recommender.Run(lines, *out));
  if (recommender.sources() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.sources.string(), " names no node; write one per line"));
  }
  SLICE_RETURN_IF_ERROR(out->Commit());
  LogInfo("the recommendations for %s sources are in %s",
          FormatThousands(recommender.sources() - recommender.errors().count()),
          options.out.string());
  return recommender.errors().Summary(recommender.sources(), options.out);
}

StatusRun DefineRecommendSources(CommandFlags& flags) {
  const auto options = std::make_shared<RecommendSourcesOptions>();
  flags.Add("--bundle", options->bundle, "the bundle that answers")
      .Type("DIR")
      .Required();
  flags
      .Add("--sources", options->sources,
           "recommend targets for the nodes in this file, one a line")
      .Type("FILE")
      .Required();
  flags
      .Add("--relation", options->relations,
           "relation of the links to recommend; all that lead from nodes of "
           "the type of the source when left out")
      .Type("RELATION")
      .OneValueEach();
  flags.Add("--k", options->k, "how many targets for each source and relation")
      .Between(1, kMostTargets);
  flags
      .Add("--out", options->out,
           "the answers: the columns of slice-client predict, then rank and "
           "score")
      .Type("FILE")
      .Required();
  AddAnswerFlags(flags, options->exact_keys, options->scorer);
  AddThreads(flags, options->threads);
  return [options](const CommandStreams& streams) {
    return RunRecommendSources(*options, streams.errors);
  };
}

}  // namespace slice
