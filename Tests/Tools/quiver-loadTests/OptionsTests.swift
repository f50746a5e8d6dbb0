import Testing

@testable import quiver_load

@Suite("The command line of quiver-load", .timeLimit(.minutes(5)))
struct OptionsTests {
  @Test("Flags are read, with = and with a blank")
  func flags() throws {
    let options = try Options([
      "--server=unix:quiver.socket", "--method", "Echo", "-d", #"{"number":1}"#, "--rate=1500.5",
      "--arrivals", "poisson", "--seed", "9", "--connections=3", "--duration", "2m", "--warm-up=0",
      "--slo", "p99<5ms", "--timeout=250ms", "--metadata", "a=b=c", "--quiet",
    ])
    #expect(options.server == "unix:quiver.socket" && options.method == "Echo")
    #expect(options.settings.rate == 1500.5 && options.settings.arrivals == .poisson)
    #expect(options.settings.seed == 9 && options.settings.connections == 3)
    #expect(options.settings.seconds == 120 && options.settings.warmUpSeconds == 0)
    #expect(options.timeoutSeconds == 0.25 && options.isQuiet)
    #expect(options.metadata.map(\.0) == ["a"] && options.metadata.map(\.1) == ["b=c"])
    #expect(options.objectives?.all.count == 1)
  }

  @Test("TLS flags are read, and refused without TLS")
  func security() throws {
    let options = try Options([
      "--server", "tls://a.example:7450", "--ca", "ca.pem", "--server-name=b.example",
      "--certificate", "c.pem", "--key", "c.key", "--method", "Echo",
    ])
    #expect(options.security.authoritiesFile == "ca.pem")
    #expect(options.security.serverName == "b.example")
    #expect(options.security.certificateFile == "c.pem" && options.security.keyFile == "c.key")
    let refusal = #expect(throws: Failure.self) { try options.security.security("unix:socket") }
    #expect(refusal?.sentence.contains("--server-name") == true)
    // The environment's authorities count only where no flag names some.
    for (flags, file) in [
      (SecurityOptions(), "environment.pem"), (options.security, "ca.pem"),
    ] {
      var flags = flags
      (flags.certificateFile, flags.keyFile) = (nil, nil)
      let missing = #expect(throws: Failure.self) {
        try flags.security("tls://a.example:7450", authorities: "/nowhere/environment.pem")
      }
      #expect(missing?.sentence.contains(file) == true)
    }
  }

  @Test("Calls are repeated in scenarios and verified runs only, and a scenario may be verified")
  func repetition() throws {
    let scenario = try Options([
      "run", "x.json", "--verify", "--retry", "1m", "--server", "a:1,b:2",
    ])
    #expect(scenario.verifies && scenario.retrySeconds == 60 && scenario.server == "a:1,b:2")
    #expect(try Options(["--verify", "--count", "9", "--retry=5s"]).retrySeconds == 5)
    #expect(throws: Options.Wrong.self) { try Options(["--count", "9", "--retry", "5s"]) }
    let options = try Options(["--server", "tls://a:1,b:2", "--count", "9"])
    let refusal = #expect(throws: Failure.self) { try LoadCommand(options, token: nil) }
    #expect(refusal?.sentence.contains("tls://") == true)
  }

  @Test("Without arguments the usage is printed and nothing is sent")
  func noArguments() throws {
    let error = #expect(throws: Options.Wrong.self) { try Options([]) }
    #expect(error?.description.contains("quiver-load --server HOST:PORT") == true)
  }

  @Test("A number of calls takes no warm-up, and a threshold says what is late")
  func countAndLateness() throws {
    let options = try Options(["--count", "10", "--late-after", "5ms"])
    #expect(options.settings.count == 10 && options.settings.warmUpSeconds == 0)
    #expect(options.settings.lateNanoseconds == 5_000_000)
    #expect(throws: Options.Wrong.self) { try Options(["--count", "10", "--warm-up", "1s"]) }
  }

  @Test("What is verified without a method are accessories")
  func verified() throws {
    #expect(try Options(["--verify", "--count", "5"]).method.hasSuffix("/CreateAccessory"))
    let sets = try Options(["--verify", "--count", "5", "--method", "CreateSet"])
    #expect(sets.method == "CreateSet" && sets.verifies)
  }

  @Test("A scenario is named by its file, with the flags that are not its own")
  func scenarios() throws {
    let options = try Options(["run", "a.json", "--server", "h:1", "--html-out=a.html"])
    #expect(options.task == .scenario("a.json") && options.htmlFile == "a.html")
    #expect(try Options(["schema"]).task == .schema)
  }

  @Test(
    "What cannot be followed is refused, and the sentence names it",
    arguments: [
      (["--rate", "0"], "--rate"), (["--rate", "many"], "--rate"), (["--nope"], "--nope"),
      (["run"], "run"), (["run", "--quiet"], "SCENARIO"),
      (["run", "a.json", "--rate", "5"], "--rate"), (["run", "a.json", "b.json"], "b.json"),
      (["--rate"], "--rate"), (["--quiet=yes"], "--quiet"),
      (["--duration", "5"], "--duration"), (["--arrivals", "waves"], "--arrivals"),
      (["--slo", "p99"], "p99"), (["--search", "p99<5ms"], "--search"), (["--verify"], "--verify"),
      (["compare", "a.json"], "compare"), (["--metadata", "key"], "--metadata"),
      (["--connections", "0"], "--connections"), (["--server-pid", "-1"], "--server-pid"),
    ])
  func refused(words: [String], named: String) {
    do throws(Options.Wrong) {
      _ = try Options(words)
      Issue.record("\(words) was taken")
    } catch {
      #expect(error.description.contains(named))
    }
  }
}
