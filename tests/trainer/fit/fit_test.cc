#include "trainer/fit/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "common/random.h"
#include "common/sha256.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/labelled_link.h"
#include "graphstore/link_folds.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/learning/training_links.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

class FitTest : public ::testing::Test {
 protected:
  void SetUp() override { WritePlantedFiles(directory_, 7); }

  FitOptions Options(const std::string& out) const {
    FitOptions options = FitOptionsIn(directory_);
    options.out = directory_ / out;
    options.node2vec.dim = 16;
    options.node2vec.walks_per_node = 5;
    options.node2vec.walk_length = 20;
    options.structural_epochs = 2;
    options.pretrain_epochs = 1;
    options.fine_tune_epochs = 2;
    options.batch_size = 64;
    options.network.hidden_dim = 16;
    return options;
  }

  void AppendToTrain(const std::string& row) const {
    const std::string train = *ReadFile(directory_ / "train.txt");
    directory_.Write("train.txt", train + row);
  }

  TempDirectory directory_;
};

TEST_F(FitTest, GoesWithoutPretrainingWhenAsked) {
  FitOptions options = Options("bundle");
  options.pretrain_epochs = 0;
  options.fine_tune_epochs = 1;
  const absl::Status status = Fit(options);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(FitTest, MakesABundleThatOfflineEvaluationAgreesWith) {
  FitOptions options = Options("bundle");
  options.compare_pretraining = true;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  const auto& metrics = (*model)->bundle().manifest().metrics;
  EXPECT_GT(metrics.at("test.auroc"), 0.85);
  const auto labelled = ReadLabelledLinks(options.test, (*model)->graph());
  ASSERT_TRUE(labelled.ok()) << labelled.status();
  const auto valid = ReadLabelledLinks(options.valid, (*model)->graph());
  ASSERT_TRUE(valid.ok()) << valid.status();
  const std::span<const LabelledLink> files[] = {*valid, *labelled};
  ScoreSplitOptions scoring;
  scoring.answering = (*model)->bundle().manifest().reading.scorer;
  EXPECT_FALSE((*model)->bundle().manifest().scorer_reason.empty());
  const auto scored =
      ScoreSplit((*model)->scoring(), *labelled, KnownLinks(files), scoring);
  ASSERT_TRUE(scored.ok()) << scored.status();
  const auto auroc = [&](NegativeSet set) {
    return Auroc(scored->ScoresOf(scored->model(), set), scored->LabelsOf(set));
  };
  EXPECT_NEAR(auroc(NegativeSet::kPublished), metrics.at("test.auroc"), 1e-6);
  EXPECT_NEAR(auroc(NegativeSet::kTyped), metrics.at("test.typed.auroc"), 1e-6);
  const auto json =
      nlohmann::json::parse(*ReadFile(options.out / "report/report.json"));
  EXPECT_NEAR(json["overall"]["auroc"].get<double>(), metrics.at("test.auroc"),
              1e-6);
  EXPECT_TRUE(json["overall"].contains("f1"));
  EXPECT_EQ(json["bundle_id"], (*model)->bundle().manifest().bundle_id);
  EXPECT_EQ(
      json["calibrations"][1]["threshold"],
      (*model)->bundle().manifest().reading.of(Question::kAmongKind).threshold);
  const nlohmann::json& fidelity = json["fidelity"];
  EXPECT_GT(fidelity["links"], 0);
  EXPECT_GT(fidelity["named"]["without"], fidelity["random"]["without"]);
  EXPECT_LT(fidelity["named"]["only"], fidelity["random"]["only"]);
  EXPECT_GT(json["examples"].size(), 0u);
  EXPECT_THAT(*ReadFile(options.out / "report/report.txt"),
              HasSubstr("without"));
}

// One file takes the place of three, and the split is a step like others.
TEST_F(FitTest, TrainsFromOneFileOfLinks) {
  std::string rows = "from,to,type\n";
  const auto train = ReadFile(directory_ / "train.txt");
  for (const absl::string_view line :
       absl::StrSplit(*train, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> row =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    absl::StrAppend(&rows, row[1], ",", row[2], ",", row[0], "\n");
  }
  FitOptions options = Options("bundle");
  options.train = options.valid = options.test = "";
  options.split.links = directory_.Write("links.csv", rows);
  ASSERT_TRUE(Fit(options).ok());
  const std::string manifest = *ReadFile(options.out / "MANIFEST.json");
  const auto report =
      nlohmann::json::parse(*ReadFile(options.out / "report/report.json"));
  EXPECT_THAT(report.dump(), HasSubstr("split at random by pairs of nodes"));
  const fs::path split = options.WorkFile("split/test.tsv");
  const auto written = fs::last_write_time(split);
  // The same command goes on: the split is not made again.
  fs::remove_all(options.out);
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(fs::last_write_time(split), written);
  // The files that it left are those that the bundle was trained on.
  EdgeListImportOptions files;
  files.train = options.WorkFile("split/train.tsv");
  files.held_out = {options.WorkFile("split/valid.tsv"), split};
  const auto imported = ImportEdgeList(files);
  ASSERT_TRUE(imported.ok()) << imported.status();
  const auto members = nlohmann::json::parse(manifest);
  EXPECT_EQ(members["graph_digest"], GraphDigest(imported->data));
  EXPECT_EQ(members["split_digest"], imported->split_digest);
}

// 60 people visit 60 to 90 of 200 places each, the first ones most often. All
// have many visits, so nothing in the graph tells what somebody without any
// would do. Popular places must be likelier for them, too.
class NewcomerTest : public FitTest,
                     public ::testing::WithParamInterface<uint64_t> {
 protected:
  void WriteVisits(FitOptions& options) {
    Random random(GetParam());
    std::string rows, nodes = "newcomer\tperson\t\n";
    for (int place = 0; place < kPlaces; ++place) {
      absl::StrAppend(&nodes, "place", place, "\tplace\t\n");
    }
    for (int person = 0; person < 60; ++person) {
      absl::StrAppend(&nodes, "person", person, "\tperson\t\n");
      std::set<int> visited;
      const size_t visits = 60 + random.Below(30);
      while (visited.size() < visits) {
        const auto place =
            static_cast<int>(kPlaces * std::pow(random.Uniform(), 1.5));
        // A person lives on one of three sides and is rarely on the others.
        if (place % 3 == person % 3 || random.Uniform() > 0.85) {
          visited.insert(place);
        }
      }
      for (const int place : visited) {
        absl::StrAppend(&rows, "visits\tperson", person, "\tplace", place,
                        "\n");
      }
    }
    options.split.links = directory_.Write("visits.tsv", rows);
    options.nodes = directory_.Write("people.tsv", nodes);
  }

  static constexpr int kPlaces = 200;
};

TEST_P(NewcomerTest, PopularityCounts) {
  FitOptions options = BriefFitOptions();
  ASSERT_TRUE(options.ApplyPreset("fast").ok());
  options.out = directory_ / "visits";
  options.threads = 1;
  WriteVisits(options);
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto model = *OfflineModel::Open(options.out);
  const GraphSnapshot& graph = model->graph();
  std::vector<Link> links;
  for (int place = 0; place < kPlaces; ++place) {
    links.push_back({*graph.names().FindKey("newcomer"), 0,
                     *graph.names().FindKey(absl::StrCat("place", place))});
  }
  const auto visits = [&](const Link& link) {
    return graph.DistinctNeighbors(link.target).size();
  };
  const auto predictions = *PredictLinks(model->scoring(), links);
  for (const Question question : {Question::kPlausible, Question::kAmongKind}) {
    // Of two places, how often the one with clearly more visits scores higher.
    int pairs = 0, in_order = 0;
    for (size_t a = 0; a < links.size(); ++a) {
      for (size_t b = 0; b < links.size(); ++b) {
        if (visits(links[a]) < 2 * visits(links[b]) + 5) continue;
        ++pairs;
        in_order += predictions[a].Logit(Scorer::kStructural, question) >
                    predictions[b].Logit(Scorer::kStructural, question);
      }
    }
    EXPECT_GT(pairs, 100);
    EXPECT_GT(in_order, 0.8 * pairs);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NewcomerTest, ::testing::Values(2, 3));

TEST_F(FitTest, OneFileAndThreeExcludeEachOther) {
  FitOptions options = Options("bundle");
  options.split.links = options.train;
  EXPECT_THAT(std::string(Fit(options).message()),
              HasSubstr("--links and --train exclude each other"));
  options.train = options.valid = options.test = options.split.links = "";
  EXPECT_EQ(std::string(Fit(options).message()),
            "--train is missing; or give one file of links, which is then "
            "split, with --links");
}

TEST_F(FitTest, GoesOnFromTheLastFinishedStep) {
  FitOptions options = Options("bundle");
  options.last_step = FitStep::kPretrain;
  ASSERT_TRUE(Fit(options).ok());
  const fs::path work = options.out.string() + ".work";
  EXPECT_FALSE(fs::exists(work / "model.pt"));
  const auto embedded = fs::last_write_time(work / "embeddings.bin");
  const auto pretrained = fs::last_write_time(work / "pretrained.pt");
  options.last_step = FitStep::kBundle;
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(fs::last_write_time(work / "embeddings.bin"), embedded);
  EXPECT_EQ(fs::last_write_time(work / "pretrained.pt"), pretrained);
  const auto published = fs::last_write_time(options.out / "MANIFEST.json");
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(fs::last_write_time(options.out / "MANIFEST.json"), published);
  // With another option, the steps that depend on it run again, and no others.
  options.fine_tune_epochs = 1;
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(fs::last_write_time(work / "pretrained.pt"), pretrained);
  EXPECT_NE(fs::last_write_time(options.out / "MANIFEST.json"), published);
}

// Whichever scorer answers. Some labels are wrong, so that no scorer is right
// about all rows.
TEST_F(FitTest, PretrainingIsComparedByTheContextScorer) {
  std::string rows;
  int row = 0;
  for (const absl::string_view line : absl::StrSplit(
           *ReadFile(directory_ / "test.txt"), '\n', absl::SkipEmpty())) {
    const bool wrong = ++row % 4 == 0;
    const char label = (line.back() == '1') != wrong ? '1' : '0';
    absl::StrAppend(&rows, line.substr(0, line.size() - 1),
                    std::string(1, label), "\n");
  }
  directory_.Write("test.txt", rows);
  FitOptions options = Options("bundle");
  options.compare_pretraining = true;
  options.scorer = Scorer::kStructural;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto json =
      nlohmann::json::parse(*ReadFile(options.out / "report/report.json"));
  const nlohmann::json& with = json["pretraining"]["auroc_with"];
  EXPECT_EQ(with, json["scorers"]["context"]["published"]["auroc"]);
  EXPECT_NE(with, json["overall"]["auroc"]);
  EXPECT_NE(with, json["pretraining"]["auroc_without"]);
}

// What is decided by short trainings depends on their options.
TEST_F(FitTest, ChoicesAreMadeAgainForOtherOptionsOfTheStructuralScorer) {
  FitOptions options = Options("bundle");
  options.own_pair_auto = true;
  options.walk_dim = 8;
  options.last_step = FitStep::kStructural;
  const auto choices = [&] {
    const absl::Status status = Fit(options);
    EXPECT_TRUE(status.ok()) << status;
    std::vector<std::string> fingerprints;
    for (const char* step : {"own_pair", "walks"}) {
      const auto text =
          ReadFile(options.WorkFile(absl::StrCat("steps/", step, ".json")));
      EXPECT_TRUE(text.ok()) << text.status();
      fingerprints.push_back(
          nlohmann::json::parse(*text)["fingerprint"].get<std::string>());
    }
    return fingerprints;
  };
  const std::vector<std::string> before = choices();
  options.structural_learning_rate /= 2;
  const std::vector<std::string> after = choices();
  EXPECT_NE(before[0], after[0]);
  EXPECT_NE(before[1], after[1]);
}

TEST_F(FitTest, TheReportSaysHowTheEmbeddingOfKnowledgeIsUsed) {
  FitOptions options = Options("bundle");
  options.knowledge = true;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto json =
      nlohmann::json::parse(*ReadFile(options.out / "report/report.json"));
  std::string reason;
  for (const nlohmann::json& fact : json["facts"]) {
    if (fact["name"] == "knowledge graph embedding") reason = fact["value"];
  }
  EXPECT_THAT(reason, HasSubstr("plausible: "));
  EXPECT_THAT(reason, HasSubstr("; among kind: "));
  EXPECT_THAT(reason, HasSubstr("; ranking: used with weight"));
}

TEST_F(FitTest, ALinkInValidAndTestIsReported) {
  const std::string test = *ReadFile(directory_ / "test.txt");
  const std::string valid = *ReadFile(directory_ / "valid.txt");
  const size_t positive = valid.find(" 1\n");
  const size_t start = valid.rfind('\n', positive) + 1;
  directory_.Write("test.txt",
                   test + valid.substr(start, positive + 3 - start));
  FitOptions options = Options("bundle");
  ASSERT_TRUE(options.ApplyPreset("fast").ok());
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(*ReadFile(options.out / "report/report.json"),
              HasSubstr("1 link stands in the valid file and in the test"));
}

TEST_F(FitTest, OneThreadAndOneSeedMakeTheSameModel) {
  ASSERT_TRUE(Fit(Options("a")).ok());
  ASSERT_TRUE(Fit(Options("b")).ok());
  for (const char* member : {"embeddings.bin", "tensors/statistics.bin"}) {
    EXPECT_EQ(*Sha256File(directory_ / "a" / member),
              *Sha256File(directory_ / "b" / member))
        << member;
  }
  const auto a = ModelBundle::Open(directory_ / "a");
  const auto b = ModelBundle::Open(directory_ / "b");
  EXPECT_EQ((*a)->manifest().metrics, (*b)->manifest().metrics);
  EXPECT_EQ((*a)->manifest().reading.of(Question::kPlausible).temperature,
            (*b)->manifest().reading.of(Question::kPlausible).temperature);
}

TEST_F(FitTest, PaperPresetTrainsToo) {
  FitOptions options = Options("paper");
  ASSERT_TRUE(options.ApplyPreset("paper").ok());
  options.pretrain_epochs = 1;
  options.fine_tune_epochs = 1;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto bundle = ModelBundle::Open(options.out);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_EQ((*bundle)->manifest().layers, 4);
  EXPECT_TRUE((*bundle)->manifest().pair_features.empty());
}

TEST_F(FitTest, TakesEmbeddingsFromAFile) {
  FitOptions options = Options("bundle");
  std::string rows;
  for (int node = 0; node < kPlantedNodes; ++node) {
    absl::StrAppend(&rows, "n", node, " ", node % kPlantedCommunities, " 1 ",
                    node % 7, "\n");
  }
  const auto write = [&](const std::string& text) {
    options.SetEmbeddings(
        directory_
            .Write("vectors.txt", absl::StrCat(kPlantedNodes, " 3\n", text))
            .string());
  };
  write(rows);
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->bundle().manifest().embedding_dim, 3);
  EXPECT_GT((*model)->bundle().manifest().metrics.at("test.auroc"), 0.8);
  // When the file changes, the step runs again and says what is wrong.
  write(rows.substr(0, rows.size() - 2) + "nan\n");
  options.last_step = FitStep::kEmbed;
  EXPECT_THAT(std::string(Fit(options).message()),
              HasSubstr("line 121: number 3 of 'n119' is nan"));
}

TEST_F(FitTest, DoesWithoutEmbeddings) {
  FitOptions options = Options("bundle");
  options.SetEmbeddings("none");
  options.compare_pretraining = false;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->bundle().embeddings().dim(), 1);
  EXPECT_GT((*model)->bundle().manifest().metrics.at("test.auroc"), 0.8);
}

TEST_F(FitTest, TheReportSaysWhatWasHidden) {
  for (const auto& [own_pair_links, note] :
       {std::pair(OwnPairLinks::kHide, "every arc between its ends is hidden"),
        std::pair(OwnPairLinks::kReveal,
                  "other links between its ends are not")}) {
    FitOptions options = Options(OwnPairLinksName(own_pair_links));
    ASSERT_TRUE(options.ApplyPreset("fast").ok());
    options.own_pair_links = own_pair_links;
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_THAT(*ReadFile(options.out / "report/report.json"), HasSubstr(note));
  }
}

TEST_F(FitTest, APlantedLeakIsReportedAndNotPublished) {
  FitOptions options = Options("bundle");
  ASSERT_TRUE(options.ApplyPreset("fast").ok());
  options.planted_leak = PlantedLeak::kTestLinks;
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_FALSE(fs::exists(options.out));
  EXPECT_THAT(*ReadFile(options.ReportFolder() / "report.json"),
              HasSubstr("LEAKY: a leak was planted"));
}

// The training graph without the links that questions of `fold` hide.
GraphData WithoutFold(const FitOptions& options, int fold) {
  EdgeListImportOptions import;
  import.train = options.train;
  import.held_out = {options.valid, options.test};
  const auto all = ImportEdgeList(import);
  EXPECT_TRUE(all.ok()) << all.status();
  const LinkFolds folds =
      LinkFolds::ByKey(options.folds, options.seed,
                       FoldUnit(options.own_pair_links), all->data.catalogue);
  GraphData data = all->data;
  EraseLinks(&data,
             [&](const Link& link) { return folds.FoldOf(link) == fold; });
  EXPECT_LT(data.links.size(), all->data.links.size());
  return data;
}

TEST_F(FitTest, ExportsTheLinksThatEmbeddingsMaySee) {
  const auto keys = [](const GraphData& data) {
    std::set<std::array<std::string, 3>> links;
    for (const Link& link : data.links) {
      links.insert({data.catalogue.nodes[link.source].key,
                    data.catalogue.relations[link.relation],
                    data.catalogue.nodes[link.target].key});
    }
    return links;
  };
  for (const OwnPairLinks own_pair_links :
       {OwnPairLinks::kHide, OwnPairLinks::kReveal}) {
    FitOptions options = Options(OwnPairLinksName(own_pair_links));
    options.own_pair_links = own_pair_links;
    options.last_step = FitStep::kEmbed;
    options.SetEmbeddings("none");
    options.export_embedding_graph =
        directory_ / OwnPairLinksName(own_pair_links) / "graph";
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
    EdgeListImportOptions import;
    import.train = options.export_embedding_graph / "links.tsv";
    import.nodes = options.export_embedding_graph / "nodes.tsv";
    const auto exported = ImportEdgeList(import);
    ASSERT_TRUE(exported.ok()) << exported.status();
    EXPECT_EQ(keys(exported->data), keys(WithoutFold(options, 0)));
  }
}

TEST_F(FitTest, FactorsWithoutAFoldKnowWhatItsQuestionsMaySee) {
  for (const OwnPairLinks own_pair_links :
       {OwnPairLinks::kHide, OwnPairLinks::kReveal}) {
    FitOptions options = Options(OwnPairLinksName(own_pair_links));
    options.own_pair_links = own_pair_links;
    options.spectral_rank = 8;
    options.last_step = FitStep::kStatistics;
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
    const auto graph = GraphSnapshot::Build(WithoutFold(options, 1));
    ASSERT_TRUE(graph.ok()) << graph.status();
    SpectralFactorOptions spectral;
    spectral.rank = options.spectral_rank;
    spectral.threads = 1;
    spectral.seed = options.seed;
    const auto expected = ComputeSpectralFactors(GraphView(**graph), spectral);
    ASSERT_TRUE(expected.ok()) << expected.status();
    const auto written =
        GraphStatistics::Load(options.out.string() + ".work/fold.1.bin");
    ASSERT_TRUE(written.ok()) << written.status();
    const auto values = written->Get("spectral.singular_values");
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_THAT((*values)->values,
                Pointwise(FloatNear(1e-5f), expected->singular_values));
  }
}

TEST_F(FitTest, AShownLinkIsCheckedBeforeAnythingIsTrained) {
  FitOptions options = Options("bundle");
  options.shown = {"likes n1"};
  const absl::Status status = Fit(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("--show:1:"));
  EXPECT_FALSE(fs::exists(directory_ / "bundle.work"));
}

TEST_F(FitTest, APresetThatThereIsNotIsToldThoseThatThereAre) {
  FitOptions options = Options("bundle");
  const absl::Status status = options.ApplyPreset("turbo");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'turbo'; the presets are default, fast, paper, "
                        "paper-leaky"));
}

TEST_F(FitTest, FlagsOfEmbeddingFilesNeedAFile) {
  FitOptions options = Options("bundle");
  options.embedding_file.fill_missing = true;
  EXPECT_THAT(std::string(Fit(options).message()),
              HasSubstr("need --embeddings FILE"));
}

TEST_F(FitTest, ATestLinkInTheTrainingFileIsRefused) {
  const std::string test = *ReadFile(directory_ / "test.txt");
  AppendToTrain(test.substr(0, test.find(" 1\n")) + "\n");
  const absl::Status status = Fit(Options("bundle"));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_FALSE(fs::exists(directory_ / "bundle"));
}

TEST_F(FitTest, AMalformedLineIsNamedAndNothingIsWritten) {
  AppendToTrain("likes n1\n");
  const absl::Status status = Fit(Options("bundle"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("train.txt:"));
  EXPECT_FALSE(fs::exists(directory_ / "bundle.work"));
}

TEST_F(FitTest, AValidFileOfOneClassIsRefused) {
  directory_.Write("valid.txt", "likes n1 n2 0\n");
  const absl::Status status = Fit(Options("bundle"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("valid.txt"));
}

TEST_F(FitTest, MissingAndImpossibleOptionsAreNamed) {
  FitOptions options = Options("bundle");
  options.folds = 1;
  EXPECT_THAT(std::string(options.Validate().message()),
              HasSubstr("--folds is 1"));
  options = Options("bundle");
  options.test.clear();
  EXPECT_THAT(std::string(Fit(options).message()), HasSubstr("--test"));
  EXPECT_EQ(options.ApplyPreset("huge").code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(FitTest, ReadingLabelledLinksNamesThePlaceOfAMistake) {
  ASSERT_TRUE(Fit(Options("bundle")).ok());
  const auto model = OfflineModel::Open(directory_ / "bundle");
  ASSERT_TRUE(model.ok());
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"likes n1 nobody 1\n", "bad.txt:1:10: unknown node 'nobody'"},
      {"hates n1 n2 1\n", "bad.txt:1:1: unknown relation 'hates'"},
      {"zzz n1 n2 1\n", "the graph has likes, knows"},
      {"likes n1 n2 1\nlikes n1 n2 2\n", "bad.txt:2:13: bad label \"2\""},
      {"likes n1\n", "bad.txt:1:"}};
  for (const auto& test_case : cases) {
    const fs::path path = directory_.Write("bad.txt", test_case.text);
    const auto read = ReadLabelledLinks(path, (*model)->graph());
    EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(read.status().message()),
                HasSubstr(test_case.expected));
  }
}

}  // namespace
}  // namespace slice
