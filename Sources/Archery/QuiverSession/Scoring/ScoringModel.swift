public import FoundationEssentials
public import Observation
import QuiverAPI
public import QuiverRules
import QuiverWire

/// A scorer at an event: whose turn it is, what was shot, and how everybody stands.
///
/// What is entered is on this device's disk when the method returns, and counts here at once; it is
/// sent in its order when there is a server. Refusals and conflicts are in ``held`` until their
/// owner decides.
@MainActor
@Observable
public final class ScoringModel {
  public let event: LocalID
  /// The tournament's name, or that of the round.
  public var title: String { view?.event.title ?? "" }
  /// Those that this user may score, in the order in which they take turns.
  public var participants: [ScoringParticipant] { view?.shownParticipants ?? [] }
  /// Where the next arrow goes; nil where nobody has an open slot, and after an error.
  public var position: ScoringPosition? { view?.position }
  /// How arrows are entered.
  public var inputMode = ScoringInput.buttons
  /// By what the leaderboard is ranked; nil: by the event's own.
  public var policy: QuiverRules.TiePolicy?
  /// Everybody whom this device knows, ranked; of a large event only those that this user scores.
  public var leaderboard: [LeaderboardLine] { view?.leaderboard(by: policy) ?? [] }
  /// Operations that wait to be sent, or for the start of the event.
  public private(set) var waitingCount = 0
  /// What the server refused, has another value for, or keeps for the organiser.
  public private(set) var needsAttention: [OutboxEntry] = []
  public private(set) var isLoading = false
  /// Why something could not be done; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when the standings are, where the server cannot be reached; nil: they are current, or the
  /// server does not know the event yet.
  public private(set) var staleSince: Date?

  @ObservationIgnored let session: OfflineSession
  /// What the screen shows; nil after an error.
  private(set) var view: ScoringView?
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var following: Task<Void, Never>?
  /// Whether the error is one of loading, after which nothing is shown.
  @ObservationIgnored private var hasFailed = false

  /// Shows the last state of this device at once, and whatever changes in the session from then on.
  public init(_ session: OfflineSession, event: LocalID) {
    self.session = session
    self.event = event
    show()
    let changes = session.changes()
    Task { [weak self] in
      for await _ in changes {
        guard let self else { return }
        self.show()
      }
      self?.stopFollowing()
    }
    if session.configuration.syncsByItself { follow() }
  }

  deinit { following?.cancel() }

  /// Lets status, participants and the standings of others move by themselves while there is a
  /// connection: of tournaments, up to the first 200 of the leaderboard, behind lost connections
  /// without gap or repeat. A session that syncs by itself does so from the start.
  ///
  /// Ends where the server does not show the event any more, with the text of that.
  public func follow() {
    guard following == nil else { return }
    let (session, key) = (session, event.rawValue)
    following = Task { [weak self] in
      let error = await session.follow(key) { [weak self] in await self?.showUpdate() }
      guard let self, !Task.isCancelled else { return }
      self.following = nil
      if let error, error.code != .call(.unimplemented) { self.fail(error) }
    }
  }

  /// Lets what others do come with each ``load()`` alone.
  public func stopFollowing() {
    following?.cancel()
    following = nil
  }

  private func showUpdate() {
    hasLoaded = true
    show()
  }

  /// Sends what waits and asks how the event stands; off line the last state stays.
  public func load() async {
    clearError()
    isLoading = true
    let (session, key) = (session, event.rawValue)
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchEvent(key, store)
    }
    isLoading = false
    hasLoaded = error == nil
    show()
    if let error, !error.isTransient || view == nil { fail(error) }
  }

  /// Clears the error; the last state is shown again.
  public func clearError() {
    errorText = nil
    hasFailed = false
    show()
  }

  /// Makes a change of scores; false, with the text, where it does not go.
  func changed(
    _ what: String, _ change: () throws(SessionError) -> Void
  ) -> Bool {
    do throws(SessionError) {
      try change()
      errorText = nil
      hasFailed = false
      return true
    } catch {
      errorText = "Failed to \(what): \(error)"
      return false
    }
  }

  /// Shows the whole state of the local file.
  func show() {
    guard !hasFailed else { return }
    do throws(SessionError) {
      let (view, rows) = try session.store().read { (transaction) throws(SessionError) in
        (
          try transaction.scoringView(event.rawValue),
          try transaction.outboxEntries(ofEvent: event.rawValue)
        )
      }
      self.view = view
      waitingCount = rows.waiting
      needsAttention = rows.needsAttention
      let isCurrent = hasLoaded && session.isOnline
      staleSince = isCurrent ? nil : view.event.fetchedAt.map { WallClock.date($0) }
    } catch {
      clear()
      guard error.code != .notSignedIn && error.code != .closed else { return }
      fail(error)
    }
  }

  /// Shows some participants' cards as they are now, and where the scorer is.
  func show(_ participants: Set<Int64>, cursor: (participant: Int64, end: Int)) {
    guard let format = view?.format else { return }
    do throws(SessionError) {
      let rows = try session.store().read { (transaction) throws(SessionError) in
        for key in participants { view?.cards[key] = try transaction.card(of: key, format) }
        return try transaction.outboxEntries(ofEvent: event.rawValue)
      }
      view?.event.cursorParticipant = cursor.participant
      view?.event.cursorEnd = cursor.end
      waitingCount = rows.waiting
      needsAttention = rows.needsAttention
    } catch {
      fail(error)
    }
  }

  private func clear() {
    view = nil
    waitingCount = 0
    needsAttention = []
    staleSince = nil
  }

  private func fail(_ error: SessionError) {
    hasFailed = true
    clear()
    errorText = "Failed to load scores: \(error)"
  }
}

/// How arrows are entered.
public enum ScoringInput: Sendable, Hashable {
  /// By their value.
  case buttons
  /// By their place on the face, from which the value follows.
  case target
}
