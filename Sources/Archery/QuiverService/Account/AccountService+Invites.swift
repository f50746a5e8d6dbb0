import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire

extension AccountService {
  /// A code counts as tried from the start, so that many at once are no more than one after the
  /// other, and is given back where it was good or never looked at.
  func redeemInvite(
    _ request: RedeemInviteRequest, _ call: CallContext,
    _ responder: Responder<RedeemInviteResponse>
  ) throws {
    let address = call.connection.address
    let now = call.connection.reactor.nowNanoseconds
    let command = try RedeemInvite(
      code: request.code, displayName: request.displayName, tokenLabel: request.tokenLabel)
    guard invites.take(address, now: now) else {
      throw RPCError(
        .resourceExhausted, "too many codes from this address; wait a minute",
        isNotProcessed: true, retryAfterMilliseconds: 60_000)
    }
    commands.submit(
      command, by: CommandCaller(principal: 0), call, responder,
      ended: { [invites] error in
        let isWrongCode = error?.code == .notFound || error?.code == .failedPrecondition
        if !isWrongCode { invites.giveBack(address, now: now) }
      },
      message: { made in
        var response = RedeemInviteResponse()
        response.principal = Principal(made.principal)
        response.token = Token(made.token.record)
        response.secret = made.token.secret
        return response
      })
  }
}
