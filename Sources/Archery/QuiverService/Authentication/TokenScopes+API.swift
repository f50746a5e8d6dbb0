import QuiverAPI
import QuiverRPC
import QuiverStore

extension TokenScopes {
  private static let all: [(scope: TokenScopes, message: TokenScope)] = [
    (.read, .read), (.write, .write), (.admin, .admin),
  ]

  /// The scopes of a request; throws INVALID_ARGUMENT with the position of an unknown one.
  init(_ messages: [TokenScope]) throws {
    self = []
    for (place, message) in messages.enumerated() {
      guard let known = Self.all.first(where: { $0.message == message }) else {
        throw RPCError.invalid("scopes[\(place)]", "must be read, write or admin")
      }
      formUnion(known.scope)
    }
  }

  /// The scopes as messages, least first.
  var messages: [TokenScope] {
    Self.all.filter { contains($0.scope) }.map(\.message)
  }
}
