import Glibc
import Synchronization

/// A structured log of one line an event, to a descriptor such as stderr.
///
/// Any thread may use it and none waits for it: lines go through a buffer of limited size to a
/// thread of their own, and a line that finds no room is dropped and counted. Callers pass no
/// secrets and no text of users.
package final class Log: Sendable {
  package typealias Fields = KeyValuePairs<String, String>

  /// Bytes of lines that wait to be written.
  package static let bufferByteCount = 256 * 1024
  private static let flushMilliseconds: Int = 1_000

  private let core: Core

  /// - Parameters:
  ///   - descriptor: where lines are written; it stays open.
  package init(level: LogLevel, format: LogFormat = .logfmt, descriptor: Int32 = STDERR_FILENO) {
    core = Core(level: level, format: format, descriptor: descriptor)
    // The thread keeps the core, and ends when the log is released.
    let core = core
    // Without the thread lines are dropped and counted.
    _ = DetachedThread.start { core.writeUntilEnd() }
  }

  deinit { core.end() }

  /// Lines of this level and of more severe levels are written. May be changed at any time.
  package var level: LogLevel {
    get { core.level }
    set { core.level = newValue }
  }

  /// How many lines were dropped since the start because the log was not read in time.
  package var droppedLineCount: UInt64 { core.droppedLineCount }

  /// Writes a line unless its level is switched off.
  package func write(_ event: LogEvent, _ fields: Fields = [:]) {
    write(event, fields: fields.map { ($0.key, $0.value) })
  }

  /// The same with fields that were put together.
  package func write(_ event: LogEvent, fields: [(key: String, value: String)]) {
    core.append(event, fields)
  }

  /// Waits until all lines are written, a second at most.
  package func flush() { core.flush(milliseconds: Self.flushMilliseconds) }
}

/// The buffer between those who log and the thread that writes.
// Sendable because its state is touched under the mutex alone.
private final class Core: @unchecked Sendable {
  private let format: LogFormat
  private let descriptor: Int32
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let written: UnsafeMutablePointer<pthread_cond_t>

  private let levelRank: Atomic<Int>
  private let dropped = Atomic<UInt64>(0)
  private var bytes: [UInt8] = []
  private var unreportedCount = 0
  private var isWriting = false
  private var hasEnded = false

  private static let droppedEvent = LogEvent("log-lines-dropped", .warning)

  init(level: LogLevel, format: LogFormat, descriptor: Int32) {
    self.format = format
    self.descriptor = descriptor
    levelRank = Atomic(LogLevel.allCases.firstIndex(of: level) ?? 0)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    written = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_cond_init(written, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_cond_destroy(written)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    written.deallocate()
    mutex.deallocate()
  }

  var level: LogLevel {
    get { LogLevel.allCases[levelRank.load(ordering: .relaxed)] }
    set { levelRank.store(LogLevel.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed) }
  }

  var droppedLineCount: UInt64 { dropped.load(ordering: .relaxed) }

  func append(_ event: LogEvent, _ fields: [(key: String, value: String)]) {
    guard event.level <= level else { return }
    let line = LogLine.bytes(event, fields, format)
    locked {
      guard bytes.count + line.count <= Log.bufferByteCount else {
        unreportedCount += 1
        dropped.wrappingAdd(1, ordering: .relaxed)
        return
      }
      bytes += line
      pthread_cond_signal(changed)
    }
  }

  func end() {
    locked {
      hasEnded = true
      pthread_cond_signal(changed)
    }
  }

  func flush(milliseconds: Int) {
    var due = timespec()
    clock_gettime(CLOCK_MONOTONIC, &due)
    due.tv_sec += milliseconds / 1_000
    due.tv_nsec += milliseconds % 1_000 * 1_000_000
    if due.tv_nsec >= 1_000_000_000 {
      due.tv_sec += 1
      due.tv_nsec -= 1_000_000_000
    }
    locked {
      while !bytes.isEmpty || isWriting {
        guard pthread_cond_timedwait(written, mutex, &due) == 0 else { return }
      }
    }
  }

  /// The body of the writer's thread.
  func writeUntilEnd() {
    while let (bytes, unreported) = next() {
      writeAll(bytes)
      if unreported > 0 {
        writeAll(LogLine.bytes(Self.droppedEvent, [("count", "\(unreported)")], format))
      }
      locked {
        isWriting = false
        pthread_cond_broadcast(written)
      }
    }
  }

  /// Waits for lines; nil: the log was released, and all is written.
  private func next() -> ([UInt8], unreported: Int)? {
    locked {
      while bytes.isEmpty && unreportedCount == 0 {
        if hasEnded { return nil }
        pthread_cond_wait(changed, mutex)
      }
      isWriting = true
      defer {
        bytes = []
        unreportedCount = 0
      }
      return (bytes, unreportedCount)
    }
  }

  private func writeAll(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN {
          // Somebody else has made the descriptor non-blocking.
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&entry, 1, -1)
          continue
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
