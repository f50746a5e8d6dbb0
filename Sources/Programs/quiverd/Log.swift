import Dispatch
import Glibc
import Synchronization

/// One-line structured log on stderr: `time=… level=info event=serving key=value …`.
///
/// Any thread may use it and none waits for it: lines go by way of a bounded buffer and a queue of
/// their own, and what finds no room is counted. Callers must not pass secrets.
final class Log: Sendable {
  private let level: Level
  private let queue = DispatchQueue(label: "quiverd.log")
  private let state = Mutex(State())

  enum Level: String, Sendable, CaseIterable, Comparable {
    case error, warning, info, debug

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private struct State {
    var bytes: [UInt8] = []
    var droppedLineCount = 0
    var isScheduled = false
  }

  private static let bufferByteCount = 256 * 1024
  private static let flushMilliseconds = 1_000

  init(level: Level) { self.level = level }

  func error(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.error, event, fields)
  }

  func warning(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.warning, event, fields)
  }

  func info(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.info, event, fields)
  }

  /// Waits until all lines are written, a second at most.
  func flush() {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    _ = done.wait(timeout: .now() + .milliseconds(Self.flushMilliseconds))
  }

  private func write(
    _ level: Level, _ event: String, _ fields: KeyValuePairs<String, String>
  ) {
    guard level <= self.level else { return }
    let line = LogLine.text(level: level.rawValue, event: event, fields)
    let mustSchedule = state.withLock { state in
      guard state.bytes.count + line.count <= Self.bufferByteCount else {
        state.droppedLineCount += 1
        return false
      }
      state.bytes += line
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { queue.async { self.drain() } }
  }

  private func drain() {
    let (bytes, dropped) = state.withLock { state in
      state.isScheduled = false
      defer {
        state.bytes = []
        state.droppedLineCount = 0
      }
      return (state.bytes, state.droppedLineCount)
    }
    Self.writeAll(bytes)
    if dropped > 0 {
      Self.writeAll(
        LogLine.text(level: "warning", event: "log-lines-dropped", ["count": "\(dropped)"]))
    }
  }

  private static func writeAll(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}
