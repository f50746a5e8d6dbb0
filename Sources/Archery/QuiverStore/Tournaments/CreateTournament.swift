import QuiverCrypto
import QuiverRules

/// Creates an event with its own join code; it keeps the tie policy in its current version.
///
/// If the `client_id` was used before for the same content, returns the event that was created
/// then, in its current state.
package struct CreateTournament: Command {
  package var isToldByClientIDs: Bool { !content.clientID.isEmpty }

  private let content: Content
  private let name: String
  private let policy: TiePolicy
  private let code: String

  /// The content of the request.
  package struct Content: Sendable {
    package var clientID: [UInt8] = []
    package var name = ""
    package var format: FormatChoice
    package var arrowLimit: UInt32 = 0
    package var visibility = EventVisibility()

    /// Whether the event is public as a whole, as older clients say it.
    package var isPublic: Bool {
      get { visibility.isPublic }
      set { visibility.setPublic(newValue) }
    }

    package var maxParticipants: UInt32 = 0
    package var tiePolicy: Int32 = 0
    package var guestsPerUser: UInt32?
    package var guestLimit: UInt32?

    /// Whether the organiser takes part as well.
    package var joins = false

    /// Who must agree to corrections of full ends; 0: nobody.
    package var consent: Int32 = 0

    /// Whether who scores an archer types its sums on paper, too.
    package var scorersTypePapers = false

    package init(_ format: FormatChoice) { self.format = format }
  }

  private static let insertSession = Query(
    """
    INSERT INTO shooting_session (principal_id, client_id, format_id, is_tournament,
      created_at_ms, notes)
    VALUES (?1, ?2, ?3, 1, ?4, '')
    """, key: "id")
  private static let insertTournament = Query(
    """
    INSERT INTO tournament (id, principal_id, revision, status, is_paused, is_public, join_code,
      max_participants, guests_per_user, guest_limit, participant_count, guest_count, late_count,
      tie_policy, tie_policy_day, name, is_listed, is_joinable, public_names, junior_names,
      boards_end_day, correction_consent, scorers_type_papers)
    VALUES (?1, ?2, 1, \(TournamentStatus.open.rawValue), 0, ?3, ?4, ?5, ?6, ?7, 0, 0, 0,
      ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
    """)

  /// Validates the content, and draws the join code.
  package init(_ content: Content) throws(StoreError) {
    name = try TournamentText.name(content.name, field: "name")
    policy = try TournamentText.policy(content.tiePolicy, field: "tie_policy")
    try TournamentText.check(maxParticipants: content.maxParticipants, field: "max_participants")
    try TournamentText.check(guests: content.guestsPerUser, field: "guests_per_user")
    try TournamentText.check(guests: content.guestLimit, field: "guest_limit")
    _ = try CorrectionConsent.checked(content.consent, field: "correction_consent")
    self.content = content
    code = try InviteCode.make()
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> TournamentRecord {
    let organiser = transaction.caller.principal
    if !content.clientID.isEmpty,
      let id = try transaction.object(
        clientID: content.clientID, kind: .tournament, contentHash: hash, field: "client_id")
    {
      guard try transaction.snapshot.tournamentHead(id: id) != nil else {
        throw .madeAndDeleted("client_id")
      }
      return try transaction.snapshot.tournament(id: id, principal: organiser)
    }
    try transaction.countScoring(.tournaments, by: 1)
    let format = try transaction.keptFormat(content.format, arrowLimit: content.arrowLimit)
    let now = transaction.nowMilliseconds
    let id = try transaction.insert(
      Self.insertSession, .integer(organiser),
      content.clientID.isEmpty ? .null : .blob(content.clientID), .integer(format.id),
      .integer(now))
    let visibility = content.visibility
    let places =
      content.maxParticipants == 0
      ? StoreLimits.defaultParticipants : Int64(content.maxParticipants)
    try transaction.run(
      Self.insertTournament, .integer(id), .integer(organiser),
      .integer(visibility.isWatchable ? 1 : 0), .text(code), .integer(places),
      .integer(content.guestsPerUser.map { Int64($0) } ?? StoreLimits.defaultGuestsPerUser),
      .integer(content.guestLimit.map { Int64($0) } ?? StoreLimits.defaultGuestLimit),
      .integer(Int64(policy.rawValue)), .integer(now / 86_400_000), .text(name),
      .integer(visibility.isListed ? 1 : 0), .integer(visibility.isJoinable ? 1 : 0),
      .integer(Int64(visibility.names?.rawValue ?? 0)),
      .integer(Int64(visibility.juniorNames?.rawValue ?? 0)),
      .integer(Int64(visibility.lastBoardDay)), .integer(Int64(content.consent)),
      .integer(content.scorersTypePapers ? 1 : 0))
    try PutCategory.insertFirst(of: id, transaction)
    if !content.clientID.isEmpty {
      try transaction.keep(
        clientID: content.clientID, kind: .tournament, id: id, contentHash: hash)
    }
    try transaction.recordEvent(id, organiser: organiser, .created)
    try transaction.noteStatus(session: id, status: TournamentStatus.open.rawValue)
    try transaction.auditEvent(id, "tournament.create")
    if content.joins { _ = try transaction.join(try transaction.head(id), clientID: [], nil) }
    return try transaction.snapshot.tournament(id: id, principal: organiser)
  }

  private var hash: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text(name))
    switch content.format {
    case .codename(let name): encoding.append(.text(name))
    case .own(.id(let id)): encoding.append(.integer(id))
    case .own(.clientID(let id)): encoding.append(.blob(id))
    }
    encoding.append(.integer(Int64(content.arrowLimit)))
    let visibility = content.visibility
    encoding.append(.integer(visibility.isPublic ? 1 : 0))
    encoding.append(.integer(Int64(content.maxParticipants)))
    encoding.append(.integer(Int64(policy.rawValue)))
    encoding.append(.optional(content.guestsPerUser.map { Int64($0) }))
    encoding.append(.optional(content.guestLimit.map { Int64($0) }))
    // What earlier versions could not say is added where it is said.
    if visibility != EventVisibility(isPublic: visibility.isPublic) {
      encoding.append(.text("visibility"))
      for isSet in [visibility.isListed, visibility.isWatchable, visibility.isJoinable] {
        encoding.append(.integer(isSet ? 1 : 0))
      }
      encoding.append(.optional(visibility.names.map { Int64($0.rawValue) }))
      encoding.append(.optional(visibility.juniorNames.map { Int64($0.rawValue) }))
      encoding.append(.integer(Int64(visibility.lastBoardDay)))
    }
    if content.consent != 0 {
      encoding.append(.text("corrections"))
      encoding.append(.integer(Int64(content.consent)))
    }
    if content.scorersTypePapers { encoding.append(.text("papers")) }
    return SHA256.hash(encoding.bytes)
  }
}

/// Validates the texts and numbers of an event.
enum TournamentText {
  static func name(_ text: String, field: String) throws(StoreError) -> String {
    let name = try validating { () throws(RuleViolation) in
      try TextLimits.checked(text, length: TextLimits.nameLength, path: field)
    }
    guard !name.isEmpty else { throw .invalid(field, "must not be blank") }
    return name
  }

  /// 0 stands for the standard policy.
  static func policy(_ number: Int32, field: String) throws(StoreError) -> TiePolicy {
    if number == 0 { return TiePolicy.standard }
    guard let policy = TiePolicy(rawValue: number) else {
      throw .invalid(field, "must be one of the policies that ListTiePolicies answers")
    }
    return policy
  }

  static func check(maxParticipants: UInt32, field: String) throws(StoreError) {
    guard maxParticipants <= StoreLimits.participantsPerTournament else {
      throw .invalid(field, "must be at most \(StoreLimits.participantsPerTournament)")
    }
  }

  static func check(guests: UInt32?, field: String) throws(StoreError) {
    guard guests ?? 0 <= StoreLimits.participantsPerTournament else {
      throw .invalid(field, "must be at most \(StoreLimits.participantsPerTournament)")
    }
  }

  /// A reason in its stored form.
  static func reason(
    _ text: String, mayBeEmpty: Bool = false
  ) throws(StoreError) -> String {
    let reason = try validating { () throws(RuleViolation) in
      try TextLimits.checked(text, length: TextLimits.nameLength, path: "reason")
    }
    guard mayBeEmpty || !reason.isEmpty else { throw .invalid("reason", "must not be blank") }
    return reason
  }
}
