import QuiverCrypto
import QuiverRPC
import QuiverStore
import QuiverWire

extension CallContext {
  /// The principal on whose behalf the store is used; throws UNAUTHENTICATED for an anonymous
  /// caller.
  func storeCaller() throws -> CommandCaller {
    guard let caller else { throw RPCError.needsToken }
    guard SpectatorToken.tournament(ofPrincipal: caller.principalID) == nil else {
      throw RPCError(
        .permissionDenied, "a spectator's token is valid only for its event")
    }
    guard caller.actorID == caller.principalID else {
      return CommandCaller(
        principal: caller.principalID, actor: caller.actorID, tokenID: caller.tokenID,
        certificateBindingID: caller.certificateBindingID,
        actingScopes: .needed(byMethod: methodID), knownEpoch: knownEpoch)
    }
    return CommandCaller(
      principal: caller.principalID, tokenID: caller.tokenID,
      certificateBindingID: caller.certificateBindingID, knownEpoch: knownEpoch)
  }

  /// The epoch of what the caller has read: as it states it, or that of its position.
  private var knownEpoch: UInt64 {
    if storeEpoch != 0 { return storeEpoch }
    return StorePosition(in: metadata)?.epoch ?? 0
  }

  /// The same, where an administrator must call.
  func administrator() throws -> CommandCaller {
    let storeCaller = try storeCaller()
    guard caller?.kind == .administrator else {
      throw RPCError(.permissionDenied, "only an administrator may call quiver.v1.Admin")
    }
    guard caller?.mayAdminister == true else {
      throw RPCError(.permissionDenied, "this call takes a token of the scope admin")
    }
    return storeCaller
  }

  /// The options of a command of this call: its key, and its deadline on the store's clock.
  func commandOptions(
    _ caller: CommandCaller, _ cancellation: CommandCancellation
  ) -> CommandOptions {
    var options = CommandOptions(
      caller: caller, idempotency: storeKey, deadlineNanoseconds: storeDeadlineNanoseconds,
      cancellation: cancellation)
    if let span {
      options.onPhase = { phase, start, end in
        switch phase {
        case .waited: span.record("wait for the writer", from: start, until: end)
        case .committed: span.record("commit", from: start, until: end)
        }
      }
    }
    return options
  }

  private var storeKey: CommandKey? {
    guard let idempotencyKey else { return nil }
    let method = withUnsafeBytes(of: methodID.bigEndian) { Array($0) }
    return CommandKey(
      key: idempotencyKey.bytes, requestHash: SHA256.hash(method + keyedRequest), epoch: storeEpoch)
  }

  /// The reactor's clock may be another than the store's: what is left is the same on both.
  private var storeDeadlineNanoseconds: UInt64 {
    guard deadlineNanoseconds != 0 else { return 0 }
    let now = connection.reactor.nowNanoseconds
    let left = deadlineNanoseconds > now ? deadlineNanoseconds - now : 0
    let (deadline, isTooFar) = StoreClock.system.monotonicNanoseconds()
      .addingReportingOverflow(left)
    return isTooFar ? 0 : max(1, deadline)
  }
}
