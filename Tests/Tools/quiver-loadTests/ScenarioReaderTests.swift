import Foundation
import QuiverJSON
import Testing

@testable import quiver_load

@Suite("Scenario files", .timeLimit(.minutes(5)))
struct ScenarioReaderTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "tools/load")

  @Test("The schema that ships is the one that is checked against")
  func schemaFile() throws {
    let file = try String(
      contentsOf: Self.folder.appending(path: "scenario.schema.json"), encoding: .utf8)
    #expect(file == ScenarioSchema.text)
    _ = try JSONSerialization.jsonObject(with: Data(file.utf8))
  }

  @Test(
    "Schema and reader take the same times",
    arguments: [
      ("1ms", 0.001), ("500ms", 0.5), ("10s", 10), ("1.5s", 1.5), ("0.25m", 15),
      ("999h", 3_596_400),
      ("999999s", 999_999), ("999999999ms", 999_999.999), ("0.0000000000000001s", 1e-16),
      ("0s", 0), ("0.0ms", 0), ("0h", 0), ("1000h", nil), ("1000000s", nil), ("10000m", nil),
      ("1e3ms", nil), ("+5s", nil), ("-5s", nil), (" 5s", nil), ("5 s", nil), ("5s\n", nil),
      ("05s", nil), ("00s", nil), (".5s", nil), ("5.s", nil), ("1.2.3s", nil), ("0x1s", nil),
      ("infs", nil), ("nans", nil), ("s", nil), ("", nil), ("5", nil), ("5d", nil), ("٥s", nil),
      ("0.00000000000000000001s", nil), ("1,5s", nil), ("5S", nil),
    ] as [(String, Double?)])
  func times(text: String, seconds: Double?) throws {
    #expect(Options.seconds(text, orNone: true) == seconds)
    #expect(Options.seconds(text) == (seconds == 0 ? nil : seconds))
    let schema = try JSONValue(reading: Array(ScenarioSchema.text.utf8))
    let cases = [("duration", (seconds ?? 0) > 0), ("duration_or_none", seconds != nil)]
    for (name, isTaken) in cases {
      let definition = try #require(schema["$defs"]?[name])
      let pattern = try #require(definition["pattern"]?.text)
      let most = try #require(definition["maxLength"]?.number)
      // By another engine than the reader's.
      let whole = try NSRegularExpression(pattern: pattern.dropLast() + "\\z").firstMatch(
        in: text, range: NSRange(location: 0, length: text.utf16.count))
      #expect((whole != nil && Double(text.count) <= most) == isTaken, "\(name)")
      do throws(SchemaCheck.Fault) {
        try SchemaCheck.check(.string(text), against: definition)
        #expect(isTaken, "\(name)")
      } catch {
        #expect(!isTaken, "\(name): \(error)")
      }
    }
  }

  @Test("A warm-up and a pause may be none, and a stage may not")
  func none() throws {
    let none = try ScenarioReader.scenario(
      Array(Self.scenario(Self.mix(#", "think": {"constant": "0s"}"#), #", "warm_up": "0s""#).utf8))
    #expect(none.warmUpSeconds == 0 && none.roles[0].think == .none)
    let stage =
      #"{"version": 1, "name": "t", "stages": [{"shape": "hold", "duration": "0s"}],"#
      + #" "roles": [\#(Self.idle)]}"#
    #expect(throws: ScenarioReader.Fault.self) { try ScenarioReader.scenario(Array(stage.utf8)) }
  }

  @Test("Roles with random arrivals arrive each by itself, and the same each time")
  func arrivals() throws {
    func role(_ name: String) -> String {
      #"{"kind": "mix", "name": "\#(name)", "rate": 100, "arrivals": "poisson", "methods": ["#
        + #"{"method": "M"}]}"#
    }
    func times(_ index: Int) throws -> [Double] {
      let scenario = try ScenarioReader.scenario(
        Array(Self.scenario(role("a") + ", " + role("b")).utf8))
      var arrivals = try #require(scenario.arrivals(of: scenario.roles[index]))
      return (0..<10).map { _ in
        defer { arrivals.advance() }
        return arrivals.next
      }
    }
    #expect(try times(0) == times(0))
    #expect(try Set(times(0)).isDisjoint(with: times(1)))
  }

  @Test(
    "The scenarios that ship are read", arguments: ["smoke", "mixed", "event-day", "event-finals"])
  func shipped(name: String) throws {
    let scenario = try ScenarioReader.scenario(
      file: Self.folder.appending(path: "scenarios/\(name).json").path)
    #expect(scenario.name == name && scenario.verifies && scenario.needsEvent)
    #expect(scenario.roles.count >= (name == "event-finals" ? 6 : 8))
  }

  @Test("What a file says is what is run")
  func values() throws {
    let scenario = try ScenarioReader.scenario(
      Array(
        Self.scenario(
          #"{"kind": "mix", "name": "m", "actors": 3, "rate": 20, "arrivals": "poisson","#
            + #" "think": {"uniform": ["1s", "2s"]}, "methods": [{"method": "Echo", "weight": 2}],"#
            + #" "stages": [{"shape": "spike", "duration": "2s", "rate": 50}]}"#
        ).utf8))
    let role = try #require(scenario.roles.first)
    #expect(role.actors == 3 && role.rate == 20 && role.arrivals == .poisson)
    #expect(role.think == .uniform(1, 2) && role.stages?.first?.level == 2.5)
    #expect(scenario.seconds == 2 && scenario.warmUpSeconds == 0 && !scenario.verifies)
  }

  private static func scenario(_ role: String, _ more: String = "") -> String {
    #"{"version": 1, "name": "t", "stages": [{"shape": "hold", "duration": "1s"}],"#
      + #" "roles": [\#(role)]\#(more)}"#
  }

  private static let idle = #"{"kind": "idle", "name": "i"}"#
  private static func mix(_ more: String) -> String {
    #"{"kind": "mix", "name": "m", "methods": [{"method": "M"}]\#(more)}"#
  }

  @Test(
    "A fault names its place, its limit and the cure",
    arguments: [
      ("[1", ["not JSON", "line 1"]),
      ("{}", ["the scenario", "\"version\""]),
      (#"{"version": 2, "name": "t", "stages": [], "roles": []}"#, ["version must be 1, not 2"]),
      (
        scenario(idle, #", "speed": 1"#), ["speed is not known here", "warm_up"]
      ),
      (scenario(idle + ", " + idle), ["roles[1].name", "name them apart"]),
      (
        scenario(#"{"kind": "idle", "name": "i", "actors": 0}"#),
        ["roles[0].actors must be 1 to 20000, not 0"]
      ),
      (
        scenario(#"{"kind": "idle", "name": "i", "actors": 1.5}"#),
        ["roles[0].actors must be a whole number, not 1.5"]
      ),
      (scenario(#"{"kind": "idle"}"#), ["roles[0] has no \"name\""]),
      (
        scenario(#"{"kind": "archer", "name": "i"}"#),
        ["roles[0].kind must be one of mix, sequence", "\"archer\""]
      ),
      (scenario(#"{"name": "i"}"#), ["roles[0].kind", "absent"]),
      (scenario(mix(#", "rate": -1"#)), ["roles[0].rate must be 0.01 to 1000000, not -1"]),
      (scenario(mix(#", "timeout": "10""#)), ["roles[0].timeout", "500ms, 1.5s or 5m"]),
      (scenario(mix(#", "name": "again""#)), ["roles[0].name occurs twice"]),
      (scenario(mix(#", "think": {}"#)), ["roles[0].think is empty", "constant"]),
      (
        scenario(mix(#", "think": {"uniform": ["2s", "1s"]}"#)),
        ["roles[0].think.uniform", "shorter"]
      ),
      (
        scenario(#"{"kind": "scorers", "name": "s"}"#), ["event is missing", "\"entries\""]
      ),
      (
        scenario(#"{"kind": "matches", "name": "m"}"#, #", "event": {"entries": 5}"#),
        ["roles[0]", "no bracket", "\"finals\""]
      ),
      (
        scenario(
          mix(#", "rate": 1"#), #", "event": {"entries": 5, "finals": {"archers": 129}}"#),
        ["event.finals.archers", "128"]
      ),
      (
        scenario(
          #"{"kind": "scorers", "name": "s"}, {"kind": "scorers", "name": "t"}"#,
          #", "event": {"entries": 5}"#),
        ["roles[1]", "more actors"]
      ),
      (
        scenario(
          #"{"kind": "scorers", "name": "s", "accounts": true, "actors": 6}"#,
          #", "event": {"entries": 5}"#),
        ["roles[0].actors", "make it 1 to 5"]
      ),
      (
        scenario(
          #"{"kind": "subscribers", "name": "w", "method": "M", "actors": 101, "#
            + #""connections": 1}"#),
        ["roles[0].connections", "make it 2"]
      ),
      (
        scenario(#"{"kind": "mix", "name": "m", "connections": 2, "methods": [{"method": "M"}]}"#),
        ["roles[0].connections", "more than its 1 actors"]
      ),
      (
        scenario(#"{"kind": "sequence", "name": "s", "steps": [{"think": {"constant": "1s"}}]}"#),
        ["roles[0].steps makes no call"]
      ),
      (
        scenario(#"{"kind": "sequence", "name": "s", "steps": [{"wait": 1}]}"#),
        ["roles[0].steps[0]", "\"call\" or \"think\""]
      ),
      (
        scenario(
          #"{"kind": "sequence", "name": "s", "steps": [{"call": "M", "capture": "#
            + #"{"a": "b[x]"}}]}"#),
        ["roles[0].steps[0].capture.a", "items[0].id"]
      ),
      (
        scenario(
          #"{"kind": "sequence", "name": "s", "steps": [{"call": "M", "body": {"id": "${a}"}}]}"#),
        ["roles[0].steps[0].body: ${a} stands for nothing"]
      ),
      (
        scenario(
          #"{"kind": "mix", "name": "m", "methods": [{"method": "M", "body": {"id": "${a"}}]}"#),
        ["roles[0].methods[0].body.id", "no }"]
      ),
      (
        scenario(
          #"{"kind": "mix", "name": "m", "methods": [{"method": "M", "body": {"n": "#
            + #"["${random:5:1}"]}}]}"#),
        ["roles[0].methods[0].body.n[0]", "${random:1:10}"]
      ),
      (
        scenario(idle, #", "objectives": "p99""#), ["objectives", "p99<5ms"]
      ),
      (scenario(idle, #", "warm_up": "1s""#), ["warm_up is not shorter"]),
      (
        #"{"version": 1, "name": "t", "roles": [\#(idle)], "stages": [{"shape": "hold", "#
          + #""duration": "1s", "rate": 5}]}"#,
        ["stages[0].rate", "say share"]
      ),
      (
        scenario(#"{"kind": "misbehaving", "name": "b", "acts": ["shouting"]}"#),
        ["roles[0].acts[0] must be one of", "\"shouting\""]
      ),
    ])
  func faults(json: String, parts: [String]) {
    do throws(ScenarioReader.Fault) {
      _ = try ScenarioReader.scenario(Array(json.utf8))
      Issue.record("\(json) was taken")
    } catch {
      for part in parts { #expect(error.description.contains(part), "\(error)") }
    }
  }

  @Test("A file that is not there is refused by its name")
  func noFile() {
    do throws(Failure) {
      _ = try ScenarioReader.scenario(file: "/nowhere/s.json")
      Issue.record("it was read")
    } catch {
      #expect(error.code == .usage && error.sentence.contains("/nowhere/s.json"))
    }
  }
}
