import QuiverRules
import Testing

@Suite("Where a scorer goes on", .timeLimit(.minutes(5)))
struct ScoringTurnTests {
  private static func open(_ id: Int64, _ end: Int?, _ arrow: Int = 0) -> ScoringTurn.Candidate {
    ScoringTurn.Candidate(
      participant: id, open: end.map { ArrowSlot(endIndex: $0, arrowIndex: arrow) })
  }

  @Test("To the same end while it is open, to the next participant, to the next end, and done")
  func steps() {
    let slot = ArrowSlot(endIndex: 2, arrowIndex: 1)
    var turn = ScoringTurn.after(5, endIndex: 2, openInEnd: slot, among: [Self.open(7, 0)])
    #expect(turn.kind == .arrow && turn.participant == 5 && turn.slot == slot)

    let group = [Self.open(3, 2), Self.open(5, 3), Self.open(7, 2, 1), Self.open(9, nil)]
    turn = ScoringTurn.after(5, endIndex: 2, openInEnd: nil, among: group)
    #expect(turn.kind == .participant && turn.participant == 7 && turn.slot.arrowIndex == 1)
    turn = ScoringTurn.after(8, endIndex: 2, openInEnd: nil, among: group)
    #expect(turn.kind == .participant && turn.participant == 3)

    turn = ScoringTurn.after(
      7, endIndex: 2, openInEnd: nil, among: [Self.open(3, 3), Self.open(7, 3)])
    #expect(turn.kind == .end && turn.participant == 3 && turn.slot.endIndex == 3)

    turn = ScoringTurn.after(
      7, endIndex: 19, openInEnd: nil, among: [Self.open(3, nil), Self.open(7, nil)])
    #expect(turn.kind == .done && turn.participant == 0)
    #expect(ScoringTurn.after(7, endIndex: 19, openInEnd: nil, among: []).kind == .done)
  }

  @Test("With an order, for example of targets, the ids decide only between equal ones")
  func order() {
    func open(_ id: Int64, _ order: Int64, _ end: Int = 2) -> ScoringTurn.Candidate {
      ScoringTurn.Candidate(
        participant: id, open: ArrowSlot(endIndex: end, arrowIndex: 0), order: order)
    }
    let group = [open(3, 9), open(5, 7), open(9, 7), open(7, 8)]
    func next(_ id: Int64, _ order: Int64, end: Int = 2) -> Int64 {
      ScoringTurn.after(id, order: order, endIndex: end, openInEnd: nil, among: group).participant
    }
    #expect(next(5, 7) == 9 && next(9, 7) == 7 && next(7, 8) == 3 && next(3, 9) == 5)
    #expect(next(4, 10) == 5 && next(7, 8, end: 1) == 5)
  }
}
