import Glibc

/// Monotonic time, and the processor time of processes.
enum Clock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  static func sleep(untilNanoseconds due: UInt64) {
    var time = timespec(
      tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
  }

  /// Processor time that this process has used, in seconds.
  static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Processor time that another process has used, in seconds; nil if it cannot be read.
  static func processorSeconds(of process: Int32) -> Double? {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    // After the name in brackets: the state, then numbers; user and system time are the 12th and
    // 13th.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return nil
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Memory of a process that is in RAM, in bytes; nil if it cannot be read. Of this one without
  /// a number.
  static func residentBytes(of process: Int32?) -> Int? {
    let name = process.map { "\($0)" } ?? "self"
    guard let file = fopen("/proc/\(name)/statm", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}

/// The processor times of this process and the server, read together so that they cover the same
/// span.
struct ProcessorTimes {
  private(set) var own: Double
  /// Nil if there is no server process, or it cannot be read.
  private(set) var server: Double?

  init(_ serverProcess: Int32?) {
    own = Clock.processorSeconds()
    server = serverProcess.flatMap { Clock.processorSeconds(of: $0) }
  }

  func since(_ earlier: ProcessorTimes) -> ProcessorTimes {
    var result = self
    result.own -= earlier.own
    result.server = server.flatMap { now in earlier.server.map { now - $0 } }
    return result
  }
}
