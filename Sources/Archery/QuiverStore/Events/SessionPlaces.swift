package import QuiverRules

extension PostgresSchema {
  /// Step 44: blocked places, wheelchairs.
  static let sessionPlaces = """
    ALTER TABLE event_session ADD COLUMN blocked_places text COLLATE "C" NOT NULL DEFAULT '';
    ALTER TABLE event_session ADD COLUMN wheelchair_targets text COLLATE "C" NOT NULL DEFAULT '';
    ALTER TABLE event_entry ADD COLUMN uses_wheelchair bigint NOT NULL DEFAULT 0;
    """
}

/// Which places of a session nobody gets, and which of its targets are for wheelchairs first.
package struct SessionPlaces: Sendable, Equatable {
  /// Targets of which every place is blocked, whatever the number of archers on a target.
  package private(set) var blockedTargets: Set<Int> = []
  package private(set) var blockedPlaces: Set<TargetDraw.Place> = []
  package private(set) var wheelchairTargets: Set<Int> = []

  init() {}

  /// Throws for a text that names no place, or one that the session does not have.
  init(
    blocked: [String], wheelchairs: [UInt32], in line: EventSessionContent
  ) throws(StoreError) {
    let most = Int(StoreLimits.targetsPerSession) * (TargetDraw.archersPerTarget + 1)
    guard blocked.count <= most else {
      throw .invalid("blocked_places", "must be at most \(most)")
    }
    guard wheelchairs.count <= Int(StoreLimits.targetsPerSession) else {
      throw .invalid(
        "wheelchair_targets", "must be at most \(StoreLimits.targetsPerSession)")
    }
    let targets = Int(line.firstTarget)...Int(line.lastTarget)
    for (index, text) in blocked.enumerated() {
      let field = "blocked_places[\(index)]"
      guard let (target, letter) = Self.place(text) else {
        throw .invalid(field, "must be a place as 4C, or a target as 4")
      }
      guard targets.contains(target), letter ?? 0 < Int(line.archersPerTarget) else {
        throw .invalid(
          field,
          "the session has the targets \(line.firstTarget) to \(line.lastTarget) with"
            + " \(line.archersPerTarget) archers on each")
      }
      insert(target, letter)
    }
    for (index, target) in wheelchairs.enumerated() {
      guard targets.contains(Int(target)) else {
        throw .invalid(
          "wheelchair_targets[\(index)]",
          "the session has the targets \(line.firstTarget) to \(line.lastTarget)")
      }
      wheelchairTargets.insert(Int(target))
    }
  }

  /// As they are stored.
  init(blocked: String, wheelchairs: String) {
    for text in blocked.split(separator: " ") {
      guard let (target, letter) = Self.place(String(text)) else { continue }
      insert(target, letter)
    }
    wheelchairTargets = Set(wheelchairs.split(separator: " ").compactMap { Int($0) })
  }

  /// A target, and the index of a letter; nil for any other text.
  private static func place(_ text: String) -> (target: Int, letter: Int?)? {
    let letter = ["A", "B", "C", "D"].firstIndex(of: text.suffix(1).uppercased())
    let digits = letter == nil ? text[...] : text.dropLast()
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let target = Int(digits), target > 0
    else { return nil }
    return (target, letter)
  }

  private mutating func insert(_ target: Int, _ letter: Int?) {
    if let letter {
      blockedPlaces.insert(TargetDraw.Place(target: target, letter: letter))
    } else {
      blockedTargets.insert(target)
    }
  }

  func isBlocked(_ place: TargetDraw.Place) -> Bool {
    blockedTargets.contains(place.target) || blockedPlaces.contains(place)
  }

  /// The blocked targets and places in their order.
  package var blockedTexts: [String] {
    let targets = blockedTargets.map { (TargetDraw.Place(target: $0, letter: -1), "\($0)") }
    let places = blockedPlaces.map { ($0, "\($0.target)\($0.letterText)") }
    return (targets + places).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// As it is stored.
  var wheelchairText: String {
    wheelchairTargets.sorted().map(String.init).joined(separator: " ")
  }
}

/// Sets which places of a session nobody gets, and which targets are for wheelchairs first.
package struct SetSessionPlaces: Command {
  private let session: Int64
  private let event: Int64
  private let blocked: [String]
  private let wheelchairs: [UInt32]
  private let expected: UInt64

  private static let update = Query(
    """
    UPDATE event_session SET revision = revision + 1, blocked_places = ?2, wheelchair_targets = ?3
    WHERE id = ?1
    """)

  /// The lists replace those of the session. `expected` is the revision that was read; 0: any.
  package init(
    _ session: Int64, of event: Int64, blocked: [String], wheelchairs: [UInt32],
    expected: UInt64 = 0
  ) {
    self.expected = expected
    self.session = session
    self.event = event
    self.blocked = blocked
    self.wheelchairs = wheelchairs
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> EventSessionRecord {
    let head = try transaction.event(event)
    try transaction.check(head, [.open, .inProgress], field: "tournament_id")
    let line = try transaction.snapshot.eventSessionContent(id: session, of: event)
    let places = try SessionPlaces(blocked: blocked, wheelchairs: wheelchairs, in: line)
    let before = try transaction.snapshot.eventSession(id: session, of: event)
    guard places != line.places else { return before }
    try before.check(hasRevision: expected)
    var filter = Snapshot.EntryFilter()
    filter.session = session
    for entry in try transaction.snapshot.eventEntries(event: event, filter, limit: .max) {
      guard let place = entry.place, places.isBlocked(place) else { continue }
      throw StoreError(
        .failedPrecondition,
        "participant \(entry.participant) has the place \(place.target)\(place.letterText); move"
          + " it first", field: "blocked_places")
    }
    try transaction.run(
      Self.update, .integer(session), .text(places.blockedTexts.joined(separator: " ")),
      .text(places.wheelchairText))
    try transaction.record(
      .updated, of: .eventSession, id: session, principal: head.organiser, topic: event)
    try transaction.auditEvent(
      event, "event.places",
      after: "\(session) \(places.blockedTexts.count) \(places.wheelchairTargets.count)")
    return try transaction.snapshot.eventSession(id: session, of: event)
  }
}

extension EventSessionRecord {
  /// Throws `aborted` with the session unless it has a revision; 0 is any.
  func check(hasRevision expected: UInt64) throws(StoreError) {
    guard expected == 0 || revision == expected else {
      throw .changed(since: "expected_revision", "the session", .eventSession(self))
    }
  }
}

extension EventSessionContent {
  /// Throws where the place is none of the session, or is blocked; `path` is before the names of
  /// the fields.
  func check(_ place: TargetDraw.Place, path: String = "") throws(StoreError) {
    guard (firstTarget...lastTarget).contains(UInt32(clamping: place.target)) else {
      throw .invalid(path + "target", "the session has the targets \(firstTarget) to \(lastTarget)")
    }
    guard place.letter < Int(archersPerTarget) else {
      throw .invalid(path + "letter", "the session has \(archersPerTarget) archers on a target")
    }
    guard !places.isBlocked(place) else {
      throw StoreError(
        .failedPrecondition, "the place \(place.target)\(place.letterText) is blocked",
        field: path + "target")
    }
  }
}
