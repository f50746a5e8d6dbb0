import Testing

@testable import QuiverRPC

@Suite("Phases of a call", .timeLimit(.minutes(5)))
struct CallPhaseTests {
  private typealias Row = (from: CallPhase, event: CallPhase.Event, to: CallPhase)

  /// Every legal transition.
  private static let legal: [Row] = [
    (.open, .handlerStarted, .running),
    (.open, .cancelled, .ended),
    (.open, .answered, .ended),
    (.running, .handlerReturned, .open),
    (.running, .failed, .failing),
    (.running, .cancelled, .abandoned),
    (.failing, .handlerReturned, .open),
    (.failing, .cancelled, .abandoned),
    (.abandoned, .handlerReturned, .ended),
    (.ended, .cancelled, .ended),
  ]

  @Test("Each phase accepts the events in the table and no others", arguments: CallPhase.allCases)
  func transitions(_ phase: CallPhase) {
    for event in CallPhase.Event.allCases {
      let row = Self.legal.first { $0.from == phase && $0.event == event }
      #expect(phase.next(event) == row?.to, "\(phase) and \(event)")
    }
  }

  @Test("A call with a handler frees its slot only when the handler returns")
  func slots() {
    for row in Self.legal where row.from.hasHandler && !row.to.hasHandler {
      #expect(row.event == .handlerReturned)
    }
    #expect(CallPhase.allCases.filter { $0.hasHandler } == [.running, .failing, .abandoned])
  }

  @Test("The outcome of a call does not change")
  func outcomes() {
    for row in Self.legal where row.from.isOver { #expect(row.to.isOver) }
    #expect(CallPhase.allCases.allSatisfy { !($0.isOver && $0.isActive) })
  }
}
