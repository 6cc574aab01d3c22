// The step `embed`: makes one vector per node, by node2vec, from a file, or at
// random, and writes embeddings.bin.
#ifndef SLICE_TRAINER_FIT_EMBEDDING_STEP_H_
#define SLICE_TRAINER_FIT_EMBEDDING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct GlobalEmbeddings {
  std::vector<float> values;  // [nodes, dim], attributes at the end of each row
  int dim = 0;
  // How many of the first numbers of each row pre-training and fine-tuning
  // change. For random vectors it is their dimension, for all other sources 0.
  int trained_columns = 0;
  std::filesystem::path file;
  std::vector<NamedCurve> losses;  // of node2vec, by epoch
  std::string fingerprint;
};

// A step as finish_step.h describes it. `options` and `training` must outlive
// it.
class EmbeddingStep {
 public:
  static constexpr char kName[] = "embed";

  EmbeddingStep(const FitOptions& options, const ImportedTraining& training)
      : options_(options), training_(training) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<GlobalEmbeddings> Load(const nlohmann::json& record) const;

 private:
  absl::StatusOr<nlohmann::json> SourceParts() const;
  absl::StatusOr<nlohmann::json> RunNode2vec() const;
  bool IsWarm() const;  // whether an older bundle gives the vectors
  absl::StatusOr<nlohmann::json> RunWarm() const;
  absl::StatusOr<nlohmann::json> RunFile() const;
  absl::StatusOr<nlohmann::json> RunNone() const;
  absl::StatusOr<nlohmann::json> RunRandom() const;
  absl::Status Save(std::vector<float> values, int dim) const;
  std::filesystem::path File() const;

  const FitOptions& options_;
  const ImportedTraining& training_;
};

// Returns `embeddings` with the values of `file`, such as values that a later
// step has trained, in place of its own. Returns the errors of
// EmbeddingTable::Open.
absl::StatusOr<GlobalEmbeddings> WithValuesOf(const std::filesystem::path& file,
                                              GlobalEmbeddings embeddings);

// Writes the links and nodes that embeddings may be made from as links.tsv and
// nodes.tsv to the folder options.export_embedding_graph. Does nothing when
// that is empty.
absl::Status ExportEmbeddingGraph(const FitOptions& options,
                                  const ImportedTraining& training);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EMBEDDING_STEP_H_
