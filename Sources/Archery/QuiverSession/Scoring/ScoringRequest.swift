import QuiverAPI
import QuiverRPC

/// The calls of scoring that wait in the outbox.
enum ScoringRequest {
  static let methods: [MethodInfo] = [
    Rounds.createSession.info, Rounds.addSessionGuest.info, Rounds.applyOperations.info,
    Tournament.addGuest.info, Tournament.addEntries.info, Tournament.applyOperations.info,
  ]

  /// What carries operations of an event.
  static func apply(isTournament: Bool) -> MethodInfo {
    isTournament ? Tournament.applyOperations.info : Rounds.applyOperations.info
  }
}
