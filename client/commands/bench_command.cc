// `slice-client bench` asks the server which model it has, gathers links (from
// a file, or drawn from the server's graph), serialises the requests, and runs
// the loads one after the other. Ctrl-C ends the present load; what was
// measured up to then is printed.
#include "client/commands/bench_command.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/bench/bench_flags.h"
#include "client/bench/bench_html.h"
#include "client/bench/bench_json.h"
#include "client/bench/bench_report.h"
#include "client/bench/bench_table.h"
#include "client/bench/load_links.h"
#include "client/bench/stream_load.h"
#include "client/bench/unary_load.h"
#include "client/exit_codes.h"
#include "client/interrupt.h"
#include "common/progress.h"
#include "common/status_macros.h"

namespace slice {
namespace {

std::vector<BenchLoad> LoadsOf(const BenchOptions& options) {
  std::vector<BenchLoad> loads;
  for (const int concurrency : options.concurrency)
    loads.emplace_back().concurrency = concurrency;
  for (const double rate : options.rates) loads.emplace_back().rate = rate;
  return loads;
}

absl::StatusOr<std::unique_ptr<LoadCalls>> Connect(
    const LinkClient::Options& client, const BenchOptions& options,
    size_t slots, const LoadRequests* requests) {
  if (options.streams > 0) {
    return StreamLoad::Connect(client, options.connections, options.streams,
                               requests);
  }
  return UnaryLoad::Connect(client, options.connections, slots, requests);
}

absl::Status Run(const LinkClient::Options& client, const BenchOptions& options,
                 const LoadRequests& requests, const InterruptWatch& interrupt,
                 BenchLoad* load) {
  LoadShape shape;
  shape.rate = load->rate;
  shape.slots = load->rate > 0 ? options.max_outstanding
                               : static_cast<size_t>(load->concurrency);
  shape.warmup = options.warmup;
  shape.duration = options.duration;
  shape.seed = options.seed;
  shape.until_unavailable = options.until_unavailable;
  SLICE_ASSIGN_OR_RETURN(const auto calls,
                         Connect(client, options, shape.slots, &requests));
  ProgressLine progress(absl::StrCat("bench, ", load->Name()), 0, "RPCs");
  int64_t shown = 0;
  load->load = RunLoad(shape, calls.get(), [&](int64_t finished) {
    progress.Advance(static_cast<uint64_t>(finished - shown));
    shown = finished;
    return !interrupt.interrupted();
  });
  progress.Finish();
  return absl::OkStatus();
}

// Warns about calls that were not sent and about failures.
void Warn(const BenchLoad& load, const BenchOptions& options,
          std::ostream& messages) {
  const LoadResult& result = load.load.result;
  const std::string where = absl::StrCat("warning: ", load.Name(), ": ");
  if (result.unsent > 0) {
    messages << where << result.unsent << " of " << result.unsent + result.sent
             << " calls were not sent, because " << options.max_outstanding
             << " were under way already (--max-outstanding); the latencies do "
                "not include them\n";
  }
  if (!result.first_error.ok()) {
    messages << where << result.sent - result.answered << " of " << result.sent
             << " calls failed (" << ErrorCounts(result.errors) << "); "
             << ErrorText("the first", result.first_error);
  }
  if (!result.first_link_error.ok()) {
    messages << where << "links failed (" << ErrorCounts(result.link_errors)
             << "); " << ErrorText("the first", result.first_link_error);
  }
}

void Print(const BenchReport& report, const CommandOutput& output) {
  switch (report.options.format) {
    case BenchFormat::kTable:
      output.results << BenchTable(report, output.style);
      return;
    case BenchFormat::kJson:
      for (const BenchLoad& load : report.loads)
        output.results << BenchJson(report, load) << "\n";
      return;
    case BenchFormat::kHtml:
      output.results << BenchHtml(report);
      return;
  }
}

// Returns kExitOk when any link was scored, because errors are part of the
// results then. Otherwise returns the exit status of the first error.
int ExitCodeOf(const BenchReport& report) {
  absl::Status error;
  for (const BenchLoad& load : report.loads) {
    const LoadResult& result = load.load.result;
    if (result.links > 0) return kExitOk;
    if (error.ok()) error = result.first_error;
    if (error.ok()) error = result.first_link_error;
  }
  return error.ok() ? kExitOk : ExitCodeFor(error);
}

}  // namespace

int RunBench(const LinkClient& client, const BenchOptions& options,
             const CommandOutput& output) {
  const InterruptWatch interrupt;
  BenchReport report;
  report.server = client.options().connection.server;
  report.options = options;
  report.scorer = client.options().scorer;
  report.max_time = client.options().max_time;
  std::vector<LinkQuery> links;
  if (!options.links_path.empty()) {
    auto read = ReadLinks(options.links_path, options.exact_keys);
    if (!read.ok()) return PrintFileError(read.status(), output);
    links = *std::move(read);
  }
  absl::StatusOr<ModelInfo> model = client.GetModelInfo();
  if (!model.ok()) return PrintCallError(model.status(), output);
  report.model = *std::move(model);
  if (options.links_path.empty()) {
    auto drawn = DrawLinks(client, options.drawn_links, options.seed);
    if (!drawn.ok()) return PrintCallError(drawn.status(), output);
    links = *std::move(drawn);
  }
  report.different_links = links.size();
  const LoadRequests requests(links, client.options(), options);
  for (BenchLoad& load : LoadsOf(options)) {
    const absl::Status status =
        Run(client.options(), options, requests, interrupt, &load);
    if (!status.ok()) return PrintCallError(status, output);
    Warn(load, options, output.messages);
    const bool ended = load.load.result.interrupted;
    report.loads.push_back(std::move(load));
    if (ended) break;
  }
  Print(report, output);
  return ExitCodeOf(report);
}

ClientRun DefineBench(CommandFlags& flags, ClientFlags& shared) {
  const auto bench = std::make_shared<BenchFlags>();
  AddKeys(flags, bench->options.exact_keys);
  AddScorer(flags, shared);
  AddBenchFlags(flags, *bench);
  flags.Check(
      [bench, &shared] { return FinishBenchFlags(*bench, shared.json); });
  return [bench](const LinkClient& client, const CommandOutput& output) {
    return RunBench(client, bench->options, output);
  };
}

}  // namespace slice
