// Keeps a header of a call from ending the process.
#ifndef SLICE_COMMON_HEADER_GUARD_H_
#define SLICE_COMMON_HEADER_GUARD_H_

namespace slice {

// gRPC 1.51 uses the header "grpclb_client_stats" inside a process, and takes
// it from the network all the same. A server that checks the credentials of
// calls then copies the headers of each call, and calls abort() at this one:
// whoever can connect could end the server with one call. After this function
// the header is ignored. Call it before the first thread starts. Returns false
// when it changed nothing, because the program has another gRPC or none.
bool IgnoreInternalHeaders();

}  // namespace slice

#endif  // SLICE_COMMON_HEADER_GUARD_H_
