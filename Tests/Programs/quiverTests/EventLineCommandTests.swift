import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("quiver event: the line, notices, pauses and templates", .timeLimit(.minutes(20)))
struct EventLineCommandTests {
  private static func event(_ server: RunningServer, _ name: String) throws -> String {
    let made = try server.quiver(
      "tournament", "create", name, "--round", "wa18", "--arrows", "6", "--json"
    ).json()
    return try #require(made["id"] as? String)
  }

  private static func session(_ server: RunningServer, _ event: String) throws -> String {
    let made = try server.quiver(
      "event", "session", event, "morning", "--in", "1h", "--first", "1", "--last", "2",
      "--archers", "2", "--json"
    ).json()
    return try #require(made["id"] as? String)
  }

  private static func rows(_ text: String) -> [[Substring]] {
    text.split(separator: "\n").map { $0.split(separator: " ") }
  }

  @Test("Notices and pauses are sent and listed, and arrows are entered during a pause")
  func line() throws {
    let server = try RunningServer()
    let id = try Self.event(server, "Club")
    let session = try Self.session(server, id)
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    let list = "bib,name,session\n1,Ann,\(session)\n2,Ben,\(session)\n3,Cid,\(session)\n"
    try list.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)
    #expect(try server.quiver("event", "draw", id, session, "random", "--seed", "7").code == 0)
    let early = try server.quiver("event", "pause", id, "--reason", "lightning")
    #expect(early.code != 0 && early.errors.contains("start it first"))
    #expect(try server.quiver("event", "pause", id).code != 0)
    #expect(try server.quiver("tournament", "start", id).code == 0)

    let sent = try server.quiver(
      "event", "notice", id, "New face on target 1", "--session", session, "--first", "1")
    #expect(sent.output.hasPrefix("notice ") && sent.code == 0, "\(sent.errors)")
    let wrong = try server.quiver("event", "notice", id, "x", "--session", session, "--first", "9")
    #expect(wrong.code != 0 && wrong.errors.contains("1 to 2"))
    #expect(try server.quiver("event", "notice", id, "Lunch at noon", "--public").code == 0)
    let notices = try server.quiver("event", "notices", id)
    let lines = notices.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].contains("Lunch at noon") && lines[1].contains("yes"))

    let paused = try server.quiver("event", "pause", id, "--reason", "lightning")
    #expect(paused.output == "the shooting of event \(id) is paused: lightning\n")
    #expect(try server.quiver("event", "pause", id, "--reason", "fog").code != 0)
    #expect(try server.quiver("event", "steps", id).output.contains("is paused: lightning"))
    let shown = try server.quiver("tournament", "show", id)
    #expect(shown.output.contains("shooting-pause.reason") && shown.output.contains("lightning"))

    let entries = try #require(
      try server.quiver(
        "event", "entries", id, "--session", session, "--json"
      ).json()["entries"] as? [[String: Any]])
    let ann = try #require(entries.first { $0["displayName"] as? String == "Ann" })
    let archer = try #require(ann["participantId"] as? String)
    #expect(try server.quiver("tournament", "end", archer, "1", "10", "9", "9").code == 0)
    let resumed = try server.quiver("event", "resume", id)
    #expect(resumed.output == "the shooting of event \(id) goes on\n")
    #expect(try server.quiver("event", "resume", id).code != 0)
    let pauses = try server.quiver("event", "pauses", id)
    #expect(pauses.output.split(separator: "\n").count == 2 && pauses.output.contains("lightning"))

    // The archers without an end hold up the line.
    let held = Self.rows(try server.quiver("event", "line", id).output)
    #expect(held.count == 3 && held[0].first == "SESSION")
    let alone = entries.filter { ($0["target"] as? Int) == (ann["target"] as? Int) }.count == 1
    #expect(held[1][2] == "0" && held[2][2] == (alone ? "1" : "0"))
    #expect(held.dropFirst().allSatisfy { $0[0] == "morning" })
    #expect(try server.quiver("event", "line", id, "--session", "999").output.hasPrefix("SESSION"))
  }

  @Test("An event is created with the structure of an earlier one, and without its entries")
  func template() throws {
    let server = try RunningServer()
    let id = try Self.event(server, "Spring")
    #expect(
      try server.quiver(
        "event", "category", id, "RM", "--bow", "recurve", "--name", "Recurve men"
      ).code == 0)
    let two = try server.quiver("event", "category", id, "R2", "--round", "wa18", "--json").json()
    let category = try #require(two["id"] as? String)
    #expect(
      try server.quiver(
        "event", "add-round", id, category, "--round", "wa18", "--revision", "1"
      ).code == 0)
    _ = try Self.session(server, id)
    #expect(
      try server.quiver(
        "event", "session", id, "day 2", "--first", "5", "--last", "9", "--archers", "4",
        "--number", "2"
      ).code == 0)
    #expect(try server.quiver("event", "lease", id, "--on").code == 0)
    let blocked = try server.quiver(
      "event", "places", id, "day 2", "--block", "6", "--block", "7C", "--wheelchair", "5")
    #expect(blocked.code == 0, "\(blocked.errors)")
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    try "bib,name\n1,Ann\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", id, file).code == 0)

    let made = try server.quiver(
      "event", "create", "Autumn", "--from", id, "--on", "2030-09-14", "--json")
    #expect(made.code == 0, "\(made.errors)")
    let copy = try #require(try made.json()["id"] as? String)
    #expect(try made.json()["name"] as? String == "Autumn" && copy != id)
    let categories = try server.quiver("event", "categories", copy).output
    for text in ["ALL", "RM", "Recurve men", "2 rounds, 120 arrows"] {
      #expect(categories.contains(text), "\(text) in \(categories)")
    }
    let sessions = try #require(
      try server.quiver("event", "sessions", copy, "--json").json()["sessions"] as? [[String: Any]])
    #expect(sessions.compactMap { $0["name"] as? String }.sorted() == ["day 2", "morning"])
    #expect(sessions.compactMap { $0["lastTarget"] as? Int }.sorted() == [2, 9])
    let day = try #require(sessions.first { $0["name"] as? String == "day 2" })
    #expect(day["blockedPlaces"] as? [String] == ["6", "7C"])
    #expect(day["wheelchairTargets"] as? [Int] == [5])
    #expect(try server.quiver("event", "sessions", copy).output.contains("2030-09-14"))
    #expect(try server.quiver("event", "codes", copy, sessions[0]["id"] as? String ?? "").code == 0)
    let entries = try server.quiver("event", "entries", copy)
    #expect(entries.output.split(separator: "\n").count == 1)

    #expect(try server.quiver("event", "create", "Autumn").code != 0)
    #expect(try server.quiver("event", "create", "Autumn", "--from", "999").code != 0)
    #expect(
      try server.quiver("event", "create", "Autumn", "--from", id, "--on", "2030-02-30").code != 0)
  }
}
