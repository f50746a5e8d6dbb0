import QuiverRules

@testable import QuiverStore

/// An event of the organiser's with categories of several rounds, each of so many ends of six
/// arrows, and short ways to enter, place and score their archers.
struct RoundEvent {
  let bench: EventBench
  let record: TournamentRecord

  var id: Int64 { record.head.id }

  init(in bench: EventBench, ends: UInt32 = 1) throws {
    self.bench = bench
    record = try bench.event(format: "wa720_70", arrows: 6 * ends) { $0.maxParticipants = 500 }
  }

  /// A category with a format of its own, of some rounds.
  func category(_ code: String, rounds: Int, ends: UInt32 = 1) throws -> EventCategoryRecord {
    var content = EventCategoryContent()
    content.code = code
    var record = try bench.perform(
      try PutCategory(content, in: id, format: .codename("wa720_70"), arrowLimit: 6 * ends))
    for _ in 1..<max(2, rounds + 1) where record.rounds.count < rounds {
      record = try add(ends: ends, to: record)
    }
    return record
  }

  @discardableResult
  func add(
    ends: UInt32 = 1, to category: EventCategoryRecord, before number: UInt32 = 0
  ) throws -> EventCategoryRecord {
    try bench.perform(
      try ChangeQualification(
        .add(.codename("wa720_70"), arrowLimit: 6 * ends, before: number), of: category.id, in: id,
        revision: category.revision))
  }

  @discardableResult
  func remove(_ number: UInt32, of category: EventCategoryRecord) throws -> EventCategoryRecord {
    try bench.perform(
      try ChangeQualification(
        .remove(number), of: category.id, in: id, revision: category.revision))
  }

  /// A session of a round with targets of four.
  func line(
    _ round: UInt32, targets: UInt32 = 3, startsAt: Int64 = 0
  ) throws -> EventSessionRecord {
    var content = EventSessionContent()
    (content.name, content.lastTarget, content.round) = ("line", targets, round)
    content.startsAtMilliseconds = startsAt
    return try bench.perform(try PutEventSession(0, of: id, revision: 0, content))
  }

  func enter(_ names: [String], _ category: String, in line: Int64 = 0) throws -> [Int64] {
    let drafts = try names.map { name in
      try ImportEntries.Draft(
        name: name, clientID: [], EventEntryContent(), categoryCode: category, session: line,
        path: "")
    }
    var ids: [Int64] = []
    for slice in try ImportEntries.slices(of: drafts, to: id) {
      ids += try bench.perform(slice).map(\.participant)
    }
    return ids
  }

  @discardableResult
  func draw(
    _ line: Int64, waiting: Bool = true, _ method: DrawPlaces.Method = .random
  ) throws -> [EventEntryRecord] {
    var scope = DrawPlaces.Scope()
    (scope.event, scope.session, scope.takesWaiting) = (id, line, waiting)
    return try bench.perform(try DrawPlaces(scope, method, seed: 5)).entries
  }

  @discardableResult
  func place(
    _ archer: Int64, _ line: Int64, _ target: UInt32, _ letter: String, swaps: Bool = false
  ) throws -> EventEntryRecord {
    try bench.perform(
      try PlaceEntry(archer, session: line, target: target, letter: letter, swaps: swaps))
  }

  /// Six arrows; answers who is next, and in which end.
  @discardableResult
  func end(_ archer: Int64, _ end: Int, _ arrows: [String]) throws -> ScoringTurn? {
    var turn: ScoringTurn?
    for (index, text) in arrows.enumerated() {
      turn = try bench.record(archer, end, index, text).turn
    }
    return turn
  }

  func entry(_ id: Int64) throws -> EventEntryRecord? {
    try bench.store.read { (snapshot) throws(StoreError) in try snapshot.eventEntry(id: id) }
  }

  func standings(_ category: Int64) throws -> CategoryStandings {
    var filter = Snapshot.EntryFilter()
    filter.category = category
    return try bench.store.categoryStandings(
      id, filter, principal: bench.organiser, pageSize: 500, pageToken: "")
  }
}

extension [String] {
  /// Six times the same arrow.
  static func six(_ text: String) -> [String] { Array(repeating: text, count: 6) }
}
