// Tells the service manager that started the server (systemd) how the server
// is.
//
// The protocol is that of sd_notify(3): lines VARIABLE=VALUE in one datagram to
// the Unix socket that the variable NOTIFY_SOCKET names. It is written here,
// because libsystemd would bring five libraries with it.
#ifndef SLICE_SERVER_SERVICE_MANAGER_H_
#define SLICE_SERVER_SERVICE_MANAGER_H_

#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

// Thread-safe. Without a service manager it does nothing. What cannot be sent
// is logged, and the server goes on.
class ServiceManager {
 public:
  // Whoever listens at `socket`: a path, or '@' and an abstract name. Empty:
  // nobody. `watchdog` is how long the manager waits for a sign of life before
  // it ends the server; zero: forever.
  ServiceManager(std::string socket, absl::Duration watchdog)
      : socket_(std::move(socket)), watchdog_(watchdog) {}
  // The manager that NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID name.
  static ServiceManager FromEnvironment();
  // Calls StopKeepingAlive.
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  void Ready(std::string_view status);  // also at the end of a reload
  void Reloading();
  void Stopping();

  // From now on sends signs of life, as long as `alive` returns true. It is
  // called four times in each watchdog period, on a thread of its own, and may
  // wait for a quarter of the period. Does nothing without a watchdog.
  // REQUIRES: called once.
  void KeepAlive(std::function<bool(absl::Duration limit)> alive);
  // Ends that, once the call under way has returned. Idempotent.
  void StopKeepingAlive();

 private:
  void Send(std::string_view message) const;
  void Watch(const std::function<bool(absl::Duration)>& alive);

  const std::string socket_;
  const absl::Duration watchdog_;
  Mutex mutex_;
  CondVar changed_;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SERVICE_MANAGER_H_
