// The library libslice_torchscript.so: what model/scripted_network.cc loads.
#ifndef SLICE_MODEL_TORCH_SCRIPT_LIBRARY_H_
#define SLICE_MODEL_TORCH_SCRIPT_LIBRARY_H_

#include "model/scripted_network.h"

// The only function of ours that the library exports.
extern "C" __attribute__((visibility("default"))) const slice::ScriptLibrary*
slice_script_library();

#endif  // SLICE_MODEL_TORCH_SCRIPT_LIBRARY_H_
