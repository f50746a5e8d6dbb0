import QuiverRules
import Testing

/// The lines were written for these tests in the format that `MyTargetsCSV` names.
@Suite("Files of MyTargets", .timeLimit(.minutes(5)))
struct MyTargetsCSVTests {
  private static let head =
    #""Title";"Date";"Standard round";"Indoor";"Bow";"Arrow";"Round";"Distance";"Target";"End";"#
    + #""Timestamp";"Points";"x";"y""# + "\n"

  private static func line(
    _ points: String, end: Int = 1, round: Int = 1, distance: String = "30m",
    target: String = "WA Full (122cm)", date: String = "2016-07-03", time: String = "14:18:42"
  ) -> String {
    #""Club";"\#(date)";"WA Standard";"Outdoor";"";"";"\#(round)";"\#(distance)";"\#(target)";"#
      + #""\#(end)";"\#(time)";"\#(points)";"-0.19";"0.05""# + "\n"
  }

  private func fault(_ text: String) -> String {
    do throws(RuleViolation) {
      _ = try MyTargetsCSV(Array(text.utf8))
      return ""
    } catch {
      return "\(error.field) \(error.message)"
    }
  }

  @Test("Lines become trainings with passes and ends")
  func trainings() throws {
    let text =
      Self.head + Self.line("X") + Self.line("10") + Self.line("9", end: 2, time: "14:30:00")
      + Self.line("M", round: 2, distance: "20yd", target: "WA 6 Ring (80cm)")
      + Self.line("7", date: "2016-07-04")
    let file = try MyTargetsCSV(Array(text.utf8))
    #expect(file.trainings.count == 2 && file.unknownColumns.isEmpty)
    let first = try #require(file.trainings.first)
    #expect(first.title == "Club" && first.standardRound == "WA Standard" && !first.isIndoor)
    #expect(CivilDate(dayNumber: first.day).text == "2016-07-03")
    #expect(
      first.passes.map(\.distance) == [30, 20] && first.passes.map(\.isYards) == [false, true])
    #expect(first.passes.map(\.face) == [.tenZone, .tenZone6Ring])
    #expect(first.passes.map(\.diameterCentimetres) == [122, 80])
    #expect(
      first.passes[0].ends.map(\.arrows) == [
        [ArrowScore(value: 10, isX: true), ArrowScore(value: 10)], [ArrowScore(value: 9)],
      ])
    #expect(first.passes[0].ends[1].second == 14 * 3_600 + 30 * 60)
    #expect(first.passes[1].ends.map(\.arrows) == [[ArrowScore(value: 0)]])
  }

  @Test("Trainings of one name on a day are told apart where the ends begin again")
  func numbers() throws {
    let first = Self.line("9") + Self.line("8", end: 2) + Self.line("7", round: 2)
    let second =
      Self.line("6", time: "18:00:00") + Self.line("5", end: 2) + Self.line("4", round: 2)
    let third = Self.line("3", distance: "50m") + Self.line("2", end: 2, distance: "50m")
    let other = Self.line("1", date: "2016-07-04")
    let file = try MyTargetsCSV(Array((Self.head + first + second + third + other).utf8))
    #expect(file.trainings.map(\.number) == [1, 2, 3, 1])
    #expect(file.trainings.map { $0.passes.count } == [2, 2, 1, 1])
    #expect(
      file.trainings.map { $0.passes.flatMap(\.ends).flatMap(\.arrows).map(\.value) } == [
        [9, 8, 7], [6, 5, 4], [3, 2], [1],
      ])
    // An end that is missing is no new training.
    #expect(fault(Self.head + first + Self.line("9", end: 4)).contains("not 1, 2, 3"))
  }

  @Test("What is not known is named or refused, and nothing is guessed")
  func faults() throws {
    let unknown = try MyTargetsCSV(Array("Wind;\(Self.head)".utf8))
    #expect(unknown.unknownColumns == ["Wind"] && unknown.trainings.isEmpty)
    #expect(fault(#""Titel";"Datum""#).contains("no column title; export it in English"))
    #expect(fault(Self.head + Self.line("12")).contains("line 2 has in points"))
    #expect(fault(Self.head + Self.line("9", distance: "far")).contains("in distance"))
    #expect(fault(Self.head + Self.line("9", target: "3D deer (30cm)")).contains("not known"))
    #expect(fault(Self.head + Self.line("9", date: "3.7.2016")).contains("in date"))
    #expect(fault(Self.head + Self.line("9", end: 2)).contains("not 1, 2, 3"))
    #expect(
      fault(Self.head + Self.line("9") + Self.line("9", distance: "50m"))
        .contains("another distance"))
    let longer = Self.line("9") + Self.line("9", end: 2) + Self.line("8", end: 2)
    #expect(fault(Self.head + longer).contains("different lengths"))
    #expect(fault(Self.head + "\"Club\";\"2016-07-03\"\n").contains("2 fields"))
  }

  @Test("What the server would refuse is refused with its line")
  func unstorable() throws {
    let good = Self.head + Self.line("9")
    #expect(
      fault(good + Self.line("11"))
        == "line 3 has in points 11, which must be one of 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 or 0 on"
        + " this face")
    let small = "WA 6 Ring (80cm)"
    #expect(
      fault(good + Self.line("3", round: 2, target: small)).hasPrefix("line 3 has in points 3,"))
    #expect(
      fault(good + Self.line("X", round: 2, target: "Worcester (16in)"))
        .hasPrefix("line 3 has in points X,"))
    #expect(fault(good + Self.line("9", date: "1969-12-31")).contains("line 3 has in date"))
    #expect(
      fault(good + Self.line("9", date: "1970-01-01", time: "00:00:00")).contains("line 3 has in"))
    let name = String(repeating: "x", count: 201)
    for (old, column) in [("Club", "title"), ("WA Standard", "standard round")] {
      #expect(
        fault(good + Self.line("9").replacing(old, with: name))
          .hasPrefix("line 3 has in \(column) a text that must have at most 200"))
    }
    #expect(
      fault(good + Self.line("9").replacing("Club", with: "C\u{0}b")).contains(
        "line 3 has in title"))
    // 1,008 arrows in ends of 12; the training begins on line 3.
    let day = "2016-07-05"
    let long = (1...84).flatMap { end in
      (0..<12).map { _ in Self.line("9", end: end, date: day) }
    }
    #expect(fault(good + long.joined()).hasPrefix("line 3 begins a training whose round.passes"))
    #expect(
      fault(good + (0..<13).map { _ in Self.line("9", date: day) }.joined())
        .hasPrefix("line 3 begins an end of more than 12 arrows"))
    #expect(
      fault(good + Self.line("9", date: day) + Self.line("8", end: 3, date: day))
        .hasPrefix("line 4 has in round 1 ends that are not"))
  }
}
