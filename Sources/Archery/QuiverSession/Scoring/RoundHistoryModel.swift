public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The user's past rounds on the server, newest first.
///
/// Without a connection the last list stays. ``OfflineSession/loadRounds(_:)`` downloads a practice
/// session of the list, and ``OfflineSession/loadTournament(_:)`` a tournament, so that
/// ``ScoringModel`` can show them.
@MainActor
@Observable
public final class RoundHistoryModel: EventAnswerModel {
  /// Whether tournaments are shown too.
  public let includesTournaments: Bool
  /// At most ``SessionLimits/maxFetchedObjects`` practice sessions and tournaments, each with the
  /// rounds of this user and its guests; empty before the first load, and after an error.
  public var sessions: [ShootingSession] { answer?.sessions ?? [] }
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  var answer: ListSessionsResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, includesTournaments: Bool = false) {
    self.session = session
    self.includesTournaments = includesTournaments
    startShowing()
  }

  /// Sends the pending changes, then loads the list; without a connection the last one stays.
  ///
  /// Throws and sets ``state`` to failed if there is none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "past rounds"
  private static let pageSize: UInt32 = 500
  var answerName: String { includesTournaments ? "rounds and tournaments" : "rounds" }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> ListSessionsResponse {
    var first = ListSessionsRequest()
    (first.includeTournaments, first.pageSize) = (includesTournaments, Self.pageSize)
    let request = first
    return { (session) throws(SessionError) in
      var request = request
      var all = try await session.call(Rounds.listSessions, request)
      let limit = session.configuration.limits.maxFetchedObjects
      while !all.nextPageToken.isEmpty, all.sessions.count < limit {
        request.pageToken = all.nextPageToken
        let page = try await session.call(Rounds.listSessions, request)
        all.sessions += page.sessions
        all.nextPageToken = page.nextPageToken
      }
      return all
    }
  }
}

extension OfflineSession {
  /// Downloads a practice session by the id that the server assigned; ``ScoringModel`` can score it
  /// without a connection afterwards.
  @discardableResult
  public func loadRounds(_ serverID: Int64) async throws(SessionError) -> LocalID {
    let failure = await load { (store) throws(SessionError) in
      try await self.fetchRounds(.with { $0.id = serverID }, store)
    }
    let known = try await store().read { (transaction) throws(SessionError) in
      try transaction.event(serverID: serverID)
    }
    if let failure, known == nil || !failure.isTransient {
      throw failure.whileTrying(to: "load rounds")
    }
    guard let known else { throw SessionError(.notFound, "these rounds are not here") }
    return LocalID(rawValue: known.key)
  }

  /// Pauses, resumes, completes or cancels the round of a participant of a practice session.
  ///
  /// Sends the pending changes first, because a round that is paused or completed takes no further
  /// arrows. Needs a connection, and has its effect once, also if the reply is lost and it is
  /// called again. A cancellation is final.
  public func setRoundStatus(
    _ status: RoundStatus, of participant: LocalID
  ) async throws(SessionError) {
    let failure = await load { (store) throws(SessionError) in
      let (event, id) = try await store.read {
        (transaction) throws(SessionError) -> (event: Int64, id: Int64) in
        guard let known = try transaction.participant(participant.rawValue),
          let event = try transaction.event(known.eventKey)
        else { throw SessionError(.notFound, "this round is no longer on this device") }
        guard !event.isTournament else {
          throw SessionError(.notPossible, "rounds of a tournament end with the tournament")
        }
        guard known.isOnServer else {
          throw SessionError(.notPossible, "the server does not have this round yet")
        }
        return (event.key, known.message.id)
      }
      _ = try await self.once(
        Rounds.setRoundStatus, .with { ($0.participantID, $0.status) = (id, status) })
      // The change is made: what cannot be read now is shown by the next load.
      try? await self.fetchEvent(event, store)
    }
    if let failure { throw failure.whileTrying(to: "change a round") }
  }
}
