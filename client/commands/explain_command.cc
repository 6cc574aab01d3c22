#include "client/commands/explain_command.h"

#include <memory>

#include "client/answer_flags.h"
#include "client/commands/link_arguments.h"
#include "client/commands/what_if_flags.h"
#include "client/drawing/explanation_dot.h"
#include "client/drawing/explanation_drawing.h"
#include "client/drawing/what_if_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

struct ExplainOptions {
  LinkQuery link;
  WhatIfFlags what_if;
  bool dot = false;
};

// What to say of the model behind an answer. `info` is what the server says of
// it now. It may have another bundle by then, whose threshold could contradict
// the decision; nothing of such a bundle is said.
ScoringModelText TextOf(const absl::StatusOr<ModelInfo>& info,
                        const ScoredLinks& scored) {
  ScoringModelText text;
  if (info.ok() && info->from.bundle_id == scored.from.bundle_id)
    text = {info->decision_threshold, info->pair_features};
  // That of the link's relation; an older server does not say it.
  const double own = scored.links[0].decision_threshold;
  if (own > 0) text.threshold = own;
  return text;
}

// Explains the link twice: in the graph as it is, and in the imagined one.
int RunWhatIf(const LinkClient& client, const ExplainOptions& asked,
              const CommandOutput& output) {
  const absl::StatusOr<WhatIfQuery> query =
      ReadWhatIf(client, asked.what_if, asked.link.source.exact_key, output);
  if (!query.ok()) return PrintUsageError(query.status(), output);
  const absl::Status has_ends = CheckAskedNodes(*query, asked.link);
  if (!has_ends.ok()) return PrintUsageError(has_ends, output);
  const absl::StatusOr<ScoredLinks> imagined =
      client.ExplainLink(asked.link, *query);
  if (!imagined.ok()) {
    return PrintCallError(
        InWordsOfFlags(asked.what_if, *query, imagined.status()), output);
  }
  if (asked.dot) {
    output.results << ExplanationAsDot(imagined->links[0]);
    return kExitOk;
  }
  const absl::StatusOr<ScoredLinks> now = client.ExplainLink(asked.link);
  // A node that the question adds is not in the graph.
  const bool only_imagined = absl::IsNotFound(now.status());
  if (!now.ok() && !only_imagined) return PrintCallError(now.status(), output);
  if (output.json) {
    output.results << ToJson(asked.link, now.ok() ? &*now : nullptr, *imagined)
                   << "\n";
  } else if (only_imagined) {
    const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
    output.results << DrawChanges(*query, output.style) << "\n"
                   << DrawExplanation(imagined->links[0],
                                      TextOf(info, *imagined), output.style);
  } else {
    output.results << DrawWhatIf(*query, now->links[0], imagined->links[0],
                                 output.style);
  }
  if (!output.json) output.results << FlagNotes(imagined->links[0].flags);
  PrintAskedLink(*query, asked.link, output);
  PrintWithoutEffect(*query, imagined->without_effect, output);
  return kExitOk;
}

int RunExplain(const LinkClient& client, const ExplainOptions& asked,
               const CommandOutput& output) {
  if (!asked.what_if.empty()) return RunWhatIf(client, asked, output);
  const absl::StatusOr<ScoredLinks> scored = client.ExplainLink(asked.link);
  if (!scored.ok()) return PrintCallError(scored.status(), output);
  const ScoredLink& link = scored->links[0];
  if (output.json) {
    output.results << ToJson(asked.link, "", link, scored->from) << "\n";
  } else if (asked.dot) {
    output.results << ExplanationAsDot(link);
  } else {
    const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
    output.results << DrawExplanation(link, TextOf(info, *scored), output.style)
                   << FlagNotes(link.flags);
  }
  return kExitOk;
}

}  // namespace

ClientRun DefineExplain(CommandFlags& flags, ClientFlags& shared) {
  const auto asked = std::make_shared<ExplainOptions>();
  const LinkArguments arguments = AddLinkArguments(flags, asked->link);
  for (const Flag& argument :
       {arguments.source, arguments.relation, arguments.target})
    argument.Required();
  AddScorer(flags, shared);
  AddPrior(flags, shared);
  AddMinGraphVersion(flags, shared);
  AddWhatIf(flags, asked->what_if);
  flags.AddSwitch("--dot", asked->dot,
                  "print the context for Graphviz: | dot -Tsvg makes a picture "
                  "of it. A server with --http-listen draws the whole "
                  "explanation on its page /why");
  flags.Check([asked, &shared] {
    return asked->dot && shared.json
               ? absl::InvalidArgumentError("--dot contradicts --json")
               : absl::OkStatus();
  });
  return [asked](const LinkClient& client, const CommandOutput& output) {
    return RunExplain(client, *asked, output);
  };
}

}  // namespace slice
