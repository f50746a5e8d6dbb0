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

  var events: [Event] = []

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
    let organiser = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Organiser"), nobody)
    let token = try store.perform(CreateToken(principal: organiser.id, label: ""), nobody)
    try Data(token.secret.utf8).write(to: URL(fileURLWithPath: tokenPath(in: folder)))
    let options = CommandOptions(caller: CommandCaller(principal: organiser.id))
    var made = TournamentEvents()
    for count in entries {
      let event = try event(of: count, store, options)
      for end in 0..<ends { try shoot(end, event, store, options) }
      made.events.append(event)
    }
    try JSONEncoder().encode(made).write(to: folder.appendingPathComponent("events.json"))
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
