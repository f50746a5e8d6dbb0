public import QuiverClient
public import QuiverProtobuf
public import QuiverRPC
import QuiverWire
import Synchronization

/// Calls a service that several servers offer, from a program or from a handler of another service.
///
/// Each call goes to one of the servers that can be reached and that serve, by the ``Policy``. A
/// unary call that its server certainly did not process, and one that ends UNAVAILABLE and may be
/// processed again, is sent to another server, with the same idempotency key and within the
/// deadline of the call and the budget of the client. A stream stays with its server.
///
/// Inside a handler calls end at the deadline of the call that the handler answers, and belong to
/// its trace: see `CallInheritance`.
public final class BalancedClient: MethodCaller {
  /// What the client was created with.
  public let configuration: Configuration
  let servers: [BalancedServer]
  private let budget: CallBudget
  private let turn = Atomic<Int>(0)
  private let counts = Mutex(AttemptCounts())

  /// How a server is chosen among those that are ready.
  public enum Policy: Sendable, Hashable {
    /// Each in turn.
    case roundRobin
    /// The one with the fewest unary calls that have not ended; of several, each in turn.
    case leastOutstanding
  }

  /// The servers of a service, and how calls are shared out.
  public struct Configuration: Sendable {
    /// The addresses, one for each server.
    public var servers: [String]
    /// How a server is chosen.
    public var policy = Policy.leastOutstanding
    /// The service whose health each server states; empty: that of the server; nil: health is not
    /// watched.
    public var healthService: String? = ""
    /// The most attempts at a unary call, 1 to 10.
    public var maxAttempts = 3
    /// The attempts beyond the first that may be made at once, before calls have added to them.
    public var retryReserve = 10
    /// The further attempts for each call, 0 to 1: 0.1 is one for ten calls.
    public var retryShare = 0.1
    /// After this time without a reply a unary call of a method that changes nothing is also sent
    /// to another server, and the first reply counts; nil: it is not. It takes from the budget.
    public var hedgingDelay: Duration?
    /// How long a server that could not be reached gets no calls.
    public var exclusion = Backoff(
      first: .milliseconds(100), multiplier: 2, longest: .seconds(5), jitter: 0.2)
    /// The connections to each server: token, encryption, timeout and limits. Its servers are not
    /// read.
    public var connection: RPCClient.Configuration

    /// Creates a configuration for the servers of one service.
    ///
    /// - Parameters:
    ///   - servers: the addresses, each `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`, with `tls://` in
    ///     front where connections are encrypted.
    ///   - token: the caller's token; nil: none.
    public init(servers: [String], token: String? = nil) {
      self.servers = servers
      connection = RPCClient.Configuration(servers: servers, token: token)
    }
  }

  /// What a client has sent.
  public struct AttemptCounts: Sendable, Equatable {
    /// Unary calls.
    public var calls = 0
    /// Attempts beyond the first of a call, because of a failure.
    public var retries = 0
    /// Attempts beyond the first, because the reply was late.
    public var hedges = 0
    /// Attempts that were not made because the budget was empty.
    public var budgetRefusals = 0

    /// Counts of 0.
    public init() {}
  }

  /// Creates a client; it connects for the first call, and to watch the health of the servers.
  ///
  /// Throws INVALID_ARGUMENT if an address is malformed or a limit is out of range.
  public init(_ configuration: Configuration) throws(RPCError) {
    guard !configuration.servers.isEmpty else {
      throw Self.refusal("servers: a client needs the address of a server")
    }
    guard 1...10 ~= configuration.maxAttempts, 0...1 ~= configuration.retryShare,
      1...10_000 ~= configuration.retryReserve
    else {
      throw Self.refusal("maxAttempts must be 1 to 10, retryShare 0 to 1, retryReserve 1 to 10000")
    }
    if let delay = configuration.hedgingDelay, delay <= .zero {
      throw Self.refusal("hedgingDelay must be above zero")
    }
    if let fault = Self.fault(configuration.exclusion) { throw Self.refusal(fault) }
    var servers: [BalancedServer] = []
    for address in configuration.servers {
      var connection = configuration.connection
      connection.servers = [address]
      connection.interceptors.insert(CallInheritance(), at: 0)
      // This client makes the further attempts, at other servers.
      connection.limits.maxAttempts = 1
      servers.append(BalancedServer(try RPCClient(connection)))
    }
    self.configuration = configuration
    self.servers = servers
    budget = CallBudget(reserve: configuration.retryReserve, share: configuration.retryShare)
    guard let service = configuration.healthService else { return }
    for server in servers { server.watchHealth(of: service, configuration.exclusion) }
  }

  private static func fault(_ exclusion: Backoff) -> String? {
    if exclusion.first <= .zero || exclusion.longest < exclusion.first {
      return "exclusion.first must be above zero and at most exclusion.longest"
    }
    if !(1...100 ~= exclusion.multiplier) { return "exclusion.multiplier must be 1 to 100" }
    return 0...1 ~= exclusion.jitter ? nil : "exclusion.jitter must be 0 to 1"
  }

  deinit { for server in servers { server.stop() } }

  private static func refusal(_ reason: String) -> RPCError {
    RPCError(.invalidArgument, reason, isNotProcessed: true, origin: .client)
  }

  /// What was sent since the client was created.
  public var attemptCounts: AttemptCounts { counts.withLock { $0 } }

  /// The addresses of the servers that get calls now.
  public var readyServers: [String] {
    let now = ContinuousClock.now
    return servers.filter { $0.isReady(now) }.map(\.client.configuration.server)
  }

  /// Takes no more calls, and returns when every call has ended and every connection is closed.
  ///
  /// - Parameter gracePeriod: how long open calls may go on.
  public func close(gracePeriod: Duration = .seconds(10)) async {
    for server in servers { server.stop() }
    await withTaskGroup { group in
      for server in servers {
        group.addTask { await server.client.close(gracePeriod: gracePeriod) }
      }
    }
  }

  public func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    budget.add()
    counts.withLock { $0.calls += 1 }
    var call = BalancedCall(method.info, options, configuration)
    while true {
      let server = next(except: call.tried)
      call.tried.append(ObjectIdentifier(server))
      do throws(RPCError) {
        let options = try call.attemptOptions()
        if let delay = configuration.hedgingDelay, !method.isMutating, servers.count > 1 {
          return try await hedged(method, request, options, server, delay)
        }
        return try await attempt(method, request, options, server)
      } catch {
        guard call.mayRepeat(after: error) else { throw error }
        guard budget.take() else {
          counts.withLock { $0.budgetRefusals += 1 }
          throw error
        }
        counts.withLock { $0.retries += 1 }
        try await call.wait(after: error)
      }
    }
  }

  public func stream<Request: Message, Response: Message>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) throws(RPCError) -> ReplyStream<Response> {
    try next(except: []).client.stream(method, request, options: options)
  }

  public func open<Kind: StreamingRequestKind, Request: Message, Response: Message>(
    _ method: Method<Kind, Request, Response>, options: CallOptions = CallOptions()
  ) throws(RPCError) -> StreamingCall<Request, Response> {
    try next(except: []).client.open(method, options: options)
  }

  // MARK: Attempts

  private func attempt<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, _ options: CallOptions,
    _ server: BalancedServer
  ) async throws(RPCError) -> Response {
    server.called(.now)
    server.outstandingCount.wrappingAdd(1, ordering: .relaxed)
    defer { server.outstandingCount.wrappingSubtract(1, ordering: .relaxed) }
    do throws(RPCError) {
      let response = try await server.client.call(method, request, options: options)
      server.answered()
      return response
    } catch {
      if error.origin == .connection {
        server.failed(configuration.exclusion, .now)
      } else if error.origin == .server {
        server.answered()
      }
      throw error
    }
  }

  /// The first reply of two servers; the second is asked once `delay` is over without a reply.
  ///
  /// A failure before the delay is for the retries; after it the other server may still reply.
  private func hedged<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, _ options: CallOptions,
    _ server: BalancedServer, _ delay: Duration
  ) async throws(RPCError) -> Response {
    typealias Outcome = Result<Response, RPCError>
    let hedge = Hedge()
    let outcome = await withTaskGroup(of: Outcome?.self, returning: Outcome?.self) { group in
      group.addTask { await self.result(method, request, options, server) }
      group.addTask {
        guard (try? await Task.sleep(for: delay)) != nil, hedge.start() else { return nil }
        guard self.budget.take() else {
          self.counts.withLock { $0.budgetRefusals += 1 }
          return nil
        }
        self.counts.withLock { $0.hedges += 1 }
        let other = self.next(except: [ObjectIdentifier(server)])
        return await self.result(method, request, options, other)
      }
      var failure: Outcome?
      while let outcome = await group.next() {
        guard let outcome = outcome else { continue }
        if case .success = outcome {
          group.cancelAll()
          return outcome
        }
        failure = failure ?? outcome
        if hedge.end() { group.cancelAll() }
      }
      return failure
    }
    guard let outcome else {
      throw RPCError(.cancelled, "the call was cancelled", origin: .client)
    }
    return try outcome.get()
  }

  private func result<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, _ options: CallOptions,
    _ server: BalancedServer
  ) async -> Result<Response, RPCError> {
    do throws(RPCError) {
      return .success(try await attempt(method, request, options, server))
    } catch {
      return .failure(error)
    }
  }

  /// The server for the next attempt: one that is ready and was not tried, if there is one.
  func next(except tried: [ObjectIdentifier]) -> BalancedServer {
    let now = ContinuousClock.now
    let first = turn.wrappingAdd(1, ordering: .relaxed).newValue &- 1
    let ordered = servers.indices.map {
      servers[Int(truncatingIfNeeded: (UInt(bitPattern: first) &+ UInt($0)) % UInt(servers.count))]
    }
    let others = ordered.filter { !tried.contains(ObjectIdentifier($0)) }
    let ready = others.filter { $0.isReady(now) }
    // Of servers that all fail one is asked all the same: its error is the one of the call.
    let choice = !ready.isEmpty ? ready : (!others.isEmpty ? others : ordered)
    switch configuration.policy {
    case .roundRobin: return choice[0]
    case .leastOutstanding:
      var best = choice[0]
      var least = best.outstandingCount.load(ordering: .relaxed)
      for server in choice.dropFirst() {
        let count = server.outstandingCount.load(ordering: .relaxed)
        if count < least { (best, least) = (server, count) }
      }
      return best
    }
  }
}

/// Whether the second attempt of a hedged call was made, or will not be made.
private final class Hedge: Sendable {
  private let state = Mutex((hasStarted: false, hasEnded: false))

  /// Begins the attempt; false: the call has failed before.
  func start() -> Bool {
    state.withLock { state in
      state.hasStarted = !state.hasEnded
      return state.hasStarted
    }
  }

  /// The first attempt has failed; answers whether there will be no other one.
  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = true
      return !state.hasStarted
    }
  }
}
