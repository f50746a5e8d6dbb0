import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("quiver and quiverd, end to end", .timeLimit(.minutes(20)))
struct EndToEndTests {
  private static let riser = #"{"riser":{"brand":"Hoyt","model":"Formula","lengthIn":25}}"#

  @Test("A riser is created, listed, kept after a restart, updated and deleted")
  func riserLife() throws {
    let server = try RunningServer()
    let created = try server.quiver("call", "quiver.v1.Equipment/CreateRiser", Self.riser)
    #expect(created.code == 0 && created.errors.isEmpty)
    let riser = try created.json()
    let id = try #require(riser["id"] as? String)
    #expect(riser["brand"] as? String == "Hoyt" && riser["revision"] as? String == "1")

    try server.restart()
    let listed = try server.quiver("call", "ListItems", "{}").json()
    let items = try #require(listed["items"] as? [[String: Any]])
    #expect(items.count == 1 && items[0]["id"] as? String == id)
    #expect(items[0]["displayModel"] as? String == "Formula")

    let update = #"{"riser":{"id":"\#(id)","revision":1,"notes":"kept"},"updateMask":["notes"]}"#
    let changed = try server.quiver("call", "Equipment/UpdateRiser", update)
    #expect(try changed.json()["notes"] as? String == "kept")
    #expect(try changed.json()["revision"] as? String == "2")

    let stale = try server.quiver("call", "Equipment/UpdateRiser", update)
    #expect(stale.code == 64 + 10 && stale.output.isEmpty)
    #expect(stale.errorLines.first?.hasPrefix("quiver: ABORTED: ") == true)
    #expect(stale.errorLines.last?.hasPrefix(#"{"type":"quiver.v1.Riser","value":{"id":"#) == true)

    #expect(try server.quiver("call", "DeleteRiser", #"{"id":\#(id)}"#).output == "{}\n")
    let gone = try server.quiver("call", "GetRiser", #"{"id":\#(id)}"#)
    #expect(gone.code == 69 && gone.errorLines.count == 1)
    #expect(gone.errors.hasPrefix("quiver: NOT_FOUND: "))
  }

  @Test("account usage shows what is stored and the limits, as a table and as JSON")
  func usage() throws {
    let server = try RunningServer()
    func rows() throws -> [String: [String]] {
      let run = try server.quiver("account", "usage")
      #expect(run.code == 0 && run.errors.isEmpty)
      let lines = run.output.split(separator: "\n").map {
        $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      }
      #expect(lines.first == ["STORED", "LIMIT"])
      return Dictionary(
        lines.dropFirst().map { line in
          let name = line.prefix { Int($0) == nil && $0 != "none" && $0 != "-" }
          return (name.joined(separator: " "), Array(line.dropFirst(name.count)))
        }, uniquingKeysWith: { first, _ in first })
    }
    let before = try rows()
    #expect(
      Set(before.keys) == [
        "bytes", "rows", "bytes in a minute", "idempotency keys", "bytes of keys",
      ])
    #expect(before["bytes in a minute"] == ["-", "16777216"])
    #expect(before["rows"]?.last == "4000000" && before["bytes"]?.last == "268435456")
    #expect(try server.quiver("call", "CreateRiser", Self.riser).code == 0)
    let after = try rows()
    let stored = try [before, after].map { try #require($0["rows"]?.first.flatMap { Int($0) }) }
    #expect(stored[1] == stored[0] + 1)
    let json = try server.quiver("account", "usage", "--json").json()
    #expect(json["storedRows"] as? String == "\(stored[1])")
    #expect(json["storedRowsLimit"] as? String == "4000000")
    #expect(try server.quiver("account", "usage", "extra").code == 64)
  }

  @Test("A watch ends when its token expires")
  func expiredToken() throws {
    let server = try RunningServer()
    let end = Int64(Date().timeIntervalSince1970 * 1_000) + 5_000
    let made = try server.quiver(
      "call", "Admin/CreateToken", #"{"principalId":1,"label":"short","expiresAtMs":\#(end)}"#)
    let secret = try #require(try made.json()["secret"] as? String)
    let file = server.directory.path + "/short.token"
    try Data(secret.utf8).write(to: URL(filePath: file))
    let run = try server.run(["call", "--compact", "Equipment/WatchHub"], tokenFile: file)
    #expect(run.output.contains("\"hub\""))
    #expect(run.code == 64 + 16)
    #expect(run.errors.contains("UNAUTHENTICATED"), "\(run.errors)")
  }

  @Test("Zeros are printed, on several lines or on one")
  func zeros() throws {
    let server = try RunningServer()
    let pretty = try server.quiver("call", "ListItems")
    #expect(pretty.output == "{\n  \"items\": [],\n  \"nextPageToken\": \"\"\n}\n")
    let compact = try server.quiver("call", "--compact", "ListItems", "-d", "{}")
    #expect(compact.output == "{\"items\":[],\"nextPageToken\":\"\"}\n")
  }

  @Test("Streams are called with lines of JSON and print one line per message")
  func streams() throws {
    let server = try RunningServer()
    let source = try server.quiver("call", "--compact", "Source", #"{"sizes":[1,0,2]}"#)
    #expect(
      source.output.split(separator: "\n").map { $0.contains(#""number":""#) } == [
        true, true, true,
      ])
    #expect(source.code == 0 && source.errors.isEmpty)

    let lines = #"{"number":1}"# + "\n\n" + #"{"number":2,"payload":"AAEC"}"# + "\n"
    for input in [nil, lines] {
      let words = input == nil ? lines : "@-"
      let sink = try server.quiver("call", "Sink", "-d", words, input: input)
      let answer = try sink.json()
      #expect(answer["messageCount"] as? String == "2" && answer["payloadBytes"] as? String == "3")
      let echo = try server.quiver("call", "--compact", "EchoStream", "-d", words, input: input)
      #expect(echo.output.contains(#""number":"1""#) && echo.output.contains(#""number":"2""#))
      #expect(echo.output.split(separator: "\n").count == 2)
    }
  }

  @Test("An endless stream is read up to a limit, and its failure is printed")
  func endlessStream() throws {
    let server = try RunningServer()
    let some = try server.quiver(
      "call", "--compact", "--max", "3", "Source", #"{"count":"1000000000"}"#)
    #expect(some.code == 0 && some.output.split(separator: "\n").count == 3)
    let watch = try server.quiver("call", "--max", "1", "WatchHub")
    #expect(watch.code == 0 && watch.output.contains(#""snapshot": true"#))
    let failed = try server.quiver(
      "call", "FailSource", #"{"code":9,"message":"no","afterMessages":2}"#)
    #expect(failed.code == 64 + 9 && failed.output == "{}\n{}\n")
    let bad = try server.quiver("call", "EchoStream", "-d", #"{"number":1}"# + "\n{oops\n")
    #expect(bad.code == 64 && bad.errors.contains("bad JSON for quiver.v1.EchoMessage"))
    let late = try server.quiver(
      "call", "--timeout", "50ms", "Source", #"{"count":3,"intervalMs":60000}"#)
    #expect(late.code == 64 + 4)
    let zero = try server.quiver("call", "--max", "0", "WatchHub")
    #expect(zero.code == 64 && zero.errors.contains("--max"))
  }

  @Test("A request is read from an argument, a file or standard input")
  func requests() throws {
    let server = try RunningServer()
    let text = #"{"text":"é","number":"18446744073709551615"}"#
    let file = try server.directory.file("request.json", text)
    let runs = [
      try server.quiver("call", "Diagnostics/Echo", text),
      try server.quiver("call", "Diagnostics/Echo", "-d", text),
      try server.quiver("call", "Diagnostics/Echo", "-d", "@\(file)"),
      try server.quiver("call", "Diagnostics/Echo", "-d", "@-", input: text),
      try server.quiver("call", "Diagnostics.Echo", "-d=@-", input: text),
    ]
    for run in runs {
      #expect(run.code == 0)
      #expect(try run.json()["text"] as? String == "é")
      #expect(try run.json()["number"] as? String == "18446744073709551615")
    }
  }

  @Test("Each failure has an exit code and a message")
  func failures() throws {
    let server = try RunningServer()
    let table: [([String], Int32, String)] = [
      (["call", "ListItems", "{"], 64, "bad JSON"),
      (["call", "ListItems", #"{"pageSiz":1}"#], 64, "pageSiz"),
      (["call", "CreateRiser", #"{"riser":{"lengthIn":"x"}}"#], 64, "riser.lengthIn"),
      (["call", "ListItms"], 64, "near are quiver.v1.Equipment/ListItems"),
      (["call", "ListItems", "-d", "@absent.json"], 64, "absent.json"),
      (["call", "CreateRiser", "{}"], 67, "INVALID_ARGUMENT: riser"),
      (["call", "Delay", #"{"delayMs":60000}"#, "--timeout", "50ms"], 68, "DEADLINE_EXCEEDED"),
      (["call", "GetRiser", #"{"id":7}"#], 69, "NOT_FOUND"),
      (["health", "Nothing"], 69, "NOT_FOUND"),
      (["token", "revoke", "77"], 69, "NOT_FOUND"),
      (["methods", "--token-file", "absent.token"], 64, "absent.token"),
      (["methods", "--server", "nowhere"], 64, "HOST:PORT"),
      (["describe", "Risr"], 64, "quiver.v1.Riser"),
      (["callme"], 64, "did you mean call?"),
      (["call", "ListItems", "--compat"], 64, "did you mean --compact?"),
      (["call"], 64, "METHOD"),
      (["token"], 64, "create, list, rotate, revoke"),
      ([], 64, "a command is missing"),
    ]
    for (arguments, code, text) in table {
      let run = try server.run(arguments)
      #expect(run.code == code, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
      #expect(run.errors.hasPrefix("quiver: ") && run.output.isEmpty)
    }
  }

  @Test("Each status code exits with 64 plus its number, and prints details as JSON")
  func codes() throws {
    let server = try RunningServer()
    for code in StatusCode.known where code != .ok {
      let request =
        #"{"code":\#(code.rawValue),"message":"two\nlines","retryAfterMs":-1,"#
        + #""details":[{"type":"quiver.v1.EchoMessage","value":"EgFB"},"#
        + #"{"type":"a.B","value":"AQ=="}]}"#
      let run = try server.quiver("call", "Diagnostics/Fail", request)
      #expect(run.code == 64 + Int32(code.rawValue))
      let source =
        code == .unauthenticated ? " (the token is from the file data/admin.token)" : ""
      #expect(
        run.errorLines == [
          "quiver: \(code.name): two lines (do not try again)\(source)",
          #"{"type":"quiver.v1.EchoMessage","value":{"payload":"","text":"A","number":"0"}}"#,
          #"{"type":"a.B","bytes":"AQ=="}"#,
        ])
    }
  }

  @Test("Without a server the command exits with 78, at once and after waiting")
  func unavailable() throws {
    let directory = try TemporaryDirectory()
    let server = "unix:\(directory.path)/nobody"
    for arguments in [["methods"], ["health"], ["health", "--wait", "1"]] {
      let run = try Run(arguments + ["--server", server], in: directory)
      #expect(run.code == 78)
      #expect(run.errors.hasPrefix("quiver: UNAVAILABLE: ") && run.errors.contains(server))
    }
  }

  @Test("health --wait succeeds when a server starts later")
  func waiting() throws {
    let directory = try TemporaryDirectory()
    let address = "unix:\(directory.path)/socket"
    let waiting = try Run.Started(
      ["health", "--wait", "300", "--server", address], in: directory)
    let server = try RunningServer(listen: address)
    let run = waiting.end()
    #expect(run.code == 0 && run.output == "SERVING\n" && run.errors.isEmpty)
    #expect(try server.quiver("health", "Equipment").output == "SERVING\n")
    #expect(try server.quiver("health", "quiver.v1.Admin", "--wait").code == 0)
  }

  @Test("methods and describe print what reflection returns")
  func reflection() throws {
    let server = try RunningServer()
    let methods = try server.quiver("methods").output
    for method in ServiceCatalogue.archery.methods { #expect(methods.contains(method.name)) }
    let listed = try server.quiver("methods", "--json").json()
    #expect((listed["methods"] as? [Any])?.count == ServiceCatalogue.archery.methods.count)
    let riser = try server.quiver("describe", "Riser").output
    #expect(riser.hasPrefix("message quiver.v1.Riser {\n  int64 id = 1;  // from the server\n"))
    #expect(riser.contains("optional double length_in = 16;  // above 0, at most 100"))
    let method = try server.quiver("describe", "Equipment/ListItems").output
    #expect(method.contains("rpc ListItems(quiver.v1.ListItemsRequest)"))
    #expect(method.contains("repeated quiver.v1.EquipmentItem items = 1;"))
    #expect(
      try server.quiver("describe", "ServingStatus").output.contains("SERVING_STATUS_SERVING = 1;"))
    #expect(
      try server.quiver("describe", "quiver.v1.Equipment").output.contains("mutating"))
  }

  @Test("The token is found in its usual places, and a missing one is reported")
  func tokenFiles() throws {
    let server = try RunningServer()
    let directory = try TemporaryDirectory()
    let bare = try Run(["methods", "--server", server.address], in: directory)
    #expect(bare.code == 80 && bare.errors.contains("--token-file FILE"))
    let token = try String(
      contentsOfFile: server.directory.path + "/data/admin.token", encoding: .utf8)
    let folder = directory.path + "/.config/quiver"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    _ = try directory.file(".config/quiver/token", token)
    #expect(try Run(["methods", "--server", server.address], in: directory).code == 0)
    let empty = try directory.file("empty", "\n")
    let run = try Run(
      ["methods", "--server", server.address, "--token-file", empty], in: directory)
    #expect(run.code == 64 && run.errors.contains(empty))
    let bad = try directory.file("bad", "qv_bad")
    let refused = try server.run(["methods"], tokenFile: bad)
    #expect(refused.code == 80 && !refused.errors.contains("qv_bad"))
  }

  @Test("A token is created, accepted and listed, and revoking it ends its connection")
  func tokens() async throws {
    let server = try RunningServer()
    let made = try server.quiver(
      "token", "create", "--name", "Ada", "--kind", "user", "--label", "phone", "--expires", "30d")
    #expect(made.code == 0 && made.output.hasPrefix("qv_"))
    #expect(made.errors.contains("user Ada") && !made.errors.contains("qv_"))
    let file = try server.directory.file("ada.token", made.output)
    #expect(try server.run(["call", "ListItems"], tokenFile: file).code == 0)
    #expect(try server.run(["token", "list"], tokenFile: file).code == 64 + 7)

    let rows = try server.quiver("token", "list", "--json").json()["tokens"] as? [[String: Any]]
    let row = try #require(rows?.first { $0["label"] as? String == "phone" })
    let id = try #require(row["id"] as? String)
    let principal = try #require(row["principalId"] as? String)
    let more = try server.quiver("token", "create", "--principal", principal, "--json").json()
    #expect((more["secret"] as? String)?.hasPrefix("qv_") == true)
    let table = try server.quiver("token", "list", "--principal", principal).output
    #expect(table.split(separator: "\n").count == 3 && table.contains("phone"))

    let secret = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    let client = try RPCClient(.init(server: server.address, token: secret))
    _ = try await client.call(Diagnostics.echo, EchoMessage())
    let open = Task { () -> StatusCode in
      var request = DelayRequest()
      request.delayMilliseconds = 600_000
      do throws(RPCError) {
        _ = try await client.call(
          Diagnostics.delay, request, options: CallOptions(timeout: .seconds(600)))
        return .ok
      } catch {
        return error.code
      }
    }
    #expect(try server.quiver("token", "revoke", id).output == "token \(id) is revoked\n")
    #expect(await open.value == .unauthenticated)
    #expect(try server.run(["call", "ListItems"], tokenFile: file).code == 80)
  }

  @Test("An idempotency key returns the same reply again, and is refused for another request")
  func keys() throws {
    let server = try RunningServer()
    let key = ["--idempotency-key", "000102030405060708090a0b0c0d0e0f"]
    let first = try server.run(["call", "CreateRiser", Self.riser] + key)
    let second = try server.run(["call", "CreateRiser", Self.riser] + key)
    #expect(first.code == 0 && first.output == second.output)
    let other = try server.run(
      ["call", "CreateRiser", #"{"riser":{"brand":"A","model":"B"}}"#] + key)
    #expect(other.code == 70)
    let third = try server.run(["call", "CreateRiser", Self.riser])
    #expect(third.code == 0 && third.output != first.output)
  }

  @Test(
    "Every command has help",
    arguments: [
      [], ["call"], ["methods"], ["describe"], ["health"], ["token", "create"], ["token", "list"],
      ["token", "revoke"], ["token"],
    ])
  func help(_ words: [String]) throws {
    let directory = try TemporaryDirectory()
    for arguments in [words + ["--help"], ["help"] + words, ["-h"] + words] {
      let run = try Run(arguments, in: directory)
      #expect(run.code == 0 && run.errors.isEmpty)
      #expect(run.output.hasPrefix("usage: quiver ") && run.output.contains("`quiver "))
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
    let flags = try Run(["help", "flags"], in: directory)
    #expect(flags.code == 0 && flags.output.contains("--server ADDRESS"))
    #expect(try Run(["--version"], in: directory).output.hasPrefix("quiver "))
  }
}
