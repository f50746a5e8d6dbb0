public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A stage of an elimination: its matches, and the ranks so far; organisers and judges give its
/// matches targets, and rule on them.
///
/// Without a connection the last state stays, and changes are refused. A change has its effect
/// once, also if its reply is lost and it is made again. A match is scored by ``MatchModel``.
@MainActor
@Observable
public final class BracketModel: EventAnswerModel, OrganisedModel, FollowingModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The id that the server assigned to the stage.
  public let stageID: Int64
  /// The stage; nil before the first load, and after an error.
  public var stage: EliminationStage? { answer?.stage }
  /// The matches, the first rounds first, without cards.
  public var matches: [EliminationMatch] { answer?.matches ?? [] }
  /// The matches by their rounds, the first one first; none for groups.
  public var rounds: [BracketRound] { BracketRound.rounds(of: stage, matches) }
  /// The archers or teams by rank.
  public var ranks: [EliminationRank] { answer?.ranks ?? [] }
  /// The load state of the stage.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last change was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  var answer: EliminationBracket?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored var following: Task<Void, Never>?

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64, stage: Int64) {
    self.session = session
    self.event = event
    stageID = stage
    startShowing()
  }

  deinit { following?.cancel() }

  /// Loads the stage; without a connection the last state stays.
  ///
  /// Throws and sets ``state`` to failed if there is none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Keeps the stage current while there is a connection; without gap after a lost connection.
  ///
  /// Ends and sets ``state`` to failed if the server no longer shows the stage.
  public func follow() {
    let (event, id, name) = (event, stageID, answerName)
    startFollowing { session, onUpdate in
      await session.followBracket(event, id, name, onUpdate: onUpdate)
    }
  }

  /// Ends what ``follow()`` began.
  public func stopFollowing() { endFollowing() }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "a bracket"
  var answerName: String { Self.answerName(event, stage: stageID) }

  /// Under which the bracket of a stage is stored.
  nonisolated static func answerName(_ event: Int64, stage: Int64) -> String {
    "bracket \(event) \(stage)"
  }

  /// Of matches that both have the one at the higher revision stays. Others come from the answer.
  nonisolated static func merged(
    _ answer: EliminationBracket, over known: EliminationBracket?
  ) -> EliminationBracket {
    let known = Dictionary((known?.matches ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var merged = answer
    merged.matches = answer.matches.map { match in
      guard let other = known[match.id], other.revision > match.revision else { return match }
      return other
    }
    return merged
  }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> EliminationBracket {
    let id = stageID
    return { (session) throws(SessionError) in
      try await session.call(Elimination.getBracket, .with { $0.stageID = id })
    }
  }
}

extension OfflineSession {
  /// Keeps the local copy of a bracket current, until the task is cancelled or the session is
  /// closed.
  ///
  /// Returns the error with which the server permanently ended the watch.
  fileprivate func followBracket(
    _ event: Int64, _ stage: Int64, _ name: String,
    onUpdate: @escaping @Sendable () async -> Void
  ) async -> SessionError? {
    guard let store = try? store() else { return nil }
    var request = WatchBracketRequest()
    (request.tournamentID, request.stageID) = (event, stage)
    return await watch(Elimination.watchBracket, request) { (message) throws(SessionError) in
      guard let bracket = message.bracket else { return }
      try await store.write { (transaction) throws(SessionError) in
        try transaction.keepBracket(name, bracket, limits: store.limits)
      }
      await onUpdate()
    }
  }
}

extension LocalTransaction {
  /// Stores a bracket, or what has changed of it, over the stored one.
  func keepBracket(
    _ name: String, _ bracket: EliminationBracket, limits: SessionLimits
  ) throws(SessionError) {
    let known: EliminationBracket? = try eventAnswer(name)?.answer
    try keepEventAnswer(name, bracket.over(known), limits: limits)
  }
}

extension EliminationBracket {
  /// The bracket after a message that has the changed matches and all ranks. A message with all
  /// matches, as the first one, gives itself. A match at a lower revision is older than the known
  /// one.
  fileprivate func over(_ known: EliminationBracket?) -> EliminationBracket {
    guard let known else { return self }
    var result = self
    result.stage = stage ?? known.stage
    let changed = Dictionary(matches.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let kept = known.matches.map { former in
      guard let newer = changed[former.id], newer.revision >= former.revision else {
        return former
      }
      return newer
    }
    let ids = Set(known.matches.map(\.id))
    result.matches = kept + matches.filter { !ids.contains($0.id) }
    return result
  }
}
