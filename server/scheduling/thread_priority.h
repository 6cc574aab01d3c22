// How a thread gives way to the threads that answer questions.
#ifndef SLICE_SERVER_SCHEDULING_THREAD_PRIORITY_H_
#define SLICE_SERVER_SCHEDULING_THREAD_PRIORITY_H_

namespace slice {

// Raises the niceness of the calling thread, and of the threads that it will
// start, by `niceness`: this lowers their priority. Does nothing where the
// system refuses.
void BeNicer(int niceness);

// The same for work that no question waits for. Its time slice is also longer
// than that of other threads. On Linux 6.12 and later, a thread with a shorter
// slice takes the core as soon as it wakes up. With equal slices it would wait
// until the slice of this thread ends, whatever the niceness. The policy stays
// SCHED_OTHER: with SCHED_BATCH questions waited as long, and beside programs
// that keep all cores busy, a single change took four times as long.
void WorkInBackground(int niceness);

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_THREAD_PRIORITY_H_
