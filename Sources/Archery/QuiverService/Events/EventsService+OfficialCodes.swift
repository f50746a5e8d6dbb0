import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire

extension EventsService {
  static func role(_ role: QuiverAPI.EventRole) throws -> QuiverStore.EventRole {
    guard let role = QuiverStore.EventRole(rawValue: role.rawValue) else {
      throw RPCError.invalid("role", "must be organiser, judge, scorer, results or check_in")
    }
    return role
  }

  func createOfficialCode(
    _ request: CreateOfficialCodeRequest, _ call: CallContext,
    _ responder: Responder<CreateOfficialCodeResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try CreateOfficial(
      event: request.tournamentID, role: try Self.role(request.role), name: request.displayName)
    commands.submit(command, by: caller, call, responder) { made in
      .with { ($0.official, $0.code) = (EventOfficial(made.record), made.code) }
    }
  }

  /// A wrong code is refused before it reaches the writer.
  func signInOfficial(
    _ request: SignInOfficialRequest, _ call: CallContext, _ responder: Responder<EventOfficial>
  ) throws {
    guard call.caller == nil else {
      throw RPCError(
        .failedPrecondition, "call without a token: the code signs somebody else in",
        isNotProcessed: true)
    }
    let secret = try DeviceSecret(
      request.deviceSecret, prefix: DeviceSecret.officialPrefix)
    let isRead = WebCallers.isUnencrypted(call)
    let store = commands.store
    try codes.find(request.code, call) { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.checkOfficialCode(request.code, secret, isRead: isRead)
      }
    }
    // The same secret is the same official, however often it signs in.
    commands.submit(
      SignInOfficial(code: request.code, secret: secret), by: CommandCaller(principal: 0), call,
      responder, keepsKey: false
    ) { EventOfficial($0) }
  }
}
