import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A round of a stage, whose matches get targets together.
public struct StageRound: Sendable, Hashable {
  fileprivate let size: Int
  fileprivate let number: Int

  /// A round of a bracket by its size: 8 for the quarterfinals, 2 for the medal matches.
  public static func bracket(_ size: Int) -> Self { Self(size: size, number: 0) }

  /// A round of all groups by its number, from 1.
  public static func groups(_ number: Int) -> Self { Self(size: 0, number: number) }
}

/// Where and when matches are shot.
public struct MatchPlaces: Sendable, Equatable {
  /// The target of the first side of the first match, 1 to 9,999; nil: no targets.
  public var firstTarget: Int?
  /// Whether each side shoots on a target of its own, beside that of the other one.
  public var hasTargetForEachSide: Bool
  /// When they start; nil: not known.
  public var startsAt: Date?

  /// Places; without parameters no targets and no start.
  public init(
    firstTarget: Int? = nil, hasTargetForEachSide: Bool = false, startsAt: Date? = nil
  ) {
    self.firstTarget = firstTarget
    self.hasTargetForEachSide = hasTargetForEachSide
    self.startsAt = startsAt
  }

  fileprivate func target() throws(SessionError) -> UInt32 {
    guard let firstTarget else { return 0 }
    guard firstTarget > 0 else {
      throw SessionError(.invalid, "must be from 1 to 9999, not \(firstTarget)", field: "target")
    }
    return try UInt32(firstTarget, field: "target")
  }

  fileprivate var targetsPerMatch: UInt32 { hasTargetForEachSide ? 2 : 1 }
  fileprivate var start: Int64 { startsAt.map { WallClock.milliseconds($0) } ?? 0 }
}

/// What organisers and judges change over the server. The server's limits and refusals hold.
extension BracketModel {
  /// Gives the matches of a round, without byes, targets one after another and a start; those of
  /// the match for bronze come before those for gold.
  ///
  /// A target that another match of the event has at that start is refused.
  public func place(_ round: StageRound, at places: MatchPlaces) async throws(SessionError) {
    try await changeStage("place matches", Elimination.placeMatches) {
      (request) throws(SessionError) in
      request.stageID = stageID
      request.roundSize = try UInt32(round.size, field: "round_size")
      request.groupRound = try UInt32(round.number, field: "group_round")
      request.firstTarget = try places.target()
      request.targetsPerMatch = places.targetsPerMatch
      request.startsAtMilliseconds = places.start
    }
  }

  /// Gives a match its targets and its start, by the same rules.
  public func place(match id: Int64, at places: MatchPlaces) async throws(SessionError) {
    try await changeMatch("place a match", Elimination.placeMatch) {
      (request) throws(SessionError) in
      request.matchID = id
      request.firstTarget = try places.target()
      request.targetsPerMatch = places.targetsPerMatch
      request.startsAtMilliseconds = places.start
    }
  }

  /// Records that a side, 1 or 2, of a match does not shoot, as
  /// ``MatchModel/forfeit(side:reason:)`` does.
  public func forfeit(match id: Int64, side: Int, reason: String) async throws(SessionError) {
    try await recordForfeit(match: id, side: side, reason: reason)
  }

  /// Takes confirmations and forfeits of a match back, as
  /// ``MatchModel/reopen(reason:voidsLater:)`` does.
  public func reopen(
    match id: Int64, reason: String, voidsLater: Bool = false
  ) async throws(SessionError) {
    try await takeBack(match: id, reason: reason, voidsLater: voidsLater)
  }

  /// Replaces a member of a team that has not begun to shoot; `reason` has 1 to 200 characters.
  ///
  /// `team` is the seed of the team. The substitute is a ranked archer of the same club or country
  /// and category, who is in no team of the stage. Both are named by the ids of their participants.
  public func substitute(
    _ member: Int64, by substitute: Int64, inTeam team: UInt32, reason: String
  ) async throws(SessionError) {
    try await changeStage("replace a member of a team", Elimination.substituteTeamMember) {
      ($0.stageID, $0.seed, $0.reason) = (stageID, team, reason)
      ($0.participantID, $0.substituteID) = (member, substitute)
    }
  }

  /// Has the stage changed, and stores the reply over what is here.
  private func changeStage<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, EliminationBracket>,
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let (name, limits) = (answerName, session.configuration.limits)
    try await organise(
      operation, method,
      keep: { (transaction, bracket) throws(SessionError) in
        try transaction.keepBracket(name, bracket, limits: limits)
      }, fill)
  }
}
