// What a caller shows of itself, before anybody has checked it.
#ifndef SLICE_SERVER_ACCESS_SHOWN_CREDENTIALS_H_
#define SLICE_SERVER_ACCESS_SHOWN_CREDENTIALS_H_

#include <string_view>
#include <vector>

namespace slice {

// The texts belong to the call. TLS has already checked that an authority of
// the server signed the certificate.
struct ShownCredentials {
  // Whether the listener can be reached from this machine alone.
  bool local = false;
  bool encrypted = false;  // TLS
  // The address that the call comes from, for the log of refusals. Empty where
  // gRPC does not say it.
  std::string_view peer;
  // Of the client's certificate, if there is one: itself in PEM, and its
  // subject alternative names.
  std::string_view certificate;
  std::vector<std::string_view> uris;
  std::vector<std::string_view> dns_names;
  // Metadata of the call: kTokenHeader and kSubjectHeader.
  std::string_view authorization;
  std::string_view subject;
};

// "Bearer TOKEN"
inline constexpr char kTokenHeader[] = "authorization";
// The metadata in which a proxy passes on the subject of a token that it has
// verified (AccessPolicy says whom the server believes).
inline constexpr char kSubjectHeader[] = "x-slice-subject";

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_SHOWN_CREDENTIALS_H_
