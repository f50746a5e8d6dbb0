import ChildProcesses
import Foundation
import Glibc
import QuiverServer
import ServerPrograms
import Synchronization

/// A process of a service that is killed and started again at one address.
final class ChainProcess: Sendable {
  let address: String
  private let arguments: [String]
  private let state = Mutex(ChildProcess())

  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  private static let startTimeout = Duration.seconds(60)

  /// - Parameters:
  ///   - name: the name of its socket in `directory`.
  ///   - arguments: those after the address.
  init(_ name: String, in directory: String, _ arguments: [String]) {
    address = "unix:\(directory)/\(name)"
    self.arguments = arguments
  }

  /// Starts the process and returns when it serves.
  ///
  /// - Parameter more: arguments of this start only.
  func start(_ more: [String] = []) async throws {
    // A process that was killed has left its socket.
    unlink(String(address.dropFirst("unix:".count)))
    let process = ChildProcess()
    process.executableURL = Self.program
    process.arguments = ["serve", address] + arguments + more
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try await Self.onThread { try process.run() }
    state.withLock { $0 = process }
    let client = try RPCClient(.init(server: address))
    try await client.waitForReady(timeout: Self.startTimeout)
    await client.close()
  }

  /// Sends the process a signal.
  func signal(_ number: Int32) { _ = state.withLock { $0 }.signal(number) }

  /// Ends the process by a signal that it does not handle.
  func kill(_ number: Int32) async {
    signal(number)
    let process = state.withLock { $0 }
    try? await Self.onThread { process.waitUntilExit() }
  }

  /// Runs what blocks on a thread of its own: on one of the threads of tasks, of which there are as
  /// many as cores, it would keep the tasks waiting whose calls have ended.
  private static func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
    let result: Result<Void, any Error> = await withUnsafeContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try work() }) }
    }
    try result.get()
  }

  /// The attempts at Get that this process has seen.
  func attemptCount() async throws -> Int {
    let client = try RPCClient(.init(server: address))
    let counted = try await client.call(Chain.count, Entry())
    await client.close()
    return Int(counted.attempts)
  }
}
