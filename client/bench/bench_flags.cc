#include "client/bench/bench_flags.h"

#include <algorithm>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr int kMaxLinksPerRpc = 1024;  // of the wire contract
constexpr int kMaxConcurrency = 100'000;
constexpr int kMaxConnections = 1000;
constexpr int kMaxStreams = 1000;
constexpr double kMaxRate = 1e6;
constexpr absl::Duration kMaxTime = absl::Hours(24);

absl::StatusOr<absl::Duration> ParseTime(const char* flag,
                                         const std::string& text,
                                         absl::Duration least) {
  absl::Duration time;
  if (!absl::ParseDuration(text, &time) || time < least || time > kMaxTime) {
    return absl::InvalidArgumentError(absl::StrCat(
        flag, " is \"", text, "\"; it must be a time with its unit, from ",
        absl::FormatDuration(least), " to ", absl::FormatDuration(kMaxTime),
        ", such as 15s or 1m30s"));
  }
  return time;
}

void AddClassFlags(CLI::App* command, BenchFlags* flags) {
  BenchOptions& options = flags->options;
  CLI::Option* load_class =
      command
          ->add_option("--class", flags->load_class,
                       "the request class: interactive or bulk; chosen by the "
                       "server when left out")
          ->check(CLI::IsMember({"interactive", "bulk"}));
  CLI::Option* share =
      command
          ->add_option("--bulk-share", options.bulk_share,
                       "mix: this share of the RPCs is bulk, drawn at random, "
                       "the others are interactive; reported apart")
          ->check(CLI::Range(0.0, 1.0))
          ->excludes(load_class);
  command
      ->add_option("--bulk-links-per-rpc", options.bulk_links_per_rpc,
                   "links in a bulk RPC of the mix (default: --links-per-rpc)")
      ->check(CLI::Range(1, kMaxLinksPerRpc))
      ->needs(share);
}

// What the flags that choose RPCs and how they are sent say together.
absl::Status FinishShape(const BenchFlags& flags, BenchOptions* options) {
  if (flags.load_class == "interactive")
    options->load_class = LoadClass::kInteractive;
  if (flags.load_class == "bulk") options->load_class = LoadClass::kBulk;
  if (options->bulk_links_per_rpc == 0)
    options->bulk_links_per_rpc = options->links_per_rpc;
  for (const int callers : options->concurrency) {
    if (callers < options->streams) {
      return absl::InvalidArgumentError(
          absl::StrCat("--streams ", options->streams, " with --concurrency ",
                       callers, ": some streams would have no caller"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddBenchFlags(CLI::App* command, BenchFlags* flags) {
  BenchOptions& options = flags->options;
  AddClassFlags(command, flags);
  command
      ->add_option(
          "--concurrency", flags->concurrency,
          "closed loop: so many calls under way at any time; a list, "
          "such as 1,8,64, runs one load after the other (default 1, or "
          "a call for each stream)")
      ->delimiter(',')
      ->check(CLI::Range(1, kMaxConcurrency));
  command
      ->add_option("--rate", flags->rates,
                   "open loop: so many RPCs per second at random times, "
                   "whatever the server does; also a list")
      ->delimiter(',')
      ->check(CLI::Range(0.001, kMaxRate));
  command
      ->add_option("--links-per-rpc", options.links_per_rpc, "links in one RPC")
      ->check(CLI::Range(1, kMaxLinksPerRpc))
      ->capture_default_str();
  command->add_option("--duration", flags->duration, "how long to measure")
      ->capture_default_str();
  command
      ->add_option("--warmup", flags->warmup,
                   "load that comes first and is not measured")
      ->capture_default_str();
  command
      ->add_option("--connections", options.connections,
                   "connections the calls are spread over")
      ->check(CLI::Range(1, kMaxConnections))
      ->capture_default_str();
  command
      ->add_option("--streams", options.streams,
                   "send the requests over so many StreamPredictLinks streams; "
                   "0: a call each")
      ->check(CLI::Range(0, kMaxStreams))
      ->capture_default_str();
  command
      ->add_option("--max-outstanding", options.max_outstanding,
                   "with --rate: calls under way at most; what is due then is "
                   "not sent, and counted")
      ->check(CLI::Range(1, kMaxConcurrency))
      ->capture_default_str();
  command
      ->add_option("--explanation", options.explanation,
                   "what to ask for: none, context or full")
      ->check(CLI::IsMember({"none", "context", "full"}))
      ->capture_default_str();
  command->add_flag("--until-unavailable", options.until_unavailable,
                    "end at the first UNAVAILABLE, when the server stops");
  command->add_option("--links", options.links_path,
                      "ask for the links of this file, in turn; drawn from "
                      "the server's graph when left out");
  command
      ->add_option("--drawn-links", options.drawn_links,
                   "how many different links to draw")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--seed", options.seed,
                   "of the links drawn and of the times of --rate")
      ->capture_default_str();
  command
      ->add_option("--format", flags->format,
                   "table, json (an object per load) or html (a page with the "
                   "curve)")
      ->check(CLI::IsMember({"table", "json", "html"}));
}

absl::StatusOr<BenchOptions> ParseBenchFlags(const BenchFlags& flags,
                                             bool json) {
  BenchOptions options = flags.options;
  options.concurrency = flags.concurrency;
  options.rates = flags.rates;
  if (!options.concurrency.empty() && !options.rates.empty()) {
    return absl::InvalidArgumentError(
        "--rate contradicts --concurrency: a load is an open loop or a closed "
        "one");
  }
  if (options.concurrency.empty() && options.rates.empty())
    options.concurrency = {std::max(1, options.streams)};
  SLICE_RETURN_IF_ERROR(FinishShape(flags, &options));
  SLICE_ASSIGN_OR_RETURN(
      options.duration,
      ParseTime("--duration", flags.duration, absl::Milliseconds(100)));
  SLICE_ASSIGN_OR_RETURN(options.warmup, ParseTime("--warmup", flags.warmup,
                                                   absl::ZeroDuration()));
  if (json && !flags.format.empty() && flags.format != "json") {
    return absl::InvalidArgumentError(
        absl::StrCat("--json contradicts --format ", flags.format));
  }
  if (json || flags.format == "json") options.format = BenchFormat::kJson;
  if (flags.format == "html") options.format = BenchFormat::kHtml;
  return options;
}

}  // namespace slice
