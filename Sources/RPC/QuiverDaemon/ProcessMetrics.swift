import Glibc
package import QuiverMetrics

/// The metrics of the process that Prometheus' own client libraries have, from /proc.
package enum ProcessMetrics {
  package static let families = [
    MetricFamily(
      "process_cpu_seconds_total", .counter, "Time that the process ran on a core, in seconds."
    ) { cpuSeconds },
    MetricFamily(
      "process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM."
    ) { number(ofPage: 1) },
    MetricFamily("process_virtual_memory_bytes", .gauge, "Memory that the process has mapped.") {
      number(ofPage: 0)
    },
    MetricFamily("process_open_fds", .gauge, "Descriptors that are open.") { openDescriptorCount },
    MetricFamily("process_max_fds", .gauge, "Descriptors that may be open.") {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return Double(limit.rlim_cur)
    },
    MetricFamily(
      "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970."
    ) { startSeconds },
  ]

  /// Memory in RAM, in bytes.
  package static var residentBytes: Int64 { Int64(number(ofPage: 1)) }

  /// Time that the process ran on a core, in seconds.
  package static var cpuSeconds: Double {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// A number of pages in /proc/self/statm, in bytes.
  private static func number(ofPage index: Int) -> Double {
    let fields = text(ofFile: "/proc/self/statm").split(separator: " ")
    guard index < fields.count, let pages = Double(fields[index]) else { return 0 }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var openDescriptorCount: Double {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0.0
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != UInt8(ascii: ".") { count += 1 }
    }
    // Without the descriptor that reads the directory.
    return max(0, count - 1)
  }

  /// From field 22 of /proc/self/stat, in ticks since the machine's start.
  package static let startSeconds: Double = {
    let stat = text(ofFile: "/proc/self/stat")
    // The program's name, in parentheses, may have spaces.
    let rest = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
    let boot = text(ofFile: "/proc/stat").split(separator: "\n")
      .first { $0.hasPrefix("btime ") }?.dropFirst(6)
    guard rest.count > 20, let ticks = Double(rest[20]), let boot = boot.flatMap({ Double($0) })
    else { return 0 }
    return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }()

  private static func text(ofFile path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
