#include "common/gzip.h"

#include <zlib.h>

namespace slice {
namespace {

constexpr int kLevel = 1;             // the fastest
constexpr int kGzipWindow = 15 + 16;  // 32 KiB, with the header of gzip
constexpr int kMemory = 8;            // zlib's default

}  // namespace

std::string Gzip(std::string_view text) {
  z_stream stream = {};
  deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipWindow, kMemory,
               Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  // zlib does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);  // the output has room for all
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace slice
