// Without an action, or after a change, the output is a table with a row for
// each version: first the one that is served, then the candidate.
#include "client/commands/models_command.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "client/exit_codes.h"
#include "client/model_types.h"
#include "client/text_table.h"

namespace slice {
namespace {

struct ModelsFlags {
  std::string action = "list", name, bundle;
  double canary = 0, shadow = 0;  // shares
  std::string by = "identity";
  bool candidate = false;
};

constexpr const char* kActions[] = {"list",   "load",    "promote",
                                    "unload", "default", "rollback"};

std::string TrialText(const ModelTrial& trial) {
  return absl::StrFormat("%s, %g%% by %s", trial.shadow ? "shadow" : "canary",
                         100 * trial.share,
                         trial.by_link ? "link" : "identity");
}

void AddVersion(const ModelState& model, const ModelVersionState& version,
                const std::string& role, const TextStyle& style,
                TextTable& table) {
  const absl::Time loaded =
      absl::UnixEpoch() + absl::Seconds(version.loaded_seconds);
  table.AddRow(
      {{model.name},
       {role},
       {version.bundle_id},
       {absl::FormatTime("%Y-%m-%d %H:%M:%S", loaded, absl::UTCTimeZone())},
       {style.Count(version.nodes)},
       {style.Count(version.links)},
       {style.Count(version.scored_links)},
       {style.Count(version.failed_links)},
       {version.directory}});
}

TextTable TableOf(const std::vector<ModelState>& models,
                  const TextStyle& style) {
  TextTable table({{"model"},
                   {"role"},
                   {"bundle"},
                   {"loaded (UTC)"},
                   {"nodes", true},
                   {"links", true},
                   {"scored", true},
                   {"failed", true},
                   {"directory"}});
  for (const ModelState& model : models) {
    AddVersion(model, model.serving,
               model.is_default ? "serving, default" : "serving", style, table);
    if (model.candidate.has_value()) {
      AddVersion(model, *model.candidate, TrialText(model.trial), style, table);
    }
  }
  return table;
}

nlohmann::json VersionJson(const ModelVersionState& version) {
  return {{"bundle_id", version.bundle_id},
          {"directory", version.directory},
          {"loaded_timestamp_seconds", version.loaded_seconds},
          {"preset", version.preset},
          {"nodes", version.nodes},
          {"links", version.links},
          {"scored_links", version.scored_links},
          {"failed_links", version.failed_links}};
}

nlohmann::json ModelJson(const ModelState& model) {
  nlohmann::json json = {{"name", model.name},
                         {"is_default", model.is_default},
                         {"serving", VersionJson(model.serving)},
                         {"previous_bundle_id", model.previous_bundle_id},
                         {"previous_directory", model.previous_directory},
                         {"loads", model.loads},
                         {"failed_loads", model.failed_loads},
                         {"last_load_seconds", model.last_load_seconds}};
  if (model.candidate.has_value()) {
    json["candidate"] = VersionJson(*model.candidate);
    json["trial"] = {{"kind", model.trial.shadow ? "shadow" : "canary"},
                     {"by", model.trial.by_link ? "link" : "identity"},
                     {"share", model.trial.share}};
  }
  return json;
}

void Print(const std::vector<ModelState>& models, const CommandOutput& output) {
  if (!output.json) return PrintTable(TableOf(models, output.style), output);
  for (const ModelState& model : models) {
    output.results << ModelJson(model).dump() << "\n";
  }
}

// What the flags ask for; an error for those that do not fit the action.
absl::StatusOr<ModelChange> ChangeOf(const ModelsFlags& flags) {
  ModelChange change;
  change.name = flags.name;
  if (flags.name.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("models ", flags.action, ": name a model"));
  }
  if (flags.action != "load") {
    if (!flags.bundle.empty() || flags.canary > 0 || flags.shadow > 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "models ", flags.action,
          " takes a name alone; a bundle, --canary and --shadow are for load"));
    }
    change.action = flags.action == "promote"    ? ModelAction::kPromote
                    : flags.action == "default"  ? ModelAction::kSetDefault
                    : flags.action == "rollback" ? ModelAction::kRollBack
                    : flags.candidate            ? ModelAction::kDropCandidate
                                                 : ModelAction::kUnload;
    return change;
  }
  if (flags.bundle.empty()) {
    return absl::InvalidArgumentError(
        "models load: name a model and the directory of a bundle on the "
        "server's machine");
  }
  if (flags.canary > 0 && flags.shadow > 0) {
    return absl::InvalidArgumentError(
        "--canary and --shadow exclude each other: a model has one candidate");
  }
  change.bundle = std::filesystem::absolute(flags.bundle).string();
  if (flags.canary > 0 || flags.shadow > 0) {
    change.trial = ModelTrial{.shadow = flags.shadow > 0,
                              .by_link = flags.by == "link",
                              .share = flags.canary + flags.shadow};
  }
  return change;
}

int RunModels(const LinkClient& client, const ModelsFlags& flags,
              const CommandOutput& output) {
  if (flags.action != "list") {
    const absl::StatusOr<ModelChange> change = ChangeOf(flags);
    if (!change.ok()) {
      output.messages << "slice-client: " << change.status().message() << "\n";
      return kExitUsage;
    }
    const absl::Status changed = client.ChangeModel(*change);
    if (!changed.ok()) return PrintAdminCallError(changed, output);
  }
  const absl::StatusOr<std::vector<ModelState>> models = client.ListModels();
  if (!models.ok()) return PrintAdminCallError(models.status(), output);
  Print(*models, output);
  return kExitOk;
}

}  // namespace

ClientRun DefineModels(CommandFlags& flags, ClientFlags&) {
  const auto options = std::make_shared<ModelsFlags>();
  flags
      .AddArgument("ACTION", options->action,
                   "list; load NAME BUNDLE; promote NAME (its candidate is "
                   "served); unload NAME; default NAME; rollback NAME (the "
                   "version before is served)")
      .OneOf({kActions[0], kActions[1], kActions[2], kActions[3], kActions[4],
              kActions[5]});
  flags.AddArgument("NAME", options->name, "the model");
  flags.AddArgument("BUNDLE", options->bundle,
                    "directory of the bundle to load, on the server's machine");
  flags
      .Add("--canary", options->canary,
           "load the bundle as a candidate that answers this share of the "
           "requests")
      .Between(0, 1);
  flags
      .Add("--shadow", options->shadow,
           "load the bundle as a candidate that scores this share of the "
           "requests too, without answering them")
      .Between(0, 1);
  flags
      .Add("--by", options->by,
           "what the share is of: identities, or first links of requests")
      .OneOf({"identity", "link"});
  flags.AddSwitch("--candidate", options->candidate,
                  "unload the candidate alone");
  return [options](const LinkClient& client, const CommandOutput& output) {
    return RunModels(client, *options, output);
  };
}

}  // namespace slice
