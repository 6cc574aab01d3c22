// ScoreManyLinks() deals groups of links to threads. Each thread encodes its
// group, predicts it in batches, and writes to elements of the result that no
// other thread writes. Only the first error needs a lock.
//
// Labelled links are read line by line: a row is split into fields, the
// relation and the two nodes are looked up in the graph, and an error names
// file, line and column.
#include "trainer/evaluation/link_scoring.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/mutex.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "common/table/text_fields.h"
#include "graphstore/name_index.h"
#include "trainer/evaluation/metapaths.h"

namespace slice {
namespace {

constexpr size_t kEncodeGroup = 1024;
constexpr size_t kBatch = 128;

size_t TokenCount(const EncodedLink& link) {
  return link.contexts.empty() ? 0 : link.contexts[0].tokens.size();
}

// The tokens of a context, but the two ends of a self loop count once.
size_t NodeCount(const ContextSubgraph& context) {
  const bool self_loop = context.link.source == context.link.target;
  return context.tokens.size() - (self_loop ? 1 : 0);
}

// Predicts in batches of contexts with similar numbers of tokens, which need
// little padding. The results are in the order of `encoded`.
absl::StatusOr<std::vector<Prediction>> PredictEncoded(
    const BatchScorer& scorer, const std::vector<EncodedLink>& encoded) {
  std::vector<size_t> order(encoded.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return TokenCount(encoded[a]) < TokenCount(encoded[b]);
  });
  std::vector<Prediction> predictions(encoded.size());
  for (size_t begin = 0; begin < order.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, order.size());
    std::vector<const EncodedLink*> links;
    for (size_t i = begin; i < end; ++i) links.push_back(&encoded[order[i]]);
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> batch,
                           scorer.Predict(ContextBatch::Assemble(links)));
    for (size_t i = begin; i < end; ++i) {
      predictions[order[i]] = batch[i - begin];
    }
  }
  return predictions;
}

absl::Status ScoreRange(const ScoringModel& model, std::span<const Link> links,
                        std::span<const Link> made_from, size_t offset,
                        ScoredLinks& scored) {
  std::vector<EncodedLink> encoded;
  for (size_t i = 0; i < links.size(); ++i) {
    encoded.push_back(model.encoder->Encode(
        EvaluationView(model, links[i], made_from[i]), links[i]));
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictEncoded(*model.scorer, encoded));
  for (size_t i = 0; i < links.size(); ++i) {
    scored.predictions[offset + i] = predictions[i];
    if (encoded[i].contexts.empty()) continue;
    const ContextSubgraph& context = encoded[i].contexts[0];
    scored.context_nodes[offset + i] =
        static_cast<uint16_t>(NodeCount(context));
    scored.distances[offset + i] = static_cast<int16_t>(context.distance);
    scored.metapaths[offset + i] = MetapathName(*model.snapshot, context);
  }
  return absl::OkStatus();
}

// Turns the lines of one file into links of a snapshot.
class LabelledLinkParser {
 public:
  LabelledLinkParser(const std::filesystem::path& path, LinkShape shape,
                     const GraphSnapshot& snapshot)
      : path_(path), snapshot_(snapshot), rows_(std::move(shape)) {}

  absl::StatusOr<LabelledLink> Parse(const TextLine& line) {
    LinkRow row;
    if (auto error = rows_.Parse(line, &row)) {
      return At(line, error->column, error->reason);
    }
    LabelledLink link;
    link.positive = row.positive;
    const auto relation = snapshot_.FindRelation(row.relation.text);
    if (!relation) {
      return At(line, row.relation.column,
                absl::StrCat("unknown relation '", Text(row.relation),
                             "'; the graph has ",
                             SomeRelations(snapshot_, row.relation.text)));
    }
    link.link.relation = *relation;
    for (const auto& [field, end] :
         {std::pair(row.source, &link.link.source),
          std::pair(row.target, &link.link.target)}) {
      const auto node = snapshot_.names().FindKey(field.text);
      if (!node) {
        return At(line, field.column,
                  absl::StrCat("unknown node '", Text(field), "'"));
      }
      *end = *node;
    }
    return link;
  }

 private:
  static std::string Text(const TextField& field) {
    return std::string(field.text);
  }
  absl::Status At(const TextLine& line, size_t column,
                  const std::string& reason) const {
    return absl::InvalidArgumentError(absl::StrCat(
        path_.string(), ":", line.number, ":", column, ": ", reason));
  }

  const std::filesystem::path& path_;
  const GraphSnapshot& snapshot_;
  LinkRowParser rows_;
};

}  // namespace

GraphView EvaluationView(const ScoringModel& model, const Link& link,
                         const Link& made_from) {
  GraphView view = model.encoder->QueryView(*model.snapshot, link);
  if (made_from == link) return view;
  if (model.encoder->options().own_pair_links == OwnPairLinks::kHide) {
    view.HidePair(made_from.source, made_from.target);
  } else {
    view.HideLink(made_from);
  }
  return view;
}

absl::StatusOr<ScoredLinks> ScoreManyLinks(const ScoringModel& model,
                                           std::span<const Link> links,
                                           std::span<const Link> made_from,
                                           int threads,
                                           const std::string& title) {
  ScoredLinks scored;
  scored.predictions.resize(links.size());
  scored.context_nodes.resize(links.size());
  scored.distances.resize(links.size());
  scored.metapaths.resize(links.size());
  ProgressLine progress(title, links.size(), "links");
  Mutex mutex;
  absl::Status first_error;
  ParallelFor(
      links.size(), kEncodeGroup, threads, [&](size_t begin, size_t end, int) {
        const absl::Status status =
            ScoreRange(model, links.subspan(begin, end - begin),
                       made_from.subspan(begin, end - begin), begin, scored);
        progress.Advance(end - begin);
        if (status.ok()) return;
        MutexLock lock(&mutex);
        first_error.Update(status);
      });
  SLICE_RETURN_IF_ERROR(first_error);
  progress.Finish();
  return scored;
}

absl::StatusOr<std::vector<Prediction>> PredictLinks(
    const ScoringModel& model, std::span<const Link> links) {
  std::vector<Prediction> predictions;
  predictions.reserve(links.size());
  for (size_t begin = 0; begin < links.size(); begin += kEncodeGroup) {
    const size_t end = std::min(begin + kEncodeGroup, links.size());
    std::vector<EncodedLink> encoded;
    for (size_t i = begin; i < end; ++i) {
      encoded.push_back(model.encoder->Encode(*model.snapshot, links[i]));
    }
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> group,
                           PredictEncoded(*model.scorer, encoded));
    predictions.insert(predictions.end(), group.begin(), group.end());
  }
  return predictions;
}

namespace {

absl::StatusOr<std::vector<LabelledLink>> ParseAll(
    LineReader lines, const std::filesystem::path& origin, LinkShape shape,
    const GraphSnapshot& snapshot) {
  LabelledLinkParser parser(origin, std::move(shape), snapshot);
  std::vector<LabelledLink> links;
  while (const auto line = lines.Next()) {
    SLICE_ASSIGN_OR_RETURN(LabelledLink link, parser.Parse(*line));
    links.push_back(link);
  }
  SLICE_RETURN_IF_ERROR(lines.status());
  return links;
}

}  // namespace

absl::StatusOr<std::vector<LabelledLink>> ReadLabelledLinks(
    const std::filesystem::path& path, const GraphSnapshot& snapshot) {
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  SLICE_ASSIGN_OR_RETURN(
      LinkShape shape,
      RecogniseLinks(path.string(), {.may_have_label = true}, &lines));
  return ParseAll(std::move(lines), path, std::move(shape), snapshot);
}

std::string SomeRelations(const GraphSnapshot& snapshot,
                          std::string_view text) {
  constexpr size_t kShown = 10;
  const std::vector<std::string>& all = snapshot.relations();
  std::vector<std::string> shown = NearestStrings(text, all);
  if (shown.empty()) {
    shown.assign(all.begin(), all.begin() + std::min(all.size(), kShown));
  }
  const size_t left = all.size() - shown.size();
  return absl::StrCat(absl::StrJoin(shown, ", "),
                      left > 0 ? absl::StrCat(" and ", left, " more") : "");
}

absl::StatusOr<std::vector<Link>> ParseLinks(
    const std::vector<std::string>& texts, const std::filesystem::path& origin,
    const GraphSnapshot& snapshot) {
  std::vector<Link> links;
  for (const std::string& text : texts) {
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<LabelledLink> parsed,
        ParseAll(LineReader(std::string_view(text)), origin,
                 {.columns = LinkColumns().WithOptionalLabel()}, snapshot));
    for (const LabelledLink& row : parsed) links.push_back(row.link);
  }
  return links;
}

}  // namespace slice
