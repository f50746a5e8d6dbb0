import QuiverRules
import QuiverSQLite
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Values at the border of a limit", .timeLimit(.minutes(5)))
struct LimitBorderTests {
  private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  /// The field that is refused; nil if none is.
  private static func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.field ?? "\(error)"
    }
  }

  @Test("A display name may have as many characters as the limit says, and not one more")
  func displayName() {
    let limit = TextLimits.displayNameLength
    func refusal(_ count: Int) -> String? {
      Self.refusal {
        _ = try DisplayName.stored(Self.text(count), mayBeEmpty: false, field: "name")
      }
    }
    #expect(refusal(1) == nil && refusal(limit) == nil)
    #expect(refusal(0) == "name" && refusal(limit + 1) == "name")
  }

  @Test("The label of an invite's token may have as many characters as the limit says")
  func tokenLabel() {
    func refusal(_ count: Int) -> String? {
      Self.refusal {
        _ = try RedeemInvite(code: "", displayName: "", tokenLabel: Self.text(count))
      }
    }
    #expect(refusal(TextLimits.nameLength) == nil)
    #expect(refusal(TextLimits.nameLength + 1) == "token_label")
  }

  @Test("The name of a time zone may have as many bytes as the limit says")
  func timeZone() {
    #expect(TimeZoneName.isWellFormed(Self.text(StoreLimits.timeZoneLength)))
    #expect(!TimeZoneName.isWellFormed(Self.text(StoreLimits.timeZoneLength + 1)))
  }

  @Test("An arrow may score as much as the highest value of all faces")
  func arrowValue() {
    func refusal(_ value: Int) -> String? {
      Self.refusal {
        var content = OperationDraft.Content(.id(1))
        content.value = UInt32(value)
        _ = try OperationDraft(content, path: "")
      }
    }
    #expect(refusal(ArrowScore.maximumValue) == nil)
    #expect(refusal(ArrowScore.maximumValue + 1) == "value")
  }

  @Test("An event may have as many participants as the limit says")
  func participants() {
    let limit = UInt32(StoreLimits.participantsPerTournament)
    func refusal(_ count: UInt32) -> String? {
      Self.refusal { try TournamentText.check(maxParticipants: count, field: "max") }
    }
    #expect(refusal(limit) == nil && refusal(limit + 1) == "max")
  }

  @Test("A principal may have as many tournaments as the limit says")
  func tournaments() throws {
    let bench = try EventBench()
    _ = try bench.event()
    try bench.perform(
      Script("UPDATE scoring_count SET tournaments = \(StoreLimits.tournamentsPerPrincipal - 1)"))
    _ = try bench.event()
    #expect(bench.refusal { try bench.event() }?.code == .resourceExhausted)
  }

  @Test("There are as many leaderboards in memory as the limit says, and not one more")
  func leaderboards() throws {
    let store = try TemporaryDirectory().open()
    let boards = Leaderboards(readers: store.readers)
    for tournament in 1...Int64(StoreLimits.leaderboards) { _ = boards.board(tournament) }
    #expect(boards.count == StoreLimits.leaderboards)
    _ = boards.board(0)
    #expect(boards.count == StoreLimits.leaderboards)
  }

  @Test("The leaderboard used longest ago leaves memory, a watched one only where all are watched")
  func oldestLeaderboard() throws {
    let store = try TemporaryDirectory().open()
    let boards = Leaderboards(readers: store.readers)
    let limit = Int64(StoreLimits.leaderboards)
    func missing(_ numbers: some Sequence<Int64>) -> [Int64] {
      numbers.filter { boards.existing($0) == nil }
    }
    for tournament in 1...limit { _ = boards.board(tournament) }
    boards.setWatched(2, true)
    // The first one is used again, so the third one is the oldest that nobody watches.
    _ = boards.existing(1)
    _ = boards.board(limit + 1)
    #expect(missing(1...limit + 1) == [3])
    // They were all used in their order just now.
    _ = boards.board(limit + 2)
    #expect(missing(1...limit + 2) == [1, 3])
    for tournament in 1...limit + 2 { boards.setWatched(tournament, true) }
    _ = boards.board(limit + 3)
    #expect(missing(1...limit + 3) == [1, 2, 3])
  }

  @Test("A page of months has exactly as many bytes as the limit says")
  func sections() throws {
    let store = try TemporaryDirectory().open()
    let longest = 4 * TextLimits.notesLength
    // The bytes that the notes of both months have together.
    var left = StoreLimits.exportPageByteCount - 2 * 64
    // Months of 2019, the newest first; an entry counts 128 bytes beside its note.
    while left > 2 * (longest + 128) {
      try Self.weigh(18_100, noteBytes: longest, store)
      left -= longest + 128
    }
    try Self.weigh(18_100, noteBytes: left / 2 - 128, store)
    left -= left / 2
    try Self.weigh(18_050, noteBytes: left - 128, store)
    try Self.weigh(18_000, noteBytes: 0, store)
    let query = WeightSectionQuery(
      unit: .kilogram, average: .exponential(span: 7), filter: WeightFilter())
    let (page, token) = try store.read { (snapshot) throws(StoreError) in
      try snapshot.weightSections(query, principal: 1, pageSize: .max, pageToken: "")
    }
    #expect(page.reduce(0) { $0 + $1.byteCount } == StoreLimits.exportPageByteCount)
    #expect(page.count == 2 && !token.isEmpty)
  }

  @Test("A page of entries says that there are more, and all pages have all entries")
  func entries() throws {
    let store = try TemporaryDirectory().open()
    for day: Int32 in 0..<5 { try Self.weigh(18_000 + day, noteBytes: 0, store) }
    var counts: [Int] = []
    var token = ""
    repeat {
      let page = try store.read { (snapshot) throws(StoreError) in
        try snapshot.weightEntries(principal: 1, pageSize: 2, pageToken: token)
      }
      counts.append(page.items.count)
      token = page.nextPageToken
    } while !token.isEmpty
    #expect(counts == [2, 2, 1])
  }

  /// Stores an entry whose note has so many bytes.
  private static func weigh(_ day: Int32, noteBytes: Int, _ store: Store) throws {
    var draft = WeightEntryDraft()
    (draft.day, draft.thousandths, draft.unit) = (day, 80_000, .kilogram)
    draft.note = String(repeating: "\u{1F3F9}", count: noteBytes / 4) + text(noteBytes % 4)
    _ = try store.perform(CreateWeightEntry(draft), .of(1))
  }
}

/// Runs a statement as it is.
private struct Script: Command {
  let query: Query

  init(_ sql: String) { query = Query(sql) }

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    try transaction.run(query)
  }
}
