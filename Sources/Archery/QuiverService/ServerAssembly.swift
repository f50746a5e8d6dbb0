import QuiverAPI
package import QuiverMetrics
import QuiverProtobuf
package import QuiverRPC
package import QuiverStore
import QuiverWire

/// All that a server answers with, over one store: `quiverd`, tests and the bench share it.
package struct ServerAssembly: Sendable {
  package let router: Router
  package let authenticator: TokenAuthenticator
  package let state: ServingState
  /// Of what Reflection answers, for the HELLO.
  package let schemaFingerprint: [UInt8]
  /// What Admin shows of connections; the creator of the server registers it there.
  package let connections: ConnectionView

  private let watches: WatchAdmission

  /// Listeners that watches have on changes: one for each watch that follows the journal, and one
  /// for each leaderboard that is watched.
  package var changeListenerCount: Int { watches.feed.listenerCount }

  /// Watches that are open.
  package var watchCount: Int { watches.count }

  /// From a commit until a watch has queued the change for its client, in nanoseconds. Watches of
  /// leaderboards, which wait for their interval, are not counted.
  package var watchDelays: Histogram { watches.feed.delays }

  /// Tokens that end while they are in use.
  package var expiringTokens: ExpiringTokens { authenticator.expiringTokens }

  /// What a server offers beyond its store.
  package struct Options: Sendable {
    /// Whether Diagnostics answers.
    package var diagnostics = false
    /// Refused tokens per address and minute, after which further ones are refused unchecked.
    package var maxFailedTokensPerMinute = Limits().maxFailedTokensPerMinute
    /// The principals of the users at the other end of Unix sockets, by the kernel's user id.
    package var unixPrincipals: [UInt32: Int64] = [:]
    /// The services whose connections may state the addresses of the callers that they serve.
    package var gatewayPrincipals: Set<Int64> = []
    /// The token of a gateway that the process starts; empty: it starts none.
    package var ownGatewayToken: [UInt8] = []
    /// Whether judges and helpers at check-in sign in where others can read their tokens.
    package var takesOpenOfficials = false
    /// Refused invite codes per address and minute, after which further ones are refused unchecked.
    package var maxFailedInvitesPerMinute = Limits().maxFailedInvitesPerMinute

    /// Refused codes of events an address, after which it waits for the rest of the minute.
    package var maxFailedJoinCodesPerMinute = 10
    /// Between two messages to one who watches a leaderboard.
    package var leaderboardIntervalMilliseconds =
      LeaderboardTopics.standardIntervalMilliseconds
    /// How many watches are taken.
    package var watchLimits = WatchLimits()
    /// Receive each call that reaches a handler.
    package var interceptors: [any ServerInterceptor] = []
    /// What Admin shows of the process.
    package var process = ServerProcessView()

    package init() {}

    /// Without a gateway no call is marked, and calls cost nothing more.
    fileprivate var webCallers: [any ServerInterceptor] {
      gatewayPrincipals.isEmpty && ownGatewayToken.isEmpty
        ? [] : [WebCallers(takesOfficials: takesOpenOfficials)]
    }
  }

  /// Throws where a method of the catalogue has no handler.
  package init(_ store: Store, _ options: Options = Options()) throws(AssemblyError) {
    let state = ServingState()
    let connections = ConnectionView()
    let watches = WatchAdmission(ChangeFeed(store), options.watchLimits)
    // Open watches would hold a drain up until its end.
    _ = state.watch { status in
      if !status.isServing { watches.end() }
    }
    let reflection = ReflectionService(FileDescriptorSet(ServiceCatalogue.archery.files))
    authenticator = TokenAuthenticator(
      store, maxFailedTokensPerMinute: options.maxFailedTokensPerMinute,
      unixPrincipals: options.unixPrincipals, gatewayPrincipals: options.gatewayPrincipals,
      ownGatewayToken: options.ownGatewayToken)
    let routes = Self.routes(
      store, state, connections, watches, reflection, authenticator.expiringTokens, options)
    if let fault = ServiceCatalogue.archery.fault(in: routes) {
      throw AssemblyError(description: fault)
    }
    router = Router(
      routes, interceptors: options.webCallers + options.interceptors,
      positions: DatabasePositions(of: store))
    self.state = state
    self.watches = watches
    schemaFingerprint = reflection.fingerprint
    self.connections = connections
  }

  private static func routes(
    _ store: Store, _ state: ServingState, _ connections: ConnectionView, _ watches: WatchAdmission,
    _ reflection: ReflectionService, _ tokens: ExpiringTokens, _ options: Options
  ) -> [Route] {
    let commands = CommandCalls(store)
    let closedServices: Set = options.diagnostics ? [] : [Diagnostics.name]
    return HealthService(state: state, closedServices: closedServices).routes
      + reflection.routes
      + DiagnosticsService(isEnabled: options.diagnostics, view: connections).routes
      + EquipmentService(commands, watches).routes
      + AccountService(
        commands: commands,
        invites: CodeAttempts(limitPerMinute: options.maxFailedInvitesPerMinute), tokens: tokens
      ).routes
      + LogbookService(commands, watches).routes
      + AdminService(
        commands: commands, connections: connections, state: state, watches: watches,
        process: options.process
      ).routes
      + RoundsService(commands: commands).routes
      + TournamentService(
        commands: commands,
        codes: CodeAttempts(limitPerMinute: options.maxFailedJoinCodesPerMinute), watches: watches,
        leaderboards: LeaderboardTopics(
          watches, intervalMilliseconds: options.leaderboardIntervalMilliseconds)
      ).routes
      + EventsService(
        commands: commands,
        codes: CodeAttempts(limitPerMinute: options.maxFailedJoinCodesPerMinute), watches: watches
      ).routes
      + EliminationService(commands: commands, watches: watches).routes
      + ComparisonService(commands).routes
  }
}

/// What is missing from a server, in a sentence.
package struct AssemblyError: Error, CustomStringConvertible {
  package let description: String
}
