// A minimal HTTP/2 client (RFC 9113). A Connection sends the preface and its
// settings, then calls of three frames each: HEADERS, DATA, and RST_STREAM.
// Half of the calls are reset at once, the others kLag stream numbers later. Of
// what the server sends it reads only enough to go on: it acknowledges SETTINGS
// and PING, counts WINDOW_UPDATE of the connection, and stops at GOAWAY.
#include "tests/testing/reset_storm.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace slice {
namespace {

// Frames of RFC 9113, section 6.
enum FrameType : uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
  kWindowUpdate = 8,
};
constexpr uint8_t kAck = 1, kEndStream = 1, kEndHeaders = 4;
constexpr size_t kFrameHead = 9;
constexpr int64_t kFirstWindow = 65535;
constexpr size_t kChunk = 64 << 10;  // bytes built before they are sent
// A call that is not reset at once is reset when the call with a stream number
// larger by this is sent.
constexpr uint32_t kLag = 4 * 200;
constexpr uint32_t kLastStream = 0x7fffffff;

void AddNumber(uint32_t number, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8)
    *out += static_cast<char>(number >> shift);
}

uint32_t NumberAt(const std::string& bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = at; i < at + 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

void AddFrame(uint8_t type, uint8_t flags, uint32_t stream,
              const std::string& payload, std::string* out) {
  const auto size = static_cast<uint32_t>(payload.size());
  *out += static_cast<char>(size >> 16);
  *out += static_cast<char>(size >> 8);
  *out += static_cast<char>(size);
  *out += static_cast<char>(type);
  *out += static_cast<char>(flags);
  AddNumber(stream, out);
  *out += payload;
}

// A header text without compression (RFC 7541, section 5.2).
std::string Text(const std::string& text) {
  return static_cast<char>(text.size()) + text;
}

std::string HeadersOf(const std::string& method, const std::string& address) {
  std::string block = "\x83\x86";                  // POST, http
  block += '\x04' + Text(method);                  // :path
  block += '\x01' + Text(address);                 // :authority
  block += "\x0f\x10" + Text("application/grpc");  // content-type
  block += std::string(1, '\0') + Text("te") + Text("trailers");
  return block;
}

int Connect(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in to = {};
  to.sin_family = AF_INET;
  to.sin_port =
      htons(static_cast<uint16_t>(std::atoi(address.c_str() + colon + 1)));
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(descriptor, reinterpret_cast<sockaddr*>(&to), sizeof(to)) != 0) {
    close(descriptor);
    return -1;
  }
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

class Connection {
 public:
  Connection(int descriptor, std::string headers, std::string data)
      : descriptor_(descriptor),
        headers_(std::move(headers)),
        data_(std::move(data)) {
    output_ = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    AddFrame(kSettings, 0, 0, "", &output_);
  }
  ~Connection() { close(descriptor_); }

  // Sends and receives what the socket allows now. Returns the number of calls
  // added to the output, or -1 when the connection is over.
  int64_t Turn() {
    int64_t added = 0;
    while (output_.size() < kChunk && next_stream_ < kLastStream &&
           window_ >= static_cast<int64_t>(data_.size())) {
      AddCall();
      ++added;
    }
    pollfd ready = {
        descriptor_,
        static_cast<short>(POLLIN | (output_.empty() ? 0 : POLLOUT)), 0};
    poll(&ready, 1, 10);
    if ((ready.revents & POLLOUT) != 0) {
      const ssize_t sent =
          send(descriptor_, output_.data(), output_.size(), MSG_NOSIGNAL);
      if (sent > 0) output_.erase(0, static_cast<size_t>(sent));
    }
    return (ready.revents & POLLIN) == 0 || Receive() ? added : -1;
  }

 private:
  void AddCall() {
    AddFrame(kHeaders, kEndHeaders, next_stream_, headers_, &output_);
    AddFrame(kData, kEndStream, next_stream_, data_, &output_);
    // The server drops calls that are reset at once before it handles them. It
    // has begun the others when their reset comes.
    if (next_stream_ % 4 == 1) {
      AddReset(next_stream_);
    } else if (next_stream_ > kLag) {
      AddReset(next_stream_ - kLag);
    }
    next_stream_ += 2;
    window_ -= static_cast<int64_t>(data_.size());
  }

  void AddReset(uint32_t stream) {
    AddFrame(kReset, 0, stream, std::string("\0\0\0\x8", 4), &output_);
  }

  bool Receive() {
    char bytes[1 << 14];
    const ssize_t size = recv(descriptor_, bytes, sizeof(bytes), 0);
    if (size <= 0) return false;
    input_.append(bytes, static_cast<size_t>(size));
    while (input_.size() >= kFrameHead) {
      const size_t length = NumberAt(input_, 0) >> 8;
      if (input_.size() < kFrameHead + length) break;
      const bool goes_on =
          Take(static_cast<uint8_t>(input_[3]), static_cast<uint8_t>(input_[4]),
               NumberAt(input_, 5), input_.substr(kFrameHead, length));
      input_.erase(0, kFrameHead + length);
      if (!goes_on) return false;
    }
    return true;
  }

  bool Take(uint8_t type, uint8_t flags, uint32_t stream,
            const std::string& payload) {
    const bool acknowledges = (flags & kAck) != 0;
    if (type == kSettings && !acknowledges)
      AddFrame(kSettings, kAck, 0, "", &output_);
    if (type == kPing && !acknowledges)
      AddFrame(kPing, kAck, 0, payload, &output_);
    if (type == kWindowUpdate && stream == 0) window_ += NumberAt(payload, 0);
    return type != kGoAway;
  }

  const int descriptor_;
  const std::string headers_, data_;
  std::string input_, output_;
  uint32_t next_stream_ = 1;
  int64_t window_ = kFirstWindow;  // bytes that the connection may send
};

}  // namespace

int64_t SendResets(const std::string& address, const std::string& method,
                   const std::string& message,
                   const std::function<bool()>& over,
                   const std::function<void()>& told) {
  std::string data(1, '\0');  // gRPC's flag: not compressed
  AddNumber(static_cast<uint32_t>(message.size()), &data);
  data += message;
  int64_t sent = 0;
  while (!over()) {
    const int descriptor = Connect(address);
    if (descriptor < 0) {
      usleep(10'000);
      continue;
    }
    Connection connection(descriptor, HeadersOf(method, address), data);
    for (int64_t added = 0; added >= 0 && !over(); added = connection.Turn()) {
      if (sent == 0 && added > 0) told();
      sent += added;
    }
  }
  return sent;
}

}  // namespace slice
