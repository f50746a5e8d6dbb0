import QuiverCrypto
import QuiverRules

/// Adds participants without an account with their bib, club and category.
///
/// An entry whose bib is taken by an equal entry is that one, so that the same list can be imported
/// again; taken by another one it is refused, and so are another session of the same entry and a
/// client_id with other content.
package struct ImportEntries: Command {
  package var isToldByClientIDs: Bool { entries.allSatisfy { !$0.clientID.isEmpty } }

  private let event: Int64
  private var entries: [Draft]
  /// The place of the first entry in its request, and the entries of the commands that follow.
  private var firstPlace = 0
  private var following: ArraySlice<Draft> = []

  package static let maximumCount = 1_000

  /// An entry to add.
  package struct Draft: Sendable, Equatable {
    let name: String
    let clientID: [UInt8]
    let content: EventEntryContent
    let categoryCode: String
    let session: Int64
    /// Nil: it waits for a draw.
    let place: TargetDraw.Place?

    /// Validates the texts; `path` is the prefix of their fields. An empty `categoryCode` is the
    /// first category, a `session` of 0 none, a `target` of 0 no place in it.
    package init(
      name: String, clientID: [UInt8], _ content: EventEntryContent, categoryCode: String,
      session: Int64, target: UInt32 = 0, letter: String = "", path: String
    ) throws(StoreError) {
      self.name = try DisplayName.stored(name, mayBeEmpty: false, field: path + "name")
      self.clientID = clientID
      self.content = try content.validated(path: path)
      self.categoryCode = try EventText.checked(
        categoryCode, length: StoreLimits.eventCodeLength, field: path + "category_code")
      self.session = session
      guard target != 0 || !letter.isEmpty else {
        place = nil
        return
      }
      guard session != 0 else { throw .invalid(path + "session_id", "must be given with a target") }
      guard target != 0 else { throw .invalid(path + "target", "must be given with a letter") }
      guard let index = ["A", "B", "C", "D"].firstIndex(of: letter.uppercased()) else {
        throw .invalid(path + "letter", "must be A, B, C or D")
      }
      place = TargetDraw.Place(target: Int(clamping: target), letter: index)
    }
  }

  /// The commands that add entries, ``StoreLimits/entriesPerCommand`` in each.
  ///
  /// The first one validates all of them, so that a request that cannot be completed fails before
  /// it adds anything.
  package static func slices(
    of entries: [Draft], to event: Int64
  ) throws(StoreError) -> [ImportEntries] {
    guard (1...maximumCount).contains(entries.count) else {
      throw .invalid("entries", "must be from 1 to \(maximumCount)")
    }
    var bibs: [String: Int] = [:]
    for (index, entry) in entries.enumerated() where !entry.content.bib.isEmpty {
      if let other = bibs.updateValue(index, forKey: entry.content.bib) {
        throw .invalid("entries[\(index)].bib", "is also that of entries[\(other)]")
      }
    }
    var places: [SessionPlace: Int] = [:]
    for (index, entry) in entries.enumerated() {
      guard let place = entry.place else { continue }
      let key = SessionPlace(session: entry.session, place: place)
      if let other = places.updateValue(index, forKey: key) {
        throw .invalid("entries[\(index)].target", "is also the place of entries[\(other)]")
      }
    }
    try ClientIDs.checkRepeated(entries, field: "entries") { $0.clientID }
    let size = StoreLimits.entriesPerCommand
    return stride(from: 0, to: entries.count, by: size).map { first in
      var slice = ImportEntries(event: event, entries: [])
      slice.entries = Array(entries[first..<min(entries.count, first + size)])
      slice.firstPlace = first
      slice.following = entries[min(entries.count, first + size)...]
      return slice
    }
  }

  private struct SessionPlace: Hashable {
    let session: Int64
    let place: TargetDraw.Place
  }

  private init(event: Int64, entries: [Draft]) {
    self.event = event
    self.entries = entries
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> [EventEntryRecord] {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    var known = Known()
    if firstPlace == 0 { try checkAll(head, &known, transaction) }
    var added: [EventEntryRecord] = []
    for (index, draft) in entries.enumerated() {
      let path = "entries[\(firstPlace + index)]."
      let category = try category(of: draft, path, &known, transaction)
      if let found = try existing(draft, category.id, path, transaction) {
        added.append(found)
        continue
      }
      let participant = try transaction.takeIn(
        .entry, draft.name, clientID: draft.clientID, hashes(draft).present,
        format: category.format,
        to: try transaction.head(event), field: path + "name")
      var content = draft.content
      content.category = category.id
      try checkPlace(draft, path, &known, transaction)
      try transaction.put(
        participant.id, event: event, content, session: draft.session, place: draft.place,
        state: .entered)
      if try transaction.keepPublicName(ofParticipant: participant.id) {
        try transaction.recordScore(
          of: try transaction.certain(participant.id), isTournament: true)
      }
      added.append(try transaction.entry(participant.id))
    }
    return added
  }

  /// Categories and sessions that were looked up, so that each is read once.
  private struct Known {
    var categories: [String: (id: Int64, format: Int64)] = [:]
    var sessions: [Int64: EventSessionContent] = [:]
  }

  /// Throws if one of the entries of this command or of those that follow would fail as things are.
  private func checkAll(
    _ head: TournamentHead, _ known: inout Known, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    var new: Int64 = 0
    for (index, draft) in (entries + following).enumerated() {
      let path = "entries[\(index)]."
      let category = try category(of: draft, path, &known, transaction)
      guard try existing(draft, category.id, path, transaction) == nil else { continue }
      try checkPlace(draft, path, &known, transaction)
      new += 1
    }
    guard head.participantCount + new <= head.maxParticipants else {
      throw StoreError(
        .failedPrecondition,
        "the event has room for \(head.maxParticipants), \(head.participantCount) take part, and "
          + "\(new) would be added; raise max_participants first", field: "entries")
    }
  }

  private func category(
    of draft: Draft, _ path: String, _ known: inout Known, _ transaction: borrowing Transaction
  ) throws(StoreError) -> (id: Int64, format: Int64) {
    if draft.session != 0, known.sessions[draft.session] == nil {
      let line = try transaction.snapshot.eventSessionContent(
        id: draft.session, of: event, field: path + "session_id")
      guard line.round == 1 else {
        throw StoreError(
          .failedPrecondition,
          "shoots round \(line.round); entries are added to a session of round 1",
          field: path + "session_id")
      }
      known.sessions[draft.session] = line
    }
    if let category = known.categories[draft.categoryCode] { return category }
    let found = try transaction.snapshot.categoryRound(code: draft.categoryCode, of: event)
    guard let found else {
      throw StoreError(
        .notFound, "there is no such category of this event", field: path + "category_code")
    }
    known.categories[draft.categoryCode] = found
    return found
  }

  /// Throws if the place of an entry is none of its session, or has another entry.
  private func checkPlace(
    _ draft: Draft, _ path: String, _ known: inout Known, _ transaction: borrowing Transaction
  ) throws(StoreError) {
    guard let place = draft.place, let line = known.sessions[draft.session] else { return }
    try line.check(place, path: path)
    if let id = try transaction.snapshot.entryID(at: place, session: draft.session) {
      throw StoreError(
        .failedPrecondition, "participant \(id) has this place", field: path + "target")
    }
  }

  /// The entry that this one is again; throws `alreadyExists` if another one has its bib.
  private func existing(
    _ draft: Draft, _ category: Int64, _ path: String, _ transaction: borrowing Transaction
  ) throws(StoreError) -> EventEntryRecord? {
    let made = try transaction.madeParticipant(
      clientID: draft.clientID, hashes(draft), field: path + "client_id")
    if let made { return try transaction.entry(made.id) }
    guard !draft.content.bib.isEmpty,
      let id = try transaction.snapshot.entryID(bib: draft.content.bib, of: event),
      let found = try transaction.snapshot.eventEntry(id: id)
    else { return nil }
    var content = draft.content
    content.category = category
    // A list that says nothing of its archers is equal to one that earlier versions imported.
    if content.isPlain { content.copyArcher(of: found.content) }
    guard found.content == content, found.displayName == draft.name else {
      throw StoreError(
        .alreadyExists, "another entry of the event has this bib", field: path + "bib",
        notProcessed: true)
    }
    guard draft.session == 0 || draft.session == found.session else {
      throw StoreError(
        .alreadyExists,
        "the entry with this bib has another session; UpdateEventEntry changes it",
        field: path + "session_id", notProcessed: true)
    }
    guard draft.place == nil || draft.place == found.place else {
      throw StoreError(
        .alreadyExists, "the entry with this bib has another place; PlaceEventEntry moves it",
        field: path + "target", notProcessed: true)
    }
    return found
  }

  /// Earlier versions left out the club, the country, the licence and the session.
  private func hashes(_ draft: Draft) -> ContentHashes {
    let content = draft.content
    let common: [SQLValue] = [
      .integer(event), .text(draft.name), .text(content.bib), .text(draft.categoryCode),
    ]
    // What earlier versions could not say is added where it is said.
    var added: [SQLValue] = []
    if !content.isPlain || draft.place != nil {
      added = [
        .integer(Int64(content.bow)), .integer(Int64(content.gender)),
        .integer(Int64(content.age)), .integer(Int64(content.faceLayout?.rawValue ?? 0)),
        .integer(Int64(content.publicName?.rawValue ?? 0)),
        .integer(Int64(draft.place?.target ?? 0)), .integer(Int64(draft.place?.letter ?? 0)),
        .integer(content.isFixed ? 1 : 0),
      ]
      if content.usesWheelchair { added.append(.integer(1)) }
    }
    return ContentHashes(
      [.text("event entry 2")] + common + [
        .text(content.club), .text(content.country), .text(content.licence),
        .integer(draft.session),
      ] + added, before: [.text("event entry")] + common)
  }
}
