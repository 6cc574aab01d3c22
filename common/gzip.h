// Compression of short texts in memory.
#ifndef SLICE_COMMON_GZIP_H_
#define SLICE_COMMON_GZIP_H_

#include <string>
#include <string_view>

namespace slice {

// `text` in the format gzip (RFC 1952), compressed for speed.
std::string Gzip(std::string_view text);

}  // namespace slice

#endif  // SLICE_COMMON_GZIP_H_
