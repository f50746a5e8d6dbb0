import Foundation
import QuiverCommandLine
import QuiverDispatch
import QuiverObservability
import QuiverWire
import TestSupport
import Testing

@testable import quiverd

@Suite("The configuration of quiverd", .timeLimit(.minutes(20)))
struct ConfigurationTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/quiverd.conf"
  }

  private func write(_ text: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func served(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> Configuration {
    let invocation = try Invocation(["--config", path] + arguments, environment: environment)
    guard case .serve(let configuration) = invocation else {
      Issue.record("\(invocation)")
      return Configuration()
    }
    return configuration
  }

  @Test("A flag counts before the environment, that before the file, and that before the default")
  func precedence() throws {
    try write(
      """
      # A comment, and an empty line

      data = /from/file   # a comment after a value
      max-connections=111
      shards = 3
      diagnostics = yes
      listen = 127.0.0.1:1
      listen = unix:/a#b
      """)
    let environment = [
      "QUIVERD_MAX_CONNECTIONS": "222", "QUIVERD_SHARDS": "4", "QUIVERD_DIAGNOSTICS": "no",
      "QUIVERD_LISTEN": "127.0.0.1:2 127.0.0.1:3",
    ]
    let file = try served()
    #expect(file.dataDirectory == "/from/file" && file.diagnostics)
    #expect(file.limits.maxConnections == 111 && file.shardCount == 3)
    #expect(file.listen.map(\.description) == ["127.0.0.1:1", "unix:/a#b"])
    let both = try served(environment: environment)
    #expect(both.dataDirectory == "/from/file" && !both.diagnostics)
    #expect(both.limits.maxConnections == 222 && both.shardCount == 4)
    #expect(both.listen.map(\.description) == ["127.0.0.1:2", "127.0.0.1:3"])
    let all = try served(["--shards", "5", "--listen=127.0.0.1:4"], environment: environment)
    #expect(all.limits.maxConnections == 222 && all.shardCount == 5)
    #expect(all.listen.map(\.description) == ["127.0.0.1:4"])
    #expect(all.logLevel == .info)
  }

  @Test(
    "A mistake in the file is refused with its line and a suggestion",
    arguments: [
      (
        "\nmax-conections = 1",
        ":2: there is no setting max-conections; did you mean max-connections?"
      ),
      ("--data = x", ":1: there is no setting --data; did you mean data?"),
      ("data", ":1: a line is name = value"),
      ("data =", ":1: data has no value: data = DIR"),
      ("data = a\n# x\ndata = b", ":3: data is set already, at"),
      ("shards = many", ":1: --shards requires a number"),
      ("diagnostics = true", ":1: diagnostics takes yes or no"),
      ("init = yes", ":1: init can only be given on the command line"),
      ("accept-clock = yes", ":1: accept-clock can only be given on the command line"),
      ("\n\nmax-frame-bytes = 100", ":3: --max-frame-bytes must be 4096"),
    ])
  func mistakes(text: String, words: String) throws {
    try write(text)
    let error = #expect(throws: UsageError.self) { try served() }
    #expect(error?.description.contains(path + words) == true, "\(error?.description ?? "none")")
  }

  @Test("A file that cannot be read is named, and so is a variable with a mistake")
  func unreadable() throws {
    let missing = #expect(throws: UsageError.self) { try served() }
    #expect(missing?.description.contains("No such file") == true)
    try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: path))
    let bytes = #expect(throws: UsageError.self) { try served() }
    #expect(bytes?.description.contains("not UTF-8") == true)
    let variable = #expect(throws: UsageError.self) {
      try Invocation([], environment: ["QUIVERD_SHARDS": "0"])
    }
    #expect(variable?.description.hasPrefix("QUIVERD_SHARDS: ") == true)
  }

  @Test("A flag that is given twice is refused, unless it may be repeated")
  func twice() throws {
    let error = #expect(throws: UsageError.self) { try Invocation(["--shards=1", "--shards=2"]) }
    #expect(error?.description == "--shards is given twice")
    #expect(throws: Never.self) { try Invocation(["--listen=unix:/a", "--listen=unix:/b"]) }
  }

  @Test(
    "A user that the kernel reports for many, and permissions that nobody may write, are refused",
    arguments: [
      ("--unix-principal=65534=1", "65534"), ("--unix-mode=800", "octal"),
      ("--unix-mode=1777", "octal"), ("--unix-mode=-1", "octal"), ("--unix-mode=0", "octal"),
    ])
  func unixSockets(_ argument: String, _ words: String) throws {
    let error = #expect(throws: UsageError.self) { try Invocation([argument]) }
    #expect(error?.description.contains(words) == true)
    try write("")
    #expect(try served(["--unix-mode=660"]).unixMode == 0o660)
  }

  @Test("config print shows every setting with its source, and reads back as the same")
  func printed() throws {
    try write("shards = 3\ntrusted-proxies = 10.0.0.0/8,unix\nunix-principal = 5=6\n")
    let environment = ["QUIVERD_ACCESS_LOG": "7"]
    let invocation = try Invocation(
      ["config", "print", "--config", path, "--log-level", "debug"], environment: environment)
    guard case .printConfiguration(let text) = invocation else {
      Issue.record("\(invocation)")
      return
    }
    let lines = Set(text.split(separator: "\n").map(String.init))
    #expect(lines.contains("shards = 3  # \(path):1"))
    #expect(lines.contains("access-log = 7  # QUIVERD_ACCESS_LOG"))
    #expect(lines.contains("log-level = debug  # command line"))
    #expect(lines.contains("data = ./data  # default"))
    #expect(lines.contains("# tls-certificate is not set"))
    for flag in Flag.all where !flag.isCommandLineOnly {
      let name = flag.settingName
      #expect(
        lines.contains { $0.hasPrefix("\(name) = ") || $0 == "# \(name) is not set" }, "\(name)")
    }
    let before = try served(["--log-level", "debug"], environment: environment)
    try write(text)
    #expect(try served() == before)
  }

  @Test("Every flag shows what it was given")
  func shown() throws {
    for flag in Flag.all where flag.name != Flag.configName {
      var configuration = Configuration()
      let before = flag.show(configuration)
      for value in before where flag.valueName != nil { try flag.apply(value, &configuration) }
      #expect(flag.show(configuration) == before, "\(flag.name)")
    }
  }

  @Test("config check accepts what a server would start with, and refuses the rest")
  func check() throws {
    #expect(try Invocation(["config", "check"]) == .checkConfiguration)
    #expect(throws: UsageError.self) { try Invocation(["config", "check", "--tls-key=a"]) }
    #expect(throws: UsageError.self) { try Invocation(["config"]) }
    #expect(throws: UsageError.self) { try Invocation(["config", "show"]) }
  }

  @Test("What a running server takes again is everything that is marked as such")
  func reloadable() throws {
    var new = Configuration()
    for flag in Flag.all where flag.isReloadable {
      let value =
        switch flag.name {
        case "--log-level": "debug"
        case "--trusted-proxies": "unix"
        case "--backup-every", "--backup-keep-for": "77m"
        default: "77"
        }
      try flag.apply(value, &new)
    }
    new.shardCount = 9
    let taken = Configuration().taking(reloadable: new)
    for flag in Flag.all where flag.isReloadable { #expect(flag.show(taken) == flag.show(new)) }
    #expect(taken.shardCount == Configuration().shardCount)
  }

  @Test("SIGHUP changes what it can, says what it cannot, and a bad file changes nothing")
  func hangup() throws {
    try write("max-connections = 100\n")
    let server = try ServerProcess(
      "--config", path, "--data", directory.path + "/data", "--listen", "127.0.0.1:0")
    _ = server.line(of: "serving")
    try write("max-connections = 200\nlog-level = debug\nshards = 2\n")
    server.send(SIGHUP)
    let reloaded = server.line(of: "configuration-reloaded")
    #expect(reloaded.contains("max-connections") && reloaded.contains("log-level"))
    #expect(!reloaded.contains("shards"))
    #expect(server.line(of: "configuration-needs-restart").hasSuffix("settings=shards"))
    try write("max-conections = 5\n")
    server.send(SIGHUP)
    #expect(server.line(of: "configuration-rejected").contains("did you mean max-connections?"))
    server.send(SIGTERM)
    #expect(server.end().code == 0)
  }
}
