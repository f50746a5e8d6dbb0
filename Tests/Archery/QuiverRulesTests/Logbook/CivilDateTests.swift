import Testing

@testable import QuiverRules

@Suite("Civil dates", .timeLimit(.minutes(5)))
struct CivilDateTests {
  @Test("Each day follows the one before, from the year 1 to 9999, and has its number back")
  func everyDay() {
    // 0001-01-01, a Monday.
    var day = (year: Int32(1), month: Int32(1), day: Int32(1), weekday: Int32(2))
    for number in CivilDate.dayRange {
      let date = CivilDate(dayNumber: number)
      guard date.year == day.year, date.month == day.month, date.day == day.day,
        CivilDate.weekday(ofDayNumber: number) == day.weekday, date.dayNumber == number
      else {
        Issue.record("day \(number) is not \(day)")
        return
      }
      day.weekday = day.weekday % 7 + 1
      day.day += 1
      if day.day > CivilDate.length(ofMonth: day.month, year: day.year) {
        (day.day, day.month) = (1, day.month + 1)
      }
      if day.month > 12 { (day.month, day.year) = (1, day.year + 1) }
    }
    #expect(day.year == 10_000)
  }

  @Test("The least and the greatest number have a date too", arguments: [Int32.min, .max])
  func extremes(_ number: Int32) {
    let date = CivilDate(dayNumber: number)
    #expect((1...12).contains(date.month) && (1...31).contains(date.day))
    #expect((1...7).contains(CivilDate.weekday(ofDayNumber: number)))
  }

  @Test(
    "A date that the calendar does not have is none",
    arguments: [
      (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1),
      (2024, 1, 0), (2024, 1, 32), (0, 1, 1), (10_000, 1, 1), (2024, 1, -1),
    ] as [(Int32, Int32, Int32)])
  func none(_ year: Int32, _ month: Int32, _ day: Int32) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test("A date is written with four, two and two digits")
  func text() {
    #expect(CivilDate(year: 33, month: 4, day: 5)?.text == "0033-04-05")
    #expect(CivilDate(dayNumber: 19_782).text == "2024-02-29")
  }

  @Test("A month knows its days, and one follows the other across the year")
  func months() throws {
    let february = try #require(CivilMonth(year: 2024, month: 2))
    #expect(february.days.count == 29 && february.days.contains(19_782))
    #expect(CivilMonth(containing: february.days.upperBound) == february)
    let december = CivilMonth(containing: 19_722)
    let january = CivilMonth(containing: 19_723)
    #expect(december.year == 2023 && december.month == 12)
    #expect(january.year == 2024 && january.month == 1 && january.index == december.index + 1)
    #expect(CivilMonth(year: 2024, month: 0) == nil && CivilMonth(year: 0, month: 1) == nil)
  }
}
