// Most flags write straight into the options of the client. Those that depend
// on each other (encryption, headers, times, retries) are kept as typed, and
// FinishClientFlags turns them into options when all flags are read.
#include "client/commands/client_flags.h"

#include <cstdlib>
#include <utility>

#include "common/status_macros.h"

namespace slice {
namespace {

constexpr double kMaxSeconds = 86400;

// The token of the file, or else the variable. A token is no flag, because
// every user of the machine can read the flags of a process.
absl::Status FindToken(const std::string& file, ConnectionOptions* connection) {
  if (!file.empty()) {
    SLICE_ASSIGN_OR_RETURN(connection->token, ReadToken(file));
  } else if (const char* const token = std::getenv("SLICE_TOKEN")) {
    connection->token = token;
  }
  return absl::OkStatus();
}

// Turns the flags as typed into the options of the client.
absl::Status FinishClientFlags(ClientFlags& values) {
  LinkClient::Options& client = values.client;
  ConnectionOptions& connection = client.connection;
  const bool certificates =
      !(connection.ca_file.empty() && connection.cert_file.empty() &&
        connection.key_file.empty());
  connection.tls = values.tls || certificates;
  if (values.plaintext && connection.tls) {
    return absl::InvalidArgumentError(
        "--plaintext contradicts --tls, --cacert, --cert and --key");
  }
  for (const std::string& header : values.headers) {
    SLICE_ASSIGN_OR_RETURN(auto metadata, ParseMetadata(header));
    connection.metadata.push_back(std::move(metadata));
  }
  if (values.max_time > 0) client.max_time = absl::Seconds(values.max_time);
  if (values.retries >= 0) {
    client.retry.max_attempts = values.retries + 1;
    client.retry.max_attempts_with_delay = values.retries + 1;
  }
  SLICE_RETURN_IF_ERROR(FindToken(values.token_file, &connection));
  return connection.Validate();
}

}  // namespace

void AddClientFlags(CommandFlags& flags, ClientFlags& values) {
  ConnectionOptions& connection = values.client.connection;
  flags
      .Add("--server", connection.server,
           "where the server listens, or unix:PATH")
      .Type("HOST:PORT")
      .Environment("SLICE_SERVER");
  flags.AddSwitch("--plaintext", values.plaintext,
                  "no encryption; the default unless a TLS flag is given");
  flags.AddSwitch("--tls", values.tls,
                  "encrypt, trusting the system's authorities");
  flags
      .Add("--cacert", connection.ca_file,
           "encrypt, trusting the authorities of this PEM file")
      .Type("FILE");
  flags
      .Add("--server-name", connection.server_name,
           "the name that the server's certificate must have, if it is not the "
           "host of --server")
      .Type("NAME");
  flags
      .Add("--cert", connection.cert_file,
           "the client's certificate, a PEM file; needs --key")
      .Type("FILE");
  flags
      .Add("--key", connection.key_file,
           "the client's private key, a PEM file; needs --cert")
      .Type("FILE");
  flags
      .Add("--token-file", values.token_file,
           "file with the token that says who calls; else the variable "
           "SLICE_TOKEN may hold one")
      .Type("FILE");
  flags
      .Add("--max-time", values.max_time,
           "seconds that a call may take, with its retries")
      .Between(0.001, kMaxSeconds)
      .Type("SECONDS")
      .Default("30; health: 5");
  flags
      .Add("--retries", values.retries,
           "tries after the first while the server is unavailable or full")
      .Between(0, 100)
      .Default("3, or 9 when the server names a delay");
  flags.Add("-H,--header", values.headers, "metadata to send, as 'name: value'")
      .OneValueEach();
  flags
      .Add("--model", values.client.model,
           "name of the model to ask; the server's default when left out")
      .Type("NAME");
  flags.AddSwitch("--json", values.json, "print JSON, an object per line");
  flags.AddSwitch("--ascii", values.ascii, "draw with ASCII only");
  flags.Check([&values] { return FinishClientFlags(values); });
}

Flag AddKeys(CommandFlags& flags, bool& exact_keys) {
  return flags.AddSwitch("--keys", exact_keys,
                         "take nodes as keys only, never as names");
}

Flag AddScorer(CommandFlags& flags, ClientFlags& values) {
  return flags
      .Add("--scorer", values.client.scorer,
           "the scorer that answers: context, ends or structural; the "
           "bundle's default when left out")
      .Type("NAME");
}

Flag AddPrior(CommandFlags& flags, ClientFlags& values) {
  return flags
      .Add("--prior", values.client.prior,
           "the share of links among the pairs that you ask about, such as "
           "0.001; probabilities then hold at this share instead of that of "
           "the valid links")
      .Between(1e-9, 1 - 1e-9)
      .Type("SHARE")
      .Default("");
}

Flag AddMinGraphVersion(CommandFlags& flags, ClientFlags& values) {
  return flags
      .Add("--min-graph-version", values.client.min_graph_version,
           "wait until the graph has this version, such as one that update "
           "printed")
      .Type("N")
      .Default("");
}

Flag AddRelation(CommandFlags& flags, std::string& relation) {
  return flags.Add("--relation", relation, "only links of this relation")
      .Type("RELATION");
}

}  // namespace slice
