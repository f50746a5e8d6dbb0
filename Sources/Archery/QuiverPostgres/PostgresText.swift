import Synchronization

/// The text of one statement with a small number of its own, by which connections find it prepared.
///
/// Make one for each statement of the program and keep it for good, as a `static let`. Parameters
/// are `?1`, `?2` and so on, as in SQLite.
package final class PostgresText: Sendable {
  package let text: String

  /// A number of the process, part of the statement's name on the server.
  package let index: Int

  /// Whether it begins with SELECT, and so changes no row.
  package let isSelect: Bool

  private static let count = Atomic<Int>(0)

  package init(_ text: String) {
    self.text = text
    isSelect = text.hasPrefix("SELECT")
    index = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// The text as PostgreSQL takes it, and which parameters it has.
  struct Rewritten: Equatable {
    var text: String
    /// Whether the parameter of each number, from 1, occurs.
    var uses: [Bool]
  }

  /// Replaces `?1` by `$1` outside of quotes and comments.
  static func rewrite(_ text: String) -> Rewritten {
    var scanner = Scanner(bytes: Array(text.utf8))
    return scanner.rewrite()
  }

  /// Copies a statement, apart from its parameters.
  private struct Scanner {
    let bytes: [UInt8]
    var index = 0
    var output: [UInt8] = []
    var uses: [Bool] = []

    init(bytes: [UInt8]) {
      self.bytes = bytes
      output.reserveCapacity(bytes.count)
    }

    mutating func rewrite() -> Rewritten {
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): copyQuoted()
        case UInt8(ascii: "-") where next == UInt8(ascii: "-"): copyLine()
        case UInt8(ascii: "?"): copyParameter()
        default: copy()
        }
      }
      return Rewritten(text: String(decoding: output, as: UTF8.self), uses: uses)
    }

    private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    private mutating func copy() {
      output.append(bytes[index])
      index += 1
    }

    /// A doubled quote ends one quoted text and begins the next one.
    private mutating func copyQuoted() {
      let quote = bytes[index]
      copy()
      while index < bytes.count, bytes[index] != quote { copy() }
      if index < bytes.count { copy() }
    }

    private mutating func copyLine() {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { copy() }
    }

    private mutating func copyParameter() {
      var number = 0
      var end = index + 1
      while end < bytes.count, (48...57).contains(bytes[end]), number < 10_000 {
        number = number * 10 + Int(bytes[end] - 48)
        end += 1
      }
      guard number > 0 else { return copy() }
      while uses.count < number { uses.append(false) }
      uses[number - 1] = true
      output.append(UInt8(ascii: "$"))
      output += bytes[(index + 1)..<end]
      index = end
    }
  }
}
