// Four functions of grpc_core::HPackParser, which reads headers, are defined
// here once more. libgrpc.so calls them by name, and the loader finds those of
// the program first. Each calls the function of libgrpc.so (Real), and does one
// thing beside:
//   1. the constructor sets the fields that gRPC 1.51 leaves unset
//   2. BeginFrame lowers the limit, and goes on counting where the frame before
//      it belongs to the same block
//   3. Parse fails when the block has become too long
//   4. Unbase64Loop does not fail
// They do so only after LimitHeaderBlocks has found that the parser has the
// fields of gRPC 1.51 (src/core/ext/transport/chttp2/transport/hpack_parser.h).
#include "common/header_blocks.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"

#define SLICE_REPLACES(name) \
  __asm__(name) __attribute__((visibility("default"), used))

namespace slice {
namespace hpack {  // has a name, so that the functions below can be found

constexpr uint8_t kSkipped = 2;  // LogInfo::type

enum class Boundary : uint8_t { kNone, kEndOfHeaders, kEndOfStream };

struct LogInfo {
  uint32_t stream_id;
  uint8_t type;  // kSkipped: the frame is of a call that has ended
  bool is_client;
};

struct Parser {
  void* headers;
  std::vector<uint8_t> unparsed;  // of a header that has not ended
  Boundary boundary;              // kNone: the block goes on
  uint8_t priority;
  uint8_t table_updates;
  uint32_t frame_length;
  uint32_t limit;  // of frame_length
  LogInfo log_info;
};

// A grpc_slice that holds its bytes.
struct Slice {
  void* owner;
  uint8_t size;
  uint8_t bytes[23];
};

}  // namespace hpack

namespace {

using hpack::Boundary;
using hpack::LogInfo;
using hpack::Parser;
using hpack::Slice;

// What a frame of a block costs beside its headers. Bounds the frames of a
// block, which may be empty.
constexpr uint32_t kFrameBytes = 32;

constexpr char kConstruct[] = "_ZN9grpc_core11HPackParserC1Ev";
constexpr char kDestroy[] = "_ZN9grpc_core11HPackParserD1Ev";
constexpr char kBeginFrame[] =
    "_ZN9grpc_core11HPackParser10BeginFrameEP19grpc_metadata_batchjNS0_"
    "8BoundaryENS0_8PriorityENS0_7LogInfoE";
constexpr char kParse[] = "_ZN9grpc_core11HPackParser5ParseERK10grpc_sliceb";
constexpr char kUnbase64[] =
    "_ZN9grpc_core11HPackParser6String12Unbase64LoopEPKhS3_";

using Binary = absl::optional<std::vector<uint8_t>>;
using Construct = void (*)(Parser*);
using BeginFrame = void (*)(Parser*, void*, uint32_t, Boundary, uint8_t,
                            LogInfo);
using Parse = absl::Status (*)(Parser*, const Slice&, bool);
using Unbase64 = Binary (*)(const uint8_t*, const uint8_t*);

bool limits = false;

// The function of this name in libgrpc.so; null without libgrpc.so.
template <typename Function>
Function Real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void ConstructParser(Parser* parser)
    SLICE_REPLACES("_ZN9grpc_core11HPackParserC1Ev");
void BeginHeaderFrame(Parser* parser, void* headers, uint32_t limit,
                      Boundary boundary, uint8_t priority, LogInfo log_info)
    SLICE_REPLACES(
        "_ZN9grpc_core11HPackParser10BeginFrameEP19grpc_metadata_batchjNS0_"
        "8BoundaryENS0_8PriorityENS0_7LogInfoE");
absl::Status ParseHeaders(Parser* parser, const Slice& slice, bool is_last)
    SLICE_REPLACES("_ZN9grpc_core11HPackParser5ParseERK10grpc_sliceb");
Binary ParseBase64(const uint8_t* begin, const uint8_t* end)
    SLICE_REPLACES("_ZN9grpc_core11HPackParser6String12Unbase64LoopEPKhS3_");

void ConstructParser(Parser* parser) {
  static const auto real = Real<Construct>(kConstruct);
  real(parser);
  if (!limits) return;
  parser->boundary = Boundary::kEndOfHeaders;
  parser->frame_length = 0;
}

void BeginHeaderFrame(Parser* parser, void* headers, uint32_t limit,
                      Boundary boundary, uint8_t priority, LogInfo log_info) {
  static const auto real = Real<BeginFrame>(kBeginFrame);
  if (!limits) {
    return real(parser, headers, limit, boundary, priority, log_info);
  }
  // For skipped frames gRPC confuses the boundaries. Nothing of them is kept.
  const bool goes_on = parser->boundary == Boundary::kNone &&
                       parser->log_info.type != hpack::kSkipped;
  const uint32_t before = parser->frame_length;
  if (limit > kMaxHeaderBytes) limit = kMaxHeaderBytes;
  real(parser, headers, limit, boundary, priority, log_info);
  if (goes_on) parser->frame_length = before + kFrameBytes;
}

absl::Status ParseHeaders(Parser* parser, const Slice& slice, bool is_last) {
  static const auto real = Real<Parse>(kParse);
  absl::Status status = real(parser, slice, is_last);
  if (!limits || !status.ok()) return status;
  if (parser->frame_length > kMaxHeaderBytes ||
      parser->unparsed.size() > 2 * kMaxHeaderBytes) {
    return absl::ResourceExhaustedError("the headers of a call are too long");
  }
  return status;
}

Binary ParseBase64(const uint8_t* begin, const uint8_t* end) {
  static const auto real = Real<Unbase64>(kUnbase64);
  Binary bytes = real(begin, end);
  if (limits && !bytes.has_value()) bytes.emplace();
  return bytes;
}

namespace {

// Whether the loader prefers the functions of the program.
bool AreReplaced() {
  const auto is_own = [](const char* name, const void* own) {
    return dlsym(RTLD_DEFAULT, name) == own && Real<void*>(name) != nullptr &&
           Real<void*>(name) != own;
  };
  return is_own(kConstruct, reinterpret_cast<void*>(ConstructParser)) &&
         is_own(kBeginFrame, reinterpret_cast<void*>(BeginHeaderFrame)) &&
         is_own(kParse, reinterpret_cast<void*>(ParseHeaders)) &&
         is_own(kUnbase64, reinterpret_cast<void*>(ParseBase64)) &&
         Real<void*>(kDestroy) != nullptr;
}

// Has libgrpc.so read the first half of a header, and looks at its parser.
bool HasKnownFields() {
  constexpr uint32_t kLimit = 4321, kStream = 1234567;
  // 0: a literal header; its name has 9 bytes, of which 4 are there.
  const Slice half = {nullptr, 6, {0, 9, 'a', 'b', 'c', 'd'}};
  alignas(std::max_align_t) char room[4096] = {};
  auto* const parser = reinterpret_cast<Parser*>(room);
  Real<Construct>(kConstruct)(parser);
  Real<BeginFrame>(kBeginFrame)(parser, nullptr, kLimit, Boundary::kEndOfStream,
                                0, {kStream, 1, false});
  const bool parsed = Real<Parse>(kParse)(parser, half, false).ok();
  const bool known =
      parsed && parser->limit == kLimit && parser->frame_length == 0 &&
      parser->boundary == Boundary::kEndOfStream &&
      parser->log_info.stream_id == kStream && parser->headers == nullptr &&
      parser->unparsed.size() == half.size &&
      std::memcmp(parser->unparsed.data(), half.bytes, half.size) == 0;
  Real<Construct>(kDestroy)(parser);
  return known;
}

}  // namespace

bool LimitHeaderBlocks() {
  limits = AreReplaced() && HasKnownFields();
  return limits;
}

}  // namespace slice
