// How many files the process may have open, and how many of them may be
// connections.
#ifndef SLICE_SERVER_OPEN_FILES_H_
#define SLICE_SERVER_OPEN_FILES_H_

#include <cstddef>

namespace slice {

// Raises the soft limit to the hard one.
void RaiseOpenFileLimit();

// The soft limit.
size_t OpenFileLimit();

// The number of connections that leaves enough of `open_files` for everything
// else: all but some hundreds, or half of a low limit.
size_t ConnectionsWithin(size_t open_files);

}  // namespace slice

#endif  // SLICE_SERVER_OPEN_FILES_H_
