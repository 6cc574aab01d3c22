#include "common/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "common/random.h"

namespace slice {
namespace {

std::string Unpack(const std::string& packed) {
  z_stream stream = {};
  inflateInit2(&stream, 15 + 16);
  std::string text(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(GzipTest, TextsComeBack) {
  Random random(1);
  std::string noise;
  for (int i = 0; i < 100000; ++i) {
    noise += static_cast<char>(random.Below(256));
  }
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(500000, 'x'), noise}) {
    EXPECT_EQ(Unpack(Gzip(text)), text);
  }
  EXPECT_LT(Gzip(std::string(500000, 'x')).size(), 5000u);
}

}  // namespace
}  // namespace slice
