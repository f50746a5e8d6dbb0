import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver top`: the activity of a server, repeatedly.
enum TopCommand {
  private static let interval = Flag(
    "--interval", .word("TIME"), "time between two samples, at least 100ms; 2s by default")
  private static let count = Flag("--count", .word("N"), "end after N samples")

  static let command = Command(
    "top", summary: "show the activity of the server, live",
    details: """
      Calls by method with their errors and times, connections, watches, queues, memory, commits and
      the age of the newest backup; for administrators. On a terminal the screen is redrawn until q
      is typed. Elsewhere, and with --json, each sample is a JSON object on a line of its own.
      """,
    flags: [interval, count, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let pause = try pause(arguments)
    let samples = try samples(arguments)
    let access = try Access(arguments)
    var last = try await status(access)
    let isJSON = arguments.has(.json)
    guard !isJSON, let terminal = RawTerminal() else {
      return try await printLines(last, pause, samples, access)
    }
    defer { terminal.end() }
    var sample = TopSample(last, after: nil)
    for look in 1... {
      if try await wait(pause, terminal, server(access), sample) || look > samples { return }
      let next = try await status(access)
      sample = TopSample(next, after: last)
      last = next
    }
  }

  private static func pause(_ arguments: Arguments) throws(Failure) -> Int64 {
    guard let text = arguments.value(of: interval) else { return 2_000 }
    guard let milliseconds = TimeSpan.milliseconds(text), milliseconds >= 100 else {
      throw arguments.usage("--interval expects a time of at least 100ms, like 2s, not \(text)")
    }
    return milliseconds
  }

  private static func samples(_ arguments: Arguments) throws(Failure) -> Int {
    guard let text = arguments.value(of: count) else { return .max }
    guard let number = Int(text), number > 0 else {
      throw arguments.usage("--count expects a number above 0, not \(text)")
    }
    return number
  }

  private static func server(_ access: Access) -> String {
    Terminal.oneLine(access.configuration.server)
  }

  private static func status(_ access: Access) async throws(Failure) -> ServerStatus {
    var request = GetServerStatusRequest()
    request.withMethods = true
    let wanted = request
    return try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Admin.getServerStatus, wanted)
    }
  }

  private static func printLines(
    _ first: ServerStatus, _ pause: Int64, _ samples: Int, _ access: Access
  ) async throws(Failure) {
    var last = first
    for look in 0... {
      guard look < samples else { return }
      try? await Task.sleep(for: .milliseconds(pause))
      let next = try await status(access)
      try Terminal.print(
        MessageJSON(printsZeros: true).text(of: TopSample(next, after: last)))
      last = next
    }
  }

  /// How often keys and the size of the terminal are read.
  private static let keyMilliseconds: Int64 = 50

  /// Shows the sample for so long, and again when the terminal's size changes; returns whether the
  /// view must end.
  private static func wait(
    _ milliseconds: Int64, _ terminal: RawTerminal, _ server: String, _ sample: TopSample
  ) async throws(Failure) -> Bool {
    var drawn = (width: 0, height: 0)
    for _ in 0..<max(1, milliseconds / keyMilliseconds) {
      let size = terminal.size
      if size != drawn {
        let screen = TopScreen(server: server, sample: sample)
        try terminal.draw(screen.lines(width: size.width, height: size.height))
        drawn = size
      }
      // Q, and Ctrl-C, which is no signal while keys are read one by one.
      if terminal.keys().contains(where: { [0x71, 0x51, 0x03].contains($0) }) { return true }
      try? await Task.sleep(for: .milliseconds(keyMilliseconds))
    }
    return false
  }
}
