import Foundation
import QuiverCommandLine
import QuiverDispatch
import QuiverGateway
import QuiverObservability
import TestSupport
import Testing

@testable import quiver_gateway

@Suite("The configuration of quiver-gateway", .timeLimit(.minutes(5)))
struct InvocationTests {
  private static func served(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> GatewayOptions {
    guard case .serve(let options) = try Invocation(arguments, environment: environment) else {
      Issue.record("\(arguments) do not serve")
      return GatewayOptions()
    }
    return options
  }

  @Test("A flag counts before the environment, that before the file, and that before the default")
  func precedence() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/gateway.conf"
    try """
    server = unix:/file   # a comment
    max-callers = 7
    allow-origin = https://a.example
    allow-origin = https://b.example
    """.write(toFile: file, atomically: true, encoding: .utf8)
    let environment = [
      "QUIVER_GATEWAY_SERVER": "unix:/environment", "QUIVER_GATEWAY_LOG_LEVEL": "debug",
      "QUIVER_GATEWAY_CONFIG": file,
    ]
    let options = try Self.served(["--log-level=error"], environment: environment)
    #expect(options.server == "unix:/environment" && options.logLevel == .error)
    #expect(options.limits.maxCallers == 7)
    #expect(options.allowedOrigins == ["https://a.example", "https://b.example"])
    #expect(options.listen.map(\.description) == ["127.0.0.1:7480"])
  }

  @Test(
    "What is wrong or does not go together is refused",
    arguments: [
      (["--tls-key", "a"], "go together"),
      (["--listen", "tls://127.0.0.1:1"], "needs --tls-certificate"),
      (["--tls-key=a", "--tls-certificate=b"], "for a listener with TLS"),
      (["--max-conections", "1"], "did you mean --max-connections?"),
      (["--max-connections", "0"], "requires a number from 1"),
      (["--server", "nowhere"], "--server requires"),
      (["--trusted-proxies", "everybody"], "requires networks"),
      (["--server=unix:/a", "--server=unix:/b"], "is given twice"),
      (["--unix-mode", "8"], "octal"), (["confg"], "did you mean config?"),
      (["--public-url", "https://a/b"], "without a path"),
      (["config", "show"], "one of print and check"),
    ])
  func refused(arguments: [String], words: String) throws {
    let error = #expect(throws: UsageError.self) { try Invocation(arguments) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test("config print reads back as the same")
  func printed() throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/gateway.conf"
    let flags = [
      "--max-held-bytes=5000", "--allow-origin=*", "--trusted-proxies=unix", "--access-log=3",
      "--metrics=127.0.0.1:1", "--allow-plaintext", "--allow-plaintext-listen", "--unix-mode=660",
      "--public-url=https://scores.club.example",
    ]
    guard case .printConfiguration(let text) = try Invocation(["config", "print"] + flags) else {
      Issue.record("nothing is printed")
      return
    }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Self.served(["--config", file]) == Self.served(flags))
    #expect(try Invocation(["config", "check", "--config", file]) == .checkConfiguration)
  }

  @Test("What a running gateway takes again is everything that is marked as such")
  func reloadable() throws {
    var new = GatewayOptions()
    for flag in Flag.all where flag.isReloadable {
      let value =
        switch flag.name {
        case "--log-level": "debug"
        case "--trusted-proxies": "unix"
        default: "77"
        }
      try flag.apply(value, &new)
    }
    new.server = "unix:/other"
    let taken = GatewayOptions().taking(reloadable: new)
    for flag in Flag.all where flag.isReloadable { #expect(flag.show(taken) == flag.show(new)) }
    #expect(taken.server == GatewayOptions().server)
  }

  @Test(
    "The gateway listens beyond loopback only if that is allowed",
    arguments: ["0.0.0.0:0", "[::]:0"])
  func plaintext(_ address: String) throws {
    let refused = try GatewayProcess("--listen", address)
    let line = refused.line(of: "failed")
    #expect(line.contains("--allow-plaintext-listen") && line.contains(address), "\(line)")
    // The log ends with the process.
    _ = refused.line(of: "none")
    #expect(refused.end() == 64)
    let allowed = try GatewayProcess("--listen", address, "--allow-plaintext-listen")
    #expect(!allowed.line(of: "serving").isEmpty)
    #expect(allowed.end() == 0)
  }

  @Test("Every flag is in the help, the manual page and the completions, and no other")
  func help() {
    let names = Help.program.flags.map(\.name)
    #expect(Set(names) == Set(Flag.all.map(\.name) + FlagHelp.ofEveryProgram.map(\.name)))
    for name in names {
      for form in [ProgramHelp.Form.bash, .zsh] {
        #expect(Help.program.text(as: form).contains(name))
      }
      let manual = "\\fB\(name.replacing("-", with: "\\-"))\\fR"
      #expect(Help.program.text(as: .man).contains(manual), "\(name)")
    }
  }
}
