import QuiverCrypto
import QuiverRules

/// Makes the caller a participant of an event.
///
/// Joining again returns the existing participant.
package struct JoinTournament: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

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
    case .joinCode(let code):
      head = try transaction.snapshot.tournamentHead(joinCode: code)
      // Whoever watches an event that everybody may watch has its code.
      if head.visibility.isWatchable { try check(head, transaction) }
    case .id(let id):
      let found = try transaction.snapshot.tournamentHead(id: id)
      if let found, found.visibility.isJoinable {
        head = found
      } else {
        head = try transaction.snapshot.visibleTournament(
          id: id, principal: transaction.caller.principal)
        try check(head, transaction)
      }
    }
    return try transaction.join(head, clientID: clientID, setup)
  }

  /// Throws unless everybody may join the event, or the caller has a part in it.
  private func check(
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard !head.visibility.isJoinable,
      try transaction.snapshot.nameReader(of: head, principal: transaction.caller.principal)
        == .everybody
    else { return }
    throw StoreError(
      .failedPrecondition, "an organiser adds the entries of this event; ask for one",
      field: "tournament_id")
  }
}

/// Adds a guest of a participating user.
package struct AddGuest: Command {
  package var isToldByClientIDs: Bool { !clientID.isEmpty }

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
        .permissionDenied, "only participants can add guests; join first", field: "tournament_id")
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
        .failedPrecondition, "this event has its limit of \(head.guestLimit) guests", field: "name")
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

/// Adds entries without an account: all or none of a command.
package struct AddEntries: Command {
  package var isToldByClientIDs: Bool { entries.allSatisfy { !$0.clientID.isEmpty } }

  private let tournament: Int64
  private var entries: [EntryDraft]
  /// The place of the first entry in its request, and the entries of the commands that follow.
  private var firstPlace = 0
  private var following: ArraySlice<EntryDraft> = []

  package static let maximumCount = 1_000

  /// An entry to add.
  package struct EntryDraft: Sendable, Equatable {
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

  /// The commands that add entries, ``StoreLimits/entriesPerCommand`` in each.
  ///
  /// The first one validates that there is room for all, and the scorers of all, so that a request
  /// that cannot be completed fails before it adds anything.
  package static func slices(
    of entries: [EntryDraft], to tournament: Int64
  ) throws(StoreError) -> [AddEntries] {
    let whole = try AddEntries(entries, to: tournament)
    try ClientIDs.checkRepeated(entries, field: "entries") { $0.clientID }
    let size = StoreLimits.entriesPerCommand
    return stride(from: 0, to: entries.count, by: size).map { first in
      var slice = whole
      slice.entries = Array(entries[first..<min(entries.count, first + size)])
      slice.firstPlace = first
      slice.following = entries[min(entries.count, first + size)...]
      return slice
    }
  }

  /// Throws if one of the commands that follow would fail as things are.
  private func checkFollowing(
    _ head: TournamentHead, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard firstPlace == 0, !following.isEmpty else { return }
    for scorer in Set(following.map(\.scorer)) where scorer != 0 {
      guard try transaction.snapshot.isScorer(scorer, of: head.id) else {
        let place = following.firstIndex { $0.scorer == scorer } ?? following.startIndex
        throw Self.noScorer(path: "entries[\(place)].")
      }
    }
    var room = head.maxParticipants - head.participantCount - Int64(entries.count + following.count)
    guard room < 0 else { return }
    // Entries with a client_id may be there already.
    for entry in entries + following where !entry.clientID.isEmpty {
      let made = try transaction.madeParticipant(
        clientID: entry.clientID, hashes(entry), field: "entries")
      if made != nil { room += 1 }
    }
    guard room >= 0 else { throw .eventIsFull(head, field: "entries") }
  }

  private static func noScorer(path: String) -> StoreError {
    StoreError(
      .failedPrecondition, "is no scorer of this event; appoint it first",
      field: path + "scorer_id")
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [ParticipantRecord] {
    let head = try transaction.ownTournament(tournament)
    try checkFollowing(head, transaction)
    var added: [ParticipantRecord] = []
    for (index, entry) in entries.enumerated() {
      let path = "entries[\(firstPlace + index)]."
      if let made = try transaction.madeParticipant(
        clientID: entry.clientID, hashes(entry), field: path + "client_id")
      {
        added.append(made)
        continue
      }
      try transaction.check(head, [.open, .inProgress], field: "tournament_id")
      if entry.scorer != 0, try !transaction.snapshot.isScorer(entry.scorer, of: head.id) {
        throw Self.noScorer(path: path)
      }
      added.append(
        try transaction.takeIn(
          .entry, entry.name, clientID: entry.clientID, hashes(entry).present,
          scorer: entry.scorer,
          to: try transaction.head(head.id), field: path + "name"))
    }
    return added
  }

  /// Earlier versions left out the scorer.
  private func hashes(_ entry: EntryDraft) -> ContentHashes {
    let common: [SQLValue] = [.integer(tournament), .text(entry.name)]
    return ContentHashes(
      [.text("entry 2")] + common + [.integer(entry.scorer)], before: [.text("entry")] + common)
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
        .failedPrecondition, "the event is not open, so nobody can join",
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

  /// The same where earlier versions stored another hash, which is accepted for their rows: all of
  /// the content is in the present one, so that a client_id with other content is refused.
  func madeParticipant(
    clientID: [UInt8], _ hashes: ContentHashes, field: String
  ) throws(StoreError) -> ParticipantRecord? {
    guard !clientID.isEmpty else { return nil }
    do throws(StoreError) {
      return try madeParticipant(clientID: clientID, hashes.present, field: field)
    } catch {
      guard error.code == .alreadyExists else { throw error }
      return try madeParticipant(clientID: clientID, hashes.before, field: field)
    }
  }

  /// Adds a participant if the limits allow it.
  ///
  /// An entry belongs to the organiser of its event, whichever official adds it.
  func takeIn(
    _ kind: ParticipantRecord.Kind, _ name: String, clientID: [UInt8], _ hash: [UInt8],
    format: Int64? = nil, scorer: Int64 = 0, setup: (id: Int64, version: Int64)? = nil,
    to head: TournamentHead, field: String = "name"
  ) throws(StoreError) -> ParticipantRecord {
    guard head.participantCount < head.maxParticipants else {
      throw .eventIsFull(head, field: field)
    }
    let eventFormat = try snapshot.formatID(ofSession: head.id)
    var draft = ParticipantDraft(
      session: head.id, format: format ?? eventFormat, kind: kind,
      principal: kind == .entry ? head.organiser : caller.principal, name: name)
    draft.scorer = scorer
    draft.clientID = clientID
    draft.contentHash = hash
    draft.setup = setup
    let id = try insertParticipant(draft)
    try run(Self.count, .integer(head.id), .integer(kind == .guest ? 1 : 0))
    if scorer != 0 { try run(Self.countAssigned, .integer(head.id), .integer(scorer)) }
    try keepPublicName(ofParticipant: id)
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
      throw StoreError(.internalError, "a participant was deleted while it was changed")
    }
    return participant
  }
}

/// The hash of the content of an object, and the one that earlier versions stored.
struct ContentHashes {
  let present: [UInt8]
  let before: [UInt8]

  /// Each begins with a text that no other content begins with.
  init(_ present: [SQLValue], before: [SQLValue]) {
    func hash(_ values: [SQLValue]) -> [UInt8] {
      var encoding = CanonicalBytes()
      for value in values { encoding.append(value) }
      return SHA256.hash(encoding.bytes)
    }
    self.present = hash(present)
    self.before = hash(before)
  }
}

extension StoreError {
  fileprivate static func eventIsFull(_ head: TournamentHead, field: String) -> StoreError {
    StoreError(
      .failedPrecondition,
      "the event is full: \(head.maxParticipants) may take part and \(head.participantCount) do; "
        + "the organiser may raise max_participants", field: field)
  }
}
