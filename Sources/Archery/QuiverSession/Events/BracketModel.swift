public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A stage of an elimination: its matches, and the ranks so far.
///
/// Without a connection the last state stays. A match is scored by ``MatchModel``.
@MainActor
@Observable
public final class BracketModel: EventAnswerModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The id that the server assigned to the stage.
  public let stageID: Int64
  /// The stage; nil before the first load, and after an error.
  public private(set) var stage: EliminationStage?
  /// The matches, the first rounds first, without cards.
  public private(set) var matches: [EliminationMatch] = []
  /// The matches by their rounds, the first one first; none for groups.
  public var rounds: [BracketRound] { BracketRound.rounds(of: stage, matches) }
  /// The archers or teams by rank.
  public private(set) var ranks: [EliminationRank] = []
  /// The load state of the stage.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64, stage: Int64) {
    self.session = session
    self.event = event
    stageID = stage
    let key = ChangeKey.eventAnswer(answerName)
    startShowing { !$0.isDisjoint(with: [key, .connection]) }
  }

  deinit { following?.cancel() }

  /// Loads the stage; without a connection the last state stays.
  ///
  /// Throws and sets ``state`` to failed if there is none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) {
    let id = stageID
    try await loadAnswer { (session) throws(SessionError) in
      try await session.call(Elimination.getBracket, .with { $0.stageID = id })
    }
  }

  /// Keeps the stage current while there is a connection; without gap after a lost connection.
  ///
  /// Ends and sets ``state`` to failed if the server no longer shows the stage.
  public func follow() {
    guard following == nil else { return }
    let (session, event, id, name) = (session, event, stageID, answerName)
    following = Task { [weak self] in
      let error = await session.followBracket(event, id, name) { [weak self] in
        await self?.noteUpdate()
      }
      guard let self, !Task.isCancelled else { return }
      self.following = nil
      if let error, error.code != .call(.unimplemented) { _ = self.fail(error) }
    }
  }

  /// Ends what ``follow()`` began.
  public func stopFollowing() {
    following?.cancel()
    following = nil
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  typealias Answer = EliminationBracket
  static let contentName = "a bracket"
  var hasContent: Bool { stage != nil }
  var answerName: String { "bracket \(event) \(stageID)" }

  func show(_ content: EventAnswerContent<EliminationBracket>?) {
    stage = content?.answer?.stage
    matches = content?.answer?.matches ?? []
    ranks = content?.answer?.ranks ?? []
  }

  private func noteUpdate() {
    if state.error == nil { state = .loaded(staleSince: nil) }
  }
}

/// The elimination stages of an event.
///
/// Without a connection the last list stays.
@MainActor
@Observable
public final class StageListModel: EventAnswerModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The stages by their ids; empty before the first load, and after an error.
  public private(set) var stages: [EliminationStage] = []
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored private var isLoaded = false

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    let key = ChangeKey.eventAnswer(answerName)
    startShowing { !$0.isDisjoint(with: [key, .connection]) }
  }

  /// Loads the stages; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) {
    let event = event
    try await loadAnswer { (session) throws(SessionError) in
      try await session.call(Elimination.listStages, .with { $0.tournamentID = event })
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  typealias Answer = ListStagesResponse
  static let contentName = "stages"
  var hasContent: Bool { isLoaded }
  var answerName: String { "stages \(event)" }

  func show(_ content: EventAnswerContent<ListStagesResponse>?) {
    stages = content?.answer?.stages ?? []
    isLoaded = content?.answer != nil
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
        let known: EliminationBracket? = try transaction.eventAnswer(name)?.answer
        try transaction.keepEventAnswer(
          name, bracket.over(known), limits: store.limits)
      }
      await onUpdate()
    }
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
