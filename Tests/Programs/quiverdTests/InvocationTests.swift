import QuiverCommandLine
import QuiverDispatch
import QuiverObservability
import QuiverWire
import Testing

@testable import quiverd

@Suite("The arguments of quiverd", .timeLimit(.minutes(20)))
struct InvocationTests {
  @Test("The defaults are loopback and ./data")
  func defaults() throws {
    var expected = Configuration()
    expected.listen = [try #require(Endpoint("127.0.0.1:7450"))]
    #expect(try Invocation([]) == .serve(expected))
    #expect(expected.dataDirectory == "./data" && !expected.diagnostics)
  }

  @Test("Each flag sets its option, with its value after a space or an equals sign")
  func flags() throws {
    var expected = Configuration()
    expected.listen = [
      try #require(Endpoint("[::1]:0")), try #require(Endpoint("unix:/run/quiver")),
    ]
    expected.dataDirectory = "a=b"
    expected.diagnostics = true
    expected.allowsPlaintext = true
    expected.compression = .none
    expected.shardCount = 3
    expected.logLevel = .debug
    expected.limits.maxFrameBytes = 32_768
    expected.limits.initialStreamCredit = 131_072
    expected.store.queuedCommands = 7
    expected.store.commandsPerBatch = 1
    expected.store.readMilliseconds = 250
    let invocation = try Invocation([
      "--listen", "[::1]:0", "--listen=unix:/run/quiver", "--data=a=b", "--diagnostics",
      "--allow-plaintext", "--compression=none", "--shards", "3", "--log-level=debug",
      "--max-frame-bytes=32768",
      "--initial-stream-credit", "131072", "--queued-commands=7", "--commands-per-batch", "1",
      "--read-milliseconds=250",
    ])
    #expect(invocation == .serve(expected))
  }

  @Test("admin-token accepts a data directory and nothing else")
  func adminToken() throws {
    #expect(try Invocation(["admin-token"]) == .adminToken(dataDirectory: "./data"))
    let named = try Invocation(["admin-token", "--data", "d"])
    #expect(named == .adminToken(dataDirectory: "d"))
    let error = #expect(throws: UsageError.self) {
      try Invocation(["--diagnostics", "admin-token"])
    }
    #expect(error?.description.contains("--diagnostics") == true)
  }

  @Test("epoch new takes a data directory or a database, and nothing else")
  func epoch() throws {
    #expect(
      try Invocation(["epoch", "new", "--data", "d"])
        == .newEpoch(dataDirectory: "d", database: nil))
    let url = "postgres://quiver@db.example/quiver"
    #expect(
      try Invocation(["epoch", "new", "--database", url])
        == .newEpoch(dataDirectory: "./data", database: url))
    for words in [["epoch"], ["epoch", "new"], ["epoch", "old", "--data", "d"]] {
      #expect(throws: UsageError.self) { try Invocation(words) }
    }
    #expect(throws: UsageError.self) {
      try Invocation(["epoch", "new", "--data", "d", "--diagnostics"])
    }
  }

  @Test("Servers, init, admin-token and migrate take a database, and none with a password")
  func database() throws {
    let url = "postgres://quiver@db.example/quiver?sslmode=verify-full"
    guard case .serve(let configuration) = try Invocation(["--database", url]) else {
      Issue.record("the server is not started")
      return
    }
    #expect(configuration.database == url)
    let replica = "postgres://quiver@replica.example/quiver"
    guard
      case .serve(let reading) = try Invocation(["--database", url, "--read-database", replica])
    else {
      Issue.record("the server is not started")
      return
    }
    #expect(reading.readDatabase == replica && configuration.readDatabase == nil)
    let token = try Invocation(["admin-token", "--database", url])
    #expect(token == .adminToken(dataDirectory: "./data", database: url))
    let migration = try Invocation(["migrate", "--data", "d", "--database", url])
    #expect(migration == .migrate(dataDirectory: "d", database: url))
    for words in [
      ["--database", "nonsense"], ["--database", "postgres://quiver:secret@db.example/quiver"],
      ["--database", url, "--backup-directory", "/backups"], ["migrate", "--database", url],
      ["--read-database", url], ["--database", url, "--read-database", "nonsense"],
      ["--database", url, "--read-database", "postgres://quiver:secret@db.example/quiver"],
      ["migrate", "--data", "d"],
    ] {
      let error = #expect(throws: UsageError.self, "\(words)") { try Invocation(words) }
      #expect(error?.description.contains("secret") == false)
    }
  }

  @Test("Help and version precede everything else")
  func help() throws {
    #expect(try Invocation(["--nonsense", "--help"]) == .help)
    #expect(try Invocation(["-h"]) == .help)
    #expect(try Invocation(["--version"]) == .version)
  }

  @Test(
    "An argument that is not valid is refused with a correction",
    arguments: [
      (["--lisen", "x"], "did you mean --listen?"),
      (["--max-frame-byte=1"], "did you mean --max-frame-bytes?"),
      (["--colour-of-the-riser"], "there is no flag --colour-of-the-riser"),
      (["admin-tokn"], "did you mean admin-token?"),
      (["serve"], "there is no command serve"),
      (["--listen"], "--listen HOST:PORT"),
      (["--listen="], "--listen HOST:PORT"),
      (["--listen", "7450"], "HOST:PORT"),
      (["--listen", "::1:7450"], "[IPv6]:PORT"),
      (["--listen", "localhost:65536"], "HOST:PORT"),
      (["--diagnostics=yes"], "--diagnostics takes no value"),
      (["--compression", "gzip"], "zstd or none"),
      (["--shards", "0"], "1 to 1024"),
      (["--shards", "many"], "1 to 1024"),
      (["--log-level", "loud"], "error, warning, info or debug"),
      (["--max-connections", "-1"], "--max-connections requires a number"),
      (["--max-connections", "18446744073709551616"], "--max-connections requires a number"),
      (["--commands-per-batch", "0"], "--commands-per-batch requires a number from 1 to 10000"),
      (["--max-frame-bytes", "100"], "--max-frame-bytes must be 4096 to 1048576"),
      (["--initial-connection-credit", "4096"], "at least initial-stream-credit"),
    ])
  func refusals(_ arguments: [String], _ words: String) {
    let error = #expect(throws: UsageError.self) { try Invocation(arguments) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test("Every limit has a flag with its name")
  func limits() {
    let names = Set(LimitFlag.all.map(\.name))
    #expect(names.count == LimitFlag.all.count)
    let fields = Mirror(reflecting: Limits()).children.compactMap(\.label)
    #expect(names == Set(fields.map(Self.dashed)))
  }

  @Test("Every limit has a relation that keeps it above 0, or 0 disables it")
  func limitsAboveZero() throws {
    let mayBeZero: Set = [
      "ping-floor-milliseconds", "connection-age-milliseconds", "connection-idle-milliseconds",
      "anonymous-idle-milliseconds", "minimum-receive-rate",
    ]
    for limit in LimitFlag.all {
      var configuration = Configuration()
      try limit.flag.apply("0", &configuration)
      #expect(
        (configuration.limits.validate() == nil) == mayBeZero.contains(limit.name),
        "\(limit.name)")
    }
  }

  @Test("The help of each limit states its default, which its flag accepts")
  func limitValues() throws {
    for limit in LimitFlag.all {
      var configuration = Configuration()
      let value = try #require(
        limit.flag.help.split(separator: "; default ").last)
      try limit.flag.apply(String(value), &configuration)
      #expect(configuration == Configuration(), "\(limit.name)")
    }
  }

  @Test("The memory limit of a process may be up to one tebibyte")
  func processBytes() throws {
    let limit = try #require(LimitFlag.all.first { $0.name == "process-bytes" })
    var configuration = Configuration()
    try limit.flag.apply("68719476736", &configuration)
    #expect(configuration.limits.processBytes == 64 << 30)
    #expect(configuration.limits.validate() == nil)
    let error = #expect(throws: UsageError.self) {
      try limit.flag.apply("1099511627777", &configuration)
    }
    #expect(error?.description.contains("0 to 1099511627776") == true)
  }

  private static func dashed(_ name: String) -> String {
    name.reduce(into: "") { result, character in
      result += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}
