import Dispatch
public import Foundation
import Glibc
import Synchronization

/// A program that a test starts, by `posix_spawn`.
///
/// Takes the place of Foundation's `Process`, which crashes in `run()` when tests of other modules
/// hold thousands of descriptors. The child gets its three standard streams and no other
/// descriptor: one that held the end of another's pipe would keep its reader waiting. No signal is
/// blocked or ignored in it.
public final class ChildProcess: @unchecked Sendable {  // configured before `run`, then guarded
  public var executableURL: URL?
  public var arguments: [String] = []
  public var currentDirectoryURL: URL?
  /// What the child finds in its environment; nil: what this process has.
  public var environment: [String: String]?
  /// A `Pipe` or a `FileHandle` each; nil: this process's own.
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?

  public enum TerminationReason: Sendable { case exit, uncaughtSignal }

  private let state = Mutex(State())
  private let ended = DispatchGroup()

  private struct State {
    var identifier: Int32 = 0
    var status: Int32?
  }

  public init() {}

  private typealias CloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  /// `posix_spawn_file_actions_addclosefrom_np`, which Glibc's module leaves out.
  private static let closeFrom: CloseFrom = {
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
      preconditionFailure("glibc 2.34 or newer closes a child's descriptors")
    }
    return unsafeBitCast(symbol, to: CloseFrom.self)  // unsafe: the type is the one of its manual
  }()

  public var processIdentifier: Int32 { state.withLock { $0.identifier } }

  /// Starts the program; throws where it cannot be.
  public func run() throws {
    guard var path = executableURL?.path else { throw POSIXError(.ENOENT) }
    var words = [path] + arguments
    if let directory = currentDirectoryURL?.path {
      // `env` goes there and becomes the program.
      path = "/usr/bin/env"
      words = [path, "-C", directory] + words
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let streams = [
      Self.descriptor(standardInput, writes: false), Self.descriptor(standardOutput, writes: true),
      Self.descriptor(standardError, writes: true),
    ]
    for (number, stream) in streams.enumerated() {
      if let stream { posix_spawn_file_actions_adddup2(&actions, stream, Int32(number)) }
    }
    _ = Self.closeFrom(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    let variables = environment ?? ProcessInfo.processInfo.environment
    let code = Self.withCStrings(words) { argv in
      Self.withCStrings(variables.map { "\($0)=\($1)" }) { envp in
        var identifier: Int32 = 0
        let code = posix_spawn(&identifier, path, &actions, &attributes, argv, envp)
        if code == 0 { state.withLock { $0.identifier = identifier } }
        return code
      }
    }
    if code == 0 { reap(processIdentifier) }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    closeOwnEnds()
  }

  /// Takes the child's status as soon as it has ended, on a thread of its own: the exit tests of
  /// Swift Testing wait for any child of the process, and would find this one again and again.
  private func reap(_ identifier: Int32) {
    ended.enter()
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let final = status
      state.withLock { $0.status = final }
      ended.leave()
    }
  }

  /// Whether the program has not ended yet.
  public var isRunning: Bool {
    state.withLock { $0.identifier > 0 && $0.status == nil }
  }

  /// Waits until the program has ended.
  public func waitUntilExit() { ended.wait() }

  public func terminate() { _ = signal(SIGTERM) }

  /// Sends a signal; false where the program is gone.
  public func signal(_ number: Int32) -> Bool {
    isRunning && kill(processIdentifier, number) == 0
  }

  public var terminationReason: TerminationReason {
    (status & 0x7F) == 0 ? .exit : .uncaughtSignal
  }

  /// The exit code, or the signal that ended it.
  public var terminationStatus: Int32 {
    terminationReason == .exit ? (status >> 8) & 0xFF : status & 0x7F
  }

  private var status: Int32 { state.withLock { $0.status ?? 0 } }

  private static func descriptor(_ stream: Any?, writes: Bool) -> Int32? {
    switch stream {
    case let pipe as Pipe:
      (writes ? pipe.fileHandleForWriting : pipe.fileHandleForReading).fileDescriptor
    case let handle as FileHandle: handle.fileDescriptor
    default: nil
    }
  }

  /// The ends of pipes that are the child's alone now.
  private func closeOwnEnds() {
    try? (standardInput as? Pipe)?.fileHandleForReading.close()
    try? (standardOutput as? Pipe)?.fileHandleForWriting.close()
    guard (standardError as? Pipe) !== (standardOutput as? Pipe) || standardOutput == nil else {
      return
    }
    try? (standardError as? Pipe)?.fileHandleForWriting.close()
  }

  private static func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
