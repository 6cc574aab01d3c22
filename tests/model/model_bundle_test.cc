#include "model/model_bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/sha256.h"
#include "model/manifest_check.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ModelBundleTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(WriteToyBundle(bundle_).ok()); }

  // Opening must fail with this code and a message containing `text`.
  void ExpectRefused(absl::StatusCode code, const std::string& text) {
    const auto opened = ModelBundle::Open(bundle_);
    EXPECT_EQ(opened.status().code(), code) << opened.status();
    EXPECT_THAT(std::string(opened.status().message()), HasSubstr(text));
  }

  void ChangeOneByte(const fs::path& member) {
    std::fstream file(bundle_ / member,
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(10);
    const char byte = static_cast<char>(file.get());
    file.seekp(10);
    file.put(static_cast<char>(byte ^ 1));
  }

  // Edits the manifest and computes its bundle id again, as an attacker could.
  void EditManifest(const std::function<void(nlohmann::json&)>& edit) {
    nlohmann::json json =
        nlohmann::json::parse(*ReadFile(bundle_ / "MANIFEST.json"));
    edit(json);
    json["bundle_id"] = "";
    json["bundle_id"] = Sha256Bytes(json.dump(2) + "\n").substr(0, 16);
    ASSERT_TRUE(
        WriteFileAtomically(bundle_ / "MANIFEST.json", json.dump(2) + "\n")
            .ok());
  }

  TempDirectory directory_;
  const fs::path bundle_ = directory_ / "bundle";
};

// RFC 8032, section 7.1, the keys of the first test vector.
constexpr char kPrivateKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kPublicKey[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n";

TEST_F(ModelBundleTest, WithTrustedKeysOnlyASignedBundleOpens) {
  directory_.Write("key.pem", kPrivateKey);
  directory_.Write("public.pem", kPublicKey);
  const auto keys = VerifyingKeys::Load(directory_ / "public.pem");
  ASSERT_TRUE(keys.ok()) << keys.status();
  const auto refusal = [&] {
    const auto opened = ModelBundle::Open(bundle_, &*keys);
    EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition);
    return std::string(opened.status().message());
  };
  EXPECT_THAT(refusal(), HasSubstr("it is not signed"));
  ASSERT_TRUE(SignBundle(bundle_, directory_ / "key.pem").ok());
  EXPECT_TRUE(ModelBundle::Open(bundle_, &*keys).ok());
  EXPECT_TRUE(ModelBundle::Open(bundle_).ok());
  // The id is right again, but the signature is of the manifest from before.
  EditManifest([](nlohmann::json& json) { json["seed"] = 1234; });
  EXPECT_THAT(refusal(), HasSubstr("not the signature of its manifest"));
  ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.sig", "junk").ok());
  EXPECT_THAT(refusal(), HasSubstr("not the signature of its manifest"));
}

TEST_F(ModelBundleTest, OpensWhatWasPublished) {
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const BundleManifest& manifest = (*bundle)->manifest();
  EXPECT_EQ(manifest.bundle_id.size(), 16u);
  EXPECT_EQ(manifest.node_count, ToyGraph().catalogue.nodes.size());
  EXPECT_EQ(manifest.relations, ToyGraph().catalogue.relations);
  EXPECT_EQ(manifest.reading.of(Question::kPlausible).temperature, 1.5);
  EXPECT_EQ((*bundle)->embeddings().rows(), manifest.node_count);
  EXPECT_TRUE((*bundle)->graph_present());
  EXPECT_TRUE((*bundle)->MakeEncoder().ok());
  EXPECT_TRUE(
      CheckGraph((*bundle)->manifest(), *ToySnapshot(), manifest.graph_digest)
          .ok());
}

TEST_F(ModelBundleTest, OneChangedByteInAnyMemberIsRefusedByName) {
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok());
  for (const BundleMember& member : (*bundle)->manifest().members) {
    ChangeOneByte(member.path);
    ExpectRefused(absl::StatusCode::kDataLoss, member.path);
    ChangeOneByte(member.path);  // back again
  }
  EXPECT_TRUE(ModelBundle::Open(bundle_).ok());
}

TEST_F(ModelBundleTest, OneChangedByteOfTheManifestIsRefused) {
  const std::string good = *ReadFile(bundle_ / "MANIFEST.json");
  for (size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = bad[at] == '1' ? '2' : '1';
    ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", bad).ok());
    EXPECT_FALSE(ModelBundle::Open(bundle_).ok()) << "byte " << at;
  }
}

TEST_F(ModelBundleTest, ChangedThresholdIsRefused) {
  std::string json = *ReadFile(bundle_ / "MANIFEST.json");
  const size_t at = json.find("\"decision_threshold\": 0.5");
  ASSERT_NE(at, std::string::npos);
  json.replace(at, 25, "\"decision_threshold\": 0.4");
  ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", json).ok());
  ExpectRefused(absl::StatusCode::kDataLoss, "MANIFEST.json was changed");
}

TEST_F(ModelBundleTest, TheFolderAroundABundleNamesIt) {
  const absl::Status status = ModelBundle::Open(bundle_.parent_path()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("did you mean " + bundle_.string() + "?"));
}

TEST_F(ModelBundleTest, MissingMemberIsRefusedByName) {
  fs::remove(bundle_ / "model.pt");
  ExpectRefused(absl::StatusCode::kDataLoss, "model.pt is missing");
}

TEST_F(ModelBundleTest, ShortenedMemberIsRefusedByName) {
  fs::resize_file(bundle_ / "embeddings.bin", 100);
  ExpectRefused(absl::StatusCode::kDataLoss, "embeddings.bin has 100 bytes");
}

TEST_F(ModelBundleTest, ManifestThatOmitsARequiredMemberIsRefused) {
  EditManifest([](nlohmann::json& json) { json["members"].erase(0); });
  ExpectRefused(absl::StatusCode::kDataLoss, "embeddings.bin");
}

TEST_F(ModelBundleTest, WrongDimensionIsRefusedByName) {
  EditManifest([](nlohmann::json& json) { json["embedding_dim"] = 9; });
  ExpectRefused(absl::StatusCode::kDataLoss, "has 8 numbers per row");
}

TEST_F(ModelBundleTest, OtherContractVersionIsRefused) {
  EditManifest([](nlohmann::json& json) { json["contract_version"] = 3; });
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "contract_version is 3");
}

TEST_F(ModelBundleTest, ABundleOfAnotherFormatSaysWhatToDo) {
  const int ours = kBundleFormatVersion;
  EditManifest(
      [&](nlohmann::json& json) { json["format_version"] = ours + 1; });
  ExpectRefused(absl::StatusCode::kFailedPrecondition,
                absl::StrCat("format_version is ", ours + 1));
  ExpectRefused(absl::StatusCode::kFailedPrecondition,
                absl::StrCat("reads 2 to ", ours, ". "));
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "upgrade slice");
  EditManifest([&](nlohmann::json& json) { json["format_version"] = 1; });
  ExpectRefused(absl::StatusCode::kFailedPrecondition, "train it again");
}

// What a slice of format version 2 wrote: one calibration for all relations.
TEST_F(ModelBundleTest, AnOlderFormatHasItsGlobalNumbers) {
  EditManifest([](nlohmann::json& json) {
    json["format_version"] = 2;
    json.erase("schema_prior");
    json.erase("scorer_reason");
    json.erase("off_schema_margin");
    for (const char* name : {"plausible", "among_kind"}) {
      for (const char* field : {"offset", "base_rate", "rows", "relations"}) {
        json["calibration"][name].erase(field);
      }
    }
  });
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const OutputReading& reading = (*bundle)->manifest().reading;
  EXPECT_EQ(reading.relations, nullptr);
  EXPECT_EQ(reading.of(Question::kPlausible, 3).temperature, 1.5);
  EXPECT_EQ(reading.SchemaLogOdds(0, {.self = true}), 0);
}

TEST(ManifestTest, KeepsWhatIsKnownOfSingleRelations) {
  BundleManifest manifest;
  manifest.relations = {"depends", "tagged"};
  manifest.own_pair_links = OwnPairLinks::kHide;
  manifest.scorer_reason = "ends is the best";
  RelationReadings relations;
  for (auto& of_question : relations.calibrations) {
    of_question = {{.temperature = 1.5, .threshold = 0.25},
                   {.temperature = 0.75,
                    .threshold = 0.5,
                    .offset = -0.125,
                    .base_rate = 0.1,
                    .rows = 77}};
  }
  relations.schema = {{.self = -8.5}, {.off_schema = -3}};
  manifest.reading.off_schema_margin = 1.25;
  manifest.reading.relations =
      std::make_shared<const RelationReadings>(relations);
  const auto read = ManifestFromJson(ManifestToJson(manifest));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ManifestToJson(*read), ManifestToJson(manifest));
  EXPECT_EQ(read->scorer_reason, manifest.scorer_reason);
  const Calibration& tagged = read->reading.of(Question::kAmongKind, 1);
  EXPECT_EQ(tagged.offset, -0.125);
  EXPECT_EQ(tagged.base_rate, 0.1);
  EXPECT_EQ(tagged.rows, 77u);
  EXPECT_EQ(read->reading.off_schema_margin, 1.25);
  EXPECT_EQ(read->reading.SchemaLogOdds(0, {.self = true}), -8.5);
  EXPECT_EQ(read->reading.SchemaLogOdds(1, {.off_schema_source = true}), -3);
}

TEST_F(ModelBundleTest, MemberOutsideTheBundleIsRefused) {
  EditManifest([](nlohmann::json& json) {
    json["members"].push_back(
        {{"path", "../secret"}, {"size", 1}, {"sha256", "00"}});
  });
  ExpectRefused(absl::StatusCode::kDataLoss, "outside the bundle");
}

TEST_F(ModelBundleTest, ManifestFieldOfTheWrongTypeIsNamed) {
  EditManifest([](nlohmann::json& json) { json["node_count"] = "many"; });
  ExpectRefused(absl::StatusCode::kDataLoss, "'node_count'");
}

TEST_F(ModelBundleTest, UnknownOwnPairLinksAreRefusedWithTheNamesThatExist) {
  EditManifest([](nlohmann::json& json) { json["own_pair_links"] = "hidden"; });
  ExpectRefused(absl::StatusCode::kDataLoss,
                "own_pair_links is 'hidden': use hide, reveal or show");
}

TEST_F(ModelBundleTest, UnknownNamesAndOptionsAreRefusedWithTheFileAtFault) {
  const std::string good = *ReadFile(bundle_ / "MANIFEST.json");
  for (const char* pointer :
       {"/scorer", "/context_pooling", "/context/strategy"}) {
    SCOPED_TRACE(pointer);
    ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", good).ok());
    EditManifest([&](nlohmann::json& json) {
      json[nlohmann::json::json_pointer(pointer)] = "nonsense";
    });
    ExpectRefused(absl::StatusCode::kDataLoss, "MANIFEST.json: ");
  }
  ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", good).ok());
  EditManifest([](nlohmann::json& json) { json["context"]["max_nodes"] = 1; });
  ExpectRefused(absl::StatusCode::kDataLoss,
                "MANIFEST.json: context.max_nodes");
}

// A right bundle id does not make the values safe: a digest becomes the name of
// a folder, a size becomes an allocation.
TEST_F(ModelBundleTest, ValuesThatNoTrainerWritesAreRefusedByField) {
  const std::string good = *ReadFile(bundle_ / "MANIFEST.json");
  const auto refuses = [&](const std::string& field, const char* pointer,
                           const nlohmann::json& value) {
    SCOPED_TRACE(field);
    ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", good).ok());
    EditManifest([&](nlohmann::json& json) {
      json[nlohmann::json::json_pointer(pointer)] = value;
    });
    ExpectRefused(absl::StatusCode::kDataLoss, "'" + field + "'");
  };
  const std::string upwards = "../../../../../../tmp/elsewhere";
  refuses("graph_digest", "/graph_digest", upwards);
  refuses("graph_digest", "/graph_digest", "");
  refuses("graph_digest", "/graph_digest", std::string(64, 'G'));
  refuses("split_digest", "/split_digest", upwards);
  refuses("contexts_per_link", "/contexts_per_link", 0);
  refuses("contexts_per_link", "/contexts_per_link", 1000000);
  refuses("embedding_dim", "/embedding_dim", -1);
  refuses("layers", "/layers", 1000000);
  refuses("heads", "/heads", -1);
  refuses("hidden_dim", "/hidden_dim", 1 << 30);
  for (const std::string name : {"plausible", "among_kind"}) {
    const std::string temperature = "calibration." + name + ".temperature";
    const std::string pointer = "/calibration/" + name + "/temperature";
    refuses(temperature, pointer.c_str(), 0.0);
    refuses(temperature, pointer.c_str(), -1.0);
    refuses("calibration." + name + ".decision_threshold",
            ("/calibration/" + name + "/decision_threshold").c_str(), 1.5);
    refuses("calibration." + name + ".base_rate",
            ("/calibration/" + name + "/base_rate").c_str(), 0.0);
  }
  refuses("members.embeddings.bin.sha256", "/members/0/sha256", "00");
}

TEST_F(ModelBundleTest, BrokenManifestIsRefused) {
  ASSERT_TRUE(WriteFileAtomically(bundle_ / "MANIFEST.json", "{").ok());
  ExpectRefused(absl::StatusCode::kDataLoss, "not a JSON object");
}

TEST_F(ModelBundleTest, OpensWithoutItsGraph) {
  fs::remove_all(bundle_ / "graph");
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_FALSE((*bundle)->graph_present());
}

TEST_F(ModelBundleTest, AnotherGraphIsRefused) {
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok());
  EXPECT_EQ(CheckGraph((*bundle)->manifest(), *ToySnapshot(), "feed").code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ModelBundleTest, PublishingReplacesAnOlderBundle) {
  const std::string before = (*ModelBundle::Open(bundle_))->manifest().created;
  ASSERT_TRUE(WriteToyBundle(bundle_, "paper").ok());
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_EQ((*bundle)->manifest().preset, "paper");
  EXPECT_FALSE(fs::exists(bundle_.string() + ".old"));
  EXPECT_FALSE(fs::exists(bundle_.string() + ".staging"));
}

TEST_F(ModelBundleTest, PublishingNeverReplacesWhatIsNoBundle) {
  const fs::path precious = directory_ / "precious";
  fs::create_directories(precious);
  EXPECT_TRUE(CheckBundleDestination(precious).ok());
  directory_.Write("precious/thesis.tex", "years of work");
  EXPECT_EQ(WriteToyBundle(precious).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(*ReadFile(precious / "thesis.tex"), "years of work");
}

TEST(EmbeddingTableTest, RoundTripsAndRefusesTheWrongSize) {
  const TempDirectory directory;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  const fs::path path = directory / "e.bin";
  ASSERT_TRUE(EmbeddingTable::Save(path, values, 3, 2).ok());
  const auto table = EmbeddingTable::Open(path);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(std::vector<float>((*table)->data(), (*table)->data() + 6), values);
  EXPECT_EQ(EmbeddingTable::Save(path, values, 2, 2).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
