public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the organisers and judges of an event have told everybody: their notices, and whether the
/// shooting is paused.
///
/// Without a connection what was last received stays. A device that follows the event by
/// ``ScoringModel/follow()`` gets new notices through that watch, and needs no ``follow()`` here.
@MainActor
@Observable
public final class EventNoticesModel: StoredModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The latest notices that the user may see, newest first, at most 50; empty before the first
  /// load, and after an error.
  public private(set) var notices: [EventNotice] = []
  /// The pause of the shooting; nil: there is none. Arrows are entered during a pause too.
  public private(set) var pause: ShootingPause?
  /// The load state of the notices.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored private var isLoaded = false
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    let key = ChangeKey.eventAnswer(NoticeBoard.name(event))
    startObserving { _, keys in !keys.isDisjoint(with: [key, .connection]) }
    Task { [weak self] in await self?.showContent() }
  }

  deinit { following?.cancel() }

  /// When the pause of the shooting began, by the clock of the server; nil: there is none.
  public var pausedSince: Date? {
    pause.map { WallClock.date($0.startedAtMilliseconds) }
  }

  /// The notices that are for a target of a session: those for it, for its session, and for all.
  public func notices(forTarget target: Int, inSession id: Int64) -> [EventNotice] {
    notices.filter { notice in
      guard notice.sessionID != 0 else { return true }
      guard notice.sessionID == id else { return false }
      return notice.firstTarget == 0
        || (notice.firstTarget...max(notice.firstTarget, notice.lastTarget))
          .contains(UInt32(clamping: target))
    }
  }

  /// Loads the notices and the pause; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) {
    let (session, event) = (session, event)
    try await loadContent { (store) throws(SessionError) in
      let known = try await store.read { (transaction) throws(SessionError) in
        try transaction.newestNotices(of: event)
      }
      var update = WatchTournamentResponse()
      update.span = .with { $0.isSnapshot = true }
      update.notices = try await session.call(
        Events.listEventNotices, .with { $0.tournamentID = event }
      ).notices
      update.tournament = try await session.call(
        Tournament.getTournament, .with { $0.id = event })
      let loaded = update
      try await store.write { (transaction) throws(SessionError) in
        try transaction.takeNotices(
          loaded, of: event, loadedOver: known, limits: store.limits)
      }
    }
  }

  /// Keeps the notices and the pause current while there is a connection; without gap after a lost
  /// connection.
  ///
  /// Ends and sets ``state`` to failed if the server no longer shows the event.
  public func follow() {
    guard following == nil else { return }
    let (session, event) = (session, event)
    following = Task { [weak self] in
      let error = await session.followNotices(of: event) { [weak self] in
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

  static let contentName = "notices"
  var hasContent: Bool { isLoaded }

  func read() async throws(SessionError) -> (
    content: EventAnswerContent<WatchTournamentResponse>, fetchedAt: Int64?
  ) {
    let name = NoticeBoard.name(event)
    let found = try await session.store().read {
      (transaction) throws(SessionError) -> (answer: WatchTournamentResponse, fetchedAt: Int64)? in
      try transaction.eventAnswer(name)
    }
    return (EventAnswerContent(answer: found?.answer), found?.fetchedAt)
  }

  func show(_ content: EventAnswerContent<WatchTournamentResponse>?) {
    notices = content?.answer?.notices ?? []
    let latest = content?.answer?.tournament?.shootingPause
    pause = latest?.endedAtMilliseconds == 0 ? latest : nil
    isLoaded = content?.answer != nil
  }

  private func noteUpdate() {
    if state.error == nil { state = .loaded(staleSince: nil) }
  }
}

extension OfflineSession {
  /// Keeps the local copy of the notices of an event current, until the task is cancelled or the
  /// session is closed.
  ///
  /// Returns the error with which the server permanently ended the watch.
  fileprivate func followNotices(
    of event: Int64, onUpdate: @escaping @Sendable () async -> Void
  ) async -> SessionError? {
    guard let store = try? store() else { return nil }
    let request = WatchTournamentRequest.with { $0.tournamentID = event }
    return await watch(Tournament.watchTournament, request) { (message) throws(SessionError) in
      try await store.write { (transaction) throws(SessionError) in
        try transaction.takeNotices(message, of: event, limits: store.limits)
      }
      await onUpdate()
    }
  }
}
