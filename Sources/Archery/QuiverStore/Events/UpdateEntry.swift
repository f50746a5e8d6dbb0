package import QuiverRules

/// Changes fields of an entry.
package struct UpdateEntry: Command {
  private let participant: Int64
  private let change: Change
  private let expected: UInt64

  /// The fields to change; nil leaves a field unchanged.
  package struct Change: Sendable {
    package var bib: String?
    package var club: String?
    package var country: String?
    package var licence: String?
    /// 1 to 50 characters.
    package var name: String?
    /// 0: as the category says.
    package var bow: Int32?
    package var gender: Int32?
    package var age: Int32?
    /// 0: as the round says.
    package var faceLayout: Int32?
    /// 0: as the event says.
    package var publicName: Int32?
    package var isFixed: Bool?
    package var usesWheelchair: Bool?
    /// Not 0.
    package var category: Int64?
    /// In the round of the session, whose place is lost; 0: in no session of any round.
    package var session: Int64?

    package init() {}
  }

  private static let operated = Query(
    "SELECT 1 FROM scoring_operation WHERE participant_id = ?1 LIMIT 1")

  /// The fields that a mask may name.
  package static let fields: Set<String> = [
    "bib", "club", "country", "licence", "category_id", "session_id", "display_name", "bowstyle",
    "gender", "age_group", "face_layout", "public_name", "fixed_place", "wheelchair",
  ]

  private static let setName = Query("UPDATE participant SET display_name = ?2 WHERE id = ?1")

  /// Validates the name and the numbers of cases. `expected` is the revision that was read; 0: any.
  package init(
    _ participant: Int64, _ change: Change, expected: UInt64 = 0
  ) throws(StoreError) {
    self.participant = participant
    self.expected = expected
    var change = change
    if let name = change.name {
      change.name = try DisplayName.stored(name, mayBeEmpty: false, field: "entry.display_name")
    }
    _ = try FaceLayout.checked(change.faceLayout ?? 0, field: "entry.face_layout")
    _ = try PublicName.checked(change.publicName ?? 0, field: "entry.public_name")
    self.change = change
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord {
    let (before, _) = try transaction.entry(participant, for: [])
    var content = before.content
    if let bib = change.bib { content.bib = bib }
    if let club = change.club { content.club = club }
    if let country = change.country { content.country = country }
    if let licence = change.licence { content.licence = licence }
    if let category = change.category { content.category = category }
    if let bow = change.bow { content.bow = bow }
    if let gender = change.gender { content.gender = gender }
    if let age = change.age { content.age = age }
    if let layout = change.faceLayout { content.faceLayout = FaceLayout(rawValue: layout) }
    if let name = change.publicName { content.publicName = PublicName(rawValue: name) }
    if let isFixed = change.isFixed { content.isFixed = isFixed }
    if let wheelchair = change.usesWheelchair { content.usesWheelchair = wheelchair }
    content = try content.validated(path: "entry.")
    let isMoved = change.session.map { $0 == 0 ? before.isInSession : before.shown(in: $0) == nil }
    let isRenamed = change.name.map { $0 != before.displayName } ?? false
    // What is there already overwrites nothing.
    if isRenamed || content != before.content || isMoved == true {
      try transaction.check(before, hasRevision: expected)
    }
    try rename(before, transaction)
    guard content != before.content || isMoved == true else {
      return try transaction.entry(participant)
    }
    if !content.bib.isEmpty, content.bib != before.content.bib,
      try transaction.snapshot.entryID(bib: content.bib, of: before.event) != nil
    {
      throw StoreError(
        .alreadyExists, "another entry of the event has this bib", field: "entry.bib",
        notProcessed: true)
    }
    try changeCategory(before, to: content.category, transaction)
    guard let session = change.session, isMoved == true else {
      return try transaction.replace(before, content: content, place: before.place, "entry.update")
    }
    return try move(before, content, to: session, transaction)
  }

  /// Stores a corrected name. The audit, whose rows cannot be erased, says only that it was.
  private func rename(
    _ before: EventEntryRecord, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let name = change.name, name != before.displayName else { return }
    try transaction.run(Self.setName, .integer(participant), .text(name))
    try transaction.keepPublicName(ofParticipant: participant)
    let renamed = try transaction.certain(participant)
    try transaction.recordScore(of: renamed, isTournament: true)
    try transaction.recordMembership(of: renamed, .updated)
    try transaction.auditEvent(before.event, "entry.name", participant: participant)
  }

  /// Stores the entry in another session of a round, or in none.
  private func move(
    _ before: EventEntryRecord, _ content: EventEntryContent, to session: Int64,
    _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord {
    var round = 1
    if session == 0 {
      try transaction.deletePlaces(ofParticipant: participant, afterRound: 1)
    } else {
      let line = try transaction.snapshot.eventSessionContent(
        id: session, of: before.event, field: "entry.session_id")
      round = Int(line.round)
      try transaction.checkRound(
        of: before, in: session, line, category: content.category, field: "entry.session_id")
    }
    guard round > 1 else {
      return try transaction.replace(
        before, content: content, session: session, place: nil, "entry.update")
    }
    try transaction.put(
      EventRoundPlace(round: round, session: session, place: nil), of: participant,
      in: before.event)
    return try transaction.replace(before, content: content, place: before.place, "entry.update")
  }

  /// A category with another format has another round: it can be changed before the first arrow.
  private func changeCategory(
    _ before: EventEntryRecord, to id: Int64, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard id != before.content.category else { return }
    let new = try transaction.snapshot.category(
      id: id, of: before.event, field: "entry.category_id")
    let old = try transaction.snapshot.category(id: before.content.category, of: before.event)
    guard new.format.id != old.format.id else { return }
    guard before.arrowCount == 0 else {
      throw StoreError(
        .failedPrecondition,
        "the category has another round, and \(before.arrowCount) arrows are recorded",
        field: "entry.category_id")
    }
    // Operations that wait for the organiser, or that were corrected away, are of the old round.
    let operated = try transaction.snapshot.first(Self.operated, .integer(participant)) { _ in true
    }
    guard operated == nil else {
      throw StoreError(
        .failedPrecondition, "the category has another round, and scoring operations are stored",
        field: "entry.category_id")
    }
    guard try transaction.snapshot.cardSummary(participant: participant) == nil else {
      throw StoreError(
        .failedPrecondition, "the category has another round, and there is a second card",
        field: "entry.category_id")
    }
    try transaction.setFormat(new.format.id, ofParticipant: participant)
    try transaction.deletePlaces(ofParticipant: participant, afterRound: new.rounds.count)
  }
}

extension FaceLayout {
  /// Nil for 0; throws for an unknown number.
  package static func checked(
    _ number: Int32, field: String
  ) throws(StoreError) -> FaceLayout? {
    guard number != 0 else { return nil }
    guard let layout = FaceLayout(rawValue: number) else {
      throw .invalid(field, "must be single or triple, or 0")
    }
    return layout
  }
}

extension PublicName {
  /// Nil for 0; throws for an unknown number.
  package static func checked(
    _ number: Int32, field: String
  ) throws(StoreError) -> PublicName? {
    guard number != 0 else { return nil }
    guard let name = PublicName(rawValue: number) else {
      throw .invalid(field, "must be full, initials or bib, or 0")
    }
    return name
  }
}

/// Checks entries in, or notes that they did not start or finish.
package struct SetEntryState: Command {
  private let participant: Int64
  private let state: EventEntryState
  private let reason: String
  private let expected: UInt64

  private static let arrivals: Set<EventEntryState> = [.entered, .checkedIn]

  /// Throws for a state that cannot be set: the others follow from the participant. `expected` is
  /// the revision of the entry that was read; 0: any.
  package init(
    _ participant: Int64, _ state: EventEntryState?, reason: String, expected: UInt64 = 0
  ) throws(StoreError) {
    guard let state, state.rawValue <= EventEntryState.didNotFinish.rawValue else {
      throw .invalid(
        "state", "must be entered, checked_in, did_not_start or did_not_finish")
    }
    self.participant = participant
    self.state = state
    self.expected = expected
    self.reason = try TournamentText.reason(reason, mayBeEmpty: true)
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord {
    let isArrival = Self.arrivals.contains(state)
    let (before, head) = try transaction.entry(
      participant, for: isArrival ? [.judge, .checkIn] : [.judge])
    if isArrival, !Self.arrivals.contains(before.stored) {
      // What an official has noted of an absent archer is not for who checks in.
      _ = try transaction.event(before.event, for: [.judge], field: "participant_id")
    }
    guard before.status.standing == .ranked else {
      throw StoreError(
        .failedPrecondition, "it is \(before.state); reinstate it first", field: "participant_id")
    }
    guard before.stored != state else { return before }
    try transaction.check(before, hasRevision: expected)
    switch state {
    case .didNotStart where before.arrowCount > 0:
      throw StoreError(
        .failedPrecondition, "\(before.arrowCount) arrows are recorded; it did not finish",
        field: "state")
    case .didNotFinish where head.status == .open:
      throw StoreError(
        .failedPrecondition, "the event has not been started", field: "state")
    default: break
    }
    let entry = try transaction.replace(
      before, place: before.place, state: state, "entry.state",
      after: "\(before.stored) \(state)", reason: reason)
    if before.stored == .didNotFinish {
      try transaction.archerGoesOn(participant, reason: reason)
    }
    return entry
  }
}
