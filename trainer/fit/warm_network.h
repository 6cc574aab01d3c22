// Takes the parameters of an older bundle's network.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_FIT_WARM_NETWORK_H_
#define SLICE_TRAINER_FIT_WARM_NETWORK_H_

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/bundle_manifest.h"

namespace slice {

// What the rows and columns of a network's parameters belong to.
struct NetworkNames {
  std::vector<std::string> relations;      // by RelationId
  std::vector<std::string> pair_features;  // in the order of the features
  std::vector<std::string> attributes;     // the last columns of embeddings
};

// The names of a network for a graph with these relations and node types. A
// pair feature such as "slot.source.out.3" is about relation 3
// (context/pair_features.cc); it gets the name of the relation, or of the node
// type, in place of the number, since another graph numbers them differently.
NetworkNames NamesFor(std::vector<std::string> relations,
                      const std::vector<std::string>& node_types,
                      const std::vector<std::string>& pair_features,
                      const std::vector<AttributeColumn>& attributes);
NetworkNames NamesOf(const BundleManifest& manifest);

// Copies the parameters of `older` into `network`, whose other values stay.
// Rows of relations and columns of pair features are matched by name, so that
// those of a new relation keep what BuildNetwork() gave them. INVALID_ARGUMENT
// naming the parameter when anything else differs in size, or when `network`
// lacks a parameter.
absl::Status CopyParameters(const torch::jit::Module& older,
                            const NetworkNames& older_names,
                            const NetworkNames& names,
                            torch::jit::Module* network);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_WARM_NETWORK_H_
