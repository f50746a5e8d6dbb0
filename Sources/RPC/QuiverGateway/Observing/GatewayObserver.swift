package import QuiverMetrics
import QuiverRPC
package import QuiverWire
import Synchronization

/// The protocol of a call, as metrics and logs name it.
package enum CallProtocol: Int, Sendable, CaseIterable {
  case grpc, grpcWeb, connect

  package var name: String {
    switch self {
    case .grpc: "grpc"
    case .grpcWeb: "grpc-web"
    case .connect: "connect"
    }
  }
}

/// A call that has ended, for the log.
package struct EndedGatewayCall: Sendable {
  package let callProtocol: CallProtocol
  package let code: StatusCode
  package let nanoseconds: UInt64
  /// As the caller names it: letters, digits, points, a slash and underscores.
  package let method: String
  package let address: String
  /// The caller's field, which names the trace; empty: there is none.
  package let traceparent: String
  /// It is one of those that the access log has.
  package let isSampled: Bool
}

/// An event for the operator.
package enum GatewayOccurrence: Sendable {
  case limitReached(GatewayLimit, address: String)
  /// Only calls that are sampled, that failed by the fault of a server, or UNAUTHENTICATED.
  case callEnded(EndedGatewayCall)
}

/// Counts the events of a gateway, and reports those for its operator. May be used from any thread;
/// nothing waits.
package final class GatewayObserver: Sendable {
  /// How many calls are reported beside those that failed: one of this number; 0: none.
  private let sampledEvery: UInt64
  private let receive: @Sendable (GatewayOccurrence) -> Void

  /// By protocol, then by code; the last of each row counts unknown codes.
  private let calls = SharedCounters(count: CallProtocol.allCases.count * codeCount)
  private let times = CallProtocol.allCases.map { _ in Histogram(.seconds) }
  private let limits = SharedCounters(count: GatewayLimit.allCases.count)
  private let pages = SharedCounters(count: 1)
  private let ended = Atomic<UInt64>(0)
  private let open = Atomic<Int>(0)
  private let tasks = Atomic<Int>(0)

  private static let codeCount = 18

  package init(
    sampledEvery: Int = 0, receive: @escaping @Sendable (GatewayOccurrence) -> Void = { _ in }
  ) {
    self.sampledEvery = UInt64(clamping: sampledEvery)
    self.receive = receive
  }

  /// A caller has reached a limit.
  package func reached(_ limit: GatewayLimit, address: String) {
    limits.add(at: limit.rawValue)
    if !limit.isOrdinary { receive(.limitReached(limit, address: address)) }
  }

  func beginRequest() { open.wrappingAdd(1, ordering: .relaxed) }

  func endRequest() { open.wrappingSubtract(1, ordering: .relaxed) }

  /// How many requests are open, or have tasks that have not ended yet.
  package var openRequestCount: Int { open.load(ordering: .relaxed) }

  func beginTask() { tasks.wrappingAdd(1, ordering: .relaxed) }

  func endTask() { tasks.wrappingSubtract(1, ordering: .relaxed) }

  /// How many tasks of requests run.
  package var taskCount: Int { tasks.load(ordering: .relaxed) }

  /// A page was served.
  func servedPage() { pages.add(at: 0) }

  /// Counts a call; answers whether it is to be reported by ``report(_:)``, and as a sample.
  func count(
    _ callProtocol: CallProtocol, _ code: StatusCode, nanoseconds: UInt64
  ) -> (isReported: Bool, isSampled: Bool) {
    let column = min(Int(clamping: code.rawValue), Self.codeCount - 1)
    calls.add(at: callProtocol.rawValue * Self.codeCount + column)
    times[callProtocol.rawValue].observe(nanoseconds)
    var isSampled = false
    if sampledEvery > 0 {
      isSampled = ended.wrappingAdd(1, ordering: .relaxed).newValue % sampledEvery == 0
    }
    let isFault = [.internal, .unknown, .dataLoss, .unauthenticated].contains(code)
    return (isSampled || isFault, isSampled)
  }

  func report(_ call: EndedGatewayCall) { receive(.callEnded(call)) }

  // MARK: Reading

  /// How often a limit was reached.
  package func count(of limit: GatewayLimit) -> UInt64 { limits.value(at: limit.rawValue) }

  /// How many calls of a protocol ended with a code.
  package func count(of callProtocol: CallProtocol, _ code: StatusCode) -> UInt64 {
    calls.value(
      at: callProtocol.rawValue * Self.codeCount
        + min(Int(clamping: code.rawValue), Self.codeCount - 1))
  }

  /// How long calls of a protocol took.
  package func times(of callProtocol: CallProtocol) -> Histogram { times[callProtocol.rawValue] }

  package var pageCount: UInt64 { pages.value(at: 0) }
}
