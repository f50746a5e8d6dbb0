import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// The calls of a command: which one was the last, and with `--verbose` a line for each on standard
/// error.
final class CallLog: ClientInterceptor {
  private let last = Mutex<CalledMethod?>(nil)

  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    let method = call.method
    last.withLock { $0 = method }
    guard OutputStyle.current.isVerbose else { return nil }
    var line = "> \(method.name)"
    if let timeout = call.options.timeout { line += " timeout \(timeout)" }
    Terminal.printError(line)
    Self.printMetadata(call.options.metadata, ">")
    return { outcome in
      let attempts = outcome.attemptCount == 1 ? "1 attempt" : "\(outcome.attemptCount) attempts"
      let microseconds = outcome.duration.components.attoseconds / 1_000_000_000_000
      let milliseconds =
        Double(outcome.duration.components.seconds) * 1_000 + Double(microseconds) / 1_000
      let time = DecimalFigure.text(milliseconds, digits: 1)
      Terminal.printError("< \(method.name) \(outcome.code.name) in \(time) ms, \(attempts)")
      if let error = outcome.error { Self.printMetadata(error.metadata, "<") }
    }
  }

  /// Prints metadata, a line for each entry; bytes in hexadecimal.
  static func printMetadata(_ metadata: Metadata, _ mark: String) {
    for entry in metadata.entries {
      let text = String(validating: entry.value, as: UTF8.self) ?? Hexadecimal.text(entry.value)
      Terminal.printError("\(mark)   \(entry.key): \(Terminal.oneLine(text))")
    }
  }

  /// Whether the last call may have changed something although it ended with this error.
  ///
  /// A method that changes nothing cannot have; the server's own answers leave it open only if the
  /// call was cancelled while it ran.
  func mayHaveRun(_ error: RPCError) -> Bool {
    guard last.withLock({ $0 })?.isMutating == true, !error.isNotProcessed else { return false }
    guard error.origin == .server else { return true }
    return [.deadlineExceeded, .cancelled, .unavailable].contains(error.code)
  }
}
