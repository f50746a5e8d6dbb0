import QuiverAPI
import QuiverRPC
import QuiverStore

extension ActingScopes {
  /// The scopes that calls of a service's methods need: of those that change something, and of
  /// those that do not. Nil: the methods cannot be called for a user.
  private typealias Needed = (changing: ActingScopes?, reading: ActingScopes?)

  private static let services: [String: Needed] = [
    Health.name: ([], []), Reflection.name: ([], []), Diagnostics.name: ([], []),
    Equipment.name: (.equipment, .read), Rounds.name: (.scoring, .read),
    Tournament.name: (.scoring, .read), Events.name: (.scoring, .read),
    Elimination.name: (.scoring, .read), Logbook.name: (.logbook, .read),
    Comparison.name: (.equipment, .read), Account.name: (.account, .read),
    Admin.name: (nil, nil),
  ]

  /// What no grant includes: a token belongs to the service itself, the user that an invite
  /// creates does not exist yet, and what a user shares or reads of others it decides itself.
  private static let never: Set<String> = [
    Account.rotateToken.info.name, Account.redeemInvite.info.name, Account.shareData.info.name,
    Account.createShareInvite.info.name, Account.acceptShareInvite.info.name,
    Account.getSquad.info.name,
  ]

  /// The scope that a grant must include so that its service may call the method for its user; nil
  /// if no grant includes it, as for a method of an unknown service.
  static func needed(by method: MethodInfo) -> ActingScopes? {
    if never.contains(method.name) { return nil }
    if method.name == Account.exportMyData.info.name { return .account }
    guard let service = method.name.split(separator: "/").first.map(String.init),
      let needed = services[service]
    else { return nil }
    return method.isMutating ? needed.changing : needed.reading
  }

  private static let byMethodID: [UInt32: ActingScopes] = Dictionary(
    uniqueKeysWithValues: ServiceCatalogue.archery.methods.compactMap { method in
      needed(by: method).map { (method.id, $0) }
    })

  /// The same for the id of a method of the catalogue.
  static func needed(byMethod id: UInt32) -> ActingScopes { byMethodID[id] ?? .all }

  private static let named: [(scope: ActingScopes, message: ActingScope)] = [
    (.read, .read), (.equipment, .equipment), (.scoring, .scoring), (.logbook, .logbook),
    (.account, .account),
  ]

  /// The scopes that a request names; throws INVALID_ARGUMENT with the place of one that is none.
  init(_ messages: [ActingScope]) throws {
    self = []
    for (place, message) in messages.enumerated() {
      guard let known = Self.named.first(where: { $0.message == message }) else {
        throw RPCError.invalid(
          "scopes[\(place)]", "must be read, equipment, scoring, logbook or account")
      }
      formUnion(known.scope)
    }
  }

  /// The scopes as messages, in the order of their numbers.
  var messages: [ActingScope] {
    Self.named.filter { contains($0.scope) }.map(\.message)
  }
}
