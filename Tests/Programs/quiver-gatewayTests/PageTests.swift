import ChildProcesses
import Foundation
import QuiverGateway
import QuiverObservability
import TestSupport
import Testing

@testable import quiver_gateway

@Suite("The tables of docs/gateway.md", .timeLimit(.minutes(5)))
struct PageTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The rows of the tables of a section, or of all, as texts without backquotes.
  private static func rows(of section: String? = nil) throws -> [[String]] {
    let page = try String(
      contentsOf: repository.appending(path: "docs/gateway.md"), encoding: .utf8)
    let sections = page.components(separatedBy: "\n## ")
    let text = section.flatMap { name in sections.first { $0.hasPrefix(name + "\n") } } ?? page
    return text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
      }
    }
  }

  @Test("The table of events has every event with its level, and no other")
  func events() throws {
    let listed = try Self.rows().filter {
      $0.count == 3 && ["error", "warning", "info", "debug"].contains($0[1])
    }
    #expect(Set(listed.map { $0[0] }) == Set(Event.allCases.map(\.rawValue)))
    #expect(listed.count == Event.allCases.count, "an event is listed once")
    for event in Event.allCases {
      #expect(listed.first { $0[0] == event.rawValue }?[1] == event.level.rawValue)
    }
  }

  @Test("The table of limits has every limit that is counted, by its name")
  func limits() throws {
    let listed = try Self.rows(of: "Limits").dropFirst(2)
    let names = listed.flatMap { $0[2].components(separatedBy: ", ") }
    #expect(Set(names) == Set(GatewayLimit.allCases.map(\.name)))
    #expect(names.count == GatewayLimit.allCases.count, "a limit is listed once")
  }

  @Test("The table of metrics has every metric with its type, and no other")
  func metrics() throws {
    let gateway = try GatewayProcess("--server", "unix:/nowhere", "--metrics", "127.0.0.1:0")
    let text = try gateway.get("/metrics")
    let exposed = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
      .map { $0.dropFirst(7).split(separator: " ").map(String.init) }
    let listed = try Self.rows().filter {
      $0.count == 4 && ["counter", "gauge", "histogram"].contains($0[1])
    }
    // These have no series without TLS.
    let conditional: Set = [
      "quiver_certificate_expiry_seconds", "quiver_gateway_tls_failures_total",
    ]
    let missing = Set(listed.map { Array($0[0...1]) }).subtracting(exposed)
    #expect(Set(exposed).isSubset(of: listed.map { Array($0[0...1]) }))
    #expect(Set(missing.map { $0[0] }) == conditional)
    #expect(gateway.end() == 0)
  }

  @Test("A gateway without a server is alive and not ready, and says so in the log")
  func unready() throws {
    let gateway = try GatewayProcess("--server", "unix:/nowhere", "--metrics", "127.0.0.1:0")
    #expect(gateway.line(of: "server-unavailable").contains("level=error"))
    #expect(try gateway.get("/livez") == "ok\n")
    #expect(try gateway.get("/readyz").hasPrefix("the server cannot be asked: UNAVAILABLE"))
    #expect(try gateway.get("/metrics").contains("quiver_gateway_server_available 0\n"))
    #expect(gateway.end() == 0)
  }

  @Test("SIGHUP changes what it can, says what it cannot, and a bad file changes nothing")
  func hangup() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/gateway.conf"
    let write = { (text: String) in
      try ("server = unix:/nowhere\n" + text)
        .write(toFile: file, atomically: true, encoding: .utf8)
    }
    try write("max-connections = 100\n")
    let gateway = try GatewayProcess("--config", file)
    _ = gateway.line(of: "serving")
    try write("max-connections = 200\nmax-callers = 9\n")
    gateway.send(SIGHUP)
    #expect(gateway.line(of: "configuration-reloaded").contains("changed=max-connections"))
    #expect(gateway.line(of: "configuration-needs-restart").contains("settings=max-callers"))
    try write("max-conections = 5\n")
    gateway.send(SIGHUP)
    #expect(gateway.line(of: "configuration-rejected").contains("did you mean max-connections?"))
    #expect(gateway.end() == 0)
  }
}
