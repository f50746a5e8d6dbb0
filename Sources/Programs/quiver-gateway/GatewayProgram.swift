import Dispatch
import Glibc
import QuiverClient
import QuiverDispatch
import QuiverGateway
import QuiverRPC
import QuiverTLS
import QuiverWire

/// The gateway: flags and wiring.
@main
enum GatewayProgram {
  static let version = "0.1.0"

  static func main() async {
    do throws(UsageError) {
      switch try Invocation(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(Options.help, terminator: "")
      case .version: print("quiver-gateway \(version)")
      case .serve(let options): await serve(options)
      }
    } catch {
      leave(64, "quiver-gateway: \(error.description)\nTry quiver-gateway --help.\n")
    }
    exit(0)
  }

  private static func serve(_ options: Options) async {
    let signals = StopSignal()
    do {
      let running = try RunningGateway(options)
      for address in running.addresses { log("listening", ["address": address]) }
      await signals.wait()
      log("draining", ["reason": "a signal"])
      await running.stop()
      log("stopped", [:])
    } catch {
      leave(69, "quiver-gateway: \(error)\n")
    }
    _exit(0)
  }

  /// Writes one line to standard error: the event, and fields without spaces or quoted.
  static func log(_ event: String, _ fields: KeyValuePairs<String, String>) {
    var line = "event=\(event)"
    for (name, value) in fields { line += " \(name)=\(Escaping.field(value))" }
    line += "\n"
    let bytes = Array(line.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func leave(_ code: Int32, _ text: String) -> Never {
    let bytes = Array(text.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(code)
  }
}

/// Values of a log line.
enum Escaping {
  /// The value as it is, or in quotes where it has other characters than printable ASCII.
  static func field(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != 34 && $0 != 61 }
    guard !isPlain || value.isEmpty else { return value }
    var quoted = "\""
    for byte in value.utf8 {
      switch byte {
      case 34, 92: quoted += "\\" + String(UnicodeScalar(byte))
      case 32..<127: quoted += String(UnicodeScalar(byte))
      default: quoted += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return quoted + "\""
  }
}

/// SIGTERM and SIGINT: the first asks for a drain, the second ends the process at once.
final class StopSignal: Sendable {
  // Unsafe because Dispatch does not say that its sources are Sendable: kept, never touched again.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]
  private let stream: AsyncStream<Void>

  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    let queue = DispatchQueue(label: "quiver-gateway.signals")
    signal(SIGPIPE, SIG_IGN)
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    let counter = SignalCounter()
    for source in sources {
      source.setEventHandler { () -> Void in
        if counter.isSecond() { _exit(130) }
        continuation.yield()
      }
      source.activate()
    }
  }

  /// Returns when the first signal has come.
  func wait() async {
    for await _ in stream { return }
  }
}

/// Counts on one queue.
// Sendable because only the queue of the signals uses it.
private final class SignalCounter: @unchecked Sendable {
  private var count = 0

  func isSecond() -> Bool {
    count += 1
    return count > 1
  }
}
