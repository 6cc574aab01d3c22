// slice-server: serves the bundle of a trained model over gRPC.
//
// Exit status: 0 after a graceful stop, 1 when it could not start, 2 for wrong
// flags, 3 when the device was lost.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/freed_memory.h"
#include "common/line_writer.h"
#include "common/lock_order.h"
#include "common/logging.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "common/text_width.h"
#include "model/device_health.h"
#include "server/link_prediction_server.h"
#include "server/open_files.h"
#include "server/server_options.h"
#include "server/stop_signal.h"
#include "server/transport/grpc_log.h"

namespace slice {
namespace {

constexpr int kDeviceLostExitStatus = 3;

// Underscores and hyphens are one in flag names.
std::string Spellings(const std::string& name) {
  const std::string hyphens = absl::StrReplaceAll(name, {{"_", "-"}});
  return name == hyphens ? "--" + name : "--" + name + ",--" + hyphens;
}

template <typename Value>
void AddFlag(CLI::App& app, const std::string& name, Value& value,
             const std::string& help) {
  app.add_option(Spellings(name), value, help)->capture_default_str();
}

void AddDuration(CLI::App& app, const std::string& name, absl::Duration& value,
                 const std::string& help) {
  app.add_option_function<std::string>(
         Spellings(name),
         [name, &value](const std::string& text) {
           if (!absl::ParseDuration(text, &value)) {
             throw CLI::ValidationError(
                 absl::StrCat("--", name, ": '", text,
                              "' is not a duration such as 5s or 200ms"));
           }
         },
         help)
      ->default_str(absl::FormatDuration(value))
      ->type_name("DURATION");
}

void AddFlags(CLI::App& app, ServerOptions& options) {
  AddFlag(app, "bundle", options.bundle, "directory of the bundle to serve");
  AddFlag(app, "data_dir", options.data_dir,
          "directory of the graphs in RocksDB; made when missing");
  AddFlag(app, "listen", options.listen, "HOST:PORT for gRPC; port 0: any");
  AddFlag(app, "metrics_listen", options.metrics_listen,
          "HOST:PORT for /metrics over HTTP; empty: none");
  AddFlag(app, "admin_listen", options.admin_listen,
          "unix:PATH or a loopback HOST:PORT for AdminService; empty: none");
  AddFlag(app, "model_name", options.model_name,
          "name of the model in requests");
  AddFlag(app, "device", options.device, "cpu, cuda or cuda:N");
  AddFlag(app, "forward", options.forward,
          "how the network is run: native (our kernels), torchscript (the "
          "definition), auto: the faster of the two at load, or native-bf16: "
          "bfloat16 weights, faster and less exact");
  AddFlag(app, "on_device_loss", options.on_device_loss,
          "when a cuda device is lost: exit (with status 3) or cpu: the CPU "
          "takes over");
  AddFlag(app, "max_batch_size", options.max_batch_size,
          "most links in one model call");
  AddFlag(app, "max_bulk_batch_size", options.max_bulk_batch_size,
          "most links in one model call while only bulk work waits");
  AddFlag(app, "max_queue_items", options.max_queue_items,
          "most links inside the server at once");
  AddFlag(app, "max_queue_bytes", options.max_queue_bytes,
          "most bytes of requests, and of answers not read, at once");
  AddFlag(app, "max_transport_bytes", options.max_transport_bytes,
          "bytes of calls inside gRPC at which it closes connections");
  AddFlag(app, "max_connections", options.max_connections,
          "most connections at once, of one host half of those; 0: as many as "
          "the limit on open files allows");
  AddFlag(
      app, "result_cache_bytes", options.result_cache_bytes,
      "bytes of answers kept for links that are asked about again; 0: none");
  AddFlag(app, "executors", options.executors,
          "threads that run the model; 0: half of the cores it may use");
  AddFlag(app, "context_workers", options.context_workers,
          "threads that cut contexts; 0: one per core it may use");
  AddFlag(app, "responders", options.responders,
          "threads that send replies; 0: a quarter of the cores it may use");
  AddFlag(
      app, "client_key", options.client_key,
      "request metadata that names a client of its host for its fair share");
  AddFlag(app, "record_schedule", options.record_schedule,
          "file that receives what the scheduler did, at the stop; 64 MiB at "
          "most; empty: none");
  AddFlag(app, "recommend_workers", options.recommend_workers,
          "threads that recommend links, one call each; 0: a quarter of the "
          "cores it may use");
  AddDuration(app, "max_deadline", options.max_deadline,
              "longest time given to a request");
  AddDuration(app, "lame_duck", options.lame_duck,
              "time between NOT_SERVING and the end of service");
  AddDuration(app, "drain_timeout", options.drain_timeout,
              "time to answer what was admitted");
}

// Waits for the first signal, then stops in order. DeviceLostError when the
// device was lost and nothing took over.
absl::Status ServeUntilSignal(const ServerOptions& options, StopSignal& stop,
                              LinkPredictionServer& server) {
  stop.Wait();
  if (server.device_health().lost() && options.on_device_loss == "exit") {
    server.Shutdown();  // what is asked now only fails: no lame duck
    return DeviceLostError("stopped");
  }
  LogInfo("stopping: lame duck for %s",
          absl::FormatDuration(options.lame_duck));
  server.EnterLameDuck();
  std::this_thread::sleep_for(absl::ToChronoNanoseconds(options.lame_duck));
  server.Shutdown();
  LogInfo("stopped");
  return absl::OkStatus();
}

// Fewer threads than the machine has cores want a reason.
void LogThreads(const ServerOptions& options) {
  const ProcessorShare& share = OwnProcessorShare();
  const std::string limit = share.Limit();
  if (limit.empty()) return;
  LogInfo("threads for %d of %d cores: %s; because of %s", share.Count(),
          share.online, options.ThreadCounts(), limit);
}

absl::Status Run(const ServerOptions& options, StopSignal& stop) {
  LogThreads(options);
  SLICE_ASSIGN_OR_RETURN(auto server, LinkPredictionServer::Listen(options));
  server->CallOnDeviceLoss([&stop] { stop.Raise(); });
  SLICE_RETURN_IF_ERROR(server->Load());
  stop.StartServing();
  const FreedMemoryReturner returner;
  const ServedModel& model = *server->model();
  LogInfo("serving model '%s', bundle %s: %d nodes, %d links", model.name,
          model.manifest.bundle_id, model.snapshot->node_count(),
          model.snapshot->link_count());
  if (!server->admin_address().empty()) {
    std::cout << "admin on " << server->admin_address() << std::endl;
  }
  if (!server->metrics_address().empty()) {
    std::cout << "metrics on " << server->metrics_address() << std::endl;
  }
  std::cout << "listening on " << server->address() << std::endl;
  return ServeUntilSignal(options, stop, *server);
}

absl::Status RunInMemory(const ServerOptions& options, StopSignal& stop) {
  try {
    return Run(options, stop);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "out of memory: the bundle and its graph need more than this process "
        "may have (ulimit -v, the container's limit)");
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("a thread could not be started: ", error.what(),
                     " (ulimit -u, the container's limit on processes)"));
  }
}

// Does not wait for a reader either.
int Fail(const std::string& message, int exit_status) {
  LineWriter(STDERR_FILENO, Rate(), Clock::Real())
      .Write(absl::StrCat("slice-server: ", Printable(message, " ")));
  return exit_status;
}

int Main(int argc, char** argv) {
  CLI::App app("Serves link predictions over gRPC.", "slice-server");
  app.option_defaults()->take_last();
  app.set_version_flag("--version", std::string(ServerVersion()));
  ServerOptions options;
  AddFlags(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return Fail(error.what(), 2);
  }
  const absl::Status valid = options.Validate();
  if (!valid.ok()) return Fail(std::string(valid.message()), 2);

  std::signal(SIGPIPE, SIG_IGN);
  RaiseOpenFileLimit();
  StopSignal stop;
  NeverWaitForLog();
  RouteLibraryLogs();
  const absl::Status status = RunInMemory(options, stop);
  if (IsDeviceLost(status)) {
    Fail(std::string(status.message()), kDeviceLostExitStatus);
    // The destructors of a library that lost its device may end otherwise.
    std::_Exit(kDeviceLostExitStatus);
  }
  if (!status.ok()) return Fail(std::string(status.message()), 1);
  return 0;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();
  return slice::Main(argc, argv);
}
