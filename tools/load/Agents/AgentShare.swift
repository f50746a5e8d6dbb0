/// The part of a run that each of several agents gets.
struct AgentShare {
  let options: Options
  let count: Int

  init(_ options: Options, count: Int) throws(Failure) {
    self.options = options
    self.count = count
    let settings = options.settings
    if settings.rate == nil, settings.concurrency < count {
      throw Failure(.usage, "\(count) agents need --concurrency \(count) or more")
    }
    if let calls = settings.count, calls < UInt64(count) {
      throw Failure(.usage, "\(count) agents need --count \(count) or more")
    }
  }

  /// The request to one agent, by its place from 0.
  func request(_ place: Int, server: String, token: String?, settings: LoadRun.Settings)
    -> AgentRequest
  {
    var words = [
      "--server", server, "--method", options.method, "-d", options.data,
      "--messages", "\(options.messagesPerCall)",
      "--timeout", Self.time(options.timeoutSeconds),
      "--connections", "\(max(1, part(settings.connections, place)))",
      "--threads", "\(settings.threads)",
      "--max-in-flight", "\(max(1, part(settings.maxOpen, place)))",
      "--late-after", "\(max(1, settings.lateNanoseconds / 1_000_000))ms",
    ]
    for (key, value) in options.metadata { words += ["--metadata", "\(key)=\(value)"] }
    words += options.security.words
    if options.allowsPlaintextToken { words.append("--allow-plaintext") }
    var delay = 0.0
    if let rate = settings.rate {
      words += [
        "--rate", Fixed.text(rate / Double(count), 6), "--arrivals", settings.arrivals.rawValue,
        "--seed", "\(settings.seed &+ UInt64(place))",
      ]
      delay = Double(place) / rate
    } else {
      words += ["--concurrency", "\(part(settings.concurrency, place))"]
    }
    if let calls = settings.count {
      words += ["--count", "\(part(Int(clamping: calls), place))"]
    } else {
      words += ["--warm-up", Self.time(settings.warmUpSeconds)]
    }
    words += ["--duration", Self.time(settings.seconds)]
    return AgentRequest(arguments: words, token: token, delaySeconds: delay)
  }

  /// A whole number in parts of which the first are the larger ones.
  private func part(_ whole: Int, _ place: Int) -> Int {
    whole / count + (place < whole % count ? 1 : 0)
  }

  private static func time(_ seconds: Double) -> String {
    seconds == 0 ? "0" : "\(Int((seconds * 1_000).rounded(.up)))ms"
  }
}
