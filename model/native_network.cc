// tensors/network.bin has the format of tensors/statistics.bin
// (graphstore/graph_statistics.cc). It holds
//   - each parameter of the network, under its name in the TorchScript;
//   - "option.readout" and "option.projection", one number each: what shapes do
//     not tell. The numbers are the order of LayerReadout and of Projection.
#include "model/native_network.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/graph_statistics.h"
#include "model/embedding_table.h"
#include "model/native_choice.h"
#include "model/scripted_network.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr char kReadout[] = "option.readout";
constexpr char kProjection[] = "option.projection";

template <typename Enum>
NamedArray Number(Enum value) {
  return {{1}, {static_cast<float>(value)}};
}

template <typename Enum>
bool Holds(const GraphStatistics& arrays, const char* name, Enum value) {
  const auto found = arrays.Get(name);
  return found.ok() && (*found)->values.size() == 1 &&
         (*found)->values[0] == static_cast<float>(value);
}

}  // namespace

absl::Status NativeNetwork::Save(const fs::path& path) const {
  GraphStatistics arrays;
  for (const auto& [name, weight] : weights.all()) {
    arrays.Set(name, {weight.shape, weight.values});
  }
  arrays.Set(kReadout, Number(options.readout));
  arrays.Set(kProjection, Number(options.projection));
  return arrays.Save(path);
}

absl::StatusOr<NativeNetwork> NativeNetwork::Load(const fs::path& path) {
  SLICE_ASSIGN_OR_RETURN(const GraphStatistics arrays,
                         GraphStatistics::Load(path));
  NativeNetwork network;
  for (const auto& [name, array] : arrays.arrays()) {
    if (name == kReadout || name == kProjection) continue;
    network.weights.Set(name, {array.shape, array.values});
  }
  const auto matching = network.weights.MatchingOptions();
  if (matching.ok()) {
    for (const NetworkOptions& options : *matching) {
      if (Holds(arrays, kReadout, options.readout) &&
          Holds(arrays, kProjection, options.projection)) {
        network.options = options;
        return network;
      }
    }
  }
  return absl::DataLossError(absl::StrCat(
      path.string(), " does not hold a network that our kernels run"));
}

namespace {

// Writes the TorchScript at `file` to `to`. False: our kernels cannot run it.
absl::StatusOr<bool> AddOne(const fs::path& staging, const fs::path& file,
                            const fs::path& to) {
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<ScriptedNetwork> script,
                         OpenScriptedNetwork(file, "cpu"));
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddingTable> table,
                         EmbeddingTable::Open(staging / "embeddings.bin"));
  const EmbeddingRows embeddings = {
      table->data(), static_cast<int64_t>(table->rows()), table->dim()};
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<ForwardPass> definition,
                         script->MakeForward(embeddings, "cpu"));
  const auto options =
      FindNativeOptions(script->weights(), embeddings, *definition);
  if (absl::IsUnimplemented(options.status())) return false;
  if (!options.ok()) return options.status();
  SLICE_RETURN_IF_ERROR((NativeNetwork{script->weights(), *options}).Save(to));
  return true;
}

}  // namespace

absl::StatusOr<bool> AddNativeNetwork(const fs::path& staging) {
  SLICE_ASSIGN_OR_RETURN(
      const bool added,
      AddOne(staging, staging / "model.pt", staging / "tensors/network.bin"));
  const fs::path ranking = staging / "ranking.pt";
  std::error_code error;
  if (!added || !fs::exists(ranking, error)) return added;
  return AddOne(staging, ranking, staging / "tensors/ranking.bin");
}

}  // namespace slice
