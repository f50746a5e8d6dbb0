import QuiverAPI
import QuiverRPC
import QuiverStore

extension AccountService {
  /// A wrong code is refused before it reaches the writer.
  func redeemInvite(
    _ request: RedeemInviteRequest, _ call: CallContext,
    _ responder: Responder<RedeemInviteResponse>
  ) throws {
    let command = try RedeemInvite(
      code: request.code, displayName: request.displayName, tokenLabel: request.tokenLabel)
    let store = commands.store
    try invites.find(request.code, call) { () throws(StoreError) in
      let invite = try store.read { (snapshot) throws(StoreError) in
        try snapshot.invite(code: request.code)
      }
      guard invite != nil else { throw RedeemInvite.unknownCode }
    }
    commands.submit(command, by: CommandCaller(principal: 0), call, responder) { made in
      var response = RedeemInviteResponse()
      response.principal = Principal(made.principal)
      response.token = Token(made.token.record)
      response.secret = made.token.secret
      return response
    }
  }
}
