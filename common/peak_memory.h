// The most memory the process has held.
#ifndef SLICE_COMMON_PEAK_MEMORY_H_
#define SLICE_COMMON_PEAK_MEMORY_H_

namespace slice {

// Gives back what was freed and starts a new peak from what is held now. Where
// the kernel does not allow it, the peak is the process's.
void ResetPeakMemory();

// The largest resident set since the last reset (or the start), in MiB; 0 when
// the kernel does not tell.
double PeakMemoryMib();

}  // namespace slice

#endif  // SLICE_COMMON_PEAK_MEMORY_H_
