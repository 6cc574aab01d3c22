#include "server/transport/unix_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr char kPrefix[] = "unix:";

bool Answers(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return false;
  std::copy(path.begin(), path.end(), address.sun_path);
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return false;
  const bool connected =
      connect(connection, reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) == 0;
  close(connection);
  return connected;
}

}  // namespace

absl::Status CheckUnixSocketIsFree(const std::string& address) {
  if (!address.starts_with(kPrefix)) return absl::OkStatus();
  const std::string path = address.substr(sizeof(kPrefix) - 1);
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) return absl::OkStatus();
  if (!std::filesystem::is_socket(status)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot listen on ", address,
        ": the path exists and is not a socket; name a free path"));
  }
  if (!Answers(path)) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "cannot listen on ", address,
      ": another server answers there; name another path or stop it"));
}

}  // namespace slice
