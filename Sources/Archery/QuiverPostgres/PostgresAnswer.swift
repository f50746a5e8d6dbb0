/// The answer to one statement, which only the statement's sender can take.
///
/// ``PostgresConnection/send(_:then:)`` makes it together with the statement, and the connection
/// puts the statement's rows into it. It belongs to the thread that uses the connection.
package final class PostgresAnswer {
  /// What is known of the statement.
  enum State {
    case awaited
    case arrived(PostgresRows)
    /// It failed, or was not run because a statement before it failed: it has no effect.
    case failed
    /// The connection ended before the answer: whether it had an effect is not known.
    case lost
  }

  private(set) var state = State.awaited

  /// How many columns the statement returns; nil: any number.
  let columnCount: Int32?

  private let then: ((PostgresRows) -> Void)?

  init(columnCount: Int32?, then: ((PostgresRows) -> Void)? = nil) {
    self.columnCount = columnCount
    self.then = then
  }

  /// Whether neither rows nor an error have arrived.
  package var isAwaited: Bool {
    if case .awaited = state { true } else { false }
  }

  var rows: PostgresRows? {
    if case .arrived(let rows) = state { rows } else { nil }
  }

  func arrive(_ rows: PostgresRows) {
    precondition(isAwaited, "A statement was answered twice.")
    state = .arrived(rows)
    then?(rows)
  }

  func fail(isLost: Bool) {
    precondition(isAwaited, "A statement was answered twice.")
    state = isLost ? .lost : .failed
  }
}
