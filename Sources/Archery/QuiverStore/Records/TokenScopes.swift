/// What a token lets its bearer do; the raw value is stored.
package struct TokenScopes: OptionSet, Sendable, Hashable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Calls that change nothing; part of every token.
  package static let read = TokenScopes(rawValue: 1)

  /// Calls that change something.
  package static let write = TokenScopes(rawValue: 2)

  /// The calls of Admin, of an administrator.
  package static let admin = TokenScopes(rawValue: 4)

  /// All that a principal of that kind may be given.
  package static func all(of kind: PrincipalRecord.Kind) -> TokenScopes {
    kind == .administrator ? [.read, .write, .admin] : [.read, .write]
  }
}
