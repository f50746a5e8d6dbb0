import QuiverRules
import Testing

@testable import QuiverCalendar

@Suite("Civil days of zones", .timeLimit(.minutes(5)))
struct CivilZoneTests {
  /// An instant of UTC with the day that it falls on in a zone, as year, month, day and weekday.
  struct Case: Sendable, CustomTestStringConvertible {
    var zone: String
    var seconds: Int64
    var day: [Int32]

    var testDescription: String { "\(zone) at \(seconds)" }
  }

  static let cases = [
    // 2024-03-31 has 23 hours: at 03:00 the clocks go to 04:00.
    Case(zone: "Europe/Tallinn", seconds: 1_711_835_999, day: [2024, 3, 30, 7]),
    Case(zone: "Europe/Tallinn", seconds: 1_711_836_000, day: [2024, 3, 31, 1]),
    Case(zone: "Europe/Tallinn", seconds: 1_711_918_799, day: [2024, 3, 31, 1]),
    Case(zone: "Europe/Tallinn", seconds: 1_711_918_800, day: [2024, 4, 1, 2]),
    // 2024-10-27 has 25 hours, from 21:00 UTC of the day before to 22:00.
    Case(zone: "Europe/Tallinn", seconds: 1_729_976_399, day: [2024, 10, 26, 7]),
    Case(zone: "Europe/Tallinn", seconds: 1_729_976_400, day: [2024, 10, 27, 1]),
    Case(zone: "Europe/Tallinn", seconds: 1_730_066_399, day: [2024, 10, 27, 1]),
    Case(zone: "Europe/Tallinn", seconds: 1_730_066_400, day: [2024, 10, 28, 2]),
    // Midnight is 05:00 UTC in winter, 04:00 in summer.
    Case(zone: "America/New_York", seconds: 1_709_269_199, day: [2024, 2, 29, 5]),
    Case(zone: "America/New_York", seconds: 1_709_269_200, day: [2024, 3, 1, 6]),
    Case(zone: "America/New_York", seconds: 1_719_806_399, day: [2024, 6, 30, 1]),
    Case(zone: "America/New_York", seconds: 1_719_806_400, day: [2024, 7, 1, 2]),
    // 2024-11-03 has 25 hours.
    Case(zone: "America/New_York", seconds: 1_730_696_399, day: [2024, 11, 3, 1]),
    Case(zone: "America/New_York", seconds: 1_730_696_400, day: [2024, 11, 4, 2]),
    // Half an hour off the hours, all year.
    Case(zone: "Asia/Kolkata", seconds: 1_735_669_799, day: [2024, 12, 31, 3]),
    Case(zone: "Asia/Kolkata", seconds: 1_735_669_800, day: [2025, 1, 1, 4]),
    Case(zone: "Asia/Kolkata", seconds: 1_719_772_199, day: [2024, 6, 30, 1]),
    Case(zone: "Asia/Kolkata", seconds: 1_719_772_200, day: [2024, 7, 1, 2]),
    Case(zone: "UTC", seconds: -1, day: [1969, 12, 31, 4]),
    Case(zone: "Pacific/Kiritimati", seconds: 1_711_836_000, day: [2024, 3, 31, 1]),
    Case(zone: "Pacific/Honolulu", seconds: 1_711_836_000, day: [2024, 3, 30, 7]),
  ]

  @Test("An instant falls on the day of its zone, summer time or not", arguments: cases)
  func days(_ example: Case) throws {
    let zone = try CivilZone(example.zone)
    let day = zone.day(ofMilliseconds: example.seconds * 1_000)
    let date = CivilDate(dayNumber: day)
    let weekday = CivilDate.weekday(ofDayNumber: day)
    #expect([date.year, date.month, date.day, weekday] == example.day)
  }

  @Test("A millisecond before midnight is the day before, also before 1970")
  func milliseconds() throws {
    let zone = try CivilZone("GMT")
    #expect(zone.day(ofMilliseconds: 86_399_999) == 0)
    #expect(zone.day(ofMilliseconds: 86_400_000) == 1)
    #expect(zone.day(ofMilliseconds: -1) == -1)
    #expect(zone.day(ofMilliseconds: -86_400_000) == -1)
  }

  @Test("An instant beyond all calendars is clamped", arguments: [Int64.min, .max])
  func farAway(_ instant: Int64) throws {
    for name in ["Asia/Kolkata", "America/New_York"] {
      let zone = try CivilZone(name)
      #expect(zone.day(ofMilliseconds: instant) == (instant < 0 ? .min : .max))
    }
  }

  @Test(
    "What is no zone is an error",
    arguments: [
      "", "Mars/Phobos", "europe/tallinn", "Europe", "GMT+3", "GMT+0300", "UTC+5", "unk",
      "Etc/Unknown", "Europe/Tallinn ", "../etc/passwd",
    ])
  func unknown(_ name: String) {
    #expect(throws: UnknownZone.self) { try CivilZone(name) }
  }

  @Test("A name of a hundred thousand letters is none either")
  func longName() {
    #expect(throws: UnknownZone.self) { try CivilZone(String(repeating: "A", count: 100_000)) }
  }

  @Test(
    "Old and other names of zones are known",
    arguments: ["UTC", "Etc/GMT+5", "US/Pacific", "Asia/Calcutta", "EST", "GMT"])
  func links(_ name: String) throws {
    #expect(try CivilZone(name).name == name)
  }
}

@Suite("First instants of civil days", .timeLimit(.minutes(5)))
struct CivilZoneStartTests {
  @Test(
    "The first instant of a day is of that day, and the one before is not",
    arguments: [
      "UTC", "Europe/Tallinn", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati",
      "Pacific/Pago_Pago", "America/Sao_Paulo",
    ])
  func starts(zone: String) throws {
    let zone = try CivilZone(zone)
    // All days of four years; in Sao Paulo days began at 01:00 where the clocks were put forward.
    for day in Int32(17_000)..<18_461 {
      let start = zone.startMilliseconds(ofDay: day)
      #expect(zone.day(ofMilliseconds: start) == day)
      #expect(zone.day(ofMilliseconds: start - 1) == day - 1)
    }
  }
}
