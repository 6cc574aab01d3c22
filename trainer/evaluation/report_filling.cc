// Each Fill function adds one part of the report. All of them read the scores
// of a split set by set of negatives (ScoredSplit::ScoresOf and LabelsOf); each
// set is measured with the output for its question. Curves, distributions,
// context sizes and distances are those of the published negatives.
#include "trainer/evaluation/report_filling.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "trainer/evaluation/link_groups.h"
#include "trainer/evaluation/metapaths.h"
#include "trainer/report/score_histogram.h"

namespace slice {
namespace {

// The scores and labels of some links with their thresholds, parallel.
struct Sample {
  std::vector<float> scores;
  std::vector<uint8_t> labels;
  std::vector<double> thresholds;  // may be empty

  void Add(float score, uint8_t label) {
    scores.push_back(score);
    labels.push_back(label);
  }
  BinaryMetrics Evaluate() const {
    BinaryMetrics metrics = EvaluateBinary(scores, labels, thresholds);
    if (metrics.positives == 0) metrics.f1 = kNotMeasured;
    return metrics;
  }
};

Sample SampleOf(const ScoredSplit& test, const MethodScores& method,
                NegativeSet set) {
  return {test.ScoresOf(method, set), test.LabelsOf(set),
          test.ThresholdsOf(method, set)};
}

// Says in a table what the negatives of a set are.
std::string_view SetNote(NegativeSet set) {
  switch (set) {
    case NegativeSet::kPublished:
      return "The non-links of the test file.";
    case NegativeSet::kTyped:
      return "The target redrawn uniformly among the targets of the relation "
             "in train.";
    case NegativeSet::kDegreeMatched:
      return "The target redrawn among the targets of the relation in train, "
             "in proportion to their numbers of links by the relation.";
    case NegativeSet::kTypedNonLinks:
      return "The non-links of the test file with the target redrawn uniformly "
             "among the targets of the relation in train, and the source kept.";
  }
  return "";
}

// Says with which of its outputs the model answers.
std::string_view OutputNote(NegativeSet set) {
  return QuestionOf(set) == Question::kPlausible
             ? " slice answers with its first output: plausible among all "
               "pairs."
             : " slice answers with its second output: the right one among "
               "its kind.";
}

std::string TableNote(const ScoredSplit& test, NegativeSet set) {
  std::string note(SetNote(set));
  if (test.model().is_model) note += OutputNote(set);
  if (set == NegativeSet::kPublished) return note;
  const uint32_t dropped = test.links.dropped[static_cast<size_t>(set)];
  return absl::StrCat(note, " ", dropped,
                      " redraws hit a true link and were dropped.");
}

ResultTable MakeTable(const ScoredSplit& test, NegativeSet set) {
  ResultTable table;
  table.key = std::string(NegativeSetKey(set));
  table.title = std::string(NegativeSetTitle(set));
  table.note = TableNote(test, set);
  for (const MethodScores& method : test.methods) {
    table.rows.push_back({method.key, method.name,
                          SampleOf(test, method, set).Evaluate(),
                          method.is_model});
  }
  return table;
}

const MethodScores* FindMethod(const ScoredSplit& test, std::string_view key) {
  for (const MethodScores& method : test.methods) {
    if (method.key == key) return &method;
  }
  return nullptr;
}

// Measures the decisions that one threshold for all relations would make, on
// the published negatives.
void FillOneThreshold(const ScoredSplit& test, const OutputReading& reading,
                      TrainingReport& report) {
  const Calibration& all = reading.of(Question::kPlausible);
  if (all.rows == 0) return;
  Sample sample = SampleOf(test, test.model(), NegativeSet::kPublished);
  sample.thresholds.assign(
      sample.scores.size(),
      all.temperature * (all.LogOddsThreshold() - all.offset));
  report.one_threshold = sample.Evaluate();
  report.results.front().note += absl::StrFormat(
      " With one threshold for all relations, slice would have "
      "F1 %.2f and accuracy %.2f.",
      100 * report.one_threshold.f1, 100 * report.one_threshold.accuracy);
}

void FillCurves(const ScoredSplit& test, TrainingReport& report) {
  constexpr NegativeSet kSet = NegativeSet::kPublished;
  // The charts have a colour for each of these.
  for (const char* key : {"context", "ends", "structural", "three_paths",
                          "adamic_adar", "node2vec"}) {
    const MethodScores* method = FindMethod(test, key);
    if (method == nullptr) continue;
    const Sample sample = SampleOf(test, *method, kSet);
    report.roc.push_back(
        {method->name, RocCurve(sample.scores, sample.labels)});
    report.precision_recall.push_back(
        {method->name, PrecisionRecallCurve(sample.scores, sample.labels)});
  }
}

// The log-odds of the answers of some links, with their labels.
Sample AnswersOf(const ScoredSplit& test, NegativeSet set) {
  Sample answers;
  const auto& log_odds = test.answers[static_cast<size_t>(QuestionOf(set))];
  for (const uint32_t i : test.links.PositionsOf(set)) {
    answers.Add(log_odds[i], test.links.labels[i]);
  }
  return answers;
}

float ProbabilityOf(float log_odds) {
  return static_cast<float>(Sigmoid(log_odds));
}

std::vector<float> ProbabilitiesOf(const Sample& answers) {
  std::vector<float> probabilities;
  for (const float score : answers.scores) {
    probabilities.push_back(ProbabilityOf(score));
  }
  return probabilities;
}

// The expected error of bins whose probabilities are right: the share of links
// in a bin differs from them by chance. By the normal approximation, in which
// the mean distance is sqrt(2 / pi) standard deviations.
double ChanceError(std::span<const CalibrationBin> bins) {
  constexpr double kMeanDistance = 0.7978845608028654;
  double sum = 0, rows = 0;
  for (const CalibrationBin& bin : bins) {
    const auto count = static_cast<double>(bin.count);
    const double p = bin.mean_probability;
    sum += std::sqrt(count * p * (1 - p));
    rows += count;
  }
  return rows == 0 ? kNotMeasured : kMeanDistance * sum / rows;
}

// Measures the probabilities of some answers; `fitted` is their calibration.
CalibrationFigures FiguresOf(const Sample& answers, const Calibration& fitted) {
  const std::vector<float> probabilities = ProbabilitiesOf(answers);
  CalibrationFigures figures;
  figures.temperature = fitted.temperature;
  figures.offset = fitted.offset;
  figures.threshold = fitted.threshold;
  figures.base_rate = fitted.base_rate;
  figures.fitted_rows = fitted.rows;
  figures.rows = answers.labels.size();
  figures.log_loss = LogLoss(probabilities, answers.labels);
  figures.brier = BrierScore(probabilities, answers.labels);
  figures.bins = CalibrationBins(probabilities, answers.labels);
  figures.expected_error = ExpectedCalibrationError(figures.bins);
  figures.chance_error = ChanceError(figures.bins);
  return figures;
}

// The median of one figure over the relations with enough rows.
double MedianOf(const std::vector<RelationCalibration>& relations,
                double CalibrationFigures::*figure) {
  std::vector<double> values;
  for (const RelationCalibration& relation : relations) {
    if (relation.figures.rows < kMeasurableRows) continue;
    values.push_back(relation.figures.*figure);
  }
  if (values.empty()) return kNotMeasured;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

// The relations of the links of one set, those with the most links first.
std::vector<RelationCalibration> CalibrationsByRelation(
    const ScoredSplit& test, NegativeSet set, const OutputReading& reading,
    const GraphSnapshot& snapshot) {
  const Question question = QuestionOf(set);
  const auto& log_odds = test.answers[static_cast<size_t>(question)];
  std::vector<Sample> samples(snapshot.relation_count());
  for (const uint32_t i : test.links.PositionsOf(set)) {
    samples[test.links.links[i].relation].Add(log_odds[i],
                                              test.links.labels[i]);
  }
  std::vector<RelationCalibration> relations;
  for (size_t r = 0; r < samples.size(); ++r) {
    if (samples[r].labels.empty()) continue;
    const auto relation = static_cast<RelationId>(r);
    relations.push_back(
        {snapshot.RelationName(relation),
         FiguresOf(samples[r], reading.of(question, relation))});
  }
  std::stable_sort(relations.begin(), relations.end(),
                   [](const auto& a, const auto& b) {
                     return a.figures.rows > b.figures.rows;
                   });
  return relations;
}

void FillCalibrations(const ScoredSplit& test, const OutputReading& reading,
                      const GraphSnapshot& snapshot, TrainingReport& report) {
  for (const NegativeSet set : {NegativeSet::kPublished, NegativeSet::kTyped}) {
    const Question question = QuestionOf(set);
    QuestionCalibration shown;
    shown.key = std::string(QuestionName(question));
    shown.title = question == Question::kPlausible ? "plausible among all pairs"
                                                   : "right among its kind";
    shown.figures = FiguresOf(AnswersOf(test, set), reading.of(question));
    shown.relations = CalibrationsByRelation(test, set, reading, snapshot);
    shown.median_relation_error =
        MedianOf(shown.relations, &CalibrationFigures::expected_error);
    shown.median_relation_chance =
        MedianOf(shown.relations, &CalibrationFigures::chance_error);
    report.calibrations.push_back(std::move(shown));
  }
}

// Clips the lowest and the highest half percent of the values to the range of
// the others: a few outliers would leave no room in a chart.
void ClipTails(std::vector<float>& values) {
  if (values.empty()) return;
  std::vector<float> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const float low = sorted[sorted.size() / 200];
  const float high = sorted[sorted.size() - 1 - sorted.size() / 200];
  for (float& value : values) value = std::clamp(value, low, high);
}

void AddDistribution(const std::string& title, const std::string& x_label,
                     Sample sample, TrainingReport& report) {
  ClipTails(sample.scores);
  SplitHistogram histogram = MakeSplitHistogram(sample.scores, sample.labels);
  const double overlap = Overlap(histogram);
  report.distributions.push_back(
      {title, x_label, overlap, std::move(histogram)});
}

void FillDistributions(const ScoredSplit& test, TrainingReport& report) {
  if (!test.similarity.empty()) {
    Sample sample;
    for (const uint32_t i : test.links.PositionsOf(NegativeSet::kPublished)) {
      sample.Add(test.similarity[i], test.links.labels[i]);
    }
    AddDistribution("Embeddings", "cosine similarity of the ends",
                    std::move(sample), report);
  }
  for (const char* key : {"structural", "ends", "context"}) {
    const MethodScores* method = FindMethod(test, key);
    if (method == nullptr) continue;
    AddDistribution(absl::StrCat("Scores: ", method->name), "logit",
                    SampleOf(test, *method, NegativeSet::kPublished), report);
  }
}

void Count(std::vector<uint64_t>& counts, size_t value) {
  if (counts.size() <= value) counts.resize(value + 1, 0);
  ++counts[value];
}

void FillShapes(const ScoredSplit& test, TrainingReport& report) {
  for (const uint32_t i : test.links.PositionsOf(NegativeSet::kPublished)) {
    const bool positive = test.links.labels[i] != 0;
    CountHistogram& sizes = report.context_sizes;
    Count(positive ? sizes.positives : sizes.negatives, test.context_nodes[i]);
    CountHistogram& hops = report.distances;
    if (test.distances[i] >= 0) {
      Count(positive ? hops.positives : hops.negatives, test.distances[i]);
    } else {
      ++(positive ? hops.unreachable_positives : hops.unreachable_negatives);
    }
  }
}

// The samples of one method and one set of negatives, by group.
std::vector<Sample> SamplesByGroup(const ScoredSplit& test,
                                   const MethodScores& method, NegativeSet set,
                                   const LinkGrouping& grouping) {
  std::vector<Sample> samples(grouping.names.size());
  const std::vector<float>& scores = method.of(QuestionOf(set));
  const std::vector<double>& thresholds =
      method.thresholds[static_cast<size_t>(QuestionOf(set))];
  for (const uint32_t i : test.links.PositionsOf(set)) {
    if (grouping.group[i] < 0) continue;
    Sample& sample = samples[grouping.group[i]];
    sample.Add(scores[i], test.links.labels[i]);
    if (!thresholds.empty()) sample.thresholds.push_back(thresholds[i]);
  }
  return samples;
}

GroupTable MakeGroupTable(const ScoredSplit& test,
                          const LinkGrouping& grouping) {
  GroupTable table{grouping.key, grouping.title, {}};
  const auto samples = [&](size_t method, NegativeSet set) {
    return SamplesByGroup(test, test.methods[method], set, grouping);
  };
  const MethodScores* structural = FindMethod(test, "structural");
  const size_t structural_index =
      structural == nullptr ? 0 : structural - test.methods.data();
  const auto published = samples(0, NegativeSet::kPublished);
  const auto typed = samples(0, NegativeSet::kTyped);
  const auto static_part = samples(structural_index, NegativeSet::kPublished);
  for (size_t g = 0; g < grouping.names.size(); ++g) {
    if (published[g].labels.empty()) continue;
    GroupResult row;
    row.name = grouping.names[g];
    row.published = published[g].Evaluate();
    row.typed = typed[g].Evaluate();
    row.structural = static_part[g].Evaluate();
    if (structural == nullptr) row.structural.auroc = kNotMeasured;
    table.rows.push_back(std::move(row));
  }
  return table;
}

void FillGroups(const ScoredSplit& test, const GraphSnapshot& snapshot,
                TrainingReport& report) {
  FillRelationTable(test, snapshot, report);
  const std::vector<Link>& links = test.links.links;
  for (const LinkGrouping& grouping :
       {GroupByColdness(snapshot, links), GroupByPath(test.distances),
        GroupByPairLinks(snapshot, links), GroupByDegree(snapshot, links),
        GroupByDistance(test.distances)}) {
    report.groups.push_back(MakeGroupTable(test, grouping));
  }
}

void FillMetapaths(const ScoredSplit& test, const GraphSnapshot& snapshot,
                   TrainingReport& report) {
  // The rows of the file come first.
  const size_t count = test.links.published;
  std::vector<float> probabilities;
  for (size_t i = 0; i < count; ++i) {
    probabilities.push_back(ProbabilityOf(test.answers[0][i]));
  }
  report.metapaths =
      MakeMetapathTables(snapshot, std::span(test.links.links).first(count),
                         std::span(test.links.labels).first(count),
                         std::span(test.metapaths).first(count), probabilities);
}

}  // namespace

void FillResultTables(const ScoredSplit& test, TrainingReport& report) {
  for (const NegativeSet set : kAllNegativeSets) {
    report.results.push_back(MakeTable(test, set));
  }
}

void FillRelationTable(const ScoredSplit& test, const GraphSnapshot& snapshot,
                       TrainingReport& report) {
  GroupTable table =
      MakeGroupTable(test, GroupByRelation(snapshot, test.links.links));
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const GroupResult& a, const GroupResult& b) {
                     return a.published.positives > b.published.positives;
                   });
  report.groups.push_back(std::move(table));
}

void FillTestReport(const ScoredSplit& test, const OutputReading& reading,
                    const GraphSnapshot& snapshot, TrainingReport& report) {
  FillResultTables(test, report);
  FillOneThreshold(test, reading, report);
  FillCurves(test, report);
  FillCalibrations(test, reading, snapshot, report);
  FillDistributions(test, report);
  FillShapes(test, report);
  FillGroups(test, snapshot, report);
  FillMetapaths(test, snapshot, report);
}

}  // namespace slice
