import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct SightMarkContentTests {
  @Test("a mark is stored with its notes trimmed and without minus zero")
  func stored() throws {
    let mark = SightMarkContent(distance: 70, unit: .metre, markValue: -0.0, notes: " long \n")
    let stored = try mark.validated(prefix: "sight_mark")
    #expect(stored.notes == "long")
    #expect(stored.markValue.sign == .plus)
    #expect(try stored.validated(prefix: "sight_mark") == stored)
  }

  @Test(
    "a mark that cannot be is refused by the name of its field",
    arguments: [
      (SightMarkContent(distance: 0, unit: .metre), "distance"),
      (SightMarkContent(distance: -1, unit: .metre), "distance"),
      (SightMarkContent(distance: 1_000.5, unit: .yard), "distance"),
      (SightMarkContent(distance: .nan, unit: .yard), "distance"),
      (SightMarkContent(distance: .infinity, unit: .yard), "distance"),
      (SightMarkContent(distance: 18), "unit"),
      (SightMarkContent(distance: 18, unit: .metre, markValue: .nan), "mark_value"),
      (SightMarkContent(distance: 18, unit: .metre, markValue: 100_001), "mark_value"),
      (
        SightMarkContent(
          distance: 18, unit: .metre, notes: String(repeating: "n", count: 4_001)), "notes"
      ),
    ])
  func refused(mark: SightMarkContent, field: String) {
    let violation = #expect(throws: RuleViolation.self) {
      try mark.validated(prefix: "sight_mark")
    }
    #expect(violation?.field == "sight_mark.\(field)")
  }

  @Test("a yard is 0.9144 m")
  func yards() {
    #expect(SightMarkContent(distance: 100, unit: .yard).metres == 91.44)
    #expect(SightMarkContent(distance: 70, unit: .metre).metres == 70)
  }
}
