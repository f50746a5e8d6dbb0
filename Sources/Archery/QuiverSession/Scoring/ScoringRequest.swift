import QuiverAPI
import QuiverRPC

/// The scoring calls in the outbox.
enum ScoringRequest {
  static let methods: [MethodInfo] = [
    Rounds.createSession.info, Rounds.addSessionGuest.info, Rounds.applyOperations.info,
    Rounds.setSessionConditions.info,
    Tournament.addGuest.info, Tournament.addEntries.info, Tournament.applyOperations.info,
  ]

  /// The method that applies an event's operations.
  static func apply(isTournament: Bool) -> MethodInfo {
    isTournament ? Tournament.applyOperations.info : Rounds.applyOperations.info
  }
}
