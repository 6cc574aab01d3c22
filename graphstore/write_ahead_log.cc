// A log is a file NNNNNN.log, in blocks of 32 KiB. A block holds pieces:
//   checksum u32, length u16, type u8, as many bytes   (little-endian)
// The checksum is the masked CRC-32C of type and bytes. A record is one whole
// piece, or a first one, middle ones and a last one. Less than seven bytes at
// the end of a block are left unused.
//
// Each record is flushed to disk before the next one is begun. So what follows
// a piece that cannot be read tells whether it was acknowledged: it was when
// another record begins there. The last record may be one that was being
// written when the process was killed or the power failed: then it is cut off,
// or sectors of it are empty. Where a write failed half-way, on a full disk,
// the same record stands whole behind its own start. All else is damage.
#include "graphstore/write_ahead_log.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kBlockBytes = 32 << 10, kHeaderBytes = 7, kSectorBytes = 512;
constexpr size_t kTypeAt = 6;  // in a piece
constexpr char kWhole = 1, kFirst = 2, kLast = 4;

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  std::array<uint32_t, 256> table = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
    table[byte] = crc;
  }
  return table;
}

uint32_t MaskedCrc(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = MakeCrcTable();
  uint32_t crc = UINT32_MAX;
  for (const char byte : bytes)
    crc = kTable[(crc ^ static_cast<uint8_t>(byte)) & 0xff] ^ (crc >> 8);
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

uint32_t LittleEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

// Whether `piece` ends where it should: then only its length may be wrong.
bool HasRightChecksum(std::string_view piece) {
  return MaskedCrc(piece.substr(kTypeAt)) == LittleEndian(piece.substr(0, 4));
}

// What the header of a piece says; at least kHeaderBytes.
size_t StatedSize(std::string_view bytes) {
  return kHeaderBytes + LittleEndian(bytes.substr(4, 2));
}

// The size of the piece that `bytes` begin with; 0 when they begin with none.
size_t PieceSize(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  const char type = bytes[kTypeAt];
  const size_t size = StatedSize(bytes);
  if (type < kWhole || type > kLast || size > bytes.size()) return 0;
  return HasRightChecksum(bytes.substr(0, size)) ? size : 0;
}

bool BeginsRecord(std::string_view bytes) {
  return bytes.size() >= kHeaderBytes &&
         (bytes[kTypeAt] == kWhole || bytes[kTypeAt] == kFirst) &&
         PieceSize(bytes) > 0;
}

bool IsZero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

// Whether `bytes`, which are at `offset` of the file, have a sector that was
// never written.
bool HasEmptySector(std::string_view bytes, uint64_t offset) {
  size_t at = (kSectorBytes - offset % kSectorBytes) % kSectorBytes;
  for (; at < bytes.size(); at += kSectorBytes) {
    if (IsZero(bytes.substr(at, kSectorBytes))) return true;
  }
  return false;
}

// Whether the last piece of a log, which cannot be read, may be one that was
// not written to its end. `bytes` go to the end of its block or of the file.
bool MayBeUnfinished(std::string_view bytes, uint64_t offset) {
  if (bytes.size() < kHeaderBytes || IsZero(bytes.substr(0, kHeaderBytes)))
    return true;
  const size_t size = StatedSize(bytes);
  if (HasEmptySector(bytes.substr(0, size), offset)) return true;
  const bool goes_beyond_block = size > kBlockBytes - offset % kBlockBytes;
  return !goes_beyond_block && size > bytes.size() && !HasRightChecksum(bytes);
}

// The size of the start of a record that `bytes` begin with, when the whole
// record follows it; else 0.
size_t RepeatedStart(std::string_view bytes) {
  for (size_t at = 1; at < bytes.size(); ++at) {
    if (!BeginsRecord(bytes.substr(at))) continue;
    return bytes.substr(at).starts_with(bytes.substr(0, at)) ? at : 0;
  }
  return 0;
}

// Reads one log, block by block.
class LogCheck {
 public:
  // All blocks but the last one are full.
  void Add(std::string_view block) {
    size_t at = 0;
    while (!unread_at_ && at < block.size() && kBlockBytes - at >= kHeaderBytes)
      at += Read(block.substr(at), offset_ + at);
    for (; unread_at_ && !is_damaged_ && at < block.size(); ++at)
      is_damaged_ = BeginsRecord(block.substr(at));
    offset_ += block.size();
  }

  // Where damage begins, if there is any.
  std::optional<uint64_t> damaged_at() const {
    return is_damaged_ ? unread_at_ : std::nullopt;
  }

 private:
  size_t Read(std::string_view bytes, uint64_t offset) {
    const size_t size = PieceSize(bytes);
    if (size > 0) return size;
    if (const size_t start = RepeatedStart(bytes); start > 0) return start;
    unread_at_ = offset;
    is_damaged_ = !MayBeUnfinished(bytes, offset);
    return 1;
  }

  uint64_t offset_ = 0;  // of the next block
  std::optional<uint64_t> unread_at_;
  bool is_damaged_ = false;
};

bool IsLogName(const std::filesystem::path& path) {
  const std::string stem = path.stem();
  return path.extension() == ".log" &&
         std::all_of(stem.begin(), stem.end(), absl::ascii_isdigit);
}

absl::Status CheckLog(const std::filesystem::path& path) {
  LogCheck check;
  std::string left;
  SLICE_RETURN_IF_ERROR(ReadPieces(path, [&](std::string_view piece) {
    left.append(piece);
    size_t at = 0;
    for (; left.size() - at >= kBlockBytes; at += kBlockBytes)
      check.Add(std::string_view(left).substr(at, kBlockBytes));
    left.erase(0, at);
  }));
  check.Add(left);
  const auto damaged_at = check.damaged_at();
  if (!damaged_at) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      path.string(), " is damaged at byte ", *damaged_at,
      ", so that acknowledged changes cannot be read; put a checkpoint in the "
      "place of the graph with `slice-graph restore --force`, or move the "
      "directory away to begin without changes"));
}

}  // namespace

absl::Status CheckWriteAheadLog(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> logs;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    if (IsLogName(entry->path())) logs.push_back(entry->path());
  }
  if (error) return FileError("list", directory, error.value());
  std::sort(logs.begin(), logs.end());
  for (const std::filesystem::path& log : logs) {
    const absl::Status checked = CheckLog(log);
    // A process that has the database open removes logs.
    if (!absl::IsNotFound(checked)) SLICE_RETURN_IF_ERROR(checked);
  }
  return absl::OkStatus();
}

}  // namespace slice
