package import QuiverClient
import QuiverProtobuf
package import QuiverRPC
import QuiverWire
import Synchronization

/// The server behind a gateway: its methods, and a client for each caller.
///
/// May be used from any thread.
package final class Backend: Sendable {
  private struct State {
    var directory: MethodDirectory?
    var checkedAt: ContinuousClock.Instant?
    var loading: Task<MethodDirectory, any Error>?
  }

  private let clients: TokenClients
  /// Whether callers without a token are nobody for the server.
  let anonymity: AnonymityCheck
  /// The token with which the description is read; nil: that of the caller.
  private let ownToken: @Sendable () -> String?
  private let limits: GatewayLimits
  private let state = Mutex(State())

  /// - Parameters:
  ///   - configuration: of the clients; the token is each caller's.
  ///   - ownToken: reads the gateway's own token.
  ///
  /// Throws INVALID_ARGUMENT where the address of the server cannot be used.
  package init(
    _ configuration: RPCClient.Configuration, limits: GatewayLimits,
    observer: GatewayObserver = GatewayObserver(), ownToken: @escaping @Sendable () -> String?
  ) throws(RPCError) {
    var configuration = configuration
    configuration.gatewayToken = ownToken
    clients = try TokenClients(configuration, limits: limits, observer: observer)
    anonymity = AnonymityCheck(clients)
    self.limits = limits
    self.ownToken = ownToken
  }

  /// The client for a token, whose connections are on `reactor`, and its caller.
  func client(
    for token: String?, on reactor: any Reactor
  ) -> (client: RPCClient, caller: GatewayCaller) {
    clients.client(for: token, on: reactor)
  }

  /// The method of a full name, if it is unary and ``recentMethod(_:)`` knows it, and the client
  /// for a token; those of `known` while they are current.
  func target(
    _ name: String, for token: String?, on reactor: any Reactor, known: CallTarget?
  ) -> CallTarget? {
    let (now, closedCount) = (reactor.nowNanoseconds, clients.closedCount)
    if let known, known.isCurrent(now: now, closedCount: closedCount) { return known }
    guard let method = recentMethod(name), method.kind == .unary else { return nil }
    return target(method, for: token, on: reactor)
  }

  /// A method with the client for a token.
  func target(
    _ method: MethodInfo, for token: String?, on reactor: any Reactor
  ) -> CallTarget {
    let (now, closedCount) = (reactor.nowNanoseconds, clients.closedCount)
    let (client, caller) = clients.client(
      for: token, on: reactor, isStream: method.kind != .unary)
    return CallTarget(method, client, caller, now: now, closedCount: closedCount)
  }

  /// How many callers have connections to the server.
  package var callerCount: Int { clients.callerCount }

  /// How many connections to the server are open or being made.
  package var connectionCount: Int { clients.connectionCount }

  /// As whom the server takes callers without a token, in a sentence; nil: as nobody, or it cannot
  /// be asked now.
  package func borrowedIdentity() async -> String? { try? await anonymity.ask() }

  /// Whether the server heeds the mark of calls that came without encryption: it refuses one of the
  /// gateway itself that carries it. Nil: it cannot be asked now.
  package func admitsByListener() async -> Bool? {
    var options = CallOptions(timeout: .seconds(2))
    options.metadata.append(RequestContext.unencryptedKey, "1")
    do throws(RPCError) {
      _ = try await clients.client(for: ownToken(), on: nil).client
        .call(Reflection.methods.describe, DescribeRequest(), options: options)
      return false
    } catch {
      return error.code == .permissionDenied ? true : nil
    }
  }

  /// Why the server takes no calls now, or not all; nil: it takes them.
  package func fault() async -> String? {
    var options = CallOptions()
    options.timeout = .seconds(2)
    let (client, caller) = clients.client(for: ownToken(), on: nil)
    do throws(RPCError) {
      let answer = try await caller.proving { () throws(RPCError) in
        try await client.call(Health.methods.check, HealthCheckRequest(), options: options)
      }
      guard answer.status == .serving else {
        return "the server is not serving: \(answer.reason)"
      }
      return try await anonymity.ask()
    } catch {
      return "the server cannot be asked: \(error.code.name)"
    }
  }

  /// Closes the connections to the server; open calls may continue for the grace period.
  package func close(gracePeriod: Duration) async { await clients.close(gracePeriod: gracePeriod) }

  /// The method of a full name, where the description of the server is known and recent; nil:
  /// ``method(_:token:)`` finds out.
  func recentMethod(_ name: String) -> MethodInfo? {
    state.withLock { state in
      guard let checkedAt = state.checkedAt,
        ContinuousClock.now - checkedAt < .milliseconds(limits.describeMilliseconds)
      else { return nil }
      return state.directory?.methods[name]
    }
  }

  /// The method of a full name. Throws UNIMPLEMENTED where the server has none, and UNAVAILABLE
  /// where it cannot be asked.
  func method(_ name: String, token: String?) async throws(RPCError) -> MethodInfo {
    let directory = try await directory(token: token, mustKnow: name)
    guard let method = directory.methods[name] else {
      throw RPCError(
        .unimplemented, "the server has no method \(name)", isNotProcessed: true)
    }
    return method
  }

  /// The description of the server, read again where it may have changed.
  func directory(
    token: String?, mustKnow name: String? = nil
  ) async throws(RPCError) -> MethodDirectory {
    let now = ContinuousClock.now
    let known = state.withLock { ($0.directory, $0.checkedAt) }
    if let directory = known.0, let checkedAt = known.1 {
      let isUnknown = name.map { directory.methods[$0] == nil } ?? false
      let wait = isUnknown ? limits.unknownMethodMilliseconds : limits.describeMilliseconds
      if now - checkedAt < .milliseconds(wait) { return directory }
      do throws(RPCError) {
        return try await load(token)
      } catch {
        // While the server is away what it said last counts; the call itself finds out.
        return directory
      }
    }
    return try await load(token)
  }

  /// Asks the server, or waits for the answer to a question that another caller has begun.
  private func load(_ token: String?) async throws(RPCError) -> MethodDirectory {
    let (task, isOwn) = state.withLock { state in
      if let loading = state.loading { return (loading, false) }
      let known = state.directory
      let task = Task { [self] in
        defer { self.state.withLock { $0.loading = nil } }
        return try await describe(known, token) as MethodDirectory
      }
      state.loading = task
      return (task, true)
    }
    do {
      return try await task.value
    } catch let error as RPCError {
      // A refusal of the caller who began the question says nothing of this one.
      guard !isOwn, Self.refusalsOfCallers.contains(error.code) else { throw error }
    } catch {
      throw RPCError(.internal, "\(error)")
    }
    return try await describe(state.withLock { $0.directory }, token)
  }

  /// The codes that depend on who asks.
  private static let refusalsOfCallers: Set<StatusCode> = [
    .unauthenticated, .permissionDenied, .resourceExhausted,
  ]

  private func describe(
    _ known: MethodDirectory?, _ token: String?
  ) async throws(RPCError) -> MethodDirectory {
    let (client, caller) = clients.client(for: ownToken() ?? token, on: nil)
    var request = DescribeRequest()
    request.knownFingerprint = known?.fingerprint ?? []
    let question = request
    let answer = try await caller.proving { () throws(RPCError) in
      try await client.call(Reflection.methods.describe, question)
    }
    let directory: MethodDirectory
    if answer.unchanged, let known { directory = known } else { directory = try .init(answer) }
    state.withLock { state in
      state.directory = directory
      state.checkedAt = .now
    }
    return directory
  }
}
