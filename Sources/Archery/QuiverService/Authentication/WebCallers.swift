import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire

/// Which calls of the web are answered: those that came to a gateway without encryption, and those
/// of a gateway that this process has started.
///
/// A gateway marks the calls that came without encryption. The mark takes rights away and gives
/// none, so that it counts on every connection; a gateway removes what its own callers say. What is
/// admitted goes by the caller that the server found, and not by the connection's gateway.
struct WebCallers: ServerInterceptor {
  /// Metadata of a call that came without encryption, whatever its value; the gateway has the same.
  static let unencryptedKey = "quiver-unencrypted"

  private static let ofNobody: Set<UInt32> = [
    Health.methods.check.id, Health.methods.watch.id, Tournament.methods.getSpectatorToken.id,
    Events.methods.joinTarget.id, Events.methods.deliverOperations.id,
  ]
  /// Whether judges and helpers at check-in sign in where others can read their tokens: the
  /// operator has said so.
  let takesOfficials: Bool

  private static let ofGateway: Set<UInt32> = [
    Health.methods.check.id, Health.methods.watch.id, Reflection.methods.describe.id,
  ]

  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    if call.caller?.isOwnGateway == true, !Self.ofGateway.contains(method.id) {
      throw RPCError(
        .permissionDenied, "this token reads the description of the methods and nothing else",
        isNotProcessed: true)
    }
    guard Self.isUnencrypted(call) else { return nil }
    guard let caller = call.caller else {
      let signsIn = takesOfficials && method.id == Events.methods.signInOfficial.id
      guard signsIn || Self.ofNobody.contains(method.id) else {
        throw RPCError(
          .permissionDenied,
          "this address is not encrypted, and the reply could be read by others; use an address"
            + " with https",
          isNotProcessed: true)
      }
      return nil
    }
    guard caller.isPublic || takesOfficials && caller.mayBeRead else {
      throw RPCError(
        .permissionDenied,
        "this address is not encrypted: it takes the tokens of scoring devices and of spectators"
          + " alone; use an address with https, and replace this token, which others may have read",
        isNotProcessed: true)
    }
    return nil
  }

  static func isUnencrypted(_ call: CallContext) -> Bool {
    call.metadata.entries.contains { $0.key == unencryptedKey }
  }
}

extension Caller {
  /// The principal of the gateway that this process has started: it has no row.
  private static let ownGatewayID = Int64.min

  static let ownGateway = Caller(
    principalID: ownGatewayID, tokenID: 0, kind: .service, displayName: "gateway of this server",
    mayMutate: false)

  var isOwnGateway: Bool { principalID == Self.ownGatewayID }

  /// Whether its token may be sent where others can read it: that of a spectator, which everybody
  /// gets, or of a scoring device, which can do little and ends with its event.
  fileprivate var isPublic: Bool { !isOwnGateway && (principalID < 0 || kind == .device) }
}
