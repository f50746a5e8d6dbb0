import Glibc
import QuiverAPI
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// Checks that the tester shows the stall of a server for a second: a tester that waits for replies
/// before it sends would hide it.
struct SelfTest {
  /// The result, and whether it is as expected.
  struct Finding {
    let lines: [String]
    let isHonest: Bool
  }

  private static let rate = 1_000.0
  private static let stallMicroseconds: UInt32 = 1_000_000

  /// The two sides of an encrypted connection.
  struct Security {
    let server: any SecureServerContext
    let client: TransportSecurity
  }

  /// - Parameter security: how the connections to the built-in server are encrypted; nil: they are
  ///   not.
  static func run(_ security: Security? = nil) throws -> Finding {
    let stalls = Mutex(0)
    let handled = Mutex(0)
    let route = Route.synchronous(Diagnostics.echo) { message, _ throws(RPCError) in
      let number = handled.withLock { handled in
        handled += 1
        return handled
      }
      if number == 2_000 {
        stalls.withLock { $0 += 1 }
        usleep(stallMicroseconds)
      }
      return message
    }
    var configuration = Server.Configuration(
      router: Router([route]), authenticator: AcceptAll(),
      identity: ServerIdentity(software: "quiver-load", instanceID: [1]))
    configuration.shardCount = 1
    configuration.security = security?.server
    let scheme = security == nil ? "" : Endpoint.secureScheme
    let server = try Server(configuration)
    guard let anywhere = Endpoint(scheme + "127.0.0.1:0") else {
      return Finding(lines: [], isHonest: false)
    }
    let bound = try server.listen(on: anywhere)
    guard let address = bound.first, let endpoint = Endpoint("\(scheme)127.0.0.1:\(address.port)")
    else {
      return Finding(lines: ["the built-in server has no address"], isHonest: false)
    }
    var settings = LoadRun.Settings()
    settings.rate = rate
    settings.connections = 4
    settings.seconds = 5
    settings.warmUpSeconds = 0
    let plan = Plan(
      method: Diagnostics.echo.info, request: EchoMessage().serializedBytes(), messagesPerCall: 1,
      metadata: Metadata(), timeoutNanoseconds: 10_000_000_000,
      runID: 7)
    let run = LoadRun(
      settings, plan, over: try DispatchTransport(), to: Rotation([endpoint]),
      ConnectOptions(
        token: Array("self-test".utf8), software: "quiver-load", security: security?.client))
    let summary = run.run { _, _ in }.summary
    return check(summary, stalls: stalls.withLock { $0 })
  }

  private static func check(_ summary: Summary, stalls: Int) -> Finding {
    let p50 = summary.latency.microseconds(at: 0.5)
    let p99 = summary.latency.microseconds(at: 0.99)
    let slow = summary.latency.count(above: 100_000)
    let checks: [(String, Bool)] = [
      ("the server stalled \(stalls) time, for 1 s", stalls == 1),
      ("answered \(summary.succeeded), failed \(summary.failed)", summary.failed == 0),
      (
        "p50 \(Fixed.time(microseconds: p50)), which the stall does not touch (below 100 ms)",
        p50 < 100_000
      ),
      (
        "p99 \(Fixed.time(microseconds: p99)), which shows the stall (0.7 s to 1.5 s)",
        (700_000...1_500_000).contains(p99)
      ),
      (
        "\(slow) calls waited more than 100 ms: those of nine tenths of a second (700 to 1,100)",
        (700...1_100).contains(slow)
      ),
    ]
    return Finding(
      lines: checks.map { ($0.1 ? "ok    " : "WRONG ") + $0.0 },
      isHonest: checks.allSatisfy(\.1))
  }

  /// Authenticates everybody.
  private struct AcceptAll: Authenticator {
    func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
      .caller(Caller(principalID: 1, tokenID: 1, kind: .user, displayName: "self-test"))
    }
  }
}
