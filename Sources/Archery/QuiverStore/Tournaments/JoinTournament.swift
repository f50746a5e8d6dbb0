import QuiverCrypto
import QuiverRules

/// Makes the caller a participant of an event.
///
/// Joining again returns the existing participant.
package struct JoinTournament: Command {
  private let event: EventName
  private let clientID: [UInt8]
  private let setup: SetupChoice?

  /// How a request names the event.
  package enum EventName: Sendable {
    case joinCode(String)
    /// A public event, or one that the caller belongs to.
    case id(Int64)
  }

  package init(_ event: EventName, clientID: [UInt8] = [], setup: SetupChoice? = nil) {
    self.event = event
    self.clientID = clientID
    self.setup = setup
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ParticipantRecord {
    let head: TournamentHead
    switch event {
    case .joinCode(let code): head = try transaction.snapshot.tournamentHead(joinCode: code)
    case .id(let id):
      head = try transaction.snapshot.visibleTournament(
        id: id, principal: transaction.caller.principal)
    }
    return try transaction.join(head, clientID: clientID, setup)
  }
}

/// Adds a guest of a participating user.
package struct AddGuest: Command {
  private let tournament: Int64
  private let name: String
  private let clientID: [UInt8]

  /// Validates the name.
  package init(name: String, clientID: [UInt8], to tournament: Int64) throws(StoreError) {
    self.tournament = tournament
    self.name = try DisplayName.stored(name, mayBeEmpty: false, field: "name")
    self.clientID = clientID
  }

  private static let countOfUser = Query(
    """
    SELECT count(*) FROM participant
    WHERE principal_id = ?2 AND session_id = ?1 AND kind = \(ParticipantRecord.Kind.guest.rawValue)
    """)

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> ParticipantRecord {
    let caller = transaction.caller.principal
    let head = try transaction.snapshot.visibleTournament(id: tournament, principal: caller)
    if let made = try transaction.madeParticipant(clientID: clientID, hash, field: "client_id") {
      return made
    }
    guard try transaction.snapshot.ownParticipant(in: head.id, principal: caller) != 0 else {
      throw StoreError(
        .permissionDenied, "only who takes part adds guests; join first", field: "tournament_id")
    }
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let own = try transaction.snapshot.first(
      Self.countOfUser, .integer(head.id), .integer(caller)
    ) { row in row.int64(0) }
    guard own ?? 0 < head.guestsPerUser else {
      throw StoreError(
        .failedPrecondition, "a user adds at most \(head.guestsPerUser) guests to this event",
        field: "name")
    }
    guard head.guestCount < head.guestLimit else {
      throw StoreError(
        .failedPrecondition, "this event has its \(head.guestLimit) guests", field: "name")
    }
    return try transaction.takeIn(
      .guest, name, clientID: clientID, hash, to: head)
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("event guest"))
    encoding.append(.integer(tournament))
    encoding.append(.text(name))
    return SHA256.hash(encoding.bytes)
  }
}

/// Adds entries without an account: all or none.
package struct AddEntries: Command {
  private let tournament: Int64
  private let entries: [EntryDraft]

  package static let maximumCount = 1_000

  /// An entry to add.
  package struct EntryDraft: Sendable {
    let name: String
    let clientID: [UInt8]
    let scorer: Int64

    /// Validates the name; `path` is the prefix of its field. A `scorer` of 0 assigns nobody.
    package init(
      name: String, clientID: [UInt8], scorer: Int64, path: String
    ) throws(StoreError) {
      self.name = try DisplayName.stored(name, mayBeEmpty: false, field: path + "name")
      self.clientID = clientID
      self.scorer = scorer
    }
  }

  package init(_ entries: [EntryDraft], to tournament: Int64) throws(StoreError) {
    guard (1...Self.maximumCount).contains(entries.count) else {
      throw .invalid("entries", "must be from 1 to \(Self.maximumCount)")
    }
    self.tournament = tournament
    self.entries = entries
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [ParticipantRecord] {
    let head = try transaction.ownTournament(tournament)
    var added: [ParticipantRecord] = []
    for (index, entry) in entries.enumerated() {
      let path = "entries[\(index)]."
      if let made = try transaction.madeParticipant(
        clientID: entry.clientID, hash(entry), field: path + "client_id")
      {
        added.append(made)
        continue
      }
      try transaction.check(head, [.open, .inProgress], field: "tournament_id")
      if entry.scorer != 0, try !transaction.snapshot.isScorer(entry.scorer, of: head.id) {
        throw StoreError(
          .failedPrecondition, "is no scorer of this event; appoint it first",
          field: path + "scorer_id")
      }
      added.append(
        try transaction.takeIn(
          .entry, entry.name, clientID: entry.clientID, hash(entry), scorer: entry.scorer,
          to: try transaction.head(head.id), field: path + "name"))
    }
    return added
  }

  private func hash(_ entry: EntryDraft) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("entry"))
    encoding.append(.integer(tournament))
    encoding.append(.text(entry.name))
    return SHA256.hash(encoding.bytes)
  }
}

extension Transaction {
  private static let count = Query(
    """
    UPDATE tournament SET participant_count = participant_count + 1,
      guest_count = guest_count + ?2
    WHERE id = ?1
    """)
  private static let countAssigned = Query(
    """
    UPDATE tournament_scorer SET assigned_count = assigned_count + 1
    WHERE tournament_id = ?1 AND principal_id = ?2
    """)

  /// Makes the caller a participant, or returns its existing participant.
  func join(
    _ head: TournamentHead, clientID: [UInt8], _ setup: SetupChoice?
  ) throws(StoreError) -> ParticipantRecord {
    let own = try snapshot.ownParticipant(in: head.id, principal: caller.principal)
    if own != 0 { return try certain(own) }
    guard head.status == .open else {
      throw StoreError(
        .failedPrecondition, "the event takes nobody in any more; it is not open",
        field: "tournament_id")
    }
    var encoding = CanonicalBytes()
    encoding.append(.text("join"))
    encoding.append(.integer(head.id))
    let hash = SHA256.hash(encoding.bytes)
    if !clientID.isEmpty,
      try object(
        clientID: clientID, kind: .participant, contentHash: hash, field: "client_id") != nil
    {
      throw .madeAndDeleted("client_id")
    }
    let version = try setupVersion(setup)
    let name = try snapshot.principal(id: caller.principal).shownName
    return try takeIn(
      .user, name, clientID: clientID, hash, setup: version, to: head, field: "tournament_id")
  }

  /// The participant that was created with this client_id and content; nil if there is none.
  func madeParticipant(
    clientID: [UInt8], _ hash: [UInt8], field: String
  ) throws(StoreError) -> ParticipantRecord? {
    try made(
      clientID: clientID, kind: .participant, contentHash: hash, field: field
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.participant(id: id)
    }
  }

  /// Adds a participant if the limits allow it.
  func takeIn(
    _ kind: ParticipantRecord.Kind, _ name: String, clientID: [UInt8], _ hash: [UInt8],
    scorer: Int64 = 0, setup: (id: Int64, version: Int64)? = nil, to head: TournamentHead,
    field: String = "name"
  ) throws(StoreError) -> ParticipantRecord {
    guard head.participantCount < head.maxParticipants else {
      throw StoreError(
        .failedPrecondition,
        "the event is full: \(head.maxParticipants) take part; the organiser may raise "
          + "max_participants", field: field)
    }
    var draft = ParticipantDraft(
      session: head.id, format: try snapshot.formatID(ofSession: head.id), kind: kind,
      principal: caller.principal, name: name)
    draft.scorer = scorer
    draft.clientID = clientID
    draft.contentHash = hash
    draft.setup = setup
    let id = try insertParticipant(draft)
    try run(Self.count, .integer(head.id), .integer(kind == .guest ? 1 : 0))
    if scorer != 0 { try run(Self.countAssigned, .integer(head.id), .integer(scorer)) }
    try noteStatus(
      session: head.id, participant: id, status: ParticipantStatus.active.rawValue)
    let participant = try certain(id)
    try recordScore(of: participant, isTournament: true, .created)
    try recordMembership(of: participant, .created)
    try auditEvent(head.id, "participant.add", participant: id, after: "\(kind)")
    return participant
  }

  /// A participant that must exist.
  func certain(_ id: Int64) throws(StoreError) -> ParticipantRecord {
    guard let participant = try snapshot.participant(id: id) else {
      throw StoreError(.internalError, "a participant went while it was changed")
    }
    return participant
  }
}
