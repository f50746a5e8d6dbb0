public import Observation
import QuiverAPI
public import QuiverRules
import QuiverWire

/// Scores an event: whose turn it is, the arrows, and the standings.
///
/// An arrow is on this device's disk when the method that enters it returns, and counts at once. It
/// is sent in order when the server can be reached. Changes that the server refuses are in
/// ``needsAttention`` until the user decides. Changes run one after the other, in the order of the
/// calls.
@MainActor
@Observable
public final class ScoringModel: FollowingModel, TargetScoringModel {
  /// The id of the event on this device.
  public let event: LocalID
  /// The tournament's name, or that of the round.
  public var title: String { view?.event.title ?? "" }
  /// The participants that this user may score, in turn order.
  public var participants: [ScoringParticipant] { view?.shownParticipants(owner: owner) ?? [] }
  /// The slot of the next arrow; nil if no participant has an open slot, and after a failed load.
  public var position: ScoringPosition? { view?.position }
  /// How arrows are entered.
  public var inputMode = ScoringInput.buttons
  /// The tie policy of ``leaderboard``; nil for the event's own.
  public var policy: TieBreak?
  /// The ranked participants on this device; for a large event only those that this user scores.
  public var leaderboard: [LeaderboardLine] { view?.leaderboard(by: policy, owner: owner) ?? [] }
  /// The number of operations to send, including those that wait for the start of the event.
  public private(set) var waitingCount = 0
  /// Changes that the server refused, that conflict, or that wait for the organiser.
  public private(set) var needsAttention: [OutboxEntry] = []
  /// The load state of the event.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  /// The target that this device has joined by ``keepLease(ofTarget:)``; nil: none, or the lease
  /// was refused.
  public internal(set) var target: JoinedTarget?
  /// Why the lease of the target could not be taken or renewed last; nil: it was, or no target was
  /// to be joined.
  public internal(set) var leaseError: SessionError?

  @ObservationIgnored let session: OfflineSession
  /// The displayed state; nil before the first read and after a failed load.
  private(set) var view: ScoringView?
  @ObservationIgnored var following: Task<Void, Never>?
  @ObservationIgnored var keeping: Task<Void, Never>?
  @ObservationIgnored var targetCode: String?
  @ObservationIgnored private var lastChange: Task<Void, Never>?
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
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

  deinit {
    following?.cancel()
    keeping?.cancel()
  }

  /// Keeps a tournament's status, participants and standings current while there is a connection:
  /// the first 200 rows of the leaderboard, without gap or repetition after a lost connection. A
  /// session that syncs automatically follows from the start.
  ///
  /// Ends and sets ``state`` to failed if the server no longer shows the event.
  public func follow() {
    let key = event.rawValue
    startFollowing { session, onUpdate in await session.follow(key, onUpdate: onUpdate) }
  }

  /// Ends what ``follow()`` began; afterwards only ``load()`` reads from the server.
  public func stopFollowing() { endFollowing() }

  /// Joins a target for the first card by the code of its QR code, instead of another one, and
  /// renews the lease whenever half of its time has passed.
  ///
  /// Without a connection it tries again each minute, and arrows are entered meanwhile. Ends, with
  /// ``leaseError``, when the lease is refused, for example while another device holds it.
  public func keepLease(ofTarget code: String) { startKeepingLease(of: code) }

  /// Ends what ``keepLease(ofTarget:)`` began; the lease lasts until it expires.
  public func stopKeepingLease() { endKeepingLease() }

  /// Sends the pending changes, then loads the event from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
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

  /// Shows this device's state again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's whole state; sends nothing to the server. Does nothing after a failed
  /// load.
  public func refresh() async {
    let read = reads.start()
    let key = event.rawValue
    do throws(SessionError) {
      let (found, rows) = try await session.store().read { (transaction) throws(SessionError) in
        (try transaction.scoringView(key), try transaction.outboxEntries(ofEvent: key))
      }
      // A part of the state may have been read and shown after this read began.
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

  /// Runs a change after the earlier ones.
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

  /// Runs a transaction that reads some participants, and may change them first; then shows them.
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
    guard !participants.isEmpty || keys.contains(.position(in: event)), let rounds = view?.rounds
    else { return }
    let key = event.rawValue
    let session = session
    do throws(SessionError) {
      try await show { () async throws(SessionError) in
        try await session.store().read { (transaction) throws(SessionError) in
          try transaction.scoringUpdate(of: participants, in: key, rounds)
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

  private func clear() {
    view = nil
    waitingCount = 0
    needsAttention = []
  }

  func fail(_ error: SessionError) -> SessionError {
    clear()
    let error = error.whileTrying(to: "load scores")
    state = .failed(error)
    return error
  }
}

/// How arrows are entered.
public enum ScoringInput: Sendable, Hashable {
  /// By value.
  case buttons
  /// By position on the face; the value follows from it.
  case target
}
