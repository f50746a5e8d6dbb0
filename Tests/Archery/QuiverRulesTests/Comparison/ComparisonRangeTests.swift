import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct ComparisonRangeTests {
  private static let now: Int64 = 1_800_000_000_000

  @Test(
    "ranges go N times 24 hours back from the instant",
    arguments: [
      (ComparisonRange.sevenDays, Int64(604_800_000)), (.thirtyDays, 2_592_000_000),
      (.ninetyDays, 7_776_000_000),
    ])
  func days(range: ComparisonRange, length: Int64) throws {
    let span = try range.span(asOf: Self.now, start: nil, end: nil, prefix: "range")
    #expect(span == ShotSpan(start: Self.now - length, end: Self.now))
    #expect(span.contains(Self.now - length) && !span.contains(Self.now - length - 1))
    #expect(span.contains(Self.now - 1) && !span.contains(Self.now))
  }

  @Test("all time has no start, and thirty days are the standard")
  func allTime() throws {
    let span = try ComparisonRange.allTime.span(
      asOf: Self.now, start: nil, end: nil, prefix: "range")
    #expect(span.start == nil && span.contains(.min) && !span.contains(Self.now))
    #expect(ComparisonRange.standard == .thirtyDays)
  }

  @Test("a custom range goes from its start to before its end")
  func custom() throws {
    let span = try ComparisonRange.custom.span(asOf: Self.now, start: 5, end: 9, prefix: "range")
    #expect(span == ShotSpan(start: 5, end: 9))
  }

  @Test(
    "inverted, empty and missing ends are refused by name",
    arguments: [
      (ComparisonRange.custom, Int64?(9), Int64?(5), "range.end_ms"),
      (.custom, 5, 5, "range.end_ms"),
      (.custom, nil, 5, "range.start_ms"), (.custom, 5, nil, "range.end_ms"),
      (.custom, -1, 5, "range.start_ms"), (.custom, 1, .max, "range.end_ms"),
      (.custom, .min, .max, "range.start_ms"), (.sevenDays, 5, nil, "range.start_ms"),
      (.allTime, nil, 5, "range.end_ms"),
    ])
  func refused(range: ComparisonRange, start: Int64?, end: Int64?, field: String) {
    let violation = #expect(throws: RuleViolation.self) {
      try range.span(asOf: Self.now, start: start, end: end, prefix: "range")
    }
    #expect(violation?.field == field)
  }
}
