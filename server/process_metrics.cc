// The values come from files and calls of Linux:
//   /proc/self/stat   CPU time, memory, threads, start time (proc(5))
//   /proc/stat        the time of the boot, to which the start time is relative
//   /proc/self/fd     the open files
//   getrlimit         the most files that may be open
// A value that cannot be read is 0.
#include "server/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "server/sampled_metrics.h"

namespace slice {
namespace {

// The fields of /proc/self/stat that are reported.
struct ProcessStat {
  double cpu_seconds = 0;
  double start_seconds_after_boot = 0;
  double virtual_bytes = 0;
  double resident_bytes = 0;
  double threads = 0;
};

ProcessStat ReadProcessStat() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  ProcessStat stat;
  // The command, field 2, is in brackets and may hold spaces.
  const size_t bracket = line.rfind(')');
  if (bracket == std::string::npos) return stat;
  std::istringstream fields(line.substr(bracket + 1));
  std::vector<std::string> values;
  for (std::string value; fields >> value;) values.push_back(value);
  constexpr size_t kFirstField = 3;
  const auto field = [&values](size_t number) {
    return number - kFirstField < values.size()
               ? std::stod(values[number - kFirstField])
               : 0.0;
  };
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  stat.cpu_seconds = (field(14) + field(15)) / ticks;
  stat.threads = field(20);
  stat.start_seconds_after_boot = field(22) / ticks;
  stat.virtual_bytes = field(23);
  stat.resident_bytes = field(24) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return stat;
}

double BootTimeSeconds() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return 0;
}

double OpenFileCount() {
  std::error_code error;
  double count = 0;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end;
       !error && entry != end; entry.increment(error)) {
    ++count;
  }
  return count;
}

double MaxOpenFiles() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

std::vector<prometheus::MetricFamily> ProcessMetrics::Collect() const {
  using prometheus::MetricType;
  const ProcessStat stat = ReadProcessStat();
  return {
      SingleValue("process_cpu_seconds_total",
                  "User and system CPU time spent.", MetricType::Counter,
                  stat.cpu_seconds),
      SingleValue("process_start_time_seconds",
                  "Start time since the Unix epoch.", MetricType::Gauge,
                  BootTimeSeconds() + stat.start_seconds_after_boot),
      SingleValue("process_resident_memory_bytes", "Resident memory size.",
                  MetricType::Gauge, stat.resident_bytes),
      SingleValue("process_virtual_memory_bytes", "Virtual memory size.",
                  MetricType::Gauge, stat.virtual_bytes),
      SingleValue("process_threads", "Threads of the process.",
                  MetricType::Gauge, stat.threads),
      SingleValue("process_open_fds", "Open file descriptors.",
                  MetricType::Gauge, OpenFileCount()),
      SingleValue("process_max_fds", "Most file descriptors that may be open.",
                  MetricType::Gauge, MaxOpenFiles()),
  };
}

}  // namespace slice
