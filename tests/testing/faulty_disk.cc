// A library for LD_PRELOAD that simulates a disk which fails from a certain
// call on, or a machine that loses power at a certain call.
//
//   SLICE_FAULT=CALL,ERROR,NUMBER,PATH[,WHILE]
//
//   CALL    write (also pwrite, writev), sync (fsync, fdatasync) or rename
//   ERROR   EIO, ENOSPC; short: only half of the bytes are written; or kill:
//           the process ends as by kill -9, before the call or, when it writes,
//           after half of the bytes
//   NUMBER  the number of the first call that fails, from 1. All later calls
//           fail as well, but only one call is short.
//   PATH    only calls on files whose path contains this text count and fail
//   WHILE   only calls while this file exists count and fail
//
// The first call that fails prints "fault: CALL PATH" on stderr.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Fault {
  std::string call, path, file;
  int error = 0;  // errno; 0: a short write
  bool kills = false;
  long first = 0;
};

Fault* ReadFault() {
  const char* text = std::getenv("SLICE_FAULT");
  if (text == nullptr) return nullptr;
  auto* const fault = new Fault;
  char call[16] = "", error[16] = "", path[256] = "", file[256] = "";
  if (std::sscanf(text, "%15[^,],%15[^,],%ld,%255[^,],%255s", call, error,
                  &fault->first, path, file) < 4) {
    std::fprintf(
        stderr, "SLICE_FAULT=%s is not CALL,ERROR,NUMBER,PATH[,WHILE]\n", text);
    std::abort();
  }
  fault->call = call;
  fault->path = path;
  fault->file = file;
  if (std::strcmp(error, "EIO") == 0) fault->error = EIO;
  if (std::strcmp(error, "ENOSPC") == 0) fault->error = ENOSPC;
  fault->kills = std::strcmp(error, "kill") == 0;
  return fault;
}

const Fault* TheFault() {
  static const Fault* const fault = ReadFault();
  return fault;
}

std::string PathOf(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t size = readlink(link.c_str(), path, sizeof(path));
  return size > 0 ? std::string(path, static_cast<size_t>(size)) : "";
}

// Counts the call if it matches, and returns whether it fails.
bool Fails(const char* call, const std::string& path) {
  const Fault* const fault = TheFault();
  if (fault == nullptr || fault->call != call ||
      path.find(fault->path) == std::string::npos) {
    return false;
  }
  if (!fault->file.empty() && access(fault->file.c_str(), F_OK) != 0) {
    return false;
  }
  static std::atomic<long> calls{0};
  const long number = ++calls;
  const bool is_short = fault->error == 0;
  if (is_short ? number != fault->first : number < fault->first) return false;
  if (number == fault->first) {
    std::fprintf(stderr, "fault: %s %s\n", call, path.c_str());
  }
  if (fault->kills && fault->call != "write") raise(SIGKILL);
  return true;
}

// What a short write returns, unless it was the last thing the process did.
ssize_t Short(ssize_t written) {
  if (TheFault()->kills) raise(SIGKILL);
  return written;
}

template <typename Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto real = Real<ssize_t(int, const void*, size_t)>("write");
  if (descriptor <= 2 || !Fails("write", PathOf(descriptor))) {
    return real(descriptor, bytes, size);
  }
  if (TheFault()->error == 0) {
    return Short(real(descriptor, bytes, (size + 1) / 2));
  }
  errno = TheFault()->error;
  return -1;
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  static const auto real =
      Real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  if (!Fails("write", PathOf(descriptor))) {
    return real(descriptor, bytes, size, at);
  }
  if (TheFault()->error == 0) {
    return Short(real(descriptor, bytes, (size + 1) / 2, at));
  }
  errno = TheFault()->error;
  return -1;
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  return pwrite64(descriptor, bytes, size, at);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static const auto real = Real<ssize_t(int, const iovec*, int)>("writev");
  if (!Fails("write", PathOf(descriptor))) {
    return real(descriptor, parts, count);
  }
  if (TheFault()->error == 0) return Short(real(descriptor, parts, 1));
  errno = TheFault()->error;
  return -1;
}

int fsync(int descriptor) {
  static const auto real = Real<int(int)>("fsync");
  if (!Fails("sync", PathOf(descriptor))) return real(descriptor);
  errno = TheFault()->error;
  return -1;
}

int fdatasync(int descriptor) {
  static const auto real = Real<int(int)>("fdatasync");
  if (!Fails("sync", PathOf(descriptor))) return real(descriptor);
  errno = TheFault()->error;
  return -1;
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = Real<int(const char*, const char*)>("rename");
  if (!Fails("rename", to)) return real(from, to);
  errno = TheFault()->error;
  return -1;
}

}  // extern "C"
