// How much work each host, and each client of a host, has inside the server.
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
  size_t cost = 0;  // sum of ServiceOrder::cost over the items
  size_t bytes = 0;
  ClientId client{};
};

// Thread-compatible.
class ClientShares {
 public:
  // The work that a host or a client has inside.
  struct Share {
    size_t items = 0;
    size_t bytes = 0;
    std::array<size_t, kRequestClasses> cost = {};

    bool empty() const { return items == 0 && bytes == 0; }
    void Add(const RequestedWork& work);
    void Remove(const RequestedWork& work);
  };

  void Add(const RequestedWork& work);
  // Work of a client that has nothing inside is ignored.
  void Remove(const RequestedWork& work);

  // Whether the work is too much for its client while this much room is left in
  // all. A host may have as much inside as the room that is left, and a client
  // as much as the room left minus what its host has inside. So there is always
  // room for another host and for another client. A host or client that has
  // nothing inside never exceeds its share.
  bool Exceeds(const RequestedWork& work, size_t items_left,
               size_t bytes_left) const;

  // The cost of the work's class that is served until the work is done, its own
  // cost included. Hosts take turns (server/scheduling/client_turns.h): until
  // the work is done, every other host is served as much as this one and at
  // most one turn of `quantum` more. The same holds for the clients of this
  // host. With very many others the result is an upper bound, so that the time
  // of this method does not grow with the number of names that a host invents.
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
