import QuiverRules
import Testing

/// Lines of Strong are from `Data/strong.csv` of github.com/AlexandrosKyriakakis/StrongAppAnalytics
/// (MIT License, copyright 2021 Alexandros Kyriakakis). The others were written for these tests in
/// the formats that `WorkoutCSV.App` names.
@Suite("Files of Strong and Hevy", .timeLimit(.minutes(5)))
struct WorkoutCSVTests {
  private static let strongHead =
    "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,"
    + "Workout Notes,RPE\n"
  private static let strong =
    strongHead + """
      2020-12-30 18:51:52,"Evening Workout",2h 38m,"Snatch (Barbell)",1,40.0,3,0,0,"","",
      2020-12-30 18:51:52,"Evening Workout",2h 38m,"Snatch (Barbell)",2,40.0,3,0,0,,,
      2021-01-13 18:25:39,"Evening Workout",2h 17m,"Power Clean",1,50.0,5,0,0,"",,

      """
  private static let hevyHead =
    "title,start_time,end_time,description,exercise_title,superset_id,exercise_notes,set_index,"
    + "set_type,weight_lbs,reps,distance_miles,duration_seconds,rpe\n"

  private func lines(
    _ text: String, _ app: WorkoutCSV.App, _ unit: MassUnit? = nil
  ) throws -> [String] {
    let file = try WorkoutCSV(Array(text.utf8), from: app, unit: unit)
    return file.sets.map { String($0.line(in: file.unit).dropLast()) }
  }

  private func fault(_ text: String, _ app: WorkoutCSV.App, _ unit: MassUnit? = nil) -> String {
    do throws(RuleViolation) {
      _ = try WorkoutCSV(Array(text.utf8), from: app, unit: unit)
      return ""
    } catch {
      return "\(error.field) \(error.message)"
    }
  }

  @Test("Each row of Strong is a set, in the unit that was named")
  func strong() throws {
    #expect(
      try lines(Self.strong, .strong, .kilogram) == [
        "Dec 30 2020,Snatch (Barbell),1,3,40", "Dec 30 2020,Snatch (Barbell),1,3,40",
        "Jan 13 2021,Power Clean,1,5,50",
      ])
    #expect(fault(Self.strong, .strong) == "unit is not in the file; name it")
  }

  @Test("Semicolons and a column of units are read, and times and rests left out")
  func android() throws {
    let text = """
      Date;Workout Name;Exercise Name;Set Order;Weight;Weight Unit;Reps;RPE;Seconds;Mood
      2019-01-11 12:31:54;"Leg";"Deadlift; deep";1;20;kg;5;;0;good
      2019-01-11 12:31:54;"Leg";"Plank";1;;kg;0;;60;good
      2019-01-11 12:31:54;"Leg";"Plank";Rest Timer;0;kg;1;;90;good

      """
    let file = try WorkoutCSV(Array(text.utf8), from: .strong, unit: nil)
    #expect(file.unit == .kilogram && file.skippedCount == 2)
    #expect(file.unknownColumns == ["Mood"])
    #expect(file.sets.map { $0.line(in: .kilogram) } == ["Jan 11 2019,Deadlift; deep,1,5,20\n"])
    #expect(fault(text, .strong, .pound) == "unit is kg in the file")
    #expect(
      fault(text + "2019-01-11 12:31:54;L;Squat;1;45;lbs;5;;0;\n", .strong)
        .contains("another unit"))
  }

  @Test("Hevy names its unit in a column, and quotes dates")
  func hevy() throws {
    let text =
      Self.hevyHead + """
        Legs,"12 Sep 2024, 21:46","12 Sep 2024, 23:16",,Squat (Smith Machine),,,0,warmup,105,15,,,
        Legs,"9 Sep 2024, 21:46","9 Sep 2024, 23:16",,Leg Curl,,,1,normal,122.5,14,,,
        Legs,2024-11-05 18:30:00,2024-11-05 19:15:00,,Squat,,,0,normal,100,5,,,8
        Legs,"9 Sep 2024, 21:46","9 Sep 2024, 23:16",,Flutter Kicks,,,0,normal,,10,,,

        """
    let file = try WorkoutCSV(Array(text.utf8), from: .hevy, unit: nil)
    #expect(file.unit == .pound && file.skippedCount == 1 && file.unknownColumns.isEmpty)
    #expect(
      try lines(text, .hevy) == [
        "Sep 12 2024,Squat (Smith Machine),1,15,105", "Sep 09 2024,Leg Curl,1,14,122.5",
        "Nov 05 2024,Squat,1,5,100",
      ])
  }

  @Test(
    "A time with AM or PM is read, whatever the space before it",
    arguments: [" ", "\u{A0}", "\u{202F}", ""])
  func halves(_ space: String) throws {
    let text =
      Self.strongHead
      + "2020-12-30 6:51:52\(space)PM,W,1h,Squat,1,40,3,0,0,,,\n"
      + "2020-12-31 6:51:52\(space)am,W,1h,Squat,1,40,3,0,0,,,\n"
    #expect(
      try lines(text, .strong, .kilogram) == [
        "Dec 30 2020,Squat,1,3,40", "Dec 31 2020,Squat,1,3,40",
      ])
    let dated = "L,\"22 Dec 2025, 8:00\(space)PM\",,,Squat,,,0,normal,105,15,,,\n"
    #expect(try lines(Self.hevyHead + dated, .hevy) == ["Dec 22 2025,Squat,1,15,105"])
    let wrong = try WorkoutCSV(
      Array((Self.strongHead + "2020-12-30 6:51 X PM,W,1h,Squat,1,40,3,0,0,,,\n").utf8),
      from: .strong, unit: .kilogram)
    #expect(wrong.badLines.shown.map(\.reason) == [.date])
  }

  @Test(
    "A date that begins with its month is read, whatever its spaces are",
    arguments: [" ", "\u{A0}", "\u{202F}"])
  func monthsFirst(_ space: String) throws {
    let dates = [
      "Jan 3, 2024 at 6:05_PM", "Jan_3,_2024_at_6:05_PM", "Jan 3, 2024, 6:05_PM",
      "JANUARY 3, 2024 AT 18:05", "Jan 3, 2024", "3 Jan 2024 at 18:05", "3 January 2024, 6:05_am",
      "2024-01-03T18:05:00", "2024-01-03_18:05",
    ].map { $0.replacing("_", with: space) }
    let rows = dates.map { "\"\($0)\",W,1h,Squat,1,40,3,0,0,,,\n" }.joined()
    let found = try lines(Self.strongHead + rows, .strong, .kilogram)
    #expect(found == dates.map { _ in "Jan 03 2024,Squat,1,3,40" })
  }

  @Test(
    "A date that could be another one, or has more words, is not read",
    arguments: [
      "Foo 3, 2024 at 6:05 PM", "Jan 32, 2024 at 6:05 PM", "Jan Feb 2024", "1 3 2024",
      "Jan 3, 24 at 6:05 PM", "Jan 3, 2024 on 6:05 PM", "Jan 3 at 6:05 PM", "Janu 3, 2024",
      "Jan 3, 2024 at 6:05 PM UTC", "03/01/2024",
    ])
  func otherDates(_ date: String) throws {
    let text = Self.strongHead + "\"\(date)\",W,1h,Squat,1,40,3,0,0,,,\n"
    let file = try WorkoutCSV(Array(text.utf8), from: .strong, unit: .kilogram)
    #expect(file.sets.isEmpty && file.badLines.shown.map(\.reason) == [.date])
  }

  @Test("Rows that cannot be read are named; a file without its columns is refused")
  func bad() throws {
    let text =
      Self.strongHead + """
        30.12.2020,W,1h,Squat,1,40,3,0,0,,,
        2020-13-01 10:00:00,W,1h,Squat,1,40,3,0,0,,,
        2020-12-30 10:00:00,W,1h,,1,40,3,0,0,,,
        2020-12-30 10:00:00,W,1h,Squat,1,99999,3,0,0,,,
        2020-12-30 10:00:00,W,1h,Squat,1,40,2.5,0,0,,,
        2020-12-30 10:00:00,W,1h,Squat,1,40
        2020-12-30 10:00:00,W,1h,Squat,1,40,3,0,0,,,

        """
    let file = try WorkoutCSV(Array(text.utf8), from: .strong, unit: .kilogram)
    #expect(
      file.badLines.shown.map(\.reason) == [
        .date, .date, .name, .weight, .repetitions, .fieldCount(6),
      ])
    #expect(file.badLines.shown.map(\.number) == [2, 3, 4, 5, 6, 7] && file.sets.count == 1)
    #expect(fault("Date,Weight,Reps\n", .strong) == "line 1 has no column Exercise Name")
    #expect(fault(Self.strong, .hevy) == "line 1 has no column start_time")
    #expect(fault("", .hevy).hasPrefix("line 1"))
    #expect(fault("Date,date,Exercise Name,Weight,Reps\n", .strong).contains("twice"))
  }
}
