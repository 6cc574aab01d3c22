// A stream to a terminal that keeps the names in a graph from controlling the
// terminal.
#ifndef SLICE_COMMON_COMMAND_PRINTABLE_STREAM_H_
#define SLICE_COMMON_COMMAND_PRINTABLE_STREAM_H_

#include <ostream>
#include <streambuf>
#include <string>

#include "common/text_width.h"

namespace slice {

// Passes each line on. Control characters other than tabs, and bytes that are
// not valid UTF-8, are replaced by U+FFFD.
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
        PassOn();
        out_.put(static_cast<char>(byte));
      } else if (byte != traits_type::eof()) {
        pending_.push_back(static_cast<char>(byte));
      }
      return byte;
    }
    int sync() override {
      PassOn();
      out_.flush();
      return out_.good() ? 0 : -1;
    }
    void PassOn() {
      out_ << Printable(pending_, "\uFFFD");
      pending_.clear();
    }

    std::ostream& out_;
    std::string pending_;
  };

  Buffer buffer_;
};

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_PRINTABLE_STREAM_H_
