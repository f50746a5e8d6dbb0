import QuiverRPC
import QuiverStore
import QuiverWire

/// Looks up the codes of invites and events, and counts the failures of each caller.
///
/// A caller is a principal or, if it is anonymous, an address. A valid code is never refused,
/// whatever else was tried, except a short one, which can be guessed: of these each caller tries a
/// limited number a minute. May be used from any thread.
struct CodeAttempts: Sendable {
  private let failures: FailedTokens

  init(limitPerMinute: Int) { failures = FailedTokens(limitPerMinute: limitPerMinute) }

  /// Returns what `lookUp` finds by a code. Throws NOT_FOUND if it throws that, and
  /// RESOURCE_EXHAUSTED instead if the caller has failed too often.
  func find<Found>(
    _ code: String, _ call: CallContext, _ lookUp: () throws(StoreError) -> Found
  ) throws -> Found {
    let caller =
      call.caller.map { "principal \($0.actorID)" }
      ?? CountedNetwork.name(of: call.connection.address)
    let now = call.connection.reactor.nowNanoseconds
    // Counted before it is known how it ends, so that many at once are no more than one by one.
    let isShort = InviteCode.isShort(code)
    if isShort, !failures.take(caller, now: now) { throw Self.tooMany }
    do throws(StoreError) {
      let found = try lookUp()
      if isShort { failures.giveBack(caller, now: now) }
      return found
    } catch {
      guard error.code == .notFound else {
        if isShort { failures.giveBack(caller, now: now) }
        throw RPCError(error)
      }
      if !isShort, !failures.take(caller, now: now) { throw Self.tooMany }
      throw RPCError(error)
    }
  }

  private static var tooMany: RPCError {
    RPCError(
      .resourceExhausted, "too many wrong codes; wait a minute", isNotProcessed: true,
      retryAfterMilliseconds: 60_000)
  }
}
