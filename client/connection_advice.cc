#include "client/connection_advice.h"

namespace slice {
namespace {

struct Advice {
  std::string_view part;  // of gRPC's message
  std::string_view advice;
};

constexpr std::string_view kNothingListens =
    "nothing listens there: is slice-server running, and is --server the "
    "address of its --listen?";
constexpr std::string_view kClosed =
    "without --tls: the server may want TLS, so try --tls, or --cacert FILE; "
    "with it: the server may not accept the certificate of --cert";

// The first entry whose part is in the message gives the advice.
constexpr Advice kAdvice[] = {
    {"Connection refused", kNothingListens},
    {"No such file or directory", kNothingListens},
    {"wrong version number",
     "the server seems to speak no TLS: leave out --tls, --cacert and --cert"},
    {"certificate verify failed",
     "the server's certificate is not signed by an authority that is trusted "
     "here: name the authority's PEM file with --cacert"},
    {"is not in peer certificate",
     "ask for the server by a name that its certificate has, or give that name "
     "with --server-name"},
    {"certificate required",
     "the server asks clients for a certificate: give --cert and --key"},
    {"http://", "--server is HOST:PORT, without http://"},
    {"https://", "--server is HOST:PORT, without https://; encrypt with --tls"},
    {"http1.x server",
     "that is an HTTP port, such as that of the metrics: give the address of "
     "--listen"},
    {"Domain name not found", "is the host of --server spelled right?"},
    {"Socket closed", kClosed},
    {"Connection reset by peer", kClosed},
    {"Failed parsing HTTP/2", "whatever listens there speaks no gRPC"},
};

}  // namespace

std::string_view ConnectionAdvice(std::string_view message) {
  // The table is about failures to connect. An open connection may end with the
  // same words for other reasons.
  if (message.find("failed to connect to all addresses") == message.npos &&
      message.find("DNS resolution failed") == message.npos) {
    return {};
  }
  for (const Advice& entry : kAdvice) {
    if (message.find(entry.part) != message.npos) return entry.advice;
  }
  return {};
}

}  // namespace slice
