import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeptRangeTests {
  @Test(
    "a kept range comes back from its text",
    arguments: [
      (KeptRange(range: .sevenDays), "SEVEN_DAYS"), (KeptRange(range: .thirtyDays), "THIRTY_DAYS"),
      (KeptRange(range: .ninetyDays), "NINETY_DAYS"), (KeptRange(range: .allTime), "ALL_TIME"),
      (KeptRange(range: .custom, start: 5, end: 900), "CUSTOM 5 900"),
    ])
  func text(range: KeptRange, text: String) {
    #expect(range.text == text)
    #expect(KeptRange(text: text) == range)
  }

  @Test(
    "a text that is none is none",
    arguments: [
      "", "thirty_days", "CUSTOM", "CUSTOM 5", "CUSTOM 9 5", "CUSTOM 5 900 1", "SEVEN_DAYS 1",
      "CUSTOM -1 5", "CUSTOM a b",
    ])
  func refused(text: String) {
    #expect(KeptRange(text: text) == nil)
  }
}
