// How many files the process may have open, and how many of them connections.
#ifndef SLICE_SERVER_TRANSPORT_OPEN_FILES_H_
#define SLICE_SERVER_TRANSPORT_OPEN_FILES_H_

#include <cstddef>

namespace slice {

// Raises the soft limit to the hard one.
void RaiseOpenFileLimit();

// The soft limit.
size_t OpenFileLimit();

// How many connections leave enough of `open_files` for everything else: all
// but some hundreds, of a low limit half.
size_t ConnectionsWithin(size_t open_files);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_OPEN_FILES_H_
