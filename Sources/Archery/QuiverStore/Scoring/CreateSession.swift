import QuiverCrypto
package import QuiverRules

/// Creates a session without a tournament: the caller's round and its guests' rounds, all PLANNED;
/// or the caller's round of a list, with sums and no arrows.
///
/// If the `client_id` was used before for the same content, returns the session that was created
/// then, in its current state.
package struct CreateSession: Command {
  package var isToldByClientIDs: Bool { !content.clientID.isEmpty }

  private let content: Content
  private let notes: String
  private let conditions: ShootingConditions

  /// The content of the request.
  package struct Content: Sendable {
    package var clientID: [UInt8] = []
    package var format: FormatChoice
    package var arrowLimit: UInt32 = 0
    package var notes = ""
    package var guests: [SessionGuestDraft] = []
    package var participantClientID: [UInt8] = []
    package var setup: SetupChoice?

    /// Of the caller's round; nil: the profile's.
    package var bow: BowDivision?

    package var conditions = ShootingConditions.unknown

    /// Of a round of a list, which has no arrows; nil: it is to be shot.
    package var past: PastRoundDraft?

    package init(_ format: FormatChoice) { self.format = format }
  }

  private static let insert = Query(
    """
    INSERT INTO shooting_session (principal_id, client_id, format_id, is_tournament,
      created_at_ms, notes)
    VALUES (?1, ?2, ?3, 0, ?4, ?5)
    """, key: "id")

  /// Checks the notes and the guests.
  package init(_ content: Content) throws(StoreError) {
    guard content.guests.count <= StoreLimits.guestsPerSession else {
      throw .invalid("guests", "must be at most \(StoreLimits.guestsPerSession)")
    }
    guard content.past == nil || content.guests.isEmpty else {
      throw .invalid("guests", "must be none of a round without arrows")
    }
    notes = try validating { () throws(RuleViolation) in
      try TextLimits.checked(content.notes, length: TextLimits.notesLength, path: "notes")
    }
    conditions = try validating { () throws(RuleViolation) in
      try content.conditions.validated(path: "conditions.")
    }
    self.content = content
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> SessionRecord {
    let owner = transaction.caller.principal
    let made = try transaction.made(
      clientID: content.clientID, kind: .session, contentHash: hash, field: "client_id"
    ) { (snapshot, id) throws(StoreError) in
      do throws(StoreError) {
        return try snapshot.session(.id(id), principal: owner)
      } catch {
        guard error.code == .notFound else { throw error }
        return nil
      }
    }
    if let made { return made }
    try transaction.countScoring(.sessions, by: 1)
    let format = try transaction.keptFormat(content.format, arrowLimit: content.arrowLimit)
    let setup = try transaction.setupVersion(content.setup)
    let name = try transaction.snapshot.principal(id: owner).shownName
    let id = try transaction.insert(
      Self.insert, .integer(owner),
      content.clientID.isEmpty ? .null : .blob(content.clientID), .integer(format.id),
      .integer(transaction.nowMilliseconds), .text(notes))
    if !content.clientID.isEmpty {
      try transaction.keep(
        clientID: content.clientID, kind: .session, id: id, contentHash: hash)
    }
    if conditions != .unknown { try transaction.keep(conditions, ofSession: id) }
    try transaction.checkParticipantClientID(
      content.participantClientID, field: "participant_client_id")
    var draft = ParticipantDraft(
      session: id, format: format.id, kind: .user, principal: owner, name: name)
    draft.clientID = content.participantClientID
    draft.setup = setup
    draft.bow = content.bow
    let participant = try transaction.insertParticipant(draft)
    if let past = content.past {
      try transaction.keep(past, of: participant, in: format.format)
    }
    for (index, guest) in content.guests.enumerated() {
      try transaction.addGuest(guest, session: id, format: format.id, path: "guests[\(index)].")
    }
    try transaction.record(.created, of: .session, id: id, principal: owner)
    return try transaction.snapshot.session(.id(id), principal: owner)
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    switch content.format {
    case .codename(let name): encoding.append(.text(name))
    case .own(.id(let id)): encoding.append(.integer(id))
    case .own(.clientID(let id)): encoding.append(.blob(id))
    }
    encoding.append(.integer(Int64(content.arrowLimit)))
    encoding.append(.text(notes))
    encoding.append(.blob(content.participantClientID))
    for guest in content.guests {
      encoding.append(.text(guest.name))
      encoding.append(.blob(guest.clientID))
    }
    // A part that is absent adds nothing, so that older hashes of requests without it stay valid.
    if let setup = content.setup {
      encoding.append(.integer(1))
      switch setup.reference {
      case .id(let id): encoding.append(.integer(id))
      case .clientID(let id): encoding.append(.blob(id))
      }
      encoding.append(.integer(setup.version))
    }
    if let bow = content.bow {
      encoding.append(.integer(2))
      encoding.append(.integer(Int64(bow.rawValue)))
    }
    if conditions != .unknown {
      encoding.append(.integer(3))
      for value in conditions.values { encoding.append(value) }
    }
    if let past = content.past {
      encoding.append(.integer(4))
      for value in past.values { encoding.append(value) }
    }
    return SHA256.hash(encoding.bytes)
  }
}

/// A guest to add to a session without a tournament.
package struct SessionGuestDraft: Sendable, Equatable {
  let name: String
  let clientID: [UInt8]

  /// Validates the name; `path` is the prefix of its field.
  package init(name: String, clientID: [UInt8], path: String) throws(StoreError) {
    self.name = try DisplayName.stored(name, mayBeEmpty: false, field: path + "name")
    self.clientID = clientID
  }

  var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("guest"))
    encoding.append(.text(name))
    return SHA256.hash(encoding.bytes)
  }
}

/// Adds a guest to a session without a tournament.
package struct AddSessionGuest: Command {
  package var isToldByClientIDs: Bool { !guest.clientID.isEmpty }

  private let session: ObjectReference
  private let guest: SessionGuestDraft

  package init(_ guest: SessionGuestDraft, to session: ObjectReference) {
    self.session = session
    self.guest = guest
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> SessionRecord {
    let owner = transaction.caller.principal
    let session = try transaction.ownSession(session)
    let made = try transaction.made(
      clientID: guest.clientID, kind: .participant, contentHash: guest.hash,
      field: "guest.client_id"
    ) { (snapshot, id) throws(StoreError) in
      try snapshot.participant(id: id)
    }
    if let made {
      guard made.sessionID == session.id else {
        throw StoreError(
          .alreadyExists, "a guest of another session was made with this client_id",
          field: "guest.client_id", notProcessed: true)
      }
      return session
    }
    let count = session.rounds.count { $0.participant.kind == .guest }
    guard count < StoreLimits.guestsPerSession else {
      throw StoreError(
        .failedPrecondition,
        "a session without a tournament has at most \(StoreLimits.guestsPerSession) guests",
        field: "guest")
    }
    try transaction.addGuest(
      guest, session: session.id, format: session.format.id, path: "guest.")
    return try transaction.snapshot.session(.id(session.id), principal: owner)
  }
}

extension Transaction {
  /// A session of the caller without a tournament.
  func ownSession(_ reference: ObjectReference) throws(StoreError) -> SessionRecord {
    let session = try snapshot.session(reference, principal: caller.principal)
    guard !session.isTournament else {
      throw StoreError(
        .failedPrecondition, "it is a tournament's; call quiver.v1.Tournament", field: "id")
    }
    return session
  }

  /// Throws if a participant with this client_id exists.
  func checkParticipantClientID(_ clientID: [UInt8], field: String) throws(StoreError) {
    guard !clientID.isEmpty else { return }
    if try object(clientID: clientID, kind: .participant, contentHash: [], field: field) != nil {
      throw StoreError(
        .alreadyExists, "another object has this client_id", field: field,
        notProcessed: true)
    }
  }

  fileprivate func addGuest(
    _ guest: SessionGuestDraft, session: Int64, format: Int64, path: String
  ) throws(StoreError) {
    if !guest.clientID.isEmpty {
      try checkParticipantClientID(guest.clientID, field: path + "client_id")
    }
    var draft = ParticipantDraft(
      session: session, format: format, kind: .guest, principal: caller.principal,
      name: guest.name)
    draft.clientID = guest.clientID
    draft.contentHash = guest.hash
    let id = try insertParticipant(draft)
    try record(.created, of: .participant, id: id, principal: caller.principal)
  }
}
