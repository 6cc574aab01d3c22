// The address of a server and the connection to it.
#ifndef SLICE_CLIENT_CONNECTION_H_
#define SLICE_CLIENT_CONNECTION_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

namespace slice {

struct ConnectionOptions {
  // HOST:PORT, or unix:PATH.
  std::string server = "127.0.0.1:50051";

  // Encrypts when `tls` is set. PEM files; an empty `ca_file` means the
  // system's authorities. `cert_file` and `key_file` identify the client and go
  // together.
  bool tls = false;
  std::string ca_file;
  std::string cert_file;
  std::string key_file;

  // Sent with every call. Names are lower case; the values of names that end in
  // "-bin" are raw bytes.
  std::vector<std::pair<std::string, std::string>> metadata;

  // The channel has a connection to itself. Otherwise channels to one server
  // share a connection.
  bool own_connection = false;

  // INVALID_ARGUMENT naming the flag that is wrong.
  absl::Status Validate() const;
};

// "name: value" as a metadata pair, with "-bin" values decoded from base64.
// INVALID_ARGUMENT for anything gRPC would refuse.
absl::StatusOr<std::pair<std::string, std::string>> ParseMetadata(
    const std::string& header);

// A channel that connects when first used. Proxies named in the environment are
// not used for addresses of this machine. Errors: those of Validate, and those
// of reading the certificates.
absl::StatusOr<std::shared_ptr<grpc::Channel>> CreateChannel(
    const ConnectionOptions& options);

// Waits until the channel is connected to `server`. UNAVAILABLE at the first
// refusal, or at `deadline`.
absl::Status WaitUntilConnected(grpc::Channel* channel,
                                const std::string& server, absl::Time deadline);

// Gives a call its deadline and its metadata.
void PrepareCall(const ConnectionOptions& options, absl::Time deadline,
                 grpc::ClientContext* context);

}  // namespace slice

#endif  // SLICE_CLIENT_CONNECTION_H_
