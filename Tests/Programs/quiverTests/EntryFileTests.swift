import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("Files of entries", .timeLimit(.minutes(10)))
struct EntryFileTests {
  private static func event(_ server: RunningServer, _ name: String) throws -> (String, String) {
    let made = try server.quiver(
      "tournament", "create", name, "--round", "wa18", "--arrows", "3", "--json"
    ).json()
    let id = try #require(made["id"] as? String)
    #expect(try server.quiver("event", "category", id, "RM", "--bow", "recurve").code == 0)
    let line = try server.quiver(
      "event", "session", id, "morning", "--in", "1h", "--first", "1", "--last", "4", "--archers",
      "2", "--json"
    ).json()
    return (id, try #require(line["id"] as? String))
  }

  @Test("What an event exports of its entries another one imports, with all that they say")
  func roundTrip() throws {
    let server = try RunningServer()
    let directory = try TemporaryDirectory()
    let (first, line) = try Self.event(server, "First")
    let file = directory.path + "/entries.csv"
    let head = "bib,name,category,session,target,letter,bow,gender,age,face,shown,fixed,wheelchair"
    let list = """
      \(head)
      1,Ann,RM,\(line),2,A,barebow,female,under-18,triple,initials,yes,yes
      2,"Ben, =1",RM,\(line),,,,,,,,no,

      """
    try list.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", first, file).output == "2 entries\n")
    let exported = try server.quiver("event", "export", first, "entries", "-").output
    let lines = exported.split(whereSeparator: \.isNewline)
    #expect(
      lines.count == 3 && lines[0].hasSuffix("state,bow,gender,age,face,shown,fixed,wheelchair"),
      "\(lines[0])")
    #expect(lines[1].hasSuffix("entered,barebow,female,under-18,triple,initials,yes,yes"))
    #expect(lines[2].hasSuffix("entered,,,,,,,"))
    let (second, other) = try Self.event(server, "Second")
    let copy = exported.replacing(",\(line),", with: ",\(other),")
    try copy.write(toFile: file, atomically: true, encoding: .utf8)
    for _ in 0..<2 {
      #expect(try server.quiver("event", "import", second, file).output == "2 entries\n")
    }
    #expect(try server.quiver("event", "export", second, "entries", "-").output == copy)
  }

  @Test("Places are blocked, wheelchairs are drawn to their targets, and the list shows both")
  func places() throws {
    let server = try RunningServer()
    let (event, line) = try Self.event(server, "Club")
    let directory = try TemporaryDirectory()
    let file = directory.path + "/entries.csv"
    let list = "bib,name,session,wheelchair\n1,Ann,\(line),yes\n2,Ben,\(line),\n"
    try list.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try server.quiver("event", "import", event, file).output == "2 entries\n")
    let set = try server.quiver(
      "event", "places", event, line, "--block", "1", "--block", "2B", "--wheelchair", "3")
    #expect(set.output == "the places of session \(line) are set\n", "\(set.errors)")
    let sessions = try server.quiver("event", "sessions", event)
    #expect(sessions.output.contains("BLOCKED") && sessions.output.contains("2B"))
    let drawn = try server.quiver("event", "draw", event, line, "random", "--json").json()
    let entries = try #require(drawn["entries"] as? [[String: Any]])
    let targets = entries.map { "\($0["bib"] ?? "") \($0["target"] ?? "")" }
    #expect(targets.contains("1 3") && !targets.contains("2 1"), "\(targets)")
    let plain = try server.quiver("event", "entry", "Ann", "--event", event, "--wheelchair", "no")
    #expect(plain.code == 0, "\(plain.errors)")
    let wrong = try server.quiver("event", "places", event, line, "--block", "9Z")
    #expect(wrong.code != 0 && wrong.errors.contains("--block 9Z"))
  }
}
