import Foundation
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver logbook and quiver strength", .timeLimit(.minutes(20)))
struct LogbookCommandTests {
  @Test("Weights are added, listed by month, filtered, drawn and exported")
  func weights() throws {
    let server = try RunningServer()
    let none = try server.quiver("logbook", "weights")
    #expect(none.code == 0 && none.output.hasPrefix("There are no weight entries yet"))
    let foreign = try server.quiver("logbook", "add", "80.5", "--unit", "kg", "--zone", "Mars")
    #expect(foreign.code != 0 && foreign.errors.contains("time_zone"))
    let added = try server.quiver(
      "logbook", "add", "80.5", "--unit", "kg", "--day", "2024-02-29", "--note", "leap",
      "--body-fat", "17.5")
    #expect(added.code == 0 && added.output.hasSuffix(": 2024-02-29 80.5 kg\n"), "\(added.errors)")
    let csv = "date,weight,unit\n2024-03-07,80.6,kg\n2024-03-14,80.699,kg\n"
    let imported = try server.run(["logbook", "import", "-"], input: csv)
    #expect(imported.output == "added 2, unchanged 0\n", "\(imported.errors)")
    let listed = try server.quiver("logbook", "weights", "--unit", "kg")
    let lines = listed.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "2024-03" && lines.contains("2024-02"))
    let up = try #require(lines.first { $0.hasPrefix("2024-03-07") })
    #expect(up.contains("+0.1") && up.contains(" up "))
    let stable = try #require(lines.first { $0.hasPrefix("2024-03-14") })
    #expect(stable.contains("+0.099") && stable.contains(" stable "))
    let notes = try server.quiver("logbook", "weights", "--notes", "--month", "2024-02")
    #expect(notes.output.contains("leap"))
    let nothing = try server.quiver("logbook", "weights", "--weekday", "1")
    #expect(nothing.output == "No entry matches.\n")

    let plot = server.directory.path + "/trend.svg"
    let trend = try server.quiver("logbook", "trend", "--unit", "kg", "--plot", plot)
    #expect(trend.code == 0 && trend.output.contains("2024-03-07  80.60"), "\(trend.output)")
    let picture = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(picture.hasPrefix("<svg") && picture.contains("<polyline"))
    let exported = try server.quiver("logbook", "export", "-")
    #expect(
      exported.output
        == "date,weight,unit,note,body_fat\n2024-02-29,80.5,kg,leap,17.5\n2024-03-07,80.6,kg,,\n"
        + "2024-03-14,80.699,kg,,\n")
    let bad = try server.run(["logbook", "import", "-"], input: "2024-02-30,80,kg\n")
    #expect(bad.code == 64 && bad.errors.contains("line 1 has no date"))
  }

  @Test("The default day is today in the given zone, the profile's zone, or the local zone")
  func today() throws {
    let server = try RunningServer()
    func add(_ zone: [String] = []) throws -> Substring {
      let run = try server.run(["logbook", "add", "80.5", "--unit", "kg"] + zone)
      #expect(run.code == 0, "\(run.errors)")
      return run.output.split(separator: " ").dropFirst(2).first ?? ""
    }
    // Midnight may come between the two.
    func isToday(_ found: () throws -> Substring, in zone: TimeZone) rethrows -> Bool {
      let calendar = Calendar.gregorian(in: zone)
      let before = calendar.civilDay
      let text = try found()
      return text == before || text == calendar.civilDay
    }
    #expect(try isToday({ try add() }, in: .current))
    let far = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
    #expect(try isToday({ try add(["--zone", "Pacific/Kiritimati"]) }, in: far))
    let profile = try server.quiver("call", "GetProfile", "{}").json()
    let revision = try #require(profile["revision"] as? String)
    let updated = try server.quiver(
      "call", "UpdateProfile",
      #"{"profile":{"revision":"\#(revision)","timeZone":"Pacific/Pago_Pago"},"#
        + #""updateMask":["time_zone"]}"#)
    #expect(updated.code == 0, "\(updated.errors)")
    let west = try #require(TimeZone(identifier: "Pacific/Pago_Pago"))
    #expect(try isToday({ try add() }, in: west))
  }

  @Test("A log is imported, listed and shown with its records")
  func strength() throws {
    let server = try RunningServer()
    let lines = (0..<4_000).map { index in
      "Jan \(index % 28 + 1) \(1990 + index / 200),Squat,\(index % 10 + 1),\(100 + index % 60)"
    }
    let file = try server.directory.file("log.txt", lines.joined(separator: "\n"))
    let imported = try server.quiver("strength", "import", file)
    #expect(imported.output == "4000 lines: added 4000, unchanged 0\n", "\(imported.errors)")
    #expect(imported.errors.contains("100 % 4000 lines"))
    let again = try server.quiver("strength", "import", file)
    #expect(again.output == "4000 lines: added 0, unchanged 4000\n")
    let listed = try server.quiver("strength", "list")
    #expect(listed.output.contains("Squat") && listed.output.contains("4000"))
    let plot = server.directory.path + "/squat.svg"
    let shown = try server.quiver(
      "strength", "show", "Squat", "--window", "31", "--plot", plot)
    #expect(shown.code == 0 && shown.output.hasPrefix("record "), "\(shown.errors)")
    #expect(shown.output.split(separator: "\n").count == 34)
    #expect(try String(contentsOfFile: plot, encoding: .utf8).contains("Squat"))
    let broken = try server.directory.file("bad.txt", "nothing\n" + lines[0])
    let strict = try server.quiver("strength", "import", broken, "--replace")
    #expect(strict.code == 64 && strict.errors.contains("line 1 has 1 fields"))
    let lenient = try server.quiver("strength", "import", broken, "--lenient", "--replace")
    #expect(lenient.output == "2 lines: added 1, unchanged 0, removed 4000, skipped 1\n")
  }

  @Test("Progress is a bar on a terminal and lines elsewhere")
  func bar() {
    #expect(ProgressBar.line(0, "x") == "[" + String(repeating: "-", count: 30) + "] 0 % x")
    #expect(
      ProgressBar.line(0.5, "7 lines")
        == "[" + String(repeating: "#", count: 15) + String(repeating: "-", count: 15)
        + "] 50 % 7 lines")
    #expect(ProgressBar.line(1, "") == "[" + String(repeating: "#", count: 30) + "] 100 % ")
  }

  @Test("Weights are printed with the digits that they need")
  func numbers() {
    #expect(WeightText.thousandths("80.5") == 80_500 && WeightText.thousandths("170") == 170_000)
    for text in ["", ".", "1.", "1.2345", "-1", "1e3"] {
      #expect(WeightText.thousandths(text) == nil)
    }
    #expect(WeightText.exact(80_050) == "80.05" && WeightText.difference(-99) == "-0.099")
    #expect(WeightText.fixed(284.516, digits: 2) == "284.52")
    #expect(WeightText.fixed(-0.96, digits: 1) == "-1.0")
  }
}

extension Calendar {
  fileprivate static func gregorian(in zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar
  }

  fileprivate var civilDay: String {
    let parts = dateComponents([.year, .month, .day], from: Date())
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
