// Numbers and texts as bytes, the parts of which the records of a store are
// made. graphstore/graph_records.cc describes them.
#ifndef SLICE_GRAPHSTORE_RECORD_BYTES_H_
#define SLICE_GRAPHSTORE_RECORD_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graphstore/types.h"

namespace slice {

// An unsigned integer with its most significant byte first.
template <typename T>
void AppendBigEndian(std::string* bytes, T value) {
  for (int shift = 8 * sizeof(T) - 8; shift >= 0; shift -= 8)
    bytes->push_back(static_cast<char>(value >> shift));
}

// REQUIRES: bytes.size() >= sizeof(T).
template <typename T>
T ReadBigEndian(std::string_view bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>((value << 8) | static_cast<unsigned char>(bytes[i]));
  return value;
}

inline void AppendVarint(std::string* bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

inline void AppendText(std::string* bytes, std::string_view text) {
  AppendVarint(bytes, text.size());
  bytes->append(text);
}

// Reads values from the front of a record, never past its end. Each method
// returns false when the value is malformed or incomplete.
class RecordReader {
 public:
  explicit RecordReader(std::string_view bytes) : bytes_(bytes) {}

  bool ReadVarint(uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      *value |= uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  // As ReadVarint; false also for a value above `most`.
  template <typename T>
  bool ReadVarint(T* value, uint64_t most) {
    uint64_t wide = 0;
    if (!ReadVarint(&wide) || wide > most) return false;
    *value = static_cast<T>(wide);
    return true;
  }

  template <typename T>
  bool ReadBigEndian(T* value) {
    if (bytes_.size() < sizeof(T)) return false;
    *value = slice::ReadBigEndian<T>(bytes_);
    bytes_.remove_prefix(sizeof(T));
    return true;
  }

  bool ReadText(std::string* text) {
    uint64_t length = 0;
    if (!ReadVarint(&length) || length > bytes_.size()) return false;
    return ReadBytes(length, text);
  }

  bool ReadBytes(size_t length, std::string* bytes) {
    if (length > bytes_.size()) return false;
    bytes->assign(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return true;
  }

  // Calls visit(NodeId) for `count` ids. Returns false also when they do not
  // strictly ascend.
  template <typename Visit>
  bool ReadIds(uint64_t count, Visit visit) {
    uint64_t id = 0;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t step = 0;
      if (!ReadVarint(&step) || (i > 0 && step == 0) || step >= kNoNode)
        return false;
      id += step;
      if (id >= kNoNode) return false;
      visit(static_cast<NodeId>(id));
    }
    return true;
  }

  size_t left() const { return bytes_.size(); }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_RECORD_BYTES_H_
