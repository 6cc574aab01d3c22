#include "client/commands.h"
#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

int ExitCodeFor(ServingState state) {
  return state == ServingState::kServing ? kExitOk : kHealthNotServing;
}

void Print(ServingState state, const CommandLine& line,
           const CommandOutput& output) {
  if (line.json) {
    output.results << ToJson(line.service, state) << std::endl;
  } else {
    output.results << ServingStateName(state) << std::endl;
  }
}

int Watch(const LinkClient& client, const CommandLine& line,
          const CommandOutput& output) {
  ServingState last = ServingState::kUnknown;
  bool seen = false;
  const absl::Status status = client.WatchHealth(
      line.service,
      line.max_time_given ? line.client.max_time : absl::InfiniteDuration(),
      [&](ServingState state) {
        last = state;
        seen = true;
        Print(state, line, output);
        return static_cast<bool>(output.results);
      });
  // The time asked for is over: that is no failure.
  const bool over =
      seen && line.max_time_given && absl::IsDeadlineExceeded(status);
  if (status.ok() || over) return ExitCodeFor(last);
  output.messages << ErrorText("", status);
  return kHealthRpcFailure;
}

}  // namespace

int RunHealth(const LinkClient& client, const CommandLine& line,
              const CommandOutput& output) {
  const absl::Duration timeout =
      line.max_time_given ? line.client.max_time : absl::Seconds(5);
  const absl::Status connected = client.Connect(timeout);
  if (!connected.ok()) {
    output.messages << ErrorText("", connected);
    return kHealthConnectionFailure;
  }
  if (line.watch) return Watch(client, line, output);
  const absl::StatusOr<ServingState> state = client.CheckHealth(line.service);
  if (!state.ok()) {
    output.messages << ErrorText("", state.status());
    return kHealthRpcFailure;
  }
  Print(*state, line, output);
  return ExitCodeFor(*state);
}

}  // namespace slice
