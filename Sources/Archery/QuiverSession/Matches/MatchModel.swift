public import Observation
public import QuiverAPI
public import QuiverRules
import QuiverWire

/// Scores a match: both cards, the score, and what is next; judges record forfeits and reopen it.
///
/// An end is on this device's disk when the method that enters it returns, and counts at once. It
/// is sent in order when the server can be reached, and applied once. Changes that the server
/// refuses, and those that conflict with another device's, are in ``needsAttention`` until the user
/// decides; meanwhile the cards show what the server has.
@MainActor
@Observable
public final class MatchModel: OrganisedModel, FollowingModel, TargetScoringModel {
  /// The id that the server assigned to the match.
  public let match: Int64
  /// The two sides; empty before the first load, and after a failed load.
  public private(set) var sides: [MatchSideState] = []
  /// What is next.
  public private(set) var step = MatchStep.unknown
  /// Whether both cards are confirmed, so that the bracket has advanced.
  public private(set) var isConfirmed = false
  /// Who must agree to the correction of an end, as the server last said; unspecified or nobody:
  /// nobody must.
  public private(set) var correctionConsent = CorrectionConsent.unspecified
  /// The number of ends to send.
  public private(set) var waitingCount = 0
  /// Changes that the server refused, or that conflict.
  public private(set) var needsAttention: [OutboxEntry] = []
  /// The load state of the match.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last forfeit or reopening was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  /// The target that this device has joined by ``keepLease(ofTarget:)``; nil: none, or the lease
  /// was refused.
  public internal(set) var target: JoinedTarget?
  /// Why the lease of the target could not be taken or renewed last; nil: it was, or no target was
  /// to be joined.
  public internal(set) var leaseError: SessionError?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored var following: Task<Void, Never>?
  @ObservationIgnored var keeping: Task<Void, Never>?
  @ObservationIgnored var targetCode: String?
  /// The server's revision that is shown; 0: none.
  @ObservationIgnored private var shownRevision: UInt64 = 0

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, match: Int64) {
    self.session = session
    self.match = match
    startShowing(changesOf: .match(match))
  }

  deinit {
    following?.cancel()
    keeping?.cancel()
  }

  /// Sends the pending changes, then loads the match from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Keeps the match current while there is a connection, once it was loaded; without gap after a
  /// lost connection.
  ///
  /// Ends and sets ``state`` to failed if the server no longer shows the match.
  public func follow() {
    let id = match
    startFollowing { session, onUpdate in await session.followMatch(id, onUpdate: onUpdate) }
  }

  /// Ends what ``follow()`` began.
  public func stopFollowing() { endFollowing() }

  /// Joins the target of the match by the code of its QR code, instead of another one, and renews
  /// the lease whenever half of its time has passed.
  ///
  /// Without a connection it tries again each minute, and ends are entered meanwhile. Ends, with
  /// ``leaseError``, when the lease is refused, for example while another device holds it.
  public func keepLease(ofTarget code: String) { startKeepingLease(of: code) }

  /// Ends what ``keepLease(ofTarget:)`` began; the lease lasts until it expires.
  public func stopKeepingLease() { endKeepingLease() }

  /// Records all arrows of an end; `side` is 1 or 2, `end` is from 0.
  public func enter(
    _ arrows: [ArrowScore], side: Int, end: Int
  ) async throws(SessionError) {
    try await edit("enter an end") { (edits, id) throws(SessionError) in
      try edits.record(.end(end, arrows), side: side, of: id)
    }
  }

  /// Records the arrows of a shoot-off; `index` is from 0.
  public func enter(_ shot: MatchShootOff, side: Int, index: Int) async throws(SessionError) {
    try await edit("enter a shoot-off") { (edits, id) throws(SessionError) in
      try edits.record(.shootOff(index, shot.shot), side: side, of: id)
    }
  }

  /// Replaces the arrows of an end, with a reason of 1 to 200 characters; `witness` is who agreed
  /// to it, where the event demands one.
  public func correct(
    _ arrows: [ArrowScore], side: Int, end: Int, reason: String, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await edit("correct an end") { (edits, id) throws(SessionError) in
      try edits.correct(
        .end(end, arrows), side: side, of: id, reason: reason, witness: witness)
    }
  }

  /// Replaces a shoot-off, with a reason of 1 to 200 characters; `witness` is who agreed to it,
  /// where the event demands one. A distance that is added needs nobody.
  public func correct(
    _ shot: MatchShootOff, side: Int, index: Int, reason: String, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await edit("correct a shoot-off") { (edits, id) throws(SessionError) in
      try edits.correct(
        .shootOff(index, shot.shot), side: side, of: id, reason: reason, witness: witness)
    }
  }

  /// Empties an end or a shoot-off, with a reason of 1 to 200 characters; `witness` is who agreed
  /// to it, where the event demands one.
  public func remove(
    _ entry: MatchEntryState, side: Int, reason: String, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await edit("remove an end") { (edits, id) throws(SessionError) in
      guard let which = UInt32(exactly: side).flatMap(MatchSide.init(number:)) else {
        throw SessionError(.invalid, "must be 1 or 2", field: "side")
      }
      try edits.remove(
        MatchView.Place(side: which, isShootOff: entry.isShootOff, index: entry.index),
        side: side, of: id, reason: reason, witness: witness)
    }
  }

  /// Confirms one card of a match that is decided, as it is shown; works without a connection.
  ///
  /// It is sent behind the ends that wait, if both cards are still those that were shown, and
  /// applied once; else it is in ``needsAttention``. Entering another end takes it back. Throws if
  /// another device has changed the match since it was shown: it is shown again then.
  public func confirm(side: Int) async throws(SessionError) {
    let (id, revision) = (match, shownRevision)
    try await change("confirm a card") { (session) async throws(SessionError) in
      try await session.confirmCard(side, of: id, shown: revision)
    }
  }

  /// Sends a refused change again; with a `witness`, who agreed to that correction.
  public func retry(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await change("change the outbox") { (session) async throws(SessionError) in
      try await session.retry(entry, witness: witness)
    }
  }

  /// Converts an end in conflict to a correction of the one that the server has; `witness` is who
  /// agreed to it, where the event demands one.
  public func overwrite(
    _ entry: OutboxEntry.ID, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await change("change the outbox") { (session) async throws(SessionError) in
      try await session.overwrite(entry, witness: witness)
    }
  }

  /// Discards a change that needs attention, with the corrections that depend on it.
  public func discard(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await change("change the outbox") { (session) async throws(SessionError) in
      try await session.discard(entry)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "match"
  var hasContent: Bool { !sides.isEmpty }

  var fetch: Fetch {
    let (session, id) = (session, match)
    return { (store) throws(SessionError) in try await session.fetchMatch(id, store) }
  }

  func read() async throws(SessionError) -> (content: MatchContent, fetchedAt: Int64?) {
    let id = match
    let content = try await session.store().read { (transaction) throws(SessionError) in
      MatchContent(
        match: try transaction.match(id), entries: try transaction.outboxEntries(ofMatch: id))
    }
    return (content, content.match?.fetchedAt)
  }

  func show(_ content: MatchContent?) {
    needsAttention = content?.entries.filter { $0.mark != .waiting } ?? []
    waitingCount = (content?.entries.count ?? 0) - needsAttention.count
    guard let match = content?.match else {
      (sides, step, isConfirmed, shownRevision) = ([], .unknown, false, 0)
      correctionConsent = .unspecified
      return
    }
    let view = MatchView(match)
    shownRevision = match.message.revision
    sides = MatchSideState.sides(of: view)
    step = MatchStep(view)
    isConfirmed = view.message.state == .confirmed
    correctionConsent = view.message.correctionConsent
  }

  private func edit(
    _ operation: String,
    _ body: @escaping @Sendable (MatchEdits, Int64) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let id = match
    try await change(operation) { (session) async throws(SessionError) in
      try await session.matchEdit { (edits) throws(SessionError) in try body(edits, id) }
    }
  }
}

/// The state that a model of a match reads from this device.
struct MatchContent: Sendable {
  let match: LocalMatch?
  let entries: [OutboxEntry]
}
