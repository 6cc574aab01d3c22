// Bind resolves the address and listens on one socket per address of the host
// (or on a Unix socket). Run, in its own thread, polls these sockets:
//   1. accepts a connection
//   2. closes it at once when its host is kept out or the table has no room
//   3. otherwise enters it in the table and hands it to gRPC, which owns it
// gRPC closes connections without telling anyone. Therefore the table is swept
// once a second, and every 10 ms while it is full.
//
// When the process has no free descriptor, accept4 fails and the connection
// stays in the backlog. Then the listener closes its spare descriptor, accepts,
// closes the connection and opens the spare descriptor again.
#include "server/transport/connection_listener.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/file_descriptor.h"
#include "common/status_macros.h"
#include "server/transport/peer_address.h"
#include "server/transport/unix_socket.h"

namespace slice {
namespace {

constexpr char kUnixPrefix[] = "unix:";
constexpr mode_t kSocketMode = 0600;  // for the owner alone

// How often to look for connections that have ended, and how often while the
// table is full.
constexpr absl::Duration kSweepInterval = absl::Seconds(1);
constexpr absl::Duration kFullSweepInterval = absl::Milliseconds(10);

absl::Status CannotListen(const std::string& address, const std::string& why) {
  return absl::UnavailableError(
      absl::StrCat("cannot listen on ", address, ": ", why));
}

absl::Status CannotListen(const std::string& address) {
  return CannotListen(address,
                      "the address is in use or does not belong to this host; "
                      "give another one (port 0: any free port)");
}

int OpenReserve() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

int NewSocket(int family) {
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

void SetOption(int socket, int level, int option) {
  const int on = 1;
  setsockopt(socket, level, option, &on, sizeof(on));
}

uint16_t PortOf(int listener) {
  sockaddr_storage bound = {};
  socklen_t size = sizeof(bound);
  getsockname(listener, reinterpret_cast<sockaddr*>(&bound), &size);
  // The port is in the same place for IPv4 and IPv6.
  return ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

// Listens on `port` of one address of the host; -1 when it is not free.
int ListenAt(const addrinfo& host, uint16_t port) {
  FileDescriptor listener(NewSocket(host.ai_family));
  if (!listener.ok()) return -1;
  sockaddr_storage address = {};
  std::memcpy(&address, host.ai_addr, host.ai_addrlen);
  reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  SetOption(listener.get(), SOL_SOCKET, SO_REUSEADDR);
  if (host.ai_family == AF_INET6) {  // IPv4 gets its own socket
    SetOption(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY);
  }
  // Connections inherit this option: small answers are sent at once.
  SetOption(listener.get(), IPPROTO_TCP, TCP_NODELAY);
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address),
           host.ai_addrlen) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0) {
    return -1;
  }
  return listener.Release();
}

// The addresses of HOST in HOST:PORT.
absl::StatusOr<std::unique_ptr<addrinfo, void (*)(addrinfo*)>> Resolve(
    const std::string& address, std::string host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  // As in gRPC, either wildcard means all addresses of both families.
  const bool all = host == "0.0.0.0" || host == "::";
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(all ? nullptr : host.c_str(), "0", &wanted, &found);
  if (error != 0) return CannotListen(address, gai_strerror(error));
  return std::unique_ptr<addrinfo, void (*)(addrinfo*)>(found, freeaddrinfo);
}

}  // namespace

ConnectionListener::ConnectionListener(size_t max_connections)
    : wake_(eventfd(0, EFD_CLOEXEC)),
      reserve_(OpenReserve()),
      table_(max_connections) {}

ConnectionListener::~ConnectionListener() {
  Stop();
  for (const int descriptor : {wake_, reserve_}) {
    if (descriptor >= 0) close(descriptor);
  }
}

absl::StatusOr<std::unique_ptr<ConnectionListener>> ConnectionListener::Bind(
    const std::string& address, size_t max_connections) {
  std::unique_ptr<ConnectionListener> listener(
      new ConnectionListener(max_connections));
  SLICE_RETURN_IF_ERROR(address.starts_with(kUnixPrefix)
                            ? listener->BindUnix(address)
                            : listener->BindTcp(address));
  return listener;
}

absl::Status ConnectionListener::BindTcp(const std::string& address) {
  const size_t colon = address.rfind(':');
  uint32_t port = 0;
  if (colon == std::string::npos ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) || port > 65535) {
    return CannotListen(address, "it is not HOST:PORT");
  }
  SLICE_ASSIGN_OR_RETURN(const auto hosts,
                         Resolve(address, address.substr(0, colon)));
  for (const addrinfo* host = hosts.get(); host != nullptr;
       host = host->ai_next) {
    const int listener = ListenAt(*host, static_cast<uint16_t>(port));
    if (listener < 0) continue;
    listeners_.push_back(listener);
    if (port == 0) port = PortOf(listener);  // all addresses share the port
  }
  if (listeners_.empty()) return CannotListen(address);
  address_ = absl::StrCat(address.substr(0, colon + 1), port);
  return absl::OkStatus();
}

absl::Status ConnectionListener::BindUnix(const std::string& address) {
  const std::string path = address.substr(sizeof(kUnixPrefix) - 1);
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(name.sun_path)) {
    return CannotListen(address,
                        absl::StrCat("the path must have 1 to ",
                                     sizeof(name.sun_path) - 1, " bytes"));
  }
  std::copy(path.begin(), path.end(), name.sun_path);
  SLICE_RETURN_IF_ERROR(CheckUnixSocketIsFree(address));
  FileDescriptor listener(NewSocket(AF_UNIX));
  fchmod(listener.get(), kSocketMode);
  unlink(path.c_str());  // a socket that another server left behind
  if (!listener.ok() ||
      bind(listener.get(), reinterpret_cast<const sockaddr*>(&name),
           sizeof(name)) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0) {
    return CannotListen(address, std::strerror(errno));
  }
  listeners_.push_back(listener.Release());
  unix_path_ = path;
  address_ = address;
  return absl::OkStatus();
}

void ConnectionListener::Start(Accepted accepted,
                               const HostileHosts* kept_out) {
  accepted_ = std::move(accepted);
  kept_out_ = kept_out;
  thread_ = std::thread([this] { Run(); });
}

void ConnectionListener::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof(one));
    thread_.join();
  }
  for (const int listener : std::exchange(listeners_, {})) close(listener);
  if (!unix_path_.empty()) unlink(std::exchange(unix_path_, "").c_str());
}

void ConnectionListener::Run() {
  std::vector<pollfd> watched = {{wake_, POLLIN, 0}};
  for (const int listener : listeners_)
    watched.push_back({listener, POLLIN, 0});
  while (true) {
    poll(watched.data(), watched.size(),
         static_cast<int>(absl::ToInt64Milliseconds(kSweepInterval)));
    if (watched.front().revents != 0) return;
    Sweep(kSweepInterval);
    for (const pollfd& listener : watched) {
      if (listener.revents != 0) AcceptOne(listener.fd);
    }
    open_.store(table_.size(), std::memory_order_relaxed);
  }
}

void ConnectionListener::Sweep(absl::Duration oldest) {
  const absl::Time now = absl::Now();
  if (now - swept_ < oldest && now >= swept_) return;
  swept_ = now;
  table_.Sweep();
}

// Accepts one connection per poll. A loop could not tell when to stop: without
// a free descriptor accept4 fails even when no connection waits.
void ConnectionListener::AcceptOne(int listener) {
  const int connection =
      accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection >= 0) {
    Take(listener, connection);
  } else if (errno == EMFILE || errno == ENFILE) {
    DropOne(listener);
  }
}

void ConnectionListener::Take(int listener, int connection) {
  const auto peer = PeerAddress::OfSocket(connection);
  const std::string host = peer.has_value() ? peer->Host() : "";
  if (!MayEnter(host)) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    close(connection);
    return;
  }
  table_.Add(connection, host);
  accepted_(listener, connection);
}

bool ConnectionListener::MayEnter(const std::string& host) {
  if (kept_out_ != nullptr && kept_out_->KeepsOut(host)) return false;
  if (table_.HasRoom(host)) return true;
  Sweep(kFullSweepInterval);
  return table_.HasRoom(host);
}

// Closes the next connection. Without a descriptor for it, it would stay in the
// backlog and poll would return at once, over and over.
void ConnectionListener::DropOne(int listener) {
  if (reserve_ >= 0) close(reserve_);
  const int connection =
      accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  const bool taken_by_another = connection < 0 && errno == EMFILE;
  if (connection >= 0) {
    close(connection);
    refused_.fetch_add(1, std::memory_order_relaxed);
  }
  reserve_ = OpenReserve();
  if (taken_by_another) absl::SleepFor(kFullSweepInterval);
}

}  // namespace slice
