#include "server/feed/nats_options.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"

namespace slice {
namespace {

// In milliseconds, as the library counts.
constexpr int64_t kConnectWait = 2000, kReconnectWait = 200,
                  kReconnectJitter = 100, kPingInterval = 2000;
constexpr int kMostPingsOut = 2;

// The library's default prints to stderr; callers get the error as well.
void IgnoreError(natsConnection*, natsSubscription*, natsStatus, void*) {}
void IgnoreEvent(natsConnection*, void*) {}

// Calls a setter of the library for a setting that is there.
struct Setter {
  const char* name;
  std::function<natsStatus(natsOptions*, const std::string&)> set;
};

natsStatus ApplySettings(const FeedSettings& settings, natsOptions* options,
                         std::string* wrong) {
  const auto value = [&](const char* name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string() : found->second;
  };
  const bool tls = !value("tls_ca").empty() || !value("tls_cert").empty();
  const std::vector<Setter> setters = {
      {"user",
       [&](natsOptions* of, const std::string& user) {
         return natsOptions_SetUserInfo(of, user.c_str(),
                                        value("password").c_str());
       }},
      {"password", [](natsOptions*, const std::string&) { return NATS_OK; }},
      {"token",
       [](natsOptions* of, const std::string& token) {
         return natsOptions_SetToken(of, token.c_str());
       }},
      {"credentials",
       [](natsOptions* of, const std::string& file) {
         return natsOptions_SetUserCredentialsFromFiles(of, file.c_str(),
                                                        nullptr);
       }},
      {"tls_ca",
       [](natsOptions* of, const std::string& file) {
         return natsOptions_LoadCATrustedCertificates(of, file.c_str());
       }},
      {"tls_cert",
       [&](natsOptions* of, const std::string& file) {
         return natsOptions_LoadCertificatesChain(of, file.c_str(),
                                                  value("tls_key").c_str());
       }},
      {"tls_key", [](natsOptions*, const std::string&) { return NATS_OK; }},
  };
  if (tls && natsOptions_SetSecure(options, true) != NATS_OK) {
    *wrong = "tls_ca";
    return NATS_SSL_ERROR;
  }
  for (const auto& [name, text] : settings) {
    const auto setter =
        std::find_if(setters.begin(), setters.end(),
                     [&](const Setter& one) { return name == one.name; });
    const natsStatus status =
        setter == setters.end() ? NATS_NOT_FOUND : setter->set(options, text);
    if (status == NATS_OK) continue;
    *wrong = name;
    return status;
  }
  return NATS_OK;
}

}  // namespace

absl::StatusOr<NatsOptions> MakeNatsOptions(const FeedAddress& address,
                                            const FeedSettings& settings) {
  natsOptions* made = nullptr;
  if (natsOptions_Create(&made) != NATS_OK)
    return absl::ResourceExhaustedError("no memory for the NATS client");
  NatsOptions options(made);
  std::string wrong;
  if (const natsStatus status = ApplySettings(settings, made, &wrong);
      status != NATS_OK) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--feed-config: ", Quoted(wrong), ": ",
        status == NATS_NOT_FOUND
            ? "NATS has no such setting; there are user, password, token, "
              "credentials, tls_ca, tls_cert and tls_key"
            : natsStatus_GetText(status)));
  }
  std::vector<std::string> urls;
  for (const std::string& server : address.servers)
    urls.push_back(absl::StrCat("nats://", server));
  std::vector<const char*> pointers;
  for (const std::string& url : urls) pointers.push_back(url.c_str());
  (void)natsOptions_SetErrorHandler(made, IgnoreError, nullptr);
  (void)natsOptions_SetName(made, "slice-server");
  (void)natsOptions_SetTimeout(made, kConnectWait);
  (void)natsOptions_SetMaxReconnect(made, -1);
  (void)natsOptions_SetReconnectWait(made, kReconnectWait);
  (void)natsOptions_SetReconnectJitter(made, kReconnectJitter,
                                       kReconnectJitter);
  (void)natsOptions_SetPingInterval(made, kPingInterval);
  (void)natsOptions_SetMaxPingsOut(made, kMostPingsOut);
  (void)natsOptions_SetSendAsap(made, true);
  (void)natsOptions_SetRetryOnFailedConnect(made, true, IgnoreEvent, nullptr);
  const natsStatus status = natsOptions_SetServers(
      made, pointers.data(), static_cast<int>(pointers.size()));
  if (status == NATS_OK) return options;
  return absl::InvalidArgumentError(absl::StrCat(
      "--feed: ", address.Name(), ": ", natsStatus_GetText(status)));
}

}  // namespace slice
