#include "trainer/methods/walks/aspects/aspect_walks.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/graph_view.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/methods/walks/metapath_walks.h"
#include "trainer/methods/walks/walk_method.h"
#include "trainer/methods/walks/walk_schemes.h"

namespace slice {
namespace {

uint64_t SeedOf(const MethodInput& input) {
  return CombineHash(input.seed, 31);
}

absl::StatusOr<AspectWalks> PlanMetapathWalks(
    const MethodInput& input, const ParameterValues& parameters) {
  AspectWalks walks;
  walks.labelled =
      std::make_unique<const LabelledWalkGraph>(GraphView(*input.snapshot));
  walks.starts = walks.labelled->LinkedNodes();
  if (walks.starts.empty()) return NoWalksError();
  SLICE_ASSIGN_OR_RETURN(std::vector<WalkScheme> schemes,
                         ChooseWalkSchemes(input, parameters, *walks.labelled));
  walks.source = std::make_unique<const MetapathWalks>(
      *walks.labelled, std::move(schemes), parameters.Whole("walk_length"),
      SeedOf(input));
  return walks;
}

absl::StatusOr<AspectWalks> PlanLinkWalks(const MethodInput& input,
                                          const ParameterValues& parameters) {
  AspectWalks walks;
  walks.graph = std::make_unique<const WalkGraph>(GraphView(*input.snapshot));
  walks.starts = walks.graph->LinkedNodes();
  if (walks.starts.empty()) return NoWalksError();
  RandomWalkOptions options;
  options.length = parameters.Whole("walk_length");
  options.seed = SeedOf(input);
  walks.source = std::make_unique<const RandomWalks>(*walks.graph, options);
  return walks;
}

bool WalksAlongMetapaths(const MethodInput& input,
                         const ParameterValues& parameters) {
  const std::string& along = parameters.Word("walks_along");
  return along == "metapaths" ||
         (along == "auto" && input.snapshot->node_type_count() > 1);
}

}  // namespace

bool SearchesMetapaths(const MethodInput& input,
                       const ParameterValues& parameters) {
  return WalksAlongMetapaths(input, parameters) &&
         parameters.Word("metapaths") == "common";
}

absl::StatusOr<AspectWalks> PlanAspectWalks(const MethodInput& input,
                                            const ParameterValues& parameters) {
  if (WalksAlongMetapaths(input, parameters)) {
    return PlanMetapathWalks(input, parameters);
  }
  const std::string& along = parameters.Word("walks_along");
  const std::string& metapaths = parameters.Word("metapaths");
  if (metapaths == "common") return PlanLinkWalks(input, parameters);
  return absl::InvalidArgumentError(absl::StrCat(
      "metapaths is '", metapaths, "', but with walks_along=", along,
      along == "auto" ? " walks on a graph of one node type" : " walks",
      " follow any link; set walks_along=metapaths or leave out metapaths"));
}

}  // namespace slice
