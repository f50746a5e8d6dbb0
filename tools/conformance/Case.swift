import QuiverWire

/// One requirement for a server.
struct Case: Sendable {
  var id: String
  var title: String
  var needs: Needs
  var body: @Sendable (Target) throws -> Void

  /// What a case requires of the server.
  struct Needs: OptionSet, Sendable {
    let rawValue: Int
    /// A token that the server accepts.
    static let token = Needs(rawValue: 1)
    /// quiver.v1.Diagnostics, which requires a token.
    static let diagnostics = Needs(rawValue: 3)
    /// Seconds.
    static let time = Needs(rawValue: 4)
    /// A HELLO that lists zstd, and Diagnostics.
    static let zstd = Needs(rawValue: 11)
  }

  init(
    _ id: String, _ title: String, _ needs: Needs = .diagnostics,
    body: @escaping @Sendable (Target) throws -> Void
  ) {
    self.id = id
    self.title = title
    self.needs = needs
    self.body = body
  }

  static let all: [Case] =
    (frames + handshake + calls + compression + callErrors + endings + flow + abuse).sorted {
      order($0.id) < order($1.id)
    }

  /// The groups in the order of the specification.
  private static func order(_ id: String) -> String {
    let groups = "CHUDKFLA"
    let place = groups.firstIndex(of: id.first ?? " ").map {
      groups.distance(from: groups.startIndex, to: $0)
    }
    return "\(place ?? 9)\(id)"
  }
}

/// A violation of the specification by the server.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds.
func require(_ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  guard holds else { throw Failure(sentence()) }
}

/// Throws unless two values are equal.
func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
  guard found == expected else { throw Failure("\(what): \(found), not \(expected)") }
}
