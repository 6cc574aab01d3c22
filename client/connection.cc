// A channel is made of its options in three steps: check the options, read the
// certificates, and create the channel. gRPC's own retries are off, because
// client/retry_policy.h retries. A channel without a connection tries again
// after at most about two seconds, so that a retry soon reaches a server that
// was restarted. Connections to addresses of this machine never use a proxy.
#include "client/connection.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "common/certificate_file.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace slice {
namespace {

constexpr int kMaxReplyBytes = 64 << 20;

bool IsNameCharacter(char c) {
  return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-' ||
         c == '_' || c == '.';
}

// Whether gRPC can send it; true for an empty text, which is no token.
bool IsToken(absl::string_view text) {
  return std::all_of(text.begin(), text.end(), absl::ascii_isgraph);
}

// The host of HOST:PORT, without the brackets of an IPv6 address.
absl::string_view HostOf(absl::string_view server) {
  absl::string_view host = server.substr(0, server.rfind(':'));
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]"))
    host = host.substr(1, host.size() - 2);
  return host;
}

bool IsThisMachine(absl::string_view server) {
  const absl::string_view host = HostOf(server);
  return absl::StartsWith(server, "unix:") || host == "localhost" ||
         host == "::1" ||
         (absl::StartsWith(host, "127.") &&
          host.find_first_not_of("0123456789.") == absl::string_view::npos);
}

absl::StatusOr<std::string> ReadPem(const std::string& path) {
  if (path.empty()) return std::string();
  return ReadFile(path);
}

// gRPC's error for a certificate that nobody could accept does not say what is
// wrong with it.
absl::Status CheckOwnCertificate(const ConnectionOptions& options,
                                 const grpc::SslCredentialsOptions& pem) {
  if (options.cert_file.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(
      const Certificate certificate,
      FirstCertificate({options.cert_file, pem.pem_cert_chain}));
  SLICE_RETURN_IF_ERROR(
      CheckDates(options.cert_file, certificate.get(), absl::Now()));
  return CheckKeyFits({options.key_file, pem.pem_private_key},
                      certificate.get(), options.cert_file);
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> CreateCredentials(
    const ConnectionOptions& options) {
  if (!options.tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions pem;
  SLICE_ASSIGN_OR_RETURN(pem.pem_root_certs, ReadPem(options.ca_file));
  SLICE_ASSIGN_OR_RETURN(pem.pem_cert_chain, ReadPem(options.cert_file));
  SLICE_ASSIGN_OR_RETURN(pem.pem_private_key, ReadPem(options.key_file));
  SLICE_RETURN_IF_ERROR(CheckOwnCertificate(options, pem));
  return grpc::SslCredentials(pem);
}

}  // namespace

absl::Status ConnectionOptions::Validate() const {
  int port = 0;
  const size_t colon = server.rfind(':');
  if (!absl::StartsWith(server, "unix:") &&
      (colon == std::string::npos || colon == 0 ||
       !absl::SimpleAtoi(server.substr(colon + 1), &port) || port < 1 ||
       port > 65535)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--server must be HOST:PORT, such as 127.0.0.1:50051, "
                     "not \"",
                     server, "\""));
  }
  if (cert_file.empty() != key_file.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(cert_file.empty() ? "--key needs --cert"
                                       : "--cert needs "
                                         "--key",
                     ": a client certificate and its key go together"));
  }
  if (!tls && !(ca_file.empty() && cert_file.empty())) {
    return absl::InvalidArgumentError(
        "--cacert and --cert have no effect without --tls");
  }
  if (!tls && !server_name.empty()) {
    return absl::InvalidArgumentError(
        "--server-name has no effect without --tls or --cacert");
  }
  if (!IsToken(token)) {
    // The text may be a secret, so the error does not repeat it.
    return absl::InvalidArgumentError(
        "the token (--token-file or SLICE_TOKEN) is not one line of printable "
        "ASCII without blanks");
  }
  if (!token.empty() && !tls && !IsThisMachine(server)) {
    return absl::InvalidArgumentError(
        "a token must not be sent in the clear to another machine: encrypt "
        "with --tls or --cacert");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::pair<std::string, std::string>> ParseMetadata(
    const std::string& header) {
  const size_t colon = header.find(':');
  if (colon == std::string::npos || colon == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("-H must be \"name: value\", not \"", header, "\""));
  }
  std::string name = absl::AsciiStrToLower(
      absl::StripAsciiWhitespace(header.substr(0, colon)));
  std::string value(
      absl::StripAsciiWhitespace(absl::string_view(header).substr(colon + 1)));
  if (name.empty() || !std::all_of(name.begin(), name.end(), IsNameCharacter) ||
      absl::StartsWith(name, "grpc-")) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name,
                     "\" is not a metadata name: a name consists of letters, "
                     "digits, '-', '_' and '.', and must not start with "
                     "\"grpc-\""));
  }
  if (absl::EndsWith(name, "-bin")) {
    std::string bytes;
    if (!absl::Base64Unescape(value, &bytes)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the value of ", name, " must be base64"));
    }
    value = std::move(bytes);
  } else if (!std::all_of(value.begin(), value.end(), absl::ascii_isprint)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value of ", name,
                     " must be printable ASCII; end the name in "
                     "\"-bin\" to send bytes as base64"));
  }
  return std::make_pair(std::move(name), std::move(value));
}

absl::StatusOr<std::string> ReadToken(const std::string& path) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::string token(absl::StripAsciiWhitespace(text));
  if (!token.empty()) return token;
  return absl::InvalidArgumentError(absl::StrCat(path, ": holds no token"));
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> CreateChannel(
    const ConnectionOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  SLICE_ASSIGN_OR_RETURN(auto credentials, CreateCredentials(options));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxReplyBytes);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  if (options.own_connection)
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (IsThisMachine(options.server))
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (!options.server_name.empty())
    arguments.SetSslTargetNameOverride(options.server_name);
  return grpc::CreateCustomChannel(options.server, credentials, arguments);
}

absl::Status WaitUntilConnected(grpc::Channel* channel,
                                const std::string& server,
                                absl::Time deadline) {
  for (;;) {
    const grpc_connectivity_state state = channel->GetState(true);
    if (state == GRPC_CHANNEL_READY) return absl::OkStatus();
    if (state == GRPC_CHANNEL_TRANSIENT_FAILURE ||
        !channel->WaitForStateChange(state, absl::ToChronoTime(deadline))) {
      return absl::UnavailableError(absl::StrCat(
          "cannot connect to ", server, ": is slice-server running there?"));
    }
  }
}

void PrepareCall(const ConnectionOptions& options, absl::Time deadline,
                 grpc::ClientContext* context) {
  context->set_deadline(absl::ToChronoTime(deadline));
  for (const auto& [name, value] : options.metadata)
    context->AddMetadata(name, value);
  if (!options.token.empty())
    context->AddMetadata("authorization", "Bearer " + options.token);
}

}  // namespace slice
