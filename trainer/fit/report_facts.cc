#include "trainer/fit/report_facts.h"

#include "absl/strings/str_cat.h"

namespace slice {

std::vector<NamedValue> ReportFacts(const FitOptions& options,
                                    const ImportedTraining& training) {
  const GraphSnapshot& graph = training.graph();
  return {
      {"nodes", absl::StrCat(graph.node_count())},
      {"train links", absl::StrCat(graph.link_count())},
      {"relations", absl::StrCat(graph.relation_count())},
      {"valid links", absl::StrCat(training.valid().size())},
      {"test links", absl::StrCat(training.test().size())},
      {"held-out pairs linked in train otherwise",
       absl::StrCat(training.imported.summary.held_out_pairs_linked)},
      {"preset", options.preset},
      {"own pair links", OwnPairLinksName(options.recorded_own_pair_links())},
  };
}

std::vector<std::string> ReportNotes(const FitOptions& options) {
  std::vector<std::string> notes;
  if (options.planted_leak != PlantedLeak::kNone) {
    notes.push_back(
        "LEAKY: a leak was planted in this run (--plant-leak). Its figures "
        "show what that leak costs and are no results.");
  }
  if (options.leaky) {
    notes.push_back(
        "LEAKY: embeddings and pre-training saw the valid and test links, and "
        "every training link was shown to itself, as in the published "
        "protocol. For comparison only: these figures cannot be expected on "
        "new links.");
    return notes;
  }
  notes.push_back(absl::StrCat(
      "Of the test file, node keys alone reached training. Of the valid file "
      "node keys did, and its labelled links set: which kinds of negatives are "
      "drawn, and in which shares; on a graph with one node type, how often an "
      "example hides all links of its relation at the source; half of how "
      "often an epoch that samples takes each relation; and which epoch's "
      "parameters are kept. ",
      options.own_pair_links == OwnPairLinks::kReveal
          ? "While a link is scored it is hidden, other links between its ends "
            "are not."
          : "Every arc between the ends of a link is hidden while it is "
            "scored."));
  return notes;
}

}  // namespace slice
