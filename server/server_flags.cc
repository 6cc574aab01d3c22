// Every flag of slice-server, in the order of its help: the sections of its
// configuration file.
#include "server/server_flags.h"

#include "common/status_macros.h"
#include "server/access/role.h"

namespace slice {
namespace {

void AddModels(CommandFlags& flags, ServerOptions& options) {
  flags.BeginSection("models");
  flags
      .Add("--bundle", options.bundle,
           "directory of the bundle to serve, or a link to one; the "
           "configuration file may list several models")
      .Type("DIR");
  flags.AddSwitch("--watch-bundle", options.watch_bundle,
                  "load the bundle again when it or the link changes");
  flags
      .Add("--data-dir", options.data_dir,
           "directory of the graphs in RocksDB; made when missing")
      .Type("DIR");
  flags.Add("--model-name", options.model_name, "name of the model in requests")
      .Type("NAME");
  flags
      .Add("--default-model", options.default_model,
           "model that answers requests that name none; empty: that of "
           "--bundle, or else the first")
      .Type("NAME");
  flags
      .Add("--trusted-keys", options.trusted_keys,
           "PEM file with public keys of ed25519; only bundles that one of "
           "them has signed are loaded; empty: all")
      .Type("FILE");
  flags.Add("--device", options.device, "cpu, cuda or cuda:N").Type("DEVICE");
  flags
      .Add("--forward", options.forward,
           "how the network is run: native (this project's kernels), "
           "torchscript (the network as the bundle defines it, run by "
           "LibTorch), auto (native where the bundle allows it, or else the "
           "faster of the two as measured at load) or native-bf16 (bfloat16 "
           "weights, faster and less exact)")
      .Type("NAME");
  flags.AddParsed("--on-device-loss", ParseDeviceLossPolicy,
                  options.on_device_loss, {"exit", "cpu"},
                  "when a cuda device is lost, end with status 3 or let the "
                  "CPU take over");
}

void AddListeners(CommandFlags& flags, ServerOptions& options) {
  flags.BeginSection("server");
  flags
      .Add("--listen", options.listen, "address for gRPC; port 0: any free one")
      .Type("HOST:PORT");
  flags
      .Add("--http-listen", options.http_listen,
           "address for the JSON API over HTTP, /metrics, /healthz and "
           "/readyz; empty: none")
      .Type("HOST:PORT");
  flags
      .Add("--metrics-listen", options.metrics_listen,
           "address for /metrics over HTTP; empty: none")
      .Type("HOST:PORT");
  flags
      .Add("--admin-listen", options.admin_listen,
           "unix:PATH or HOST:PORT for AdminService; HOST must be the loopback "
           "unless there is TLS; empty: none")
      .Type("ADDRESS");
  flags.AddSwitch("--allow-plaintext", options.allow_plaintext,
                  "listen without TLS even where other machines can reach it");
  flags.AddSwitch("--accept-updates", options.accept_updates,
                  "let clients with the role update change the graph; the "
                  "changes are kept below --data-dir");
  flags
      .Add(
          "--feed", options.feed,
          "ordered log from which all replicas take the changes of the graph: "
          "nats://HOST:PORT[,HOST:PORT...]/STREAM, with ?replicas=N to make a "
          "missing stream with N copies, or "
          "kafka://HOST:PORT[,HOST:PORT...]/TOPIC; empty: none, this server is "
          "alone")
      .Type("ADDRESS");
  flags
      .Add("--feed-config", options.feed_config,
           "file with lines NAME = VALUE for the feed; of NATS user, password, "
           "token, credentials, tls_ca, tls_cert and tls_key, of Kafka the "
           "settings of librdkafka; empty: none")
      .Type("FILE");
  flags
      .Add("--max-lag", options.max_lag,
           "a replica that is further behind --feed reports NOT_SERVING; a "
           "number of entries, or a time since it was in step, such as 30s, "
           "which also counts while the feed is away")
      .Type("LAG");
}

void AddTls(CommandFlags& flags, TlsOptions& tls) {
  flags.BeginSection("tls");
  flags
      .Add("--tls-cert", tls.cert,
           "PEM file with the server's certificate, and then those between it "
           "and its authority; files that change are read again; empty: no TLS")
      .Type("FILE");
  flags
      .Add("--tls-key", tls.key,
           "PEM file with the key of the certificate, not readable by everyone")
      .Type("FILE");
  flags
      .Add("--tls-client-ca", tls.client_ca,
           "PEM file with the authorities that sign clients")
      .Type("FILE");
  flags
      .Add("--tls-client-crl", tls.client_crl,
           "PEM file with the certificates that these authorities revoked")
      .Type("FILE");
  flags.AddParsed("--tls-client-auth", ParseClientCertificates, tls.client_auth,
                  {"none", "request", "require"},
                  "whether clients show a certificate");
  flags.Add("--tls-min-version", tls.min_version, "lowest version of TLS")
      .OneOf({"1.2", "1.3"});
}

void AddIdentities(CommandFlags& flags, ServerOptions& options) {
  flags.BeginSection("identities");
  flags
      .Add("--token-file", options.token_file,
           "YAML file with a list of identities, as identities.known of the "
           "configuration file, so that they can be kept apart")
      .Type("FILE");
  flags
      .AddRead(
          "--anonymous-roles",
          [&options](const std::string& text) -> absl::Status {
            options.access.anonymous.reset();
            if (text == "auto") return absl::OkStatus();
            SLICE_ASSIGN_OR_RETURN(options.access.anonymous,
                                   ParseRoles(text == "none" ? "" : text));
            return absl::OkStatus();
          },
          "what callers without credentials may do: some of predict, explore, "
          "update, admin and metrics, with commas; none; or auto, which is all "
          "on "
          "local addresses and none elsewhere")
      .Type("ROLES")
      .Default("auto");
}

void AddLimits(CommandFlags& flags, ServerOptions& options) {
  flags.BeginSection("limits");
  flags.Add("--max-batch-size", options.max_batch_size,
            "most cost of one model call: 1 for a link, dozens for one with a "
            "FULL explanation");
  flags.Add("--max-bulk-batch-size", options.max_bulk_batch_size,
            "the same of calls for bulk work or explanations");
  flags.Add("--max-queue-items", options.max_queue_items,
            "most links inside the server at once");
  flags
      .Add("--max-queue-bytes", options.max_queue_bytes,
           "most bytes inside the server at once, of requests, of questions "
           "that wait for a version of the graph, and of answers that clients "
           "have not read")
      .Type("BYTES");
  flags
      .Add("--max-transport-bytes", options.max_transport_bytes,
           "bytes that gRPC may hold for calls; when they need more, gRPC "
           "closes connections")
      .Type("BYTES");
  flags.Add("--max-connections", options.max_connections,
            "most connections at once; one host may have half of them; 0: as "
            "many as the limit on open files allows");
  flags
      .Add("--result-cache-bytes", options.result_cache_bytes,
           "most bytes of answers kept for links that are asked about again; "
           "0: none")
      .Type("BYTES");
  flags.Add("--max-deadline", options.max_deadline,
            "longest time that a request may take");
  flags
      .Add("--client-key", options.client_key,
           "request metadata that tells the clients of one host apart, for "
           "their fair shares; of small letters, digits, \"-\", \"_\" and "
           "\".\"; empty: none")
      .Type("KEY");
}

void AddQuotas(CommandFlags& flags, QuotaLimits& quotas) {
  flags
      .Add("--links-per-second", quotas.of(QuotaKind::kLinks),
           "links that an identity, or a host without credentials, may ask for "
           "in a second; its own limits in the configuration file come first; "
           "0: no limit")
      .Between(0, 1e12);
  flags
      .Add("--recommendations-per-second",
           quotas.of(QuotaKind::kRecommendations),
           "as --links-per-second, for recommendations among all nodes; others "
           "count by their cost")
      .Between(0, 1e12);
  flags
      .Add(
          "--searches-per-second", quotas.of(QuotaKind::kSearches),
          "as --links-per-second, for look-ups of nodes, neighbours, relations "
          "and models, and for searches for similar names")
      .Between(0, 1e12);
  flags.Add("--links-under-way", quotas.links_under_way,
            "most links inside the server at once of an identity, or of a host "
            "without credentials; 0: no limit");
}

void AddThreads(CommandFlags& flags, ServerOptions& options) {
  flags.Add("--executors", options.executors,
            "threads that run the model; 0: half of the usable cores");
  flags.Add("--context-workers", options.context_workers,
            "threads that cut contexts; 0: one per usable core");
  flags.Add("--responders", options.responders,
            "threads that send replies; 0: a quarter of the usable cores");
  flags.Add("--recommend-workers", options.recommend_workers,
            "threads that recommend links, one call each; 0: a quarter of the "
            "usable cores");
}

void AddStop(CommandFlags& flags, ServerOptions& options) {
  flags.Add("--lame-duck", options.lame_duck,
            "time between NOT_SERVING and the end of service");
  flags.Add("--drain-timeout", options.drain_timeout,
            "time to answer the requests that were admitted");
}

void AddLogging(CommandFlags& flags, ServerOptions& options) {
  flags.BeginSection("logging");
  flags.AddParsed("--log-level", ParseLogLevel, options.log_level,
                  {"debug", "info", "warning", "error"},
                  "the least important lines that are logged");
  flags
      .Add("--audit-log", options.call_log.audit_file,
           "file with a line of JSON for every call of AdminService and every "
           "call that was refused for want of a role; empty: the log")
      .Type("FILE");
  flags
      .Add("--access-log", options.call_log.access_file,
           "file with a line of JSON for a sample of all calls; empty: none")
      .Type("FILE");
  flags
      .Add("--access-log-share", options.call_log.access_share,
           "share of the calls that get a line in it")
      .Between(0, 1);
  flags
      .Add("--record-schedule", options.record_schedule,
           "file in which the server, when it stops, records what the "
           "scheduler did; at most 64 MiB; empty: none")
      .Type("FILE");
}

}  // namespace

void AddServerFlags(CommandFlags& flags, ServerOptions& options) {
  AddModels(flags, options);
  AddListeners(flags, options);
  AddThreads(flags, options);
  AddStop(flags, options);
  AddTls(flags, options.tls);
  AddIdentities(flags, options);
  AddLimits(flags, options);
  AddQuotas(flags, options.quotas);
  AddLogging(flags, options);
}

}  // namespace slice
