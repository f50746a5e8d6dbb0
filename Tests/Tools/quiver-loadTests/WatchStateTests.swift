import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import Testing

@testable import quiver_load

@Suite("What a subscriber sees", .timeLimit(.minutes(5)))
struct WatchStateTests {
  private let scores = ScoreBook(
    tournament: 1, participants: [11, 12], ends: [3, 3], values: [0, 10], topWithX: 10)

  private func marks(_ count: Int) -> [ScoreBook.Mark] {
    Array(repeating: ScoreBook.Mark(), count: count)
  }

  private func message(
    _ after: Int64, _ upto: Int64, snapshot: Bool = false, _ rows: [(Int64, UInt32)] = []
  ) -> [UInt8] {
    var message = WatchLeaderboardResponse()
    var span = WatchSpan()
    span.after = after
    span.upto = upto
    span.isSnapshot = snapshot
    span.storeEpoch = 9
    message.span = span
    for (participant, count) in rows {
      var row = LeaderboardRow()
      row.participantID = participant
      row.arrowCount = count
      message.rows.append(row)
    }
    return message.serializedBytes()
  }

  @Test("A commit is as late as its first message after the scorer's answer")
  func delays() {
    var state = WatchState(ledger: CommitLedger(scores))
    let none = state.take(message(0, 5, snapshot: true, [(11, 0)]), now: 100) { _ in }
    #expect(none == [])
    let first = scores.sent(0, from: 0, marks(3), at: 200)
    scores.acknowledged(0, first, from: 0, count: 3, operation: 1, at: 250)
    let second = scores.sent(0, from: 3, marks(3), at: 300)
    // Two commits in one message, of which the second has no answer yet.
    let both = state.take(message(5, 7, [(11, 6), (12, 3)]), now: 400) { _ in }
    #expect(
      both == [
        CommitLedger.Delay(sinceAnswer: 0, sinceSending: 100),
        CommitLedger.Delay(sinceAnswer: 150, sinceSending: 200),
      ])
    scores.acknowledged(0, second, from: 3, count: 3, operation: 2, at: 450)
    #expect(state.take(message(7, 8, [(11, 6)]), now: 500) { _ in } == [])
    #expect(scores.openEnd(0) == nil && scores.openEnd(1) == 0)
  }

  @Test("Who comes into the window brings no delays, but their next commit does")
  func newObjects() {
    var state = WatchState(ledger: CommitLedger(scores))
    _ = state.take(message(0, 5, snapshot: true), now: 100) { _ in }
    let first = scores.sent(1, from: 0, marks(3), at: 200)
    scores.acknowledged(1, first, from: 0, count: 3, operation: 1, at: 210)
    #expect(state.take(message(5, 6, [(12, 3)]), now: 300) { _ in } == [])
    let second = scores.sent(1, from: 3, marks(3), at: 400)
    scores.acknowledged(1, second, from: 3, count: 3, operation: 2, at: 410)
    #expect(state.take(message(6, 7, [(12, 6)]), now: 500) { _ in }.map(\.sinceAnswer) == [90])
  }

  @Test("A span that does not go on where the one before ended is noted; a snapshot begins anew")
  func chains() {
    for ledger in [nil, CommitLedger(scores)] {
      var state = WatchState(ledger: ledger)
      var notes: [String] = []
      for (after, upto, snapshot) in [
        (0, 5, true), (5, 6, false), (6, 9, false), (8, 10, false), (11, 12, false), (0, 20, true),
        (20, 21, false),
      ] as [(Int64, Int64, Bool)] {
        _ = state.take(message(after, upto, snapshot: snapshot), now: 1) { notes.append($0) }
      }
      #expect(notes == [WatchState.brokenChain, WatchState.brokenChain])
      #expect(state.position?.sequence == 21 && state.position?.storeEpoch == 9)
    }
  }

  @Test("The span is read without the rest of its message, and not from others")
  func peek() throws {
    var hub = WatchHubResponse()
    var span = WatchSpan()
    span.upto = 300
    hub.span = span
    hub.hub = GetHubResponse()
    #expect(SpanPeek.span(of: hub.serializedBytes())?.upto == 300)
    let others: [[UInt8]] = [
      [], [0x0A], [0x0A, 0x05, 1], [0x12, 0], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
    ]
    for bytes in others {
      #expect(SpanPeek.span(of: bytes) == nil)
    }
  }

  @Test("An end of unclear outcome that is sent again is one commit")
  func sentAgain() {
    let one = scores.sent(0, from: 0, marks(3), at: 10)
    let again = scores.sent(0, from: 0, marks(3), at: 20)
    #expect(one.commit == again.commit && scores.card(0).commits.count == 1)
    // The first may have been stored, whatever becomes of the second.
    scores.withdrawn(0, again)
    #expect(scores.card(0).arrows.prefix(3).allSatisfy { $0.state == .unclear })
    scores.withdrawn(0, one)
    #expect(scores.card(0).arrows.prefix(3).allSatisfy { $0.state == .open })
  }
}
