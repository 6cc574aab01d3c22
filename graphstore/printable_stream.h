// A stream for terminals: what the names of a graph hold must not drive them.
#ifndef SLICE_GRAPHSTORE_PRINTABLE_STREAM_H_
#define SLICE_GRAPHSTORE_PRINTABLE_STREAM_H_

#include <ostream>
#include <streambuf>
#include <string>

#include "common/text_width.h"

namespace slice {

// Hands on each line with its control characters, but for tabulators, and bytes
// that are no UTF-8 replaced.
class PrintableStream final : public std::ostream {
 public:
  // `out` must outlive the stream.
  explicit PrintableStream(std::ostream& out)
      : std::ostream(nullptr), buffer_(out) {
    rdbuf(&buffer_);
  }
  ~PrintableStream() override { flush(); }

 private:
  class Buffer final : public std::streambuf {
   public:
    explicit Buffer(std::ostream& out) : out_(out) {}

   private:
    int overflow(int byte) override {
      if (byte == '\n' || byte == '\t') {
        HandOn();
        out_.put(static_cast<char>(byte));
      } else if (byte != traits_type::eof()) {
        pending_.push_back(static_cast<char>(byte));
      }
      return byte;
    }
    int sync() override {
      HandOn();
      out_.flush();
      return out_.good() ? 0 : -1;
    }
    void HandOn() {
      out_ << Printable(pending_, "\uFFFD");
      pending_.clear();
    }

    std::ostream& out_;
    std::string pending_;
  };

  Buffer buffer_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_PRINTABLE_STREAM_H_
