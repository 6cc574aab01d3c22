// A file descriptor that is closed with its owner.
#ifndef SLICE_COMMON_FILE_DESCRIPTOR_H_
#define SLICE_COMMON_FILE_DESCRIPTOR_H_

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace slice {

class FileDescriptor {
 public:
  // Owns `fd`, or nothing if `fd` is negative, the result of a failed call.
  explicit FileDescriptor(int fd) : fd_(fd) {}
  // Calls open(2). Programs that this process starts do not inherit the
  // descriptor.
  FileDescriptor(const std::filesystem::path& path, int flags, int mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  // Hands the descriptor to the caller, who owns it from now on.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace slice

#endif  // SLICE_COMMON_FILE_DESCRIPTOR_H_
