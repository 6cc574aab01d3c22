#include "model/scripted_network.h"

#include <dlfcn.h>

#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::Status Unusable(const std::string& why) {
  return absl::FailedPreconditionError(absl::StrCat(
      "running TorchScript needs LibTorch, which ", why,
      "; install the package slice-trainer ", SLICE_VERSION,
      ", use the full archive or image, or run the network natively"));
}

// Where the library is: only beside the program, so that neither a variable nor
// the working directory decides what code is loaded.
absl::StatusOr<fs::path> LibraryFile() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return Unusable("cannot be found: /proc is not mounted");
  const fs::path file =
      program.parent_path().parent_path() / "lib/slice/libslice_torchscript.so";
  if (fs::exists(file, error)) return file;
  return Unusable(absl::StrCat("is not installed (no ", file.string(), ")"));
}

// The library stays loaded until the process ends: LibTorch cannot be unloaded.
absl::StatusOr<const ScriptLibrary*> LoadLibrary() {
  SLICE_ASSIGN_OR_RETURN(const fs::path file, LibraryFile());
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Unusable(absl::StrCat("cannot be loaded: ", dlerror()));
  }
  using Entry = const ScriptLibrary* (*)();
  const auto entry =
      reinterpret_cast<Entry>(dlsym(library, "slice_script_library"));
  if (entry == nullptr) {
    return Unusable(absl::StrCat("cannot be used: ", dlerror()));
  }
  if (std::string_view(entry()->version) != SLICE_VERSION) {
    return Unusable(absl::StrCat("cannot be used: ", file.string(),
                                 " is of slice ", entry()->version,
                                 ", this program of ", SLICE_VERSION));
  }
  return entry();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ScriptedNetwork>> OpenScriptedNetwork(
    const fs::path& file, const std::string& device) {
  static const auto* const library =
      new absl::StatusOr<const ScriptLibrary*>(LoadLibrary());
  if (!library->ok()) return library->status();
  return (**library)->open(file, device);
}

}  // namespace slice
