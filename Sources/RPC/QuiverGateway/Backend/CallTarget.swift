import QuiverClient
import QuiverRPC

/// The method that a head names and the client for its token, found once for many requests.
///
/// It is used for ``lifeNanoseconds`` and while no client was closed, so that a new description of
/// the server counts, and a caller counts as used.
final class CallTarget: Sendable {
  /// Nil: the gateway itself answers.
  let method: MethodInfo?
  let client: RPCClient
  let caller: GatewayCaller
  private let foundAt: UInt64
  private let closedCount: UInt64

  private static let lifeNanoseconds: UInt64 = 1_000_000_000

  /// - Parameter closedCount: that of the backend from before the client was found.
  init(
    _ method: MethodInfo?, _ client: RPCClient, _ caller: GatewayCaller, now: UInt64 = 0,
    closedCount: UInt64 = 0
  ) {
    self.method = method
    self.client = client
    self.caller = caller
    self.closedCount = closedCount
    foundAt = now
  }

  func isCurrent(now: UInt64, closedCount: UInt64) -> Bool {
    self.closedCount == closedCount && now &- foundAt < Self.lifeNanoseconds
  }
}
