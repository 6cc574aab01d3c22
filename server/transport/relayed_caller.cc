#include "server/transport/relayed_caller.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <string_view>

namespace slice {
namespace {

constexpr char kKey[] = "x-slice-http-key-bin";
constexpr char kPeer[] = "x-slice-http-peer-bin";
constexpr char kFlags[] = "x-slice-http-flags-bin";
constexpr char kCertificate[] = "x-slice-http-certificate-bin";
constexpr char kUri[] = "x-slice-http-uri-bin";
constexpr char kDnsName[] = "x-slice-http-dns-name-bin";

std::string_view View(const grpc::string_ref& text) {
  return {text.data(), text.size()};
}

// What only this process knows: gRPC 1.51 gives a call in the process no peer
// that would tell it from others.
const std::string& Key() {
  static const auto* const key = [] {
    auto* const drawn = new std::string(32, '\0');
    RAND_bytes(reinterpret_cast<unsigned char*>(drawn->data()),
               static_cast<int>(drawn->size()));
    return drawn;
  }();
  return *key;
}

bool HasKey(const grpc::ServerContextBase& context) {
  const auto shown = context.client_metadata().find(kKey);
  return shown != context.client_metadata().end() &&
         shown->second.size() == Key().size() &&
         CRYPTO_memcmp(shown->second.data(), Key().data(), Key().size()) == 0;
}

}  // namespace

void AddCaller(const HttpCaller& caller, grpc::ClientContext* context) {
  context->AddMetadata(kKey, Key());
  context->AddMetadata(kPeer, caller.peer);
  context->AddMetadata(
      kFlags, {caller.local ? 'l' : '-', caller.encrypted ? 'e' : '-'});
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) context->AddMetadata(key, value);
  };
  add(kTokenHeader, caller.authorization);
  add(kSubjectHeader, caller.subject);
  add(kCertificate, caller.certificate);
  for (const std::string& uri : caller.uris) add(kUri, uri);
  for (const std::string& name : caller.dns_names) add(kDnsName, name);
}

std::optional<ShownCredentials> RelayedCredentials(
    const grpc::ServerContextBase& context) {
  if (!HasKey(context)) return std::nullopt;
  ShownCredentials shown;
  for (const auto& [key, value] : context.client_metadata()) {
    if (key == kFlags) {
      shown.local = View(value).starts_with('l');
      shown.encrypted = View(value).ends_with('e');
    }
    if (key == kPeer) shown.peer = View(value);
    if (key == kTokenHeader) shown.authorization = View(value);
    if (key == kSubjectHeader) shown.subject = View(value);
    if (key == kCertificate) shown.certificate = View(value);
    if (key == kUri) shown.uris.push_back(View(value));
    if (key == kDnsName) shown.dns_names.push_back(View(value));
  }
  return shown;
}

std::string CallerPeer(const grpc::ServerContextBase& context) {
  const auto relayed = RelayedCredentials(context);
  return relayed.has_value() ? std::string(relayed->peer) : context.peer();
}

}  // namespace slice
