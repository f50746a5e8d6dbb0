public import Observation
public import QuiverAPI
public import QuiverRules
import QuiverWire

/// Keeps the second cards of a target: joins it by its code, and enters all arrows of an end.
///
/// An end is on this device's disk when the method that enters it returns. It is sent in order when
/// the server can be reached, and applied once; while this device does not hold the lease of the
/// target, it waits. Changes that the server refuses, and those that conflict with another
/// device's, are in ``needsAttention`` until the user decides; meanwhile the cards show what the
/// server has.
@MainActor
@Observable
public final class SecondCardModel: StoredModel, LeaseKeepingModel {
  /// The code of the target, as its QR code has it.
  public let code: String
  /// The target; nil before this device has joined it.
  public private(set) var target: JoinedTarget?
  /// The cards of who shoots there, by letter.
  public private(set) var cards: [SecondCardState] = []
  /// Who must agree to the correction of an end, as the server last said; unspecified or nobody:
  /// nobody must.
  public private(set) var correctionConsent = CorrectionConsent.unspecified
  /// The number of ends to send.
  public private(set) var waitingCount = 0
  /// Changes that the server refused, or that conflict.
  public private(set) var needsAttention: [OutboxEntry] = []
  /// The load state of the cards.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored var keeping: Task<Void, Never>?
  /// The server's revisions of the cards that are shown.
  @ObservationIgnored private var shownRevisions: [Int64: UInt64] = [:]

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, code: String) {
    self.session = session
    self.code = code
    let key = ChangeKey.target(code)
    startShowing { keys in
      !keys.isDisjoint(with: [key, .connection]) || keys.contains(where: \.isSecondCard)
    }
  }

  deinit { keeping?.cancel() }

  /// Joins the target for the second card, or renews the lease, sends the pending changes, and
  /// loads the cards.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, for example while another device holds the lease, throws and sets ``state`` to
  /// failed.
  public func load() async throws(SessionError) {
    let (session, code) = (session, code)
    try await loadContent { (store) throws(SessionError) in
      try await session.joinSecondCard(code, store)
    }
  }

  /// Renews the lease whenever half of its time has passed, and loads the cards then.
  ///
  /// Ends and sets ``state`` to failed if another device has the target.
  public func keepLease() {
    startKeeping(joinsNow: false)
  }

  /// Ends what ``keepLease()`` began; the lease lasts until it expires.
  public func stopKeepingLease() { endKeeping() }

  /// Records all arrows of an end; `end` is from 0, through all passes.
  public func enter(
    _ arrows: [ArrowScore], of participant: Int64, end: Int
  ) async throws(SessionError) {
    try await edit("enter an end") { (edits) throws(SessionError) in
      try edits.record(arrows, end: end, of: participant)
    }
  }

  /// Replaces the arrows of an end, with a reason of 1 to 200 characters; `witness` is who agreed
  /// to it, where the event demands one.
  public func correct(
    _ arrows: [ArrowScore], of participant: Int64, end: Int, reason: String,
    witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await edit("correct an end") { (edits) throws(SessionError) in
      try edits.correct(arrows, end: end, of: participant, reason: reason, witness: witness)
    }
  }

  /// Empties an end, with a reason of 1 to 200 characters; `witness` is who agreed to it, where the
  /// event demands one.
  public func remove(
    end: Int, of participant: Int64, reason: String, witness: CorrectionWitness? = nil
  ) async throws(SessionError) {
    try await edit("remove an end") { (edits) throws(SessionError) in
      try edits.remove(end: end, of: participant, reason: reason, witness: witness)
    }
  }

  /// Confirms a card that is shown, as its archer or its scorer; works without a connection.
  ///
  /// The rules are those of ``ScoreCardModel/confirm(_:part:signature:)``.
  public func confirm(
    _ role: CardRole, of participant: Int64, part: Int = 0, signature: [UInt8] = []
  ) async throws(SessionError) {
    guard role == .archer || role == .scorer else {
      throw SessionError(.invalid, "must be archer or scorer", field: "role")
    }
    guard let revision = shownRevisions[participant] else {
      throw SessionError(.notFound, "this card is not here; join its target first")
    }
    try await change("confirm a card") { (session) async throws(SessionError) in
      try await session.confirmScoreCard(
        role, of: participant, part: part, signature: signature, shown: revision)
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

  static let contentName = "second cards"
  var hasContent: Bool { target != nil }

  func read() async throws(SessionError) -> (content: SecondCardContent, fetchedAt: Int64?) {
    let code = code
    let content = try await session.store().read { (transaction) throws(SessionError) in
      try SecondCardContent(code, transaction)
    }
    return (content, content.target?.fetchedAt)
  }

  func show(_ content: SecondCardContent?) {
    target = content?.target.map { JoinedTarget($0.lease) }
    cards = content?.cards ?? []
    correctionConsent = content?.consent ?? .unspecified
    shownRevisions = content?.revisions ?? [:]
    needsAttention = content?.entries.filter { $0.mark != .waiting } ?? []
    waitingCount = (content?.entries.count ?? 0) - needsAttention.count
  }

  func leaseEnd() async -> Int64? {
    guard state.error == nil else { return nil }
    return (try? await read())?.content.target?.lease.expiresAtMilliseconds ?? 0
  }

  func renewLease() async throws(SessionError) { try await load() }

  private func edit(
    _ operation: String, _ body: @escaping @Sendable (CardEdits) throws(SessionError) -> Void
  ) async throws(SessionError) {
    try await change(operation) { (session) async throws(SessionError) in
      try await session.cardEdit(body)
    }
  }
}

/// What a model of second cards reads from this device.
struct SecondCardContent: Sendable {
  let target: LocalTarget?
  private(set) var cards: [SecondCardState] = []
  private(set) var revisions: [Int64: UInt64] = [:]
  private(set) var consent = CorrectionConsent.unspecified
  private(set) var entries: [OutboxEntry] = []

  init(_ code: String, _ transaction: LocalTransaction) throws(SessionError) {
    target = try transaction.target(code)
    for entry in target?.lease.entries ?? [] {
      guard let card = try transaction.card(ofParticipant: entry.participantID) else { continue }
      cards.append(SecondCardState(entry, card))
      revisions[entry.participantID] = card.message.revision
      consent = card.message.correctionConsent
      entries += try transaction.outboxEntries(ofCard: entry.participantID)
    }
  }
}
