// The flags form three groups: which RPCs are sent (class, links), when and
// over which connections they are sent (loop, times, connections), and how
// results are printed. Most flags write straight into BenchOptions;
// FinishBenchFlags sets the other options.
#include "client/bench/bench_flags.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr int kMaxLinksPerRpc = 1024;  // of the wire contract
constexpr int kMaxConcurrency = 100'000;
constexpr int kMaxConnections = 1000;
constexpr int kMaxStreams = 1000;
constexpr int kMaxDrawnLinks = 1'000'000;
constexpr double kMinRate = 0.001;
constexpr double kMaxRate = 1e6;
constexpr absl::Duration kMinTime = absl::Milliseconds(100);
constexpr absl::Duration kMaxTime = absl::Hours(24);

void AddRequestFlags(CommandFlags& command, BenchFlags& flags) {
  BenchOptions& options = flags.options;
  const Flag load_class =
      command
          .Add("--class", flags.load_class,
               "the request class; chosen by the server when left out")
          .OneOf({"interactive", "bulk"});
  const Flag share =
      command
          .Add("--bulk-share", options.bulk_share,
               "a mix: this share of the RPCs is bulk, drawn at random, the "
               "others are interactive; the two are also reported apart")
          .Between(0, 1)
          .Default("");
  share.Excludes(load_class);
  command
      .Add("--bulk-links-per-rpc", options.bulk_links_per_rpc,
           "links in a bulk RPC of the mix")
      .Between(1, kMaxLinksPerRpc)
      .Default("--links-per-rpc")
      .Needs(share);
  command.Add("--links-per-rpc", options.links_per_rpc, "links in one RPC")
      .Between(1, kMaxLinksPerRpc);
  command
      .Add("--explanation", options.explanation,
           "how much of an explanation to ask for")
      .OneOf({"none", "context", "full"});
  command
      .Add(
          "--what-if", options.what_if_changes,
          "each request imagines this many changes: the graph lacks links that "
          "were drawn from it, or has links of the file")
      .Type("CHANGES")
      .Between(0, 64);
  command
      .Add("--links", options.links_path,
           "ask for the links of this file, in turn; drawn from the server's "
           "graph when left out")
      .Type("FILE");
  command
      .Add("--drawn-links", options.drawn_links,
           "how many different links to draw")
      .Between(1, kMaxDrawnLinks);
  command.Add("--seed", options.seed,
              "seed of the links drawn and of the times of --rate");
}

void AddLoopFlags(CommandFlags& command, BenchFlags& flags) {
  BenchOptions& options = flags.options;
  command
      .Add("--concurrency", options.concurrency,
           "closed loop: this many calls are under way at any time; a "
           "list, such as 1,8,64, runs one load after the other")
      .SplitAt(',')
      .Between(1, kMaxConcurrency)
      .Default("1, or a call for each stream");
  command
      .Add("--rate", options.rates,
           "open loop: this many RPCs per second at random times, whatever "
           "the server does; also a list")
      .SplitAt(',')
      .Between(kMinRate, kMaxRate);
  command.Add("--duration", options.duration, "how long to measure")
      .Between(kMinTime, kMaxTime);
  command
      .Add("--warmup", options.warmup,
           "load that comes first and is not measured")
      .Between(absl::ZeroDuration(), kMaxTime);
  command
      .Add("--latency-bound", options.latency_bound,
           "of several loads the best is that with the most links per second "
           "whose p99 is within this time")
      .Between(absl::Microseconds(1), kMaxTime);
  command
      .Add("--connections", options.connections,
           "connections that the calls are spread over")
      .Between(1, kMaxConnections);
  command
      .Add("--streams", options.streams,
           "send the requests over this many StreamPredictLinks streams; 0: "
           "one unary call each")
      .Between(0, kMaxStreams);
  command
      .Add("--max-outstanding", options.max_outstanding,
           "with --rate: most calls under way; calls due beyond that are not "
           "sent, and counted")
      .Between(1, kMaxConcurrency);
  command.AddSwitch("--until-unavailable", options.until_unavailable,
                    "end at the first UNAVAILABLE, when the server stops");
}

// Sets the class of the RPCs and the links of a bulk RPC, and checks that every
// stream has a caller.
absl::Status FinishRequests(const BenchFlags& flags, BenchOptions& options) {
  if (flags.load_class == "interactive")
    options.load_class = LoadClass::kInteractive;
  if (flags.load_class == "bulk") options.load_class = LoadClass::kBulk;
  if (options.bulk_links_per_rpc == 0)
    options.bulk_links_per_rpc = options.links_per_rpc;
  for (const int callers : options.concurrency) {
    if (callers < options.streams) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--streams ", options.streams, " needs a --concurrency of at least ",
          options.streams, ", not ", callers, ": every stream needs a caller"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddBenchFlags(CommandFlags& command, BenchFlags& flags) {
  AddRequestFlags(command, flags);
  AddLoopFlags(command, flags);
  command
      .Add("--format", flags.format,
           "table, json (an object per load) or html (a page with the curve); "
           "table when left out")
      .OneOf({"table", "json", "html"});
}

absl::Status FinishBenchFlags(BenchFlags& flags, bool json) {
  BenchOptions& options = flags.options;
  if (!options.concurrency.empty() && !options.rates.empty()) {
    return absl::InvalidArgumentError(
        "--rate contradicts --concurrency: give --rate for an open loop or "
        "--concurrency for a closed loop");
  }
  if (options.concurrency.empty() && options.rates.empty())
    options.concurrency = {std::max(1, options.streams)};
  SLICE_RETURN_IF_ERROR(FinishRequests(flags, options));
  if (json && !flags.format.empty() && flags.format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("--json contradicts --format ", flags.format));
  }
  if (json || flags.format == "json") options.format = BenchFormat::kJson;
  if (flags.format == "html") options.format = BenchFormat::kHtml;
  return absl::OkStatus();
}

}  // namespace slice
