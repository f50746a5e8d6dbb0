import QuiverProtobuf
package import QuiverRPC
package import QuiverStore
import QuiverWire

/// Authenticates the token of a HELLO by the tokens of a store.
///
/// A token is looked up before failures are counted, and only refusals are delayed, so that a valid
/// token is accepted whatever others at its address have sent.
package struct TokenAuthenticator: Authenticator {
  /// Those in use that end by themselves.
  package let expiringTokens: ExpiringTokens
  private let store: Store
  /// The principals of the users at the other end of Unix sockets, by the kernel's user id.
  private let unixPrincipals: [UInt32: Int64]
  /// The services that are gateways.
  private let gatewayPrincipals: Set<Int64>
  /// The token of the gateway that this process has started; empty: there is none.
  private let ownGatewayToken: [UInt8]
  private let refusals: TokenRefusals
  private let lookups: TokenLookups
  private let monotonicNanoseconds: @Sendable () -> UInt64

  /// - Parameters:
  ///   - maxFailedTokensPerMinute: refused tokens of an address, after which the refusal says so.
  ///   - unixPrincipals: principals of the users at the other end of Unix sockets.
  ///   - gatewayPrincipals: the services whose connections may state the addresses of callers.
  ///   - ownGatewayToken: that of a gateway that this process starts; empty: it starts none.
  ///   - clock: of those minutes, and of the ends of tokens.
  package init(
    _ store: Store, maxFailedTokensPerMinute: Int, unixPrincipals: [UInt32: Int64] = [:],
    gatewayPrincipals: Set<Int64> = [], ownGatewayToken: [UInt8] = [],
    clock: StoreClock = .system
  ) {
    self.store = store
    self.unixPrincipals = unixPrincipals
    self.gatewayPrincipals = gatewayPrincipals
    self.ownGatewayToken = ownGatewayToken
    refusals = TokenRefusals(limitPerMinute: maxFailedTokensPerMinute)
    lookups = TokenLookups { [reads = store.reads] address, lookup in
      reads.submit(of: .address(address), CommandCancellation(), lookup)
    }
    expiringTokens = ExpiringTokens(wallMilliseconds: clock.wallMilliseconds)
    monotonicNanoseconds = clock.monotonicNanoseconds
  }

  /// Looks tokens, bindings and principals up on a thread for reads.
  ///
  /// If permissions end in the meantime it looks again: a connection is closed when its permission
  /// ends, and the permission of this connection is not known before the lookup is complete.
  package func authenticate(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict {
    guard
      !token.isEmpty || peer.certificate != nil || peer.unixUserID != nil
        || !peer.gatewayToken.isEmpty && knowsGateways
    else { return .anonymous }
    return .deferred(
      DeferredVerdict { completion in
        let now = monotonicNanoseconds()
        if !token.isEmpty, refusals.isKnownBad(token, now: now) {
          return answer(refusal(of: peer.address, now: now), token, peer, completion)
        }
        let ended = store.endedPermissionCount
        lookups.submit(peer.address) { refusal in
          let (verdict, found) =
            refusal == nil ? find(token: token, peer: peer) : (Self.unavailable, [])
          if case .refused = verdict { return answer(verdict, token, peer, completion) }
          completion(verdict) {
            for token in found { token.note(in: expiringTokens) }
            return store.endedPermissionCount == ended
          }
        }
      })
  }

  /// Whether a connection can be that of a gateway.
  private var knowsGateways: Bool { !gatewayPrincipals.isEmpty || !ownGatewayToken.isEmpty }

  /// Completes with a refusal, after its delay.
  private func answer(
    _ verdict: AuthenticationVerdict, _ token: [UInt8], _ peer: ConnectionPeer,
    _ completion: @escaping DeferredVerdict.Completion
  ) {
    refusals.delay(token, of: peer.address, now: monotonicNanoseconds()) {
      completion(verdict) { true }
    }
  }

  private static let unavailable = AuthenticationVerdict.unavailable(
    "tokens cannot be read now; try again later")

  package func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    verdict(token: token, peer: ConnectionPeer(address: address))
  }

  /// The caller at the other end, looked up on the calling thread.
  package func verdict(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict {
    let (verdict, found) = find(token: token, peer: peer)
    for token in found { token.note(in: expiringTokens) }
    return verdict
  }

  /// A token takes precedence over a certificate, and a certificate over the user of a Unix socket.
  /// A certificate that is verified and not bound identifies no principal.
  private func find(
    token: [UInt8], peer: ConnectionPeer
  ) -> (AuthenticationVerdict, [FoundToken]) {
    let (verdict, own) = findCaller(token: token, peer: peer)
    let caller: Caller?
    switch verdict {
    case .caller(let known): caller = known
    case .anonymous: caller = nil
    default: return (verdict, own)
    }
    guard let (gateway, token) = findGateway(peer) else { return (verdict, own) }
    return (.gateway(gateway, for: caller), own + token)
  }

  private func findCaller(
    token: [UInt8], peer: ConnectionPeer
  ) -> (AuthenticationVerdict, [FoundToken]) {
    do throws(StoreError) {
      return token.isEmpty ? (try find(peer), []) : try find(token, address: peer.address)
    } catch {
      return (error.code == .notFound ? .anonymous : Self.unavailable, [])
    }
  }

  /// The gateway that has made a connection, by its own token, certificate or user of a Unix
  /// socket; nil: none has. A credential that is not that of a gateway makes the connection none of
  /// one.
  private func findGateway(_ peer: ConnectionPeer) -> (Caller, [FoundToken])? {
    guard knowsGateways else { return nil }
    if isOwnGateway(peer.gatewayToken) { return (.ownGateway, []) }
    let isGateway = { (caller: Caller) in
      caller.kind == .service && gatewayPrincipals.contains(caller.principalID)
    }
    if !peer.gatewayToken.isEmpty, let record = try? store.authenticate(peer.gatewayToken) {
      let known = Caller(record)
      if isGateway(known) { return (known, [.stored(record)]) }
    }
    guard case .caller(let known)? = try? find(peer), isGateway(known) else { return nil }
    return (known, [])
  }

  private func find(
    _ token: [UInt8], address: String
  ) throws(StoreError) -> (AuthenticationVerdict, [FoundToken]) {
    let now = monotonicNanoseconds()
    if isOwnGateway(token) { return (.caller(.ownGateway), []) }
    do throws(StoreError) {
      if let access = try store.authenticatedDevice(token) {
        return (.caller(.device(access)), [])
      }
      if let access = try store.spectatedTournament(token) {
        return (.caller(.spectator(access)), [.spectator(access)])
      }
      if let record = try store.authenticate(token) {
        return (.caller(Caller(record)), [.stored(record)])
      }
    } catch {
      return (Self.unavailable, [])
    }
    refusals.note(token, now: now)
    return (refusal(of: address, now: now), [])
  }

  /// Compares all bytes, so that the time tells nothing of them.
  private func isOwnGateway(_ token: [UInt8]) -> Bool {
    guard !token.isEmpty, token.count == ownGatewayToken.count else { return false }
    return zip(token, ownGatewayToken).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func refusal(of address: String, now: UInt64) -> AuthenticationVerdict {
    refusals.isOverLimit(address, now: now)
      ? .refused("too many bad tokens from this address; wait a minute")
      : .refused("the token is unknown, expired or revoked")
  }

  private func find(_ peer: ConnectionPeer) throws(StoreError) -> AuthenticationVerdict {
    if let certificate = peer.certificate,
      let binding = try store.authenticate(certificate: Self.names(of: certificate))
    {
      return .caller(
        Caller(binding.principal, certificateBindingID: binding.id))
    }
    if let user = peer.unixUserID, let id = unixPrincipals[user] {
      let principal = try store.read { (snapshot) throws(StoreError) in
        try snapshot.principal(id: id)
      }
      if principal.isActive { return .caller(Caller(principal)) }
    }
    return .anonymous
  }

  /// The names of a certificate that can be bound, URIs first.
  private static func names(of certificate: PeerIdentity) -> [CertificateName] {
    let uris = certificate.uris.compactMap { try? CertificateName(.uri, $0) }
    return uris + certificate.dnsNames.compactMap { try? CertificateName(.dns, $0) }
  }

  /// Reads the grant of a service, or the share of another principal, on a thread for reads, in the
  /// turn of the caller.
  ///
  /// If permissions end meanwhile it is read again: a call that has not started is not known to
  /// rest on a grant.
  package func acting(
    _ caller: Caller, forUser user: Int64, calling method: MethodInfo
  ) -> DeferredCaller {
    guard caller.methods == nil, caller.kind != .device, !caller.isOwnGateway else {
      return DeferredCaller(ActingUser.denied)
    }
    let isService = caller.kind == .service
    let scopes =
      isService ? ActingScopes.needed(by: method) : SharedMethods.parts(showing: method)
    guard let scopes else {
      let reason =
        isService ? "cannot be called for a user" : "reads nothing that users share"
      return DeferredCaller(
        RPCError(
          .permissionDenied, "quiver-user: \(method.name) \(reason)", isNotProcessed: true))
    }
    return DeferredCaller { completion in
      let ended = store.endedPermissionCount
      let refusal = store.reads.submit(
        of: .principal(caller.principalID), CommandCancellation()
      ) { refusal in
        let found: Result<Caller, RPCError>
        switch refusal {
        case .some: found = .failure(Self.unreadableGrants)
        case nil where isService: found = find(caller, forUser: user, scopes)
        case nil: found = find(caller, reading: user, anyOf: scopes, method)
        }
        completion(found) { store.endedPermissionCount == ended }
      }
      if refusal != nil { completion(.failure(Self.unreadableGrants)) { true } }
    }
  }

  private static let unreadableGrants = RPCError(
    .unavailable, "grants cannot be read now; try again", isNotProcessed: true)

  private func find(
    _ caller: Caller, forUser user: Int64, _ scopes: ActingScopes
  ) -> Result<Caller, RPCError> {
    let record: PrincipalRecord?
    do throws(StoreError) {
      record = try store.actingUser(service: caller.principalID, user: user, scopes: scopes)
    } catch {
      return .failure(Self.unreadableGrants)
    }
    guard let record else { return .failure(ActingUser.denied) }
    return .success(Caller(caller, actingFor: record, mayMutate: caller.mayMutate))
  }

  /// Stores when the reader of a share read last, for the owner to see.
  private func noteRead(of share: Int64) {
    store.submit(
      TouchShare(id: share), CommandOptions(caller: CommandCaller(principal: 0)),
      target: DirectTarget.shared, encode: { _ in [] }, completion: { _ in })
  }

  /// The user of whom a principal that is no service may read one of these parts.
  private func find(
    _ caller: Caller, reading user: Int64, anyOf parts: ActingScopes, _ method: MethodInfo
  ) -> Result<Caller, RPCError> {
    do throws(StoreError) {
      guard
        let found = try store.sharingUser(reader: caller.principalID, user: user, anyOf: parts)
      else { return .failure(SharedMethods.denied) }
      if found.isStale { noteRead(of: found.share) }
      if method.kind != .unary {
        expiringTokens.noteShare(of: user, endsAt: found.endsAtMilliseconds)
      }
      return .success(Caller(caller, actingFor: found.user, mayMutate: false))
    } catch {
      return .failure(Self.unreadableGrants)
    }
  }
}

/// A token that may end while its connection lives.
private enum FoundToken: Sendable {
  case stored(TokenRecord)
  case spectator(SpectatorToken.Access)

  func note(in tokens: ExpiringTokens) {
    switch self {
    case .stored(let record): tokens.note(record)
    case .spectator(let access): tokens.note(access)
    }
  }
}

extension Caller {
  /// Who may watch one event and nothing else: a principal below 0 owns nothing.
  static func spectator(_ access: SpectatorToken.Access) -> Self {
    Self(
      principalID: SpectatorToken.principal(ofTournament: access.tournament),
      tokenID: access.endID, kind: .user,
      displayName: "spectator", mayMutate: false, methods: RestrictedMethods.ofSpectators)
  }

  /// A scoring device of one event, or an official who is bound to one.
  static func device(_ access: DeviceAccess) -> Self {
    guard !access.isOfficial else {
      return Self(
        principalID: access.principal, tokenID: 0, kind: .user, displayName: access.displayName,
        methods: RestrictedMethods.ofOfficials, mayBeRead: access.mayBeRead)
    }
    return Self(
      principalID: access.principal, tokenID: 0, kind: .device, displayName: access.displayName,
      methods: access.isEnded ? RestrictedMethods.ofEndedDevices : RestrictedMethods.ofDevices)
  }

  /// Whether it is an official who is bound to one event.
  var isBoundOfficial: Bool { kind == .user && methods != nil && principalID > 0 }

  /// The user for whom a caller acts.
  fileprivate init(_ caller: Caller, actingFor user: PrincipalRecord, mayMutate: Bool) {
    self.init(
      principalID: user.id, tokenID: caller.tokenID, kind: .user, displayName: user.shownName,
      mayMutate: mayMutate, mayAdminister: false, actorID: caller.principalID,
      certificateBindingID: caller.certificateBindingID)
  }

  /// A principal with all that it may do, who is known without a token.
  init(_ principal: PrincipalRecord, certificateBindingID: Int64 = 0) {
    self.init(
      principalID: principal.id, tokenID: 0, kind: Kind(principal.kind),
      displayName: principal.shownName, certificateBindingID: certificateBindingID,
      methods: principal.kind == .device ? RestrictedMethods.ofEndedDevices : nil)
  }

  init(_ record: TokenRecord) {
    self.init(
      principalID: record.principal.id, tokenID: record.id, kind: Kind(record.principal.kind),
      displayName: record.principal.shownName, mayMutate: record.scopes.contains(.write),
      mayAdminister: record.scopes.contains(.admin))
  }
}

extension Caller.Kind {
  fileprivate init(_ kind: PrincipalRecord.Kind) {
    switch kind {
    case .user: self = .user
    case .service: self = .service
    case .administrator: self = .administrator
    case .device: self = .device
    }
  }
}
