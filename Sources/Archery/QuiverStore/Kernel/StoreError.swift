import QuiverRules

/// Why the store refused, in the vocabulary of gRPC's status codes.
///
/// The message is for people, and holds no user data beyond what its caller sent itself.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let message: String

  /// The path of the field that is at fault, as in `riser.brand`.
  package let field: String?

  /// Whether the command certainly had no effect, so that it may be sent again.
  package let notProcessed: Bool

  /// The object as it stands, where a stale revision was named, or what keeps a piece from being
  /// deleted: a record of this room.
  package let current: (any Sendable)?

  /// The codes that the store answers with; the raw values are gRPC's.
  package enum Code: UInt32, Sendable, Hashable {
    case cancelled = 1
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
  }

  package init(
    _ code: Code, _ message: String, field: String? = nil, notProcessed: Bool = false,
    current: (any Sendable)? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.notProcessed = notProcessed
    self.current = current
  }

  package var description: String {
    field.map { "\(code): \($0): \(message)" } ?? "\(code): \(message)"
  }
}

extension StoreError {
  /// A rule that a field breaks.
  init(_ violation: RuleViolation) {
    self = .invalid(violation.field, violation.message)
  }

  /// A revision that is not the current one; `current` is the object as it stands.
  static func stale(
    _ revision: UInt64, now: UInt64, _ current: some Sendable
  ) -> StoreError {
    StoreError(
      .aborted, "it was changed since revision \(revision); it is at \(now)", current: current)
  }

  /// A field that cannot be as it is.
  static func invalid(_ field: String, _ message: String) -> StoreError {
    StoreError(.invalidArgument, message, field: field)
  }
}

/// Runs a rule; what it refuses becomes an error of the store.
func ruled<Result>(
  _ body: () throws(RuleViolation) -> Result
) throws(StoreError) -> Result {
  do throws(RuleViolation) {
    return try body()
  } catch {
    throw StoreError(error)
  }
}
