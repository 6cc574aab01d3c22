// How much work each host, and each client of a host, has inside the server.
#ifndef SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_
#define SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  // Of the host inside the server at once, the work included.
  size_t most_items = std::numeric_limits<size_t>::max();
};

// Thread-compatible.
class ClientShares {
 public:
  // The work that a host or a client has inside, and the answers that it has
  // not read.
  struct Share {
    size_t items = 0;
    size_t bytes = 0;
    std::array<size_t, kRequestClasses> cost = {};

    bool empty() const { return items == 0 && bytes == 0; }
    void Add(const RequestedWork& work);
    void Remove(const RequestedWork& work);
  };

  void Add(const RequestedWork& work);
  // Adds an answer that cannot be refused, while `bytes_left` are free. Where
  // its host would then have more than is left to others, the rest of it is
  // beyond the host's share: it counts for the host alone.
  void AddAnswer(const RequestedWork& answer, size_t bytes_left);
  // Work of a client that has nothing inside is ignored. What is beyond the
  // share of a host goes first.
  void Remove(const RequestedWork& work);

  // The bytes that count for all hosts: those beyond the share of one do not.
  size_t shared_bytes() const { return total_.bytes - beyond_; }

  // Whether `work` would exceed the share of its host or of its client, while
  // `items_left` and `bytes_left` are free in the server. The new work
  // included, a host may have at most
  //   (what is free)
  // inside, and a client at most
  //   (what is free) - (what its host has inside already).
  // So there is always room for another host and for another client. The limit
  // of a host holds only if the host has work inside already, and that of a
  // client only if the client has.
  bool Exceeds(const RequestedWork& work, size_t items_left,
               size_t bytes_left) const;

  // Whether the host of `work` would have more than work.most_items inside.
  bool ExceedsQuota(const RequestedWork& work) const;

  // The cost, in the class of `work`, that is served until `work` is done; the
  // cost of `work` is included. Hosts take turns
  // (server/scheduling/client_turns.h): meanwhile, every other host is served
  // at most as much as the host of `work` and one turn of `quantum` more. The
  // same holds among the clients of that host. With very many hosts or clients
  // the result is an upper bound, so that this method takes no longer when a
  // host invents many names.
  size_t CostUntilDone(const RequestedWork& work, size_t quantum) const;

  const Share& total() const { return total_; }

 private:
  struct Host {
    Share all;
    size_t beyond = 0;                            // of all.bytes
    std::unordered_map<uint64_t, Share> clients;  // none is empty
  };

  Share total_;
  size_t beyond_ = 0;                         // of all hosts
  std::unordered_map<uint64_t, Host> hosts_;  // none is empty
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_CLIENT_SHARES_H_
