#include "client/commands/explain_command.h"

#include <memory>

#include "client/answer_flags.h"
#include "client/commands/link_arguments.h"
#include "client/drawing/explanation_dot.h"
#include "client/drawing/explanation_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

struct ExplainOptions {
  LinkQuery link;
  bool dot = false;
};

int RunExplain(const LinkClient& client, const ExplainOptions& asked,
               const CommandOutput& output) {
  const absl::StatusOr<ScoredLinks> scored = client.ExplainLink(asked.link);
  if (!scored.ok()) return PrintCallError(scored.status(), output);
  const ScoredLink& link = scored->links[0];
  if (output.json) {
    output.results << ToJson(asked.link, "", link, scored->from) << "\n";
  } else if (asked.dot) {
    output.results << ExplanationAsDot(link);
  } else {
    ScoringModelText model;
    // The server may have another bundle by now, whose threshold could
    // contradict the decision. Nothing of such a bundle is shown.
    const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
    if (info.ok() && info->from.bundle_id == scored->from.bundle_id)
      model = {info->decision_threshold, info->pair_features};
    // That of the link's relation; an older server does not say it.
    if (link.decision_threshold > 0) model.threshold = link.decision_threshold;
    output.results << DrawExplanation(link, model, output.style)
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
  flags.AddSwitch("--dot", asked->dot, "print the context for Graphviz");
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
