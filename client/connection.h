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

  // The connection is encrypted when `tls` is set. The three files are in PEM
  // format. An empty `ca_file` means the system's certificate authorities.
  // `cert_file` and `key_file` identify the client; set both or neither.
  bool tls = false;
  std::string ca_file;
  std::string cert_file;
  std::string key_file;
  // The name that the server's certificate must have, if it is not the host of
  // `server`. Needs `tls`.
  std::string server_name;

  // Sent with every call as the metadata "authorization: Bearer TOKEN". Empty:
  // none. To another machine it is sent only if `tls` is set.
  std::string token;

  // (name, value) pairs that are sent with every call. Names are lower case. A
  // value is raw bytes when its name ends in "-bin".
  std::vector<std::pair<std::string, std::string>> metadata;

  // True: the channel has a connection of its own. False: channels of this
  // process to the same server share one connection.
  bool own_connection = false;

  // Returns INVALID_ARGUMENT, with the name of the wrong flag, unless the
  // options are valid.
  absl::Status Validate() const;
};

// Parses "name: value" into a (name, value) pair. The value of a name that ends
// in "-bin" is decoded from base64. Returns INVALID_ARGUMENT for a name or a
// value that gRPC would refuse.
absl::StatusOr<std::pair<std::string, std::string>> ParseMetadata(
    const std::string& header);

// Reads the token in a file, without the blanks and line ends around it.
// Returns INVALID_ARGUMENT when the file holds nothing else, and the errors of
// ReadFile.
absl::StatusOr<std::string> ReadToken(const std::string& path);

// Creates a channel that connects when it is first used. For an address of this
// machine it ignores the proxies that environment variables name. Errors: those
// of Validate, and those of reading the certificates.
absl::StatusOr<std::shared_ptr<grpc::Channel>> CreateChannel(
    const ConnectionOptions& options);

// Waits until the channel is connected. Returns UNAVAILABLE after the first
// failed attempt to connect, or at `deadline`. `server` is the address to show
// in the error.
absl::Status WaitUntilConnected(grpc::Channel* channel,
                                const std::string& server, absl::Time deadline);

// Sets the deadline and the metadata of the call that `context` belongs to.
void PrepareCall(const ConnectionOptions& options, absl::Time deadline,
                 grpc::ClientContext* context);

}  // namespace slice

#endif  // SLICE_CLIENT_CONNECTION_H_
