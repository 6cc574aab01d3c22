// A small bundle over the toy graph. Its network is not trained: its parameters
// are random numbers other than zero, so that every input matters.
#ifndef SLICE_TESTS_TESTING_TOY_BUNDLE_H_
#define SLICE_TESTS_TESTING_TOY_BUNDLE_H_

#include <filesystem>
#include <optional>

#include "absl/status/status.h"
#include "graphstore/graph_data.h"
#include "model/bundle_manifest.h"
#include "model/network_options.h"

namespace slice {

// The network of a toy bundle: the preset with embeddings of 8 numbers and with
// the relations and pair features of the toy graph.
NetworkOptions ToyNetworkOptions(std::string_view preset = "default");

// Writes a whole bundle for `data`, graph/ included, with such a network, and
// with golden links if `golden`, trained of `live_graph` if it is given.
// REQUIRES: `data` has the relations and node
// types of the toy graph.
absl::Status WriteBundleFor(const GraphData& data,
                            const NetworkOptions& network,
                            const std::filesystem::path& directory,
                            bool golden = false,
                            std::optional<LiveGraphOrigin> live_graph = {});

// The same for ToyGraph().
absl::Status WriteToyBundle(const std::filesystem::path& directory,
                            std::string_view preset = "default");

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TOY_BUNDLE_H_
