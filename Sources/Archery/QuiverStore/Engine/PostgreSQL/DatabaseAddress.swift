import QuiverPostgres

/// The address of a database of PostgreSQL as an operator gives it.
package enum DatabaseAddress {
  /// Why an address is not accepted; nil if it is. It does not repeat the address.
  ///
  /// An address with a password is refused: other users of the machine see the arguments of a
  /// process, and the configuration is printed.
  package static func fault(in text: String) -> String? {
    do throws(PostgresError) {
      guard try PostgresAddress(text).hasPassword else { return nil }
      return "has a password, which others could see; put it into the file that PGPASSFILE names"
    } catch {
      return "requires an address such as postgres://USER@HOST/NAME"
    }
  }
}
