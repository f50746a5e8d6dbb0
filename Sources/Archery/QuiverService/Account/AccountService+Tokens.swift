import QuiverAPI
import QuiverRPC
import QuiverStore

extension AccountService {
  /// Replaces the caller's token. The connections of the old one are closed when it expires.
  func rotateToken(
    _ request: RotateTokenRequest, _ call: CallContext,
    _ responder: Responder<RotateTokenResponse>
  ) throws {
    let caller = try call.storeCaller()
    let command = try RotateToken(
      overlapMilliseconds: request.overlapMilliseconds
        ?? StoreLimits.defaultTokenOverlapMilliseconds)
    let replaced = KeptReply<TokenRecord>()
    commands.submit(
      command, by: caller, call, responder,
      ended: { [tokens] error in
        // Only now is it certain that the expiry is stored.
        if error == nil, let old = replaced.value { tokens.note(old) }
      },
      message: { rotated in
        replaced.keep(rotated.old)
        var response = RotateTokenResponse()
        response.token = Token(rotated.new.record)
        response.secret = rotated.new.secret
        response.oldToken = Token(rotated.old)
        return response
      })
  }
}
