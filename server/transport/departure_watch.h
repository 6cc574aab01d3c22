// Tells when the other end of a connection leaves.
#ifndef SLICE_SERVER_TRANSPORT_DEPARTURE_WATCH_H_
#define SLICE_SERVER_TRANSPORT_DEPARTURE_WATCH_H_

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>

namespace slice {

// For the time in which nobody reads from a connection. An end that has sent
// its last byte has left, also where bytes before that are unread: the next
// request, or the close_notify with which TLS ends. Used on the thread of the
// socket's io_context alone.
class DepartureWatch {
 public:
  // `socket` must outlive the watch.
  explicit DepartureWatch(boost::asio::ip::tcp::socket& socket)
      : socket_(socket), again_(socket.get_executor()) {}

  // Calls `left` once when the other end leaves, unless Stop comes first.
  // `left` must keep the watch alive; it is dropped after the call, or soon
  // after Stop. REQUIRES: the watch is new or stopped.
  void Start(std::function<void()> left);
  // Cancels all that waits for the socket. Idempotent.
  void Stop();

 private:
  void Look(std::function<void()> left);

  boost::asio::ip::tcp::socket& socket_;
  boost::asio::steady_timer again_;
  bool watching_ = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_DEPARTURE_WATCH_H_
