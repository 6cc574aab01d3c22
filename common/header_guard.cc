// gRPC keeps a table for each header that it knows, with the functions that
// handle the header's value. One of them (`set`) puts the value into the
// headers of its call. The table is filled when such a header comes for the
// first time. Here it is filled before, with a `set` that does nothing.
//
// The table, the flag that says that it is filled, and the functions are found
// by their names in libgrpc.so (gRPC 1.51 with Debian's Abseil). Where a name
// is missing, or the table does not look as expected, nothing is changed:
// tests/attack/headers_test.py shows whether such a gRPC aborts.
#include "common/header_guard.h"

#include <dlfcn.h>

#include <cstddef>
#include <string_view>

namespace slice {
namespace {

constexpr std::string_view kHeader = "grpclb_client_stats";

// ParsedMetadata<grpc_metadata_batch>::
//     TrivialTraitVTable<GrpcLbClientStatsMetadata>()::vtable
constexpr char kTable[] =
    "_ZZN9grpc_core14ParsedMetadataI19grpc_metadata_batchE18TrivialTraitVTable"
    "INS_25GrpcLbClientStatsMetadataEEEPKNS2_6VTableEvE6vtable";
// Its guard variable (Itanium C++ ABI, section 3.3.3): the first byte is 1 once
// the table is filled.
constexpr char kFilled[] =
    "_ZGVZN9grpc_core14ParsedMetadataI19grpc_metadata_"
    "batchE18TrivialTraitVTable"
    "INS_25GrpcLbClientStatsMetadataEEEPKNS2_6VTableEvE6vtable";
// The function that `debug_string` points to.
constexpr char kDebugString[] =
    "_ZZN9grpc_core14ParsedMetadataI19grpc_metadata_batchE18TrivialTraitVTable"
    "INS_25GrpcLbClientStatsMetadataEEEPKNS2_6VTableEvENUlRKNS_15metadata_"
    "detail6BufferEE0_4_FUNB5cxx11ESB_";

// As in gRPC 1.51, src/core/lib/transport/parsed_metadata.h. What the loader
// fills in is marked.
struct Table {
  bool is_binary_header;
  void* destroy;  // by the loader
  void (*set)(const void* value, void* headers);
  void* with_new_value;  // by the loader
  void* debug_string;
  const char* name;  // an absl::string_view
  size_t name_size;
  void* name_of_value;  // null: `name` holds
};

void Ignore(const void* /*value*/, void* /*headers*/) {}

}  // namespace

bool IgnoreInternalHeaders() {
  auto* const table = static_cast<Table*>(dlsym(RTLD_DEFAULT, kTable));
  auto* const filled = static_cast<char*>(dlsym(RTLD_DEFAULT, kFilled));
  void* const debug_string = dlsym(RTLD_DEFAULT, kDebugString);
  if (table == nullptr || filled == nullptr || debug_string == nullptr) {
    return false;
  }
  if (*filled != 0 || table->destroy == nullptr || table->set != nullptr ||
      table->with_new_value == nullptr || table->debug_string != nullptr) {
    return false;
  }
  table->set = Ignore;
  table->debug_string = debug_string;
  table->name = kHeader.data();
  table->name_size = kHeader.size();
  *filled = 1;
  return true;
}

}  // namespace slice
