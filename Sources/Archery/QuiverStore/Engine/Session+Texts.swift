import QuiverRules
import QuiverSQLite

extension Session {
  /// Throws `invalidArgument` for a text with U+0000, which SQLite would keep, and PostgreSQL does
  /// not: what one engine refuses, the other one refuses too.
  static func checkTexts(_ values: [SQLValue]) throws(StoreError) {
    for case .text(let text) in values where text.hasZeroCharacter {
      throw StoreError(
        .invalidArgument, "the store cannot keep this value: a text cannot contain U+0000")
    }
  }
}
