import QuiverCrypto
import QuiverPostgres
import QuiverRules
import Testing

@testable import QuiverStore

/// Two servers of one database that get at once what only one of them may do.
@Suite(.timeLimit(.minutes(5))) struct SharedRaceTests {
  private static let roundCount = 8

  private let database: SharedDatabase
  private let stores: [Store]
  private let archers: [Int64]

  init() throws {
    let database = try SharedDatabase()
    let stores = try (0..<2).map { _ in try database.open() }
    archers = try (0..<2).map { number in
      try stores[0].perform(CreatePrincipal(kind: .user, displayName: "A\(number)"), .of(0)).id
    }
    (self.database, self.stores) = (database, stores)
  }

  /// Runs the first command at the first store and the second one at the second store, at once;
  /// returns their ends in this order.
  private func race<C: Command>(
    _ commands: [C], of principals: [Int64], _ encode: @escaping @Sendable (C.Reply) -> Int64
  ) -> [Result<[UInt8], StoreError>] {
    let results = Results()
    let target = RecordingTarget(expecting: commands.count)
    for (place, command) in commands.enumerated() {
      stores[place].submit(
        command, .of(principals[place]), target: target,
        encode: { Array("\(encode($0))".utf8) }, completion: { results.set(place, $0) })
    }
    target.wait()
    return commands.indices.compactMap { results[$0] }
  }

  private func errors(_ ends: [Result<[UInt8], StoreError>]) -> [StoreError.Code] {
    ends.compactMap { end in
      guard case .failure(let error) = end else { return nil }
      return error.code
    }
  }

  private func count(_ query: String) throws -> String? { try database.connect().value(query) }

  @Test("one client_id at both makes one object, and both get its id")
  func clientIDs() throws {
    for round in 0..<Self.roundCount {
      let id = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000 + UInt64(round))
      let command = try CreateEquipment(.riser("Hoyt"), clientID: id)
      let ends = race([command, command], of: [archers[0], archers[0]]) { $0.id }
      #expect(try Set(ends.map { try $0.get() }).count == 1)
    }
    #expect(try count("SELECT count(*) FROM equipment") == "\(Self.roundCount)")
    #expect(try stores[0].verify() == [])
  }

  @Test("one key at both has its effect once, though both run it")
  func keys() throws {
    let results = Results()
    for round in 0..<Self.roundCount {
      let target = RecordingTarget(expecting: 2)
      let options = CommandOptions.of(
        archers[0], key: Array(repeating: UInt8(round), count: 16), hash: 1)
      for place in 0..<2 {
        stores[place].submit(
          try CreateEquipment(.riser("Hoyt")), options, target: target,
          encode: { Array("\($0.id)".utf8) }, completion: { results.set(place, $0) })
      }
      target.wait()
      #expect(results.reply(0) != nil && results.reply(0) == results.reply(1))
    }
    #expect(try count("SELECT count(*) FROM equipment") == "\(Self.roundCount)")
  }

  @Test("one place on a target that two entries get goes to one of them")
  func targets() throws {
    let organiser = CommandOptions.of(archers[0])
    let event = try FullEvent.open(in: stores[0], as: archers[0])
    var session = EventSessionContent()
    (session.name, session.lastTarget) = ("line", 20)
    let line = try stores[0].perform(
      try PutEventSession(0, of: event, revision: 0, session), organiser
    ).id
    let drafts = try (1...2).map { number in
      try ImportEntries.Draft(
        name: "E\(number)", clientID: [], EventEntryContent(), categoryCode: "", session: line,
        path: "")
    }
    var entries: [Int64] = []
    for slice in try ImportEntries.slices(of: drafts, to: event) {
      entries += try stores[0].perform(slice, organiser).map(\.participant)
    }
    for round in 1...UInt32(Self.roundCount) {
      let commands = try entries.map {
        try PlaceEntry($0, session: line, target: round, letter: "A", swaps: false)
      }
      let ends = race(commands, of: [archers[0], archers[0]]) { $0.participant }
      #expect(errors(ends) == [.failedPrecondition], "round \(round)")
    }
  }

  @Test("the last place of an event goes to one of two archers")
  func lastPlaces() throws {
    for round in 0..<Self.roundCount {
      var content = CreateTournament.Content(.codename("wa18"))
      (content.name, content.maxParticipants, content.isPublic) = ("Cup \(round)", 1, true)
      let event = try stores[0].perform(try CreateTournament(content), .of(archers[0])).head.id
      let join = JoinTournament(.id(event))
      let ends = race([join, join], of: archers) { $0.id }
      #expect(errors(ends).count == 1, "\(errors(ends))")
      #expect(errors(ends).allSatisfy { $0 != .aborted && $0 != .internalError })
      #expect(try count("SELECT count(*) FROM participant WHERE session_id = \(event)") == "1")
    }
    #expect(try stores[1].verify() == [])
  }

  @Test("a name that both make is one, and both sets have it")
  func names() throws {
    for round in 0..<Self.roundCount {
      let commands = try (0..<2).map { number in
        try CreateLiftSet(
          try LiftImportTests.set(Int32(number), "Squat \(round)", reps: 5, weight: 100))
      }
      let ends = race(commands, of: [archers[0], archers[0]]) { $0.id }
      #expect(errors(ends).isEmpty, "\(errors(ends))")
    }
    #expect(try count("SELECT count(*) FROM exercise") == "\(Self.roundCount)")
    #expect(try stores[0].verify() == [])
  }
}
