#include "trainer/fit/report_facts.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace slice {

std::vector<NamedValue> ReportFacts(const FitOptions& options,
                                    const ImportedTraining& training) {
  const GraphSnapshot& graph = training.graph();
  std::vector<NamedValue> facts = {
      {"nodes", absl::StrCat(graph.node_count())},
      {"train links", absl::StrCat(graph.link_count())},
      {"relations", absl::StrCat(graph.relation_count())},
      {"valid rows", absl::StrCat(training.valid().size())},
      {"test rows", absl::StrCat(training.test().size())},
      {"held-out links whose ends train links in any way",
       absl::StrCat(training.imported.summary.held_out_pairs_linked)},
      {"preset", options.preset},
      {"own pair links", OwnPairLinksName(options.recorded_own_pair_links())},
  };
  if (!options.own_pair_reason.empty()) {
    facts.push_back({"why own pair links", options.own_pair_reason});
  }
  if (options.splits_links()) {
    facts.push_back({"links split", options.split.links.filename().string()});
    facts.push_back({"split seed", absl::StrCat(options.split.seed)});
  }
  return facts;
}

namespace {

std::string SharedLinksNote(const EdgeListImportSummary& summary) {
  const uint64_t shared = summary.held_out_shared;
  return absl::StrCat(
      shared, shared == 1 ? " link stands" : " links stand",
      " in the valid file and in the test file. Valid decides when training "
      "ends and what counts, so the figures of test are too good; take ",
      shared == 1 ? "it" : "them", " out of one of the files.");
}

}  // namespace

std::vector<std::string> ReportNotes(const FitOptions& options,
                                     const ImportedTraining& training) {
  std::vector<std::string> notes;
  if (training.imported.summary.held_out_shared > 0) {
    notes.push_back(SharedLinksNote(training.imported.summary));
  }
  if (options.splits_links()) {
    notes.push_back(
        absl::StrCat("Train, valid and test were split from one "
                     "file: ",
                     absl::StrJoin(options.split_description, "; "), "."));
  }
  if (options.planted_leak != PlantedLeak::kNone) {
    notes.push_back(
        "LEAKY: a leak was planted in this run (--plant-leak). Its figures "
        "show what that leak costs and are no results.");
  }
  if (options.leaky) {
    notes.push_back(
        "LEAKY: embeddings and pre-training saw the valid and test links, and "
        "no training link was hidden while the network learned to score it, as "
        "in the published protocol. For comparison only: these figures cannot "
        "be expected on "
        "new links.");
    return notes;
  }
  notes.push_back(absl::StrCat(
      "Of the test file, training used only the node keys. Of the valid file "
      "it used the node keys and the labelled links. These links set which "
      "kinds of negatives are drawn, and in which shares. On a graph with one "
      "node type, they set how often an example hides all links of its "
      "relation at the source. Where an epoch is a sample of the train links, "
      "the share of each relation in the sample is the mean of its shares in "
      "train and in valid. The valid links also set "
      "from which epoch the parameters are kept. ",
      options.own_pair_links == OwnPairLinks::kReveal
          ? "While a link is scored, it is hidden; other links between its "
            "ends are not."
          : "While a link is scored, every arc between its ends is hidden."));
  return notes;
}

}  // namespace slice
