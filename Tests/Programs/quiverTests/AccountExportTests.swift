import Foundation
import TestSupport
import Testing

@Suite("quiver account export", .timeLimit(.minutes(20)))
struct AccountExportTests {
  @Test("The file has one line of JSON for each record, and only its owner can read it")
  func exported() throws {
    let server = try RunningServer()
    let riser = #"{"riser":{"brand":"Hoyt","model":"Formula"}}"#
    #expect(try server.quiver("call", "CreateRiser", riser).code == 0)
    let preference = #"{"preference":{"key":"range","value":"ALL_TIME"}}"#
    #expect(try server.quiver("call", "SetPreference", preference).code == 0)
    let path = server.directory.path + "/mine.jsonl"
    let run = try server.quiver("account", "export", path)
    #expect(run.code == 0 && run.output.isEmpty && run.errorLines == ["4 records"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    let records = try text.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
    #expect(
      records.map { $0["type"] as? String } == [
        "quiver.v1.Profile", "quiver.v1.Preference", "quiver.v1.Riser", "quiver.v1.Token",
      ])
    let values = records.map { $0["value"] as? [String: Any] ?? [:] }
    #expect(values.dropLast().last?["brand"] as? String == "Hoyt")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    let again = try server.quiver("account", "export", path)
    #expect(again.code == 64 && again.errors.contains("cannot write \(path)"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(try server.quiver("account", "export", "-").output == text)
  }

  @Test("A failed export leaves no file")
  func failed() throws {
    let server = try RunningServer()
    let path = server.directory.path + "/mine.jsonl"
    let token = try server.directory.file("bad.token", "qv_" + String(repeating: "A", count: 43))
    let run = try server.run(["account", "export", path], tokenFile: token)
    #expect(run.code == 80)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A token with the scope read exports and cannot change anything")
  func scope() throws {
    let server = try RunningServer()
    let made = try server.quiver("token", "create", "--principal", "1", "--scope", "read")
    #expect(made.code == 0)
    let token = try server.directory.file("read.token", made.output)
    #expect(try server.run(["account", "export", "-"], tokenFile: token).code == 0)
    let riser = #"{"riser":{"brand":"Hoyt","model":"Formula"}}"#
    let refused = try server.run(["call", "CreateRiser", riser], tokenFile: token)
    #expect(refused.code == 64 + 7)
    let wrong = try server.quiver("token", "create", "--principal", "1", "--scope", "rule")
    #expect(wrong.code == 64)
  }
}
