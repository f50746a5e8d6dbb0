import Synchronization

/// The text of one statement with a small number of its own, by which connections find it prepared.
///
/// Make one for each statement of the program and keep it for good, as a `static let`: numbers are
/// never given back.
package final class SQLText: Sendable {
  package let text: String

  /// The place in a connection's cache; counted from 0 for the whole process.
  package let index: Int

  private static let count = Atomic<Int>(0)

  package init(_ text: String) {
    self.text = text
    index = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}
