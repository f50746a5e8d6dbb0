import QuiverPostgres
import QuiverRules
import Testing

@testable import QuiverStore

/// Leaderboards in memory over a database that other servers change.
@Suite(.timeLimit(.minutes(5))) struct SharedLeaderboardTests {
  @Test("while a transaction is open, a leaderboard is not loaded again at each read")
  func openTransaction() throws {
    let database = try SharedDatabase()
    let store = try database.open()
    let full = try FullEvent(in: store)
    // The follower of the journal may give the event another leaderboard meanwhile.
    let board = store.leaderboard(full.event)
    func sequence() throws -> Int64 { try board.read { (_, _, sequence) in sequence } }
    let before = try sequence()
    let (open, other) = (try database.connect(), try database.connect())
    try open.execute("BEGIN; SELECT pg_current_xact_id()")
    try other.execute(
      """
      INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)
      SELECT journal_position(n), \(full.organiser), \(full.event),
        \(ObjectKind.participant.rawValue), p.id, 2, 0
      FROM generate_series(0, 1200) AS n,
        (SELECT min(id) AS id FROM participant WHERE session_id = \(full.event)) AS p
      """)
    let loaded = try sequence()
    #expect(loaded > before)
    for _ in 0..<3 { #expect(try sequence() == loaded) }
    try other.execute("UPDATE participant SET total = 1 WHERE session_id = \(full.event)")
    try other.execute(
      """
      INSERT INTO journal (sequence, principal_id, topic, kind, object_id, change, at_ms)
      SELECT journal_position(0), \(full.organiser), \(full.event),
        \(ObjectKind.participant.rawValue), min(id), 2, 0
      FROM participant WHERE session_id = \(full.event)
      """)
    #expect(try sequence() > loaded)
    let totals = try board.read { (_, order, _) in
      order.rows(from: 0, limit: 10).entries.map(\.contender.tally.total)
    }
    #expect(totals.filter { $0 == 1 }.count == 1)
    try open.execute("ROLLBACK")
    let last = try sequence()
    #expect(try sequence() == last)
  }

  @Test("a leaderboard tells that permissions changed at another server, with the state it shows")
  func access() throws {
    let database = try SharedDatabase()
    let (first, second) = (try database.open(), try database.open())
    let full = try FullEvent(in: first)
    // The follower of the journal may give the event another leaderboard meanwhile.
    let board = second.leaderboard(full.event)
    func state() throws -> (isPublic: Bool, accessCount: UInt64) {
      try board.read { (head, _, _) in (head.isPublic, board.accessCount) }
    }
    func setPublic(_ isPublic: Bool) throws {
      let head = try #require(
        try first.read { (snapshot) throws(StoreError) in
          try snapshot.tournamentHead(id: full.event)
        })
      var change = UpdateTournament.Change()
      change.isPublic = isPublic
      _ = try first.perform(
        try UpdateTournament(full.event, revision: head.revision, change), .of(full.organiser))
    }
    try setPublic(true)
    let open = try state()
    try setPublic(false)
    let closed = try state()
    #expect(open.isPublic && !closed.isPublic && closed.accessCount > open.accessCount)
    _ = try first.perform(RemoveOfficial(full.judge, of: full.event), .of(full.organiser))
    #expect(try state().accessCount > closed.accessCount)
  }
}
