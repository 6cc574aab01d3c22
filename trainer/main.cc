// The program slice-trainer. It trains a model on an edge list, publishes it as
// a bundle, and measures it beside other methods.
#include <iostream>

#include "common/command/run_program.h"
#include "trainer/baseline_command.h"
#include "trainer/compare_command.h"
#include "trainer/evaluate_command.h"
#include "trainer/fit_command.h"
#include "trainer/gate_command.h"
#include "trainer/leak_command.h"
#include "trainer/rank_command.h"
#include "trainer/recommend_sources_command.h"
#include "trainer/report_command.h"
#include "trainer/score_command.h"
#include "trainer/sign_command.h"
#include "trainer/sweep_command.h"
#include "trainer/upgrade_command.h"

namespace slice {
namespace {

constexpr StatusCommand kCommands[] = {
    {"fit", "Trains on a graph, measures the result and writes a bundle",
     DefineFit},
    {"embed", "The steps of fit up to the global embeddings", DefineEmbed},
    {"pretrain", "The steps of fit up to pre-training", DefinePretrain},
    {"finetune", "The steps of fit up to fine-tuning", DefineFineTune},
    {"evaluate", "A bundle's figures on a file of labelled links",
     DefineEvaluate},
    {"gate", "Whether a bundle may replace another, by the newest links",
     DefineGate},
    {"rank", "Filtered ranks of held-out links", DefineRank},
    {"score", "A bundle's answers to the links of a file, without a server",
     DefineScore},
    {"recommend", "The best targets of many sources, without a server",
     DefineRecommendSources},
    {"leak",
     "What node2vec scores when it sees the held-out links, as in the paper, "
     "and when it does not",
     DefineLeak},
    {"report", "The page of a run, or the means of several", DefineReport},
    {"baseline", "The methods that the paper compares with", DefineBaseline},
    {"compare", "All methods on all data sets, as one table", DefineCompare},
    {"sign", "Signs a bundle, for servers with --trusted-keys", DefineSign},
    {"sweep", "A grid of fit's flags, measured on valid", DefineSweep},
    {"upgrade",
     "Makes a bundle of an older slice fit for a server without LibTorch",
     DefineUpgrade},
};

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  return slice::RunProgram(
      {.name = "slice-trainer",
       .summary = "Trains slice: from an edge list to a bundle.",
       .footer = "Exit codes: 0 ok; 1 failure; 2 wrong command line or bad "
                 "input; 3 too "
                 "few new links (fit, gate)."},
      slice::kCommands, argc, argv, std::cout, std::cerr);
}
