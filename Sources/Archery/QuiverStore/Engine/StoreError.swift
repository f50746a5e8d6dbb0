import QuiverRules

/// Why the store refused a command or read, with gRPC's status codes.
///
/// The message is for people. It contains no user data except what the caller itself sent.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let message: String

  /// The path of the invalid field, such as `riser.brand`.
  package let field: String?

  /// A word that clients look for at the start of the text; nil in most errors.
  package let marker: Marker?

  /// Whether the command certainly had no effect, so that it may be sent again.
  package private(set) var notProcessed: Bool

  /// When the request may succeed if it is sent again; nil if nothing is known.
  package let retryAfterMilliseconds: Int32?

  /// The object as it is now, if the request named an old revision, or what prevents a deletion.
  package let current: CurrentObject?

  /// Whether the caller stated another epoch than the store's, and has to learn which one it is.
  package internal(set) var isOfOtherEpoch = false

  /// Whether the disk is full, so that nothing can be stored until there is room.
  package internal(set) var isDiskFull = false

  /// Whether the device failed to read or write a file of the store.
  package internal(set) var isDeviceFailure = false

  /// The codes that the store uses; the raw values are gRPC's.
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
    case unauthenticated = 16
  }

  /// A word that stands first in the text of an error, before its field.
  package enum Marker: String, Sendable {
    /// The request may succeed later, when the store has received what it depends on.
    case notYet = "NOT_YET"
  }

  package init(
    _ code: Code, _ message: String, field: String? = nil, marker: Marker? = nil,
    notProcessed: Bool = false, current: CurrentObject? = nil,
    retryAfterMilliseconds: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.marker = marker
    self.notProcessed = notProcessed
    self.current = current
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }

  /// The same error of a command that may have had its effect, or may have it later.
  var withUnknownEffect: StoreError {
    var error = self
    error.notProcessed = false
    return error
  }

  /// The device of a file of the store failed; `operation` says what, as a participle.
  static func deviceFailed(_ path: String, _ operation: String, _ reason: String) -> StoreError {
    var error = StoreError(
      .internalError,
      """
      \(path) could not be \(operation): \(reason); the file may be intact: check its device and \
      the log of the kernel, then try again
      """)
    error.isDeviceFailure = true
    return error
  }

  /// The marker, the path of the field and the message, as a client receives them.
  package var text: String {
    [marker?.rawValue, field, message].compactMap(\.self).joined(separator: ": ")
  }

  package var description: String { "\(code): \(text)" }
}

/// The object that a ``StoreError`` refers to, as it is now.
package enum CurrentObject: Sendable, Equatable {
  case equipment(EquipmentRecord)
  /// The bow setups whose latest version contains an item, which therefore cannot be deleted.
  case holdingSetups([HoldingSetup])
  case bowSetup(BowSetupRecord)
  case sightMark(SightMarkRecord)
  case principal(PrincipalRecord)
  /// The same record, if the caller changed its own profile.
  case profile(PrincipalRecord)
  case weightEntry(WeightEntryRecord)
  case weightPlan(WeightPlanRecord)
  case liftSet(LiftSetRecord)
  case round(RoundRecord)
  case tournament(TournamentRecord)
  case arrow(ScoredArrowRecord)
  case entry(EventEntryRecord)
  case category(EventCategoryRecord)
  case eventSession(EventSessionRecord)
  case bracket(BracketRecord)
  case match(MatchInBracket)
  case card(ComparedCardRecord)
  case pause(ShootingPauseRecord)
  /// What is missing before an event is started or finalised.
  case openSteps([EventProgress.Step])
}

extension StoreError {
  /// A field that violates a rule.
  init(_ violation: RuleViolation) {
    self = .invalid(violation.field, violation.message)
  }

  /// A revision that is not the current one; `current` is the object as it is now.
  static func stale(
    _ revision: UInt64, now: UInt64, _ current: CurrentObject
  ) -> StoreError {
    StoreError(
      .aborted, "it was changed since revision \(revision); it is at \(now)", current: current)
  }

  /// A field with an invalid value.
  package static func invalid(_ field: String, _ message: String) -> StoreError {
    StoreError(.invalidArgument, message, field: field)
  }
}

/// Runs a rule and translates its violation into a `StoreError`.
func validating<Result>(
  _ body: () throws(RuleViolation) -> Result
) throws(StoreError) -> Result {
  do throws(RuleViolation) {
    return try body()
  } catch {
    throw StoreError(error)
  }
}
