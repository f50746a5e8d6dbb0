import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver equipment", .timeLimit(.minutes(20)))
struct EquipmentCommandTests {
  /// One item of each type: its words, and lines that `show` has.
  private static let items: [(type: String, flags: [String], shown: [(String, String)])] = [
    (
      "riser", ["--brand", "Hoyt", "--model", "Formula", "--length-in", "25"],
      [("length-in", "25"), ("brand", "Hoyt"), ("revision", "1")]
    ),
    (
      "limbs",
      [
        "--brand", "Uukha", "--model", "Vx", "--limb-length", "MEDIUM", "--tiller-mm", "-1.5",
        "--installed-on", "2024-02-29",
      ],
      [("limb-length", "medium"), ("tiller-mm", "-1.5"), ("installed-on", "2024-02-29")]
    ),
    ("Sight", ["--brand=Shibuya", "--model=Ultima", "--type=target"], [("type", "target")]),
    (
      "rest", ["--brand", "AAE", "--model", "Free", "--type", "drop_away"], [("type", "drop-away")]
    ),
    (
      "plunger", ["--brand", "Beiter", "--model", "One", "--adjustment", "click"],
      [("adjustment", "click")]
    ),
    (
      "string", ["--maker", "Ada", "--string-type", "BCY", "--strand-count", "18"],
      [("strand-count", "18")]
    ),
    (
      "stabilizer", ["--brand", "Doinker", "--model", "Elite", "--position", "vbar"],
      [("position", "vbar"), ("straightness", "5")]
    ),
    ("weight", ["--location", "front", "--name", "cap", "--ounces", "1.25"], [("ounces", "1.25")]),
    ("arrows", ["--brand", "Easton", "--model", "X10", "--spine", "500"], [("spine", "500")]),
    ("accessory", ["--name", "Finger", "--type", "tab"], [("type", "tab")]),
  ]

  private func id(_ run: Run) throws -> String {
    let words = run.output.split(whereSeparator: \.isWhitespace)
    return String(try #require(words.dropFirst().first))
  }

  private func lines(_ run: Run) -> [[String]] {
    run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  @Test("an item of each type is added, listed, shown and counted")
  func everyType() throws {
    let server = try RunningServer()
    for item in Self.items {
      let added = try server.run(["equipment", "add", item.type] + item.flags)
      #expect(added.code == 0 && added.output.hasSuffix(" is added\n"), "\(added.errors)")
      let shown = try server.quiver("equipment", "show", item.type, try id(added))
      #expect(shown.code == 0, "\(shown.errors)")
      for (name, value) in item.shown {
        #expect(lines(shown).contains([name, value]), "\(item.type): \(shown.output)")
      }
      let listed = try server.quiver("equipment", "list", item.type)
      #expect(lines(listed).count == 2)
    }
    let all = try server.quiver("equipment", "list")
    #expect(lines(all).count == 11 && lines(all)[0].first == "ID")
    let json = try server.quiver("equipment", "list", "limbs", "--json").json()
    #expect((json["items"] as? [[String: Any]])?.first?["displayBrand"] as? String == "Uukha")
    let hub = lines(try server.quiver("equipment", "hub"))
    #expect(hub.contains(["Bow", "components", "5", "0"]) && hub.contains(["Total", "10", "0"]))
    #expect(hub.count == 1 + 3 + 10 + 2)
  }

  @Test("A list reads all pages, each item once")
  func pages() async throws {
    let server = try RunningServer()
    let token = try String(
      contentsOfFile: server.directory.path + "/data/admin.token", encoding: .utf8)
    let client = try RPCClient(
      .init(
        server: server.address, token: token.trimmingCharacters(in: .whitespacesAndNewlines)))
    // One more than a page has at most.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<3 {
        group.addTask {
          for number in 0..<167 {
            var request = CreateItemRequest<Weight>()
            request.item = Weight()
            request.item?.location = "front"
            request.item?.name = "\(worker)-\(number)"
            _ = try await client.call(Equipment.weights.create, request)
          }
        }
      }
      try await group.waitForAll()
    }
    let listed = lines(try server.quiver("equipment", "list", "weight")).dropFirst()
    #expect(listed.count == 501 && Set(listed.map(\.first)).count == 501)
  }

  @Test("Fields are set and cleared, and an item that changed in the meantime stays")
  func edit() throws {
    let server = try RunningServer()
    let added = try server.quiver(
      "equipment", "add", "riser", "--brand", "Hoyt", "--model", "Formula", "--length-in", "25")
    let id = try id(added)
    let edited = try server.quiver(
      "equipment", "edit", "riser", id, "--notes", "kept", "--clear", "length-in", "--json")
    #expect(edited.code == 0, "\(edited.errors)")
    #expect(try edited.json()["notes"] as? String == "kept")
    #expect(try edited.json()["lengthIn"] == nil || edited.json()["lengthIn"] is NSNull)
    #expect(try edited.json()["brand"] as? String == "Hoyt")

    let stale = try server.quiver(
      "equipment", "edit", "riser", id, "--notes", "lost", "--revision", "1")
    #expect(stale.code == 74 && stale.errorLines.count == 1)
    #expect(stale.errors.contains("somebody else changed riser"))
    #expect(try server.quiver("equipment", "show", "riser", id).output.contains("kept"))

    let blank = try server.quiver("equipment", "edit", "riser", id, "--clear", "brand")
    #expect(blank.code == 67 && blank.errorLines.count == 1 && blank.errors.contains("brand"))
  }

  @Test("Archived items are listed with --all only, and can be restored")
  func archive() throws {
    let server = try RunningServer()
    let added = try server.quiver("equipment", "add", "accessory", "--name", "A", "--type", "Tab")
    let id = try id(added)
    #expect(
      try server.quiver("equipment", "archive", "accessory", id).output
        == "accessory \(id) is archived\n")
    #expect(lines(try server.quiver("equipment", "list")).count == 1)
    #expect(lines(try server.quiver("equipment", "list", "--all")).last?.last == "yes")
    #expect(lines(try server.quiver("equipment", "hub")).contains(["Total", "0", "1"]))
    #expect(try server.quiver("equipment", "restore", "accessory", id).code == 0)
    #expect(lines(try server.quiver("equipment", "list")).count == 2)
  }

  @Test("An item in a setup is deleted with --detach only, and the setup gets a new version")
  func removeAndSetups() throws {
    let server = try RunningServer()
    let riser = try id(
      try server.quiver("equipment", "add", "riser", "--brand", "Hoyt", "--model", "Formula"))
    let weight = try id(
      try server.quiver("equipment", "add", "weight", "--location", "front", "--name", "cap"))
    let added = try server.quiver(
      "setup", "add", "Outdoor 70 m", "--part", riser, "--part", "\(weight):3", "--notes", "wind")
    #expect(added.code == 0, "\(added.errors)")
    let setup = try id(added)
    let shown = try server.quiver("setup", "show", setup)
    #expect(lines(shown).contains([weight, "weight", "front", "cap", "3"]), "\(shown.output)")
    #expect(shown.output.contains("Outdoor 70 m") && shown.output.contains("wind"))

    let copied = try server.quiver("setup", "copy", setup, "Indoor")
    let copy = try id(copied)
    #expect(copied.output == "setup \(copy) is added, a copy of setup \(setup)\n")
    #expect(try server.quiver("setup", "default", copy).output == "setup \(copy) is the default\n")
    let listed = lines(try server.quiver("setup", "list"))
    #expect(listed.dropFirst().first == [copy, "Indoor", "1", "2", "yes", "yes"])
    #expect(listed.count == 3)

    let held = try server.quiver("equipment", "rm", "riser", riser)
    #expect(held.code == 73 && held.errorLines.count == 1 && held.errors.contains("--detach"))
    #expect(held.errors.contains("Indoor"))
    let gone = try server.quiver("equipment", "rm", "riser", riser, "--detach")
    #expect(gone.output == "riser \(riser) is deleted\n")
    #expect(try server.quiver("equipment", "show", "riser", riser).code == 69)

    let now = try server.quiver("setup", "show", setup)
    #expect(now.output.contains("2 of 2") && !now.output.contains("Formula"))
    let before = try server.quiver("setup", "show", setup, "--version", "1")
    #expect(before.output.contains("1 of 2") && before.output.contains("deleted"))
    #expect(try server.quiver("setup", "show", setup, "--version", "9").code == 69)
    #expect(try server.quiver("setup", "rm", copy).output == "setup \(copy) is deleted\n")
    #expect(lines(try server.quiver("setup", "list")).count == 2)
  }

  @Test("Arguments that are not valid are refused before anything is sent")
  func faults() throws {
    let directory = try TemporaryDirectory()
    let table: [([String], String)] = [
      (["equipment", "list", "bow"], "there is no type bow; there are riser, limbs"),
      (["equipment", "add", "riser", "--poundage-lb", "40"], "riser has no --poundage-lb"),
      (["equipment", "add", "riser", "--lenght-in", "25"], "did you mean --length-in"),
      (["equipment", "add", "riser", "--length-in", "long"], "expects a number, not long"),
      (["equipment", "add", "riser", "--length-in", "nan"], "expects a number, not nan"),
      (["equipment", "add", "limbs", "--limb-length", "tall"], "one of short, medium, long"),
      (["equipment", "add", "limbs", "--installed-on", "2023-02-29"], "YYYY-MM-DD"),
      (["equipment", "add", "arrow", "--spine", "-1"], "whole number, 0 or above"),
      (["equipment", "add"], "expected one TYPE"),
      (["equipment", "show", "riser"], "expected TYPE and ITEM"),
      (["equipment", "edit", "riser", "1"], "nothing is given to change"),
      (["equipment", "edit", "riser", "1", "--clear", "spine"], "no field spine to clear"),
      (["equipment", "edit", "riser", "1", "--notes", "a", "--clear", "notes"], "named twice"),
      (["equipment", "polish"], "add, edit, rm, archive, restore"),
      (["setup", "add", "A", "--part", "1:x"], "ITEM:QUANTITY"),
      (["setup", "show", "1", "--version", "0"], "--version expects"),
    ]
    for (words, text) in table {
      let run = try Run(words, in: directory)
      #expect(run.code == 64 && run.errors.contains(text), "\(words): \(run.errors)")
      #expect(run.output.isEmpty)
    }
  }

  @Test("Every command of both groups has help with short lines")
  func help() throws {
    let directory = try TemporaryDirectory()
    let commands = Command.all.filter {
      $0.name.hasPrefix("equipment ") || $0.name.hasPrefix("setup ")
    }
    #expect(commands.count == 19)
    for command in commands {
      let words = command.name.split(separator: " ").map(String.init)
      let run = try Run(words + ["--help"], in: directory)
      #expect(run.code == 0 && run.output.hasPrefix("usage: quiver \(command.name)"))
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }

  @Test(
    "Days are validated by the calendar",
    arguments: [
      ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2024-12-31", 20_088),
      ("0001-01-01", -719_162), ("9999-12-31", 2_932_896), ("1900-02-29", nil),
      ("2023-13-01", nil), ("2023-00-01", nil), ("2023-1-01", nil), ("+023-01-01", nil),
      ("0000-12-31", nil), ("2023-01-01-", nil), ("", nil),
    ] as [(String, Int32?)])
  func days(_ text: String, _ day: Int32?) {
    #expect(DayText.day(text) == day)
    if let day { #expect(DayText.text(day) == text) }
  }
}
