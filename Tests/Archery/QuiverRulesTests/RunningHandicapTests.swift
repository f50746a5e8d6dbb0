import QuiverRules
import Testing

/// The examples are those of three clubs: kentpolicearcheryclub.co.uk, wolfarchers.co.uk and
/// rochdalearchers.com.
@Suite("Running handicaps", .timeLimit(.minutes(5)))
struct RunningHandicapTests {
  /// 2024-01-01 is day 19,723; an outdoor season begins.
  private static let newYear: Int32 = 19_723

  private static func handicap(
    _ rounds: [(day: Int32, handicap: Int)], _ venue: RoundVenue = .outdoor
  ) -> RunningHandicap {
    var running = RunningHandicap(venue)
    for round in rounds { running.add(day: newYear + round.day, handicap: round.handicap) }
    return running
  }

  @Test(
    "The first handicap is the mean of three rounds, rounded up",
    arguments: [
      ([79, 71, 68], 73), ([76, 75, 77], 76), ([86, 87, 81], 85), ([64, 70, 69], 68),
      ([56, 54, 52], 54), ([-3, -4, -6], -4),
    ])
  func first(_ rounds: [Int], _ expected: Int) {
    let running = Self.handicap(rounds.map { (day: 0, handicap: $0) })
    #expect(running.current == expected && running.missingRounds == 0)
    let two = Self.handicap(rounds.prefix(2).map { (day: 0, handicap: $0) })
    #expect(two.current == nil && two.missingRounds == 1)
  }

  @Test(
    "A better round lowers the handicap to the mean, rounded up; others leave it",
    arguments: [
      (45, 44, 45), (45, 45, 45), (45, 46, 45), (68, 70, 68), (68, 68, 68), (68, 67, 68),
      (68, 66, 67), (68, 65, 67), (68, 61, 65), (-2, -5, -3),
    ])
  func later(_ known: Int, _ round: Int, _ expected: Int) {
    var running = Self.handicap([(0, known), (0, known), (0, known)])
    let step = running.add(day: Self.newYear + 1, handicap: round)
    #expect(step.before == known && step.after == expected && running.current == expected)
  }

  @Test("A new season begins with the mean of the three best rounds of the last")
  func seasons() {
    // 64, 70, 69 give 68; 66, 65 and 61 lower it to 63; the best three are 61, 64 and 65.
    let rounds = [64, 70, 69, 66, 65, 61].map { (day: Int32(10), handicap: $0) }
    var running = Self.handicap(rounds)
    #expect(running.current == 64)
    running.beginSeason(ofDay: Self.newYear + 365)
    #expect(running.current == 64, "2024 has 366 days")
    let step = running.add(day: Self.newYear + 366, handicap: 70)
    #expect(step.before == 64 && step.after == 64)
    // Three weak rounds of a season raise it at its end, and a season of two rounds leaves it.
    running.add(day: Self.newYear + 367, handicap: 70)
    running.add(day: Self.newYear + 368, handicap: 71)
    #expect(running.current == 64)
    running.beginSeason(ofDay: Self.newYear + 366 + 365)
    #expect(running.current == 71)
    running.add(day: Self.newYear + 366 + 366, handicap: 90)
    running.add(day: Self.newYear + 366 + 367, handicap: 90)
    running.beginSeason(ofDay: Self.newYear + 366 + 365 * 3)
    #expect(running.current == 71)
  }

  @Test("Indoor seasons begin in July, and rounds of two seasons give no first handicap")
  func indoor() {
    // 2024-06-30 is the 182nd day of the year, counted from 1.
    let before = [(day: Int32(180), handicap: 60), (181, 60), (182, 60)]
    #expect(Self.handicap(before, .indoor).current == nil)
    #expect(Self.handicap(before, .indoor).missingRounds == 2)
    #expect(Self.handicap(before, .outdoor).current == 60)
    #expect(
      Self.handicap([(day: Int32(179), handicap: 60), (180, 60), (181, 60)], .indoor).current == 60)
    // December and January are one indoor season, and two outdoor ones.
    let winter = [(day: Int32(-2), handicap: 50), (-1, 50), (0, 50)]
    #expect(Self.handicap(winter, .indoor).current == 50)
    #expect(Self.handicap(winter, .outdoor).current == nil)
  }

  @Test("Whole rounds of Archery GB and World Archery at faces with rings count")
  func counted() throws {
    let counted = ["york", "wa18", "wa_field_24_red_marked", "burntwood_york"]
    for codename in counted {
      #expect(try #require(RoundLibrary.format(codename)).countsForHandicap, "\(codename)")
    }
    for codename in ["wa_3d_24_red", "frostbite", "ifaa_field", "canberra", "lancaster"] {
      #expect(try !#require(RoundLibrary.format(codename)).countsForHandicap, "\(codename)")
    }
    #expect(try !#require(RoundLibrary.format("york")).cut(toArrows: 72).countsForHandicap)
  }
}
