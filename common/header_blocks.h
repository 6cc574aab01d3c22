// Bounds the headers of a call as gRPC 1.51 does not.
#ifndef SLICE_COMMON_HEADER_BLOCKS_H_
#define SLICE_COMMON_HEADER_BLOCKS_H_

#include <cstdint>

namespace slice {

// The most bytes of the headers of a call, by the count of HTTP/2: 32 bytes for
// each header beside its name and value. A proxy in front that lets 8 KiB
// through, in at most 64 headers, stays below it.
inline constexpr uint32_t kMaxHeaderBytes = 16 << 10;

// In HTTP/2 a call begins with a block of headers: a HEADERS frame and any
// number of CONTINUATION frames. gRPC 1.51 bounds the headers of a frame only,
// and only once the other end has acknowledged its settings. So whoever could
// connect could fill the memory by one call, and one header that never ended
// could keep a core busy (CVE-2023-33953). This function changes two things.
//   - Long headers end the connection. Too long is a block of more than
//     kMaxHeaderBytes or of hundreds of frames. Too long is also one header
//     that does not end within twice kMaxHeaderBytes.
//   - A binary header ("-bin") that is not base64 counts as empty. gRPC 1.51
//     would end the connection, and with it the calls of others behind the same
//     proxy (CVE-2023-32732).
// Call it before the first thread starts. Returns false when it changed
// nothing, because the program has another gRPC or none.
bool LimitHeaderBlocks();

}  // namespace slice

#endif  // SLICE_COMMON_HEADER_BLOCKS_H_
