#include "server/transport/departure_watch.h"

#include <poll.h>

#include <chrono>
#include <utility>

namespace slice {
namespace {

// While bytes are unread, a wait for more would end at once.
constexpr auto kInterval = std::chrono::milliseconds(100);

bool HasLeft(int descriptor) {
  pollfd polled = {.fd = descriptor, .events = POLLRDHUP, .revents = 0};
  return poll(&polled, 1, 0) > 0;  // also for a connection that broke
}

}  // namespace

void DepartureWatch::Start(std::function<void()> left) {
  watching_ = true;
  socket_.async_wait(boost::asio::ip::tcp::socket::wait_read,
                     [this, left = std::move(left)](auto error) mutable {
                       if (!error) Look(std::move(left));
                     });
}

void DepartureWatch::Look(std::function<void()> left) {
  if (!watching_) return;  // stopped when the wait was over already
  if (HasLeft(socket_.native_handle())) {
    watching_ = false;
    return left();
  }
  again_.expires_after(kInterval);
  again_.async_wait([this, left = std::move(left)](auto error) mutable {
    if (!error) Look(std::move(left));
  });
}

void DepartureWatch::Stop() {
  watching_ = false;
  boost::system::error_code ignored;
  socket_.cancel(ignored);
  again_.cancel();
}

}  // namespace slice
