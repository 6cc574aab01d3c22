// How many files the process may have open, and how many of them may be
// connections.
#ifndef SLICE_SERVER_OPEN_FILES_H_
#define SLICE_SERVER_OPEN_FILES_H_

#include <cstddef>

namespace slice {

// Raises the soft limit on open files (RLIMIT_NOFILE) to the hard limit.
void RaiseOpenFileLimit();

// The soft limit on open files.
size_t OpenFileLimit();

// How many connections to allow when the process may have `open_files` files
// open: all but 512 of them, or half of them when there are fewer than 1024.
// The result is at least 1 and at most 10,000.
size_t ConnectionsWithin(size_t open_files);

}  // namespace slice

#endif  // SLICE_SERVER_OPEN_FILES_H_
