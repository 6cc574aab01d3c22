#include "client/commands/health_command.h"

#include <memory>
#include <string>

#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

constexpr absl::Duration kDefaultMaxTime = absl::Seconds(5);

struct HealthOptions {
  std::string service;  // empty: the whole process
  bool watch = false;
  bool bounded = false;  // --max-time is given, so that it ends a watch
};

int ExitCodeFor(ServingState state) {
  return state == ServingState::kServing ? kExitOk : kHealthNotServing;
}

void Print(ServingState state, const HealthOptions& asked,
           const CommandOutput& output) {
  if (output.json) {
    output.results << ToJson(asked.service, state) << std::endl;
  } else {
    output.results << ServingStateName(state) << std::endl;
  }
}

int Watch(const LinkClient& client, const HealthOptions& asked,
          const CommandOutput& output) {
  ServingState last = ServingState::kUnknown;
  bool seen = false;
  const absl::Status status = client.WatchHealth(
      asked.service,
      asked.bounded ? client.options().max_time : absl::InfiniteDuration(),
      [&](ServingState state) {
        last = state;
        seen = true;
        Print(state, asked, output);
        return static_cast<bool>(output.results);
      });
  // A watch that --max-time ends has not failed.
  const bool over = seen && asked.bounded && absl::IsDeadlineExceeded(status);
  if (status.ok() || over) return ExitCodeFor(last);
  output.messages << ErrorText("", status);
  return kHealthRpcFailure;
}

int RunHealth(const LinkClient& client, const HealthOptions& asked,
              const CommandOutput& output) {
  const absl::Status connected = client.Connect(client.options().max_time);
  if (!connected.ok()) {
    output.messages << ErrorText("", connected);
    return kHealthConnectionFailure;
  }
  if (asked.watch) return Watch(client, asked, output);
  const absl::StatusOr<ServingState> state = client.CheckHealth(asked.service);
  if (!state.ok()) {
    output.messages << ErrorText("", state.status());
    return kHealthRpcFailure;
  }
  Print(*state, asked, output);
  return ExitCodeFor(*state);
}

}  // namespace

ClientRun DefineHealth(CommandFlags& flags, ClientFlags& shared) {
  const auto asked = std::make_shared<HealthOptions>();
  flags.AddArgument("SERVICE", asked->service,
                    "one service, such as slice.v1.LinkPredictionService; the "
                    "whole process when left out");
  flags.AddSwitch("--watch", asked->watch,
                  "print the state now and at every change");
  flags.Check([asked, &shared] {
    asked->bounded = shared.max_time > 0;
    shared.client.max_time = kDefaultMaxTime;  // --max-time replaces it
    return absl::OkStatus();
  });
  return [asked](const LinkClient& client, const CommandOutput& output) {
    return RunHealth(client, *asked, output);
  };
}

}  // namespace slice
