#include "server/transport/connection_listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <thread>

#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

int NewDescriptor() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

TEST(ConnectionTableTest, OneHostLeavesRoomForOthers) {
  ConnectionTable table(10);
  std::vector<int> open;
  while (table.HasRoom("a")) {
    open.push_back(socket(AF_UNIX, SOCK_STREAM, 0));
    table.Add(open.back(), "a");
  }
  EXPECT_EQ(table.of("a"), 5);
  EXPECT_TRUE(table.HasRoom("b"));
  for (int i = 0; i < 5; ++i) {
    const std::string host = "b" + std::to_string(i);
    ASSERT_TRUE(table.HasRoom(host)) << i;
    open.push_back(socket(AF_UNIX, SOCK_STREAM, 0));
    table.Add(open.back(), host);
  }
  EXPECT_FALSE(table.HasRoom("c"));
  for (const int descriptor : open) close(descriptor);
  EXPECT_EQ(table.size(), 10);
  table.Sweep();
  EXPECT_EQ(table.size(), 0);
  EXPECT_EQ(table.of("a"), 0);
}

TEST(ConnectionTableTest, ADescriptorOfAnotherFileIsNoConnection) {
  ConnectionTable table(10);
  const int first = socket(AF_UNIX, SOCK_STREAM, 0);
  table.Add(first, "a");
  close(first);
  const int second = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(first, second) << "the lowest free number is taken";
  table.Sweep();
  EXPECT_EQ(table.size(), 0);
  table.Add(second, "b");
  table.Add(second, "c");  // added before a sweep finds the old one gone
  EXPECT_EQ(table.size(), 1);
  EXPECT_EQ(table.of("b"), 0);
  EXPECT_EQ(table.of("c"), 1);
  table.Sweep();
  EXPECT_EQ(table.size(), 1);
  close(second);
}

class ConnectionListenerTest : public ::testing::Test {
 protected:
  ~ConnectionListenerTest() override {
    if (listener_ != nullptr) listener_->Stop();
    for (const int connection : taken_) close(connection);
    for (const int connection : clients_) close(connection);
  }

  void Listen(const std::string& address, size_t max_connections) {
    auto bound = ConnectionListener::Bind(address, max_connections);
    ASSERT_TRUE(bound.ok()) << bound.status();
    listener_ = *std::move(bound);
    listener_->Start([this](int, int connection) {
      const std::lock_guard<std::mutex> lock(mutex_);
      taken_.insert(connection);
    });
  }

  int Port() const {
    const std::string& address = listener_->address();
    return std::stoi(address.substr(address.rfind(':') + 1));
  }

  // Connects from an address of the loopback network.
  int Connect(const std::string& from = "127.0.0.1") {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, from.c_str(), &address.sin_addr);
    EXPECT_EQ(
        bind(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
        0);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    address.sin_port = htons(static_cast<uint16_t>(Port()));
    EXPECT_EQ(
        connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
        0);
    clients_.push_back(client);
    return client;
  }

  size_t Taken() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return taken_.size();
  }

  // Returns once every connection so far was accepted or refused.
  void WaitForAll() {
    while (Taken() + listener_->refused() < clients_.size()) {
      std::this_thread::yield();
    }
  }

  void CloseAll() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const int connection : taken_) close(connection);
    taken_.clear();
  }

  std::mutex mutex_;
  std::set<int> taken_;
  std::vector<int> clients_;
  std::unique_ptr<ConnectionListener> listener_;
};

TEST_F(ConnectionListenerTest, HandsOnWhatFitsAndClosesTheRest) {
  Listen("127.0.0.1:0", 8);
  for (int i = 0; i < 20; ++i) Connect();
  WaitForAll();
  EXPECT_EQ(Taken(), 4) << "one host has half";
  EXPECT_EQ(listener_->refused(), 16);
  char byte;
  EXPECT_LE(recv(clients_.back(), &byte, 1, 0), 0) << "closed";
  Connect("127.0.0.2");
  WaitForAll();
  EXPECT_EQ(Taken(), 5) << "another host has room";
}

TEST_F(ConnectionListenerTest, ConnectionsThatEndMakeRoom) {
  Listen("127.0.0.1:0", 8);
  for (int i = 0; i < 4; ++i) Connect();
  WaitForAll();
  CloseAll();
  // While there is no room, the listener soon notices ended connections.
  while (Taken() == 0) {
    Connect();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// In this situation gRPC's own listener never accepts again.
TEST_F(ConnectionListenerTest, LivesThroughALackOfDescriptors) {
  Listen("127.0.0.1:0", 1000);
  Connect();
  WaitForAll();
  // Only one more descriptor may be opened. The client takes it, and the
  // listener has none left to accept the connection with.
  const int next = NewDescriptor();
  close(next);
  rlimit before = {};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(next) + 1;
  setrlimit(RLIMIT_NOFILE, &tight);
  Connect();
  WaitForAll();
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(listener_->refused(), 1);
  Connect();
  WaitForAll();
  EXPECT_EQ(Taken(), 2);
}

TEST_F(ConnectionListenerTest, AnAddressInUseIsRefused) {
  Listen("127.0.0.1:0", 8);
  const auto second = ConnectionListener::Bind(listener_->address(), 8);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr(listener_->address()));
  EXPECT_FALSE(ConnectionListener::Bind("192.0.2.1:0", 8).ok());
  EXPECT_FALSE(ConnectionListener::Bind("no.such.host.invalid:0", 8).ok());
  EXPECT_FALSE(ConnectionListener::Bind("127.0.0.1:70000", 8).ok());
}

TEST_F(ConnectionListenerTest, ANameIsBoundAtOnePort) {
  if (gethostbyname("localhost") == nullptr) {
    GTEST_SKIP() << "this machine does not know localhost by name";
  }
  Listen("localhost:0", 8);
  ASSERT_NE(listener_, nullptr);
  EXPECT_GT(Port(), 0);
  Connect();
  WaitForAll();
  EXPECT_EQ(Taken(), 1);
}

// The container image listens on 0.0.0.0, but a cluster may have only IPv6.
TEST_F(ConnectionListenerTest, TheWildcardIsOfBothFamilies) {
  for (const char* wildcard : {"0.0.0.0:0", "[::]:0"}) {
    SCOPED_TRACE(wildcard);
    Listen(wildcard, 8);
    Connect();
    sockaddr_in6 address = {};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_loopback;
    address.sin6_port = htons(static_cast<uint16_t>(Port()));
    const int client = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0) GTEST_SKIP() << "this machine has no IPv6";
    clients_.push_back(client);
    ASSERT_EQ(
        connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)),
        0);
    WaitForAll();
    listener_->Stop();
    CloseAll();
    for (const int each : clients_) close(each);
    clients_.clear();
  }
}

TEST_F(ConnectionListenerTest, AUnixSocketGoesWithItsListener) {
  const TempDirectory directory;
  const std::string path = (directory / "s").string();
  Listen("unix:" + path, 8);
  EXPECT_EQ(listener_->address(), "unix:" + path);
  struct stat file = {};
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0600) << "whatever the umask is";
  listener_->Stop();
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  EXPECT_FALSE(
      ConnectionListener::Bind("unix:" + std::string(200, 'p'), 8).ok());
}

}  // namespace
}  // namespace slice
