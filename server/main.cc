// slice-server: serves the bundle of a trained model over gRPC.
//
// Exit status: 0 after a graceful stop, 1 when it could not start, 2 for wrong
// flags, 3 when the device was lost.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/command/exit_status.h"
#include "common/early_streams.h"
#include "common/freed_memory.h"
#include "common/header_blocks.h"
#include "common/header_guard.h"
#include "common/line_writer.h"
#include "common/lock_order.h"
#include "common/logging.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "common/text_width.h"
#include "model/device_health.h"
#include "server/config_reloader.h"
#include "server/limits.h"
#include "server/link_prediction_server.h"
#include "server/open_files.h"
#include "server/server_command_line.h"
#include "server/server_options.h"
#include "server/service_manager.h"
#include "server/stop_signal.h"
#include "server/transport/grpc_log.h"

namespace slice {
namespace {

constexpr int kDeviceLostExitStatus = 3;
constexpr char kServing[] = "serving";  // what systemctl status shows

// Waits for the first signal, then stops in order. A reload that is under way
// goes on during the lame duck, and must end before the shutdown. Returns
// DeviceLostError when the device was lost and the CPU did not take over.
absl::Status ServeUntilSignal(const ServerOptions& options, StopSignal& stop,
                              ServiceManager& manager,
                              LinkPredictionServer& server) {
  stop.Wait();
  stop.IgnoreHangUps();
  manager.Stopping();
  manager.StopKeepingAlive();
  if (server.device_health().lost() &&
      options.on_device_loss == DeviceLossPolicy::kExit) {
    stop.OnHangUp(nullptr);
    server.Shutdown();  // no lame duck: requests would fail
    return DeviceLostError("stopped");
  }
  LogInfo("stopping: lame duck for %s",
          absl::FormatDuration(options.lame_duck));
  server.EnterLameDuck();
  std::this_thread::sleep_for(absl::ToChronoNanoseconds(options.lame_duck));
  stop.OnHangUp(nullptr);
  server.Shutdown();
  LogInfo("stopped");
  return absl::OkStatus();
}

// Where something limits the process to fewer cores than the machine has, logs
// the numbers of threads and the limit.
void LogThreads(const ServerOptions& options) {
  const ProcessorShare& share = OwnProcessorShare();
  const std::string limit = share.Limit();
  if (limit.empty()) return;
  LogInfo("threads for %d of %d cores: %s; because of %s", share.Count(),
          share.online, options.ThreadCounts(), limit);
}

absl::Status Run(const ServerOptions& options, ConfigReloader& reloader,
                 StopSignal& stop) {
  LogThreads(options);
  ServiceManager manager = ServiceManager::FromEnvironment();
  SLICE_ASSIGN_OR_RETURN(auto server, LinkPredictionServer::Listen(
                                          options, Clock::Real(), &reloader));
  server->CallOnDeviceLoss([&stop] { stop.Raise(); });
  SLICE_RETURN_IF_ERROR(server->Load());
  stop.StartServing();
  stop.OnHangUp([&] {
    manager.Reloading();
    (void)reloader.Reload();
    if (!stop.IsRaised()) manager.Ready(kServing);
  });
  const FreedMemoryReturner returner;
  if (!server->admin_address().empty()) {
    std::cout << "admin on " << server->admin_address() << std::endl;
  }
  if (!server->metrics_address().empty()) {
    std::cout << "metrics on " << server->metrics_address() << std::endl;
  }
  if (!server->http_address().empty()) {
    std::cout << "http on " << server->http_address() << std::endl;
  }
  std::cout << "listening on " << server->address() << std::endl;
  manager.Ready(kServing);
  manager.KeepAlive(
      [&server](absl::Duration limit) { return server->IsAlive(limit); });
  return ServeUntilSignal(options, stop, manager, *server);
}

absl::Status RunInMemory(const ServerOptions& options, ConfigReloader& reloader,
                         StopSignal& stop) {
  try {
    return Run(options, reloader, stop);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "out of memory: the bundle and its graph need more than this process "
        "may have; raise ulimit -v or the container's limit");
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a thread could not be started: ", error.what(),
                     "; raise ulimit -u or the container's limit on "
                     "processes"));
  }
}

// Writes `message` to stderr. Like the log, it does not wait for a reader.
int Fail(const std::string& message, int exit_status) {
  LineWriter(STDERR_FILENO, Rate(), Clock::Real())
      .Write(absl::StrCat("slice-server: ", Printable(message, " ")));
  return exit_status;
}

int Main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1),
                                           argv + argc);
  const ServerCommandLine line = ReadServerCommandLine(arguments);
  const ParsedLine& parsed = line.parsed;
  if (!parsed.text.empty()) {
    std::cout << parsed.text;
    return kExitOk;
  }
  if (!parsed.status.ok()) {
    return Fail(std::string(parsed.status.message()), kExitUsage);
  }

  std::signal(SIGPIPE, SIG_IGN);
  RaiseOpenFileLimit();
  StopSignal stop;
  NeverWaitForLog();
  RouteLibraryLogs();
  SetLogLevel(line.options.log_level);
  ConfigReloader reloader(arguments, line);
  const absl::Status status = RunInMemory(line.options, reloader, stop);
  if (IsDeviceLost(status)) {
    Fail(std::string(status.message()), kDeviceLostExitStatus);
    // The destructors of a library that lost its device could end the process
    // with another status.
    std::_Exit(kDeviceLostExitStatus);
  }
  if (!status.ok()) return Fail(std::string(status.message()), kExitFailure);
  return kExitOk;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();
  slice::IgnoreInternalHeaders();
  const bool limits_headers = slice::LimitHeaderBlocks();
  const bool limits_streams = slice::LimitEarlyStreams(slice::kMaxEarlyStreams);
  if (!limits_headers || !limits_streams) {
    slice::LogWarning(
        "this gRPC is not version 1.51, for which the server bounds headers "
        "and early calls itself: keep a proxy in front (docs/security.md)");
  }
  return slice::Main(argc, argv);
}
