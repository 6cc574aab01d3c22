// What each host, and each of its clients, has inside the server.
#ifndef SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_
#define SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "server/scheduling/work_item.h"

namespace slice {

// A request as admission sees it.
struct RequestedWork {
  RequestClass request_class = RequestClass::kInteractive;
  size_t items = 0;
  size_t cost = 0;  // ServiceOrder::cost of all items
  size_t bytes = 0;
  ClientId client;
};

// Thread-compatible.
class ClientShares {
 public:
  // What one has inside.
  struct Share {
    size_t items = 0;
    size_t bytes = 0;
    std::array<size_t, kRequestClasses> cost = {};

    bool empty() const { return items == 0 && bytes == 0; }
    void Add(const RequestedWork& work);
    void Remove(const RequestedWork& work);
  };

  void Add(const RequestedWork& work);
  // Ignores what was not added.
  void Remove(const RequestedWork& work);

  // Whether the work is too much for who asks for it and has something inside
  // already, where so much room is left in all: a host may have as much as is
  // left to others, and a client as much as is left to its host. So there is
  // always room for another one.
  bool Exceeds(const RequestedWork& work, size_t items_left,
               size_t bytes_left) const;

  // The cost of the work's class that is served until the work is done, itself
  // included. Hosts are served in turns (server/scheduling/turns.h): until then
  // every other one is served as much as this one, and a turn of `quantum` more
  // at most; so are the clients of this host. Of very many others it is an
  // upper bound, so that the time does not grow with the names that a host
  // invents.
  size_t CostUntilDone(const RequestedWork& work, size_t quantum) const;

  const Share& total() const { return total_; }

 private:
  struct Host {
    Share all;
    std::unordered_map<uint64_t, Share> clients;  // none is empty
  };

  Share total_;
  std::unordered_map<uint64_t, Host> hosts_;  // none is empty
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_
