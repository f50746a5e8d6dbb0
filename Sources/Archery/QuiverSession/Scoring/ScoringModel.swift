public import Observation
import QuiverAPI
public import QuiverRules
import QuiverWire

/// A scorer at an event: whose turn it is, which arrows were shot, and the standings.
///
/// An arrow is on this device's disk when the method that enters it returns, and counts here at
/// once. It is sent in order when the server is reached; what the server rejects is in
/// ``needsAttention`` until the user decides. Changes are carried out one after the other, in the
/// order of the calls.
@MainActor
@Observable
public final class ScoringModel {
  public let event: LocalID
  /// The tournament's name, or that of the round.
  public var title: String { view?.event.title ?? "" }
  /// The participants that this user may score, in the order of turns.
  public var participants: [ScoringParticipant] { view?.shownParticipants ?? [] }
  /// The slot of the next arrow; nil where nobody has an open slot, and after a failed load.
  public var position: ScoringPosition? { view?.position }
  /// How arrows are entered.
  public var inputMode = ScoringInput.buttons
  /// The tie policy of ``leaderboard``; nil: the event's own.
  public var policy: TieBreak?
  /// All participants on this device, ranked; of a large event only those that this user scores.
  public var leaderboard: [LeaderboardLine] { view?.leaderboard(by: policy) ?? [] }
  /// The number of operations that wait to be sent, or for the start of the event.
  public private(set) var waitingCount = 0
  /// Changes that the server rejected, that conflict, or that the organiser has to admit.
  public private(set) var needsAttention: [OutboxEntry] = []
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  /// What the screen shows; nil before the first read and after a failed load.
  private(set) var view: ScoringView?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var lastChange: Task<Void, Never>?
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows the state of this device as soon as it is read, and each change from then on.
  public init(_ session: OfflineSession, event: LocalID) {
    self.session = session
    self.event = event
    Task { [weak self] in await self?.refresh() }
    let changes = session.changes()
    Task { [weak self] in
      for await keys in changes {
        guard let self else { return }
        await self.show(keys)
      }
      self?.stopFollowing()
    }
    if session.configuration.syncsByItself { follow() }
  }

  deinit { following?.cancel() }

  /// Keeps status, participants and standings of a tournament current while there is a connection:
  /// the first 200 rows of the leaderboard, without gap or repetition after a lost connection. A
  /// session that syncs by itself follows from the start.
  ///
  /// Ends, with ``state`` failed, where the server no longer shows the event.
  public func follow() {
    guard following == nil else { return }
    let (session, key) = (session, event.rawValue)
    following = Task { [weak self] in
      let error = await session.follow(key) { [weak self] in await self?.noteUpdate() }
      guard let self, !Task.isCancelled else { return }
      self.following = nil
      if let error, error.code != .call(.unimplemented) { _ = self.fail(error) }
    }
  }

  /// Ends what ``follow()`` began; from then on ``load()`` alone asks the server.
  public func stopFollowing() {
    following?.cancel()
    following = nil
  }

  /// Sends the changes that wait, then loads the event from the server.
  ///
  /// Without a connection the state of this device stays. Throws, with ``state`` failed, where
  /// there is none, and for errors that a retry does not cure.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let (session, key) = (session, event.rawValue)
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchEvent(key, store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    if let error, !error.isTransient || view == nil { throw fail(error) }
  }

  /// Shows the state of this device again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads the whole state of this device; asks no server. Does nothing after a failed load.
  public func refresh() async {
    let read = reads.start()
    let key = event.rawValue
    do throws(SessionError) {
      let (found, rows) = try await session.store().read { (transaction) throws(SessionError) in
        (try transaction.scoringView(key), try transaction.outboxEntries(ofEvent: key))
      }
      // A part of the state may have been read and shown later than this whole was read.
      guard reads.finish(read) else { return await refresh() }
      guard state.error == nil else { return }
      view = found
      show(rows)
      state.setStaleSince(session.staleDate(found.event.fetchedAt, state))
    } catch {
      guard reads.finish(read) else { return }
      guard !error.isBeforeSignInOrAfterClose else { return clear() }
      _ = fail(error)
    }
  }

  /// Carries out a change after those that were asked for before it.
  func change(
    _ operation: String, _ body: @escaping @MainActor () async throws(SessionError) -> Void
  ) async throws(SessionError) {
    let previous = lastChange
    let task = Task { () -> SessionError? in
      await previous?.value
      if self.view == nil { await self.refresh() }
      do throws(SessionError) {
        try await body()
        return nil
      } catch {
        return error.whileTrying(to: operation)
      }
    }
    lastChange = Task { _ = await task.value }
    if let error = await task.value { throw error }
    if state.error != nil { await clearError() }
  }

  /// Runs a transaction that reads some participants, perhaps after it has changed them, and shows
  /// them.
  func show(
    _ transaction: () async throws(SessionError) -> ScoringUpdate
  ) async throws(SessionError) {
    let read = reads.start()
    let update = try await transaction()
    guard reads.finish(read) else { return await refresh() }
    guard state.error == nil else { return }
    view?.take(update)
    show(update.rows)
  }

  private func show(_ keys: Set<ChangeKey>) async {
    if keys.contains(.event(event)) || keys.contains(.connection) || view == nil {
      return await refresh()
    }
    let participants = Set(keys.compactMap { $0.participant(in: event)?.rawValue })
    guard !participants.isEmpty || keys.contains(.position(in: event)), let format = view?.format
    else { return }
    let key = event.rawValue
    let session = session
    do throws(SessionError) {
      try await show { () async throws(SessionError) in
        try await session.store().read { (transaction) throws(SessionError) in
          try transaction.scoringUpdate(of: participants, in: key, format)
        }
      }
    } catch {
      if !error.isBeforeSignInOrAfterClose { _ = fail(error) }
    }
  }

  private func show(_ rows: (waiting: Int, needsAttention: [OutboxEntry])) {
    waitingCount = rows.waiting
    needsAttention = rows.needsAttention
  }

  private func noteUpdate() {
    if state.error == nil { state = .loaded(staleSince: nil) }
  }

  private func clear() {
    view = nil
    waitingCount = 0
    needsAttention = []
  }

  private func fail(_ error: SessionError) -> SessionError {
    clear()
    let error = error.whileTrying(to: "load scores")
    state = .failed(error)
    return error
  }
}

/// How arrows are entered.
public enum ScoringInput: Sendable, Hashable {
  /// By their value.
  case buttons
  /// By their place on the face, from which the value follows.
  case target
}
