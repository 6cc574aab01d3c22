#include "server/service_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/file_descriptor.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::StartsWith;

// Listens as a service manager does.
class ServiceManagerTest : public ::testing::Test {
 protected:
  ServiceManagerTest()
      : path_((directory_ / "notify").string()),
        socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path_.c_str(), sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof(address)),
              0);
  }

  // Waits for the next message.
  std::string Receive() const {
    char bytes[4096];
    const ssize_t size = recv(socket_.get(), bytes, sizeof(bytes), 0);
    return size < 0 ? "" : std::string(bytes, static_cast<size_t>(size));
  }
  bool HasMessage() const {
    char byte;
    return recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
  }

  const TempDirectory directory_;
  const std::string path_;
  const FileDescriptor socket_;
};

TEST_F(ServiceManagerTest, IsToldEachState) {
  ServiceManager manager(path_, absl::ZeroDuration());
  manager.Ready("serving\nwell");
  EXPECT_EQ(Receive(), "READY=1\nSTATUS=serving well");
  manager.Reloading();
  EXPECT_THAT(Receive(), StartsWith("RELOADING=1\nMONOTONIC_USEC="));
  manager.Stopping();
  EXPECT_THAT(Receive(), StartsWith("STOPPING=1\n"));
}

TEST_F(ServiceManagerTest, GetsSignsOfLifeOnlyWhileTheServerIsAlive) {
  std::atomic<bool> alive = true;
  std::atomic<int> asked = 0;
  ServiceManager manager(path_, absl::Milliseconds(4));
  manager.KeepAlive([&](absl::Duration limit) {
    EXPECT_EQ(limit, absl::Milliseconds(1));
    ++asked;
    return alive.load();
  });
  EXPECT_EQ(Receive(), "WATCHDOG=1");
  EXPECT_EQ(Receive(), "WATCHDOG=1");
  alive = false;
  // A sign may be under way; after two more questions none is.
  for (const int before = asked; asked < before + 2;) usleep(100);
  while (HasMessage()) Receive();
  for (const int before = asked; asked < before + 3;) usleep(100);
  EXPECT_FALSE(HasMessage());
  manager.StopKeepingAlive();
  const int before = asked;
  usleep(5000);
  EXPECT_EQ(asked, before);
}

TEST_F(ServiceManagerTest, WithoutAWatchdogNobodyAsks) {
  ServiceManager manager(path_, absl::ZeroDuration());
  manager.KeepAlive([](absl::Duration) {
    ADD_FAILURE() << "was asked";
    return true;
  });
  manager.StopKeepingAlive();
  EXPECT_FALSE(HasMessage());
}

TEST_F(ServiceManagerTest, IsReadFromTheEnvironment) {
  setenv("NOTIFY_SOCKET", path_.c_str(), 1);
  setenv("WATCHDOG_USEC", "4000", 1);
  setenv("WATCHDOG_PID", absl::StrCat(getpid()).c_str(), 1);
  {
    ServiceManager manager = ServiceManager::FromEnvironment();
    manager.KeepAlive([](absl::Duration) { return true; });
    EXPECT_EQ(Receive(), "WATCHDOG=1");
  }
  while (HasMessage()) Receive();
  setenv("WATCHDOG_PID", "1", 1);  // somebody else is watched
  {
    ServiceManager manager = ServiceManager::FromEnvironment();
    manager.KeepAlive([](absl::Duration) { return true; });
  }
  EXPECT_FALSE(HasMessage());
  for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) {
    unsetenv(name);
  }
  ServiceManager::FromEnvironment().Ready("nobody listens");
  EXPECT_FALSE(HasMessage());
}

TEST_F(ServiceManagerTest, AManagerThatIsGoneDoesNotStopTheServer) {
  ServiceManager manager((directory_ / "nobody").string(),
                         absl::ZeroDuration());
  manager.Ready("serving");
  ServiceManager(std::string(200, 'x'), absl::ZeroDuration()).Ready("serving");
}

}  // namespace
}  // namespace slice
