public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
public import QuiverRules
import QuiverWire

/// The score card of an archer: both cards of all rounds, disputes, rulings and confirmations.
///
/// A card is confirmed once, after all rounds. A confirmation is on this device's disk when
/// ``confirm(_:part:signature:)`` returns. It is sent behind the arrows and ends of the card that
/// wait, if the server's cards are then those that were shown, and applied once; else it is in
/// ``needsAttention``. Whoever enters another end or arrow on this device takes it back. Rulings,
/// totals on paper and reopening need a connection and the role of a judge, an organiser or an
/// official.
@MainActor
@Observable
public final class ScoreCardModel: OrganisedModel {
  /// The id that the server assigned to the participant.
  public let participant: Int64
  /// Both cards; nil before the first load, and after a failed load.
  public private(set) var card: ScoreCardState?
  /// The number of changes of the card to send, without those of the first card.
  public private(set) var waitingCount = 0
  /// Changes that the server refused, or that conflict.
  public private(set) var needsAttention: [OutboxEntry] = []
  /// The load state of the card.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last change over the server was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  /// The server's revision that is shown; 0: none.
  @ObservationIgnored private var shownRevision: UInt64 = 0

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, participant: Int64) {
    self.session = session
    self.participant = participant
    let key = ChangeKey.secondCard(participant)
    startShowing { !$0.isDisjoint(with: [key, .connection]) || $0.contains(.outbox) }
  }

  /// Sends the pending changes, then loads both cards from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Confirms the card that is shown, as its archer or its scorer; works without a connection.
  ///
  /// `signature` is a drawing in a format of the app's, at most 16,384 bytes; it must be given
  /// where another user than the archer confirms for the archer. `part` is the number of a
  /// distance, from 1, that is confirmed by itself, or 0 for the whole card. Throws if it does not
  /// have all arrows, if changes of the card need attention, and if it has changed since it was
  /// shown.
  public func confirm(
    _ role: CardRole, part: Int = 0, signature: [UInt8] = []
  ) async throws(SessionError) {
    guard role == .archer || role == .scorer else {
      throw SessionError(.invalid, "must be archer or scorer", field: "role")
    }
    let (id, revision) = (participant, shownRevision)
    try await change("confirm a card") { (session) async throws(SessionError) in
      try await session.confirmScoreCard(
        role, of: id, part: part, signature: signature, shown: revision)
    }
  }

  /// Rules on an end in dispute, as a judge or an organiser: these arrows count. `reason` has 1 to
  /// 200 characters. Needs a connection; has its effect once.
  public func rule(
    onEnd end: Int, _ arrows: [ArrowScore], reason: String
  ) async throws(SessionError) {
    try await changeCard("rule on an end", Events.ruleOnEnd) { (request) throws(SessionError) in
      request.participantID = participant
      request.endIndex = try UInt32(end, field: "end")
      request.arrows = arrows.map { MatchArrow($0) }
      request.reason = reason
    }
  }

  /// Changes the arrows of an end by a rule of shooting, as a judge or an organiser. `arrows` are
  /// all that were shot of too many; `count` is of shots out of time or order, or of missed ends.
  /// `reason` has 1 to 200 characters. Needs a connection; has its effect once.
  public func apply(
    _ rule: EndRule, toEnd end: Int, arrows: [ArrowScore] = [], count: Int = 1, reason: String
  ) async throws(SessionError) {
    try await changeCard("change an end", Events.applyEndRule) { (request) throws(SessionError) in
      (request.participantID, request.rule) = (participant, rule)
      request.endIndex = try UInt32(end, field: "end")
      request.count = arrows.isEmpty ? try UInt32(count, field: "count") : 0
      request.arrows = arrows.map { MatchArrow($0) }
      request.reason = reason
    }
  }

  /// Takes the confirmations back, as a judge or an organiser, with what the rule set decided after
  /// them: those of one distance by its number, from 1, or with 0 those of the card and of all
  /// distances. `reason` has 1 to 200 characters. Needs a connection; has its effect once.
  public func reopen(part: Int = 0, reason: String) async throws(SessionError) {
    try await changeCard("reopen a card", Events.reopenScoreCard) {
      (request) throws(SessionError) in
      (request.participantID, request.reason) = (participant, reason)
      request.part = try UInt32(part, field: "part")
    }
  }

  /// Stores the total of a card on paper, or that of one distance, as an official; nil removes it.
  /// `part` is the number of the distance, from 1, or 0 for the whole card. Counts that the paper
  /// has too are compared, and of each sum the lower one counts. Needs a connection.
  public func setPaperTotal(
    _ total: Int?, part: Int = 0, hits: Int? = nil, golds: Int? = nil, xCount: Int? = nil
  ) async throws(SessionError) {
    try await changeCard("store the total of a card", Events.setPaperTotal) {
      (request) throws(SessionError) in
      request.participantID = participant
      request.part = try UInt32(part, field: "part")
      if let total { request.total = try UInt32(total, field: "total") }
      if let hits { request.hits = try UInt32(hits, field: "hits") }
      if let golds { request.golds = try UInt32(golds, field: "golds") }
      if let xCount { request.xCount = try UInt32(xCount, field: "x_count") }
    }
  }

  /// Types the sums of a part of the card from a paper, as an organiser or a judge: they count
  /// instead of the arrows of that part. Needs a connection; has its effect once.
  public func type(_ total: TypedTotalEntry) async throws(SessionError) {
    try await organise("type a total", Events.setTypedTotal) { (request) throws(SessionError) in
      request.participantID = participant
      request.part = try UInt32(total.part, field: "part")
      var sums = PartSums()
      sums.total = try UInt32(total.total, field: "total")
      if let hits = total.hits { sums.hits = try UInt32(hits, field: "hits") }
      if let golds = total.golds { sums.golds = try UInt32(golds, field: "golds") }
      if let xCount = total.xCount { sums.xCount = try UInt32(xCount, field: "x_count") }
      request.sums = sums
      request.shotAtMilliseconds = total.shotAtMilliseconds
      (request.paper, request.reason) = (total.paper, total.reason)
      request.replacesID = total.replaces
    }
  }

  /// Removes a typed total, as an organiser or a judge, so that the arrows of its part count.
  /// `reason` has 1 to 200 characters. Needs a connection; has its effect once.
  public func removeTypedTotal(_ id: Int64, reason: String) async throws(SessionError) {
    try await organise("remove a typed total", Events.removeTypedTotal) {
      ($0.participantID, $0.id, $0.reason) = (participant, id, reason)
    }
  }

  /// Sends a refused change again without modification.
  public func retry(_ entry: OutboxEntry.ID) async throws(SessionError) {
    try await change("change the outbox") { (session) async throws(SessionError) in
      try await session.retry(entry)
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

  static let contentName = "a score card"
  var hasContent: Bool { card != nil }

  var fetch: Fetch {
    let (session, id) = (session, participant)
    return { (store) throws(SessionError) in try await session.fetchCard(id, store) }
  }

  func read() async throws(SessionError) -> (content: ScoreCardContent, fetchedAt: Int64?) {
    let id = participant
    let content = try await session.store().read { (transaction) throws(SessionError) in
      ScoreCardContent(
        card: try transaction.card(ofParticipant: id),
        fetchedAt: try transaction.cardFetchedAt(ofParticipant: id),
        entries: try transaction.outboxEntries(ofCard: id))
    }
    return (content, content.fetchedAt)
  }

  func show(_ content: ScoreCardContent?) {
    needsAttention = content?.entries.filter { $0.mark != .waiting } ?? []
    waitingCount = (content?.entries.count ?? 0) - needsAttention.count
    card = content?.card.map(ScoreCardState.init)
    shownRevision = content?.card?.message.revision ?? 0
  }

  private func changeCard<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, ComparedCard>,
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) {
    try await organise(
      operation, method,
      keep: { (transaction, card) throws(SessionError) in try transaction.takeChanged(card) }, fill)
  }
}

/// The state that a model of a score card reads from this device.
struct ScoreCardContent: Sendable {
  let card: LocalCard?
  let fetchedAt: Int64?
  let entries: [OutboxEntry]
}
