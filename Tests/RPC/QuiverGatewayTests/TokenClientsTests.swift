import QuiverClient
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverGateway

@Suite("Callers of the gateway", .timeLimit(.minutes(1)))
struct TokenClientsTests {
  private static func clients(_ observer: GatewayObserver = GatewayObserver()) throws
    -> TokenClients
  {
    var limits = GatewayLimits()
    limits.maxCallers = 4
    limits.maxUnprovenCallers = 3
    limits.maxSpectatorCallers = 2
    return try TokenClients(
      RPCClient.Configuration(server: "unix:/nowhere"), limits: limits, observer: observer)
  }

  private static func accept(_ caller: GatewayCaller) async throws {
    try await caller.proving { () throws(RPCError) in }
  }

  private static func refuse(_ caller: GatewayCaller) async {
    try? await caller.proving { () throws(RPCError) in throw RPCError(.unauthenticated, "no") }
  }

  @Test("Any number of wrong tokens takes no connection of a caller with a good one")
  func wrongTokens() async throws {
    let clients = try Self.clients()
    let good = clients.client(for: "good", on: nil).caller
    try await Self.accept(good)
    let anonymous = clients.client(for: nil, on: nil).caller
    for number in 0..<100 {
      await Self.refuse(clients.client(for: "wrong \(number)", on: nil).caller)
    }
    #expect(clients.client(for: "good", on: nil).caller === good)
    #expect(clients.client(for: nil, on: nil).caller === anonymous)
    #expect(clients.callerCount == 5)
    await clients.close(gracePeriod: .zero)
  }

  @Test("Of more good tokens than there may be, the one that was used longest ago goes")
  func goodTokens() async throws {
    let observer = GatewayObserver()
    let clients = try Self.clients(observer)
    let first = clients.client(for: "token 0", on: nil).caller
    try await Self.accept(first)
    for number in 1..<4 {
      try await Self.accept(clients.client(for: "token \(number)", on: nil).caller)
    }
    #expect(clients.client(for: "token 0", on: nil).caller === first)
    try await Self.accept(clients.client(for: "token 4", on: nil).caller)
    #expect(clients.client(for: "token 0", on: nil).caller === first)
    #expect(observer.count(of: .callers) == 1)
    #expect(clients.callerCount == 4)
    await clients.close(gracePeriod: .zero)
  }

  @Test("Any number of spectators takes the place of no other caller")
  func spectators() async throws {
    let observer = GatewayObserver()
    let clients = try Self.clients(observer)
    var good: [GatewayCaller] = []
    for number in 0..<4 {
      good.append(clients.client(for: "token \(number)", on: nil).caller)
      try await Self.accept(good[number])
    }
    for number in 0..<1_000 {
      try await Self.accept(clients.client(for: "qs_\(number)", on: nil).caller)
    }
    for number in 0..<4 {
      #expect(clients.client(for: "token \(number)", on: nil).caller === good[number])
    }
    #expect(clients.callerCount == 6)
    #expect(observer.count(of: .callers) == 0)
    #expect(observer.count(of: .spectatorCallers) == 998)
    await clients.close(gracePeriod: .zero)
  }

  @Test("Streams of callers without a token have connections apart from their other calls")
  func anonymousStreams() async throws {
    let clients = try Self.clients()
    let unary = clients.client(for: nil, on: nil)
    let streams = clients.client(for: nil, on: nil, isStream: true)
    #expect(unary.client !== streams.client && unary.caller !== streams.caller)
    #expect(clients.client(for: "", on: nil).client === unary.client)
    #expect(clients.client(for: nil, on: nil, isStream: true).client === streams.client)
    let token = clients.client(for: "token", on: nil).client
    #expect(clients.client(for: "token", on: nil, isStream: true).client === token)
    await clients.close(gracePeriod: .zero)
  }

  /// No shard: connections for it live elsewhere.
  private final class OtherReactor: Reactor {
    var isCurrent: Bool { false }
    var nowNanoseconds: UInt64 { 0 }
    func run(_ job: @escaping @Sendable () -> Void) {}
    func enqueue(_ job: consuming ExecutorJob) {}
  }

  @Test("The clients of a caller, one for each reactor, know one position of the store")
  func positions() async throws {
    let clients = try Self.clients()
    let first = clients.client(for: "a", on: nil).client
    let second = clients.client(for: "a", on: OtherReactor()).client
    #expect(first !== second && first.positions === second.positions)
    #expect(first.positions !== clients.client(for: "b", on: nil).client.positions)
    await clients.close(gracePeriod: .zero)
  }

  @Test("A token that the server no longer accepts loses its place to others")
  func revokedToken() async throws {
    let clients = try Self.clients()
    let revoked = clients.client(for: "revoked", on: nil).caller
    try await Self.accept(revoked)
    await Self.refuse(revoked)
    for number in 0..<3 {
      await Self.refuse(clients.client(for: "wrong \(number)", on: nil).caller)
    }
    #expect(clients.client(for: "revoked", on: nil).caller !== revoked)
    await clients.close(gracePeriod: .zero)
  }

  @Test("What a head has found is looked up again after a second, and where clients were closed")
  func targets() async throws {
    let clients = try Self.clients()
    let (client, caller) = clients.client(for: "token", on: nil)
    let target = CallTarget(
      Health.methods.check.info, client, caller, now: 5, closedCount: clients.closedCount)
    #expect(target.isCurrent(now: 5, closedCount: clients.closedCount))
    #expect(target.isCurrent(now: 1_000_000_004, closedCount: clients.closedCount))
    #expect(!target.isCurrent(now: 1_000_000_005, closedCount: clients.closedCount))
    for number in 0..<3 { _ = clients.client(for: "other \(number)", on: nil).caller }
    #expect(!target.isCurrent(now: 5, closedCount: clients.closedCount))
    let closedCount = clients.closedCount
    await clients.close(gracePeriod: .zero)
    #expect(clients.closedCount != closedCount)
  }

  @Test("Without an answer of the server a token is neither good nor wrong")
  func unansweredToken() async throws {
    let clients = try Self.clients()
    let caller = clients.client(for: "token", on: nil).caller
    try? await caller.proving { () throws(RPCError) in throw RPCError(.unavailable, "away") }
    for number in 0..<3 { _ = clients.client(for: "other \(number)", on: nil).caller }
    #expect(clients.client(for: "token", on: nil).caller !== caller)
    await clients.close(gracePeriod: .zero)
  }
}
