import Foundation
import QuiverRules
import QuiverStore

/// A data directory with an organiser's started events, created before a server starts.
struct TournamentEvents: Codable {
  /// One event, whose entries have consecutive ids.
  struct Event: Codable {
    var id: Int64
    var firstParticipant: Int64
    var entries: Int
  }

  /// The format of an event: wa1440_90, 144 arrows in ends of 6.
  static let codename = "wa1440_90"
  static let arrows = 144
  static let arrowsPerEnd = 6

  /// The categories of the event that has more than one, with an equal number of entries each.
  static let categoryCount = 40
  static let entriesPerCategory = 50

  var events: [Event] = []

  /// The first principal of the store.
  private static let organiser: Int64 = 1

  static func tokenPath(in folder: URL) -> String {
    folder.appendingPathComponent("organiser.token").path
  }

  /// Reads the events in `folder`.
  static func read(in folder: URL) throws -> [Event] {
    let file = folder.appendingPathComponent("events.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file)).events
  }

  /// Creates the data directory in `folder`, with an event for each number of entries, of whom each
  /// has shot this many ends.
  static func fill(_ folder: URL, entries: [Int], ends: Int = 0) throws {
    let data = folder.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let store = try Store(.unlimited(data.path))
    defer { store.close() }
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let made = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Organiser"), nobody)
    guard made.id == organiser else { throw Unmeasured("the organiser is principal \(made.id)") }
    let token = try store.perform(CreateToken(principal: organiser, label: ""), nobody)
    try Data(token.secret.utf8).write(to: URL(fileURLWithPath: tokenPath(in: folder)))
    let options = CommandOptions(caller: CommandCaller(principal: organiser))
    var filled = TournamentEvents()
    for count in entries {
      let event = try event(of: count, store, options)
      for end in 0..<ends { try shoot(end, event, store, options) }
      filled.events.append(event)
    }
    try JSONEncoder().encode(filled).write(to: folder.appendingPathComponent("events.json"))
  }

  /// The ids of the event that `fillCategories` made, and of one of its categories.
  static func readCategory(in folder: URL) throws -> (event: Int64, category: Int64) {
    let file = folder.appendingPathComponent("category.json")
    let ids = try JSONDecoder().decode([Int64].self, from: Data(contentsOf: file))
    guard ids.count == 2 else { throw Unmeasured("the event has no category") }
    return (ids[0], ids[1])
  }

  /// Adds an event of 2,000 entries in 40 categories to the directory, of whom each has shot six
  /// arrows.
  static func fillCategories(_ folder: URL) throws {
    let store = try Store(.unlimited(folder.appendingPathComponent("data").path))
    defer { store.close() }
    let options = CommandOptions(caller: CommandCaller(principal: organiser))
    let count = categoryCount * entriesPerCategory
    var content = CreateTournament.Content(.codename(codename))
    content.name = "Event of \(categoryCount) categories"
    content.isPublic = true
    content.maxParticipants = UInt32(count)
    let event = try store.perform(try CreateTournament(content), options).head.id
    var category: Int64 = 0
    var entries: [EventEntryRecord] = []
    for number in 0..<categoryCount {
      var content = EventCategoryContent()
      content.code = "C\(number)"
      category = try store.perform(
        try PutCategory(content, in: event, format: nil, arrowLimit: 0), options
      ).id
      for slice in try ImportEntries.slices(of: drafts(of: content.code), to: event) {
        entries += try store.perform(slice, options)
      }
    }
    guard let first = entries.first?.participant, entries.count == count else {
      throw Unmeasured("the event has \(entries.count) entries")
    }
    _ = try store.perform(try ChangeTournamentState(event, .start), options)
    try shoot(
      0, Event(id: event, firstParticipant: first, entries: count), store, options)
    try JSONEncoder().encode([event, category])
      .write(to: folder.appendingPathComponent("category.json"))
  }

  private static func drafts(of category: String) throws -> [ImportEntries.Draft] {
    try (0..<entriesPerCategory).map { number in
      var content = EventEntryContent()
      content.bib = "\(category)-\(number)"
      content.club = "Club \(number % 9)"
      return try ImportEntries.Draft(
        name: "Archer \(number)", clientID: [], content, categoryCode: category, session: 0,
        path: "")
    }
  }

  static func event(
    of count: Int, _ store: Store, _ options: CommandOptions
  ) throws -> Event {
    var content = CreateTournament.Content(.codename(codename))
    content.name = "Event of \(count)"
    content.isPublic = true
    content.maxParticipants = UInt32(count)
    let event = try store.perform(try CreateTournament(content), options)
    var first: Int64?
    var last: Int64 = 0
    for begin in stride(from: 0, to: count, by: AddEntries.maximumCount) {
      let drafts = try (begin..<min(begin + AddEntries.maximumCount, count)).map {
        try AddEntries.EntryDraft(name: "Archer \($0)", clientID: [], scorer: 0, path: "")
      }
      let added = try store.perform(try AddEntries(drafts, to: event.head.id), options)
      first = first ?? added.first?.id
      last = added.last?.id ?? last
    }
    guard let first, last - first + 1 == Int64(count) else {
      throw Unmeasured("the entries of an event do not follow each other")
    }
    _ = try store.perform(try ChangeTournamentState(event.head.id, .start), options)
    return Event(id: event.head.id, firstParticipant: first, entries: count)
  }

  static func shoot(
    _ end: Int, _ event: Event, _ store: Store, _ options: CommandOptions
  ) throws {
    var drafts: [Result<OperationDraft, StoreError>] = []
    for place in 0..<event.entries {
      for arrow in 0..<arrowsPerEnd {
        var content = OperationDraft.Content(.id(event.firstParticipant + Int64(place)))
        content.endIndex = UInt32(end)
        content.arrowIndex = UInt32(arrow)
        content.value = UInt32(1 + (place * 7 + arrow * 3 + end) % 10)
        drafts.append(.success(try OperationDraft(content, path: "")))
      }
    }
    for begin in stride(from: 0, to: drafts.count, by: ApplyOperations.maximumCount) {
      let batch = drafts[begin..<min(begin + ApplyOperations.maximumCount, drafts.count)]
      _ = try store.perform(try ApplyOperations(Array(batch), path: ""), options)
    }
  }
}
