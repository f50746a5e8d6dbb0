import QuiverRPC
import QuiverWire

/// Asks an ``IdentityProvider`` for the callers of connections.
struct ProvidedIdentity: Authenticator {
  let provider: any IdentityProvider

  func authenticate(token: [UInt8], address: String) -> AuthenticationVerdict {
    authenticate(token: token, peer: ConnectionPeer(address: address))
  }

  func authenticate(token: [UInt8], peer: ConnectionPeer) -> AuthenticationVerdict {
    let credentials = Credentials(
      token: token, address: peer.address, certificateURIs: peer.certificate?.uris ?? [],
      certificateDNSNames: peer.certificate?.dnsNames ?? [], unixUserID: peer.unixUserID)
    let provider = provider
    return .deferred(
      DeferredVerdict { completion in
        Task { completion(await Self.verdict(provider, credentials)) { true } }
      })
  }

  private static func verdict(
    _ provider: any IdentityProvider, _ credentials: Credentials
  ) async -> AuthenticationVerdict {
    do {
      guard let found = try await provider.principal(for: credentials) else { return .anonymous }
      return .caller(caller(found, .user))
    } catch {
      guard RPCError(thrown: error).code == .unavailable else {
        return .refused("the caller is not known")
      }
      return .unavailable("the caller cannot be identified now")
    }
  }

  private static func caller(
    _ principal: Principal, _ kind: Caller.Kind, actor: Int64? = nil
  ) -> Caller {
    Caller(
      principalID: principal.number, tokenID: 0, kind: kind, displayName: principal.name,
      mayMutate: principal.mayMutate, actorID: actor)
  }

  func acting(
    _ caller: Caller, forUser user: Int64, calling method: MethodInfo
  ) -> DeferredCaller {
    let service = Principal(caller.displayName, mayMutate: caller.mayMutate)
    let (provider, called) = (provider, CalledMethod(method))
    return DeferredCaller { completion in
      Task {
        let found: Result<Caller, RPCError>
        do {
          let principal = try await provider.principal(
            of: service, actingForUser: user, calling: called)
          found = .success(Self.caller(principal, .user, actor: service.number))
        } catch {
          found = .failure(RPCError(thrown: error))
        }
        completion(found) { true }
      }
    }
  }
}
