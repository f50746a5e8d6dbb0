import FoundationEssentials

/// What an agent is asked to do, as a line of JSON on its standard input.
struct AgentRequest: Codable {
  static let version = 1

  var version = Self.version
  /// The command line of the agent's own run.
  var arguments: [String]
  /// The caller's token, which no command line shows.
  var token: String?
  /// How long after the start its first call is due, so that agents do not send at the same times.
  var delaySeconds: Double
}

/// What an agent says, as a line of JSON on its standard output.
struct AgentReply: Codable {
  /// The agent waits for the line `start`.
  var isReady = false
  var second: AgentSecond?
  var result: AgentResult?
  /// Why it ends without a result.
  var failure: String?
  /// The exit code that goes with the failure.
  var code: Int32?
}

/// One second of an agent.
struct AgentSecond: Codable {
  var number: Int
  var isWarmUp: Bool
  var openCalls: Int
  var generatorShare: Double
  var summary: Summary
}

/// The result of an agent.
struct AgentResult: Codable {
  var summary: Summary
  var firstMessages: Histogram
  var gaps: Histogram
}

/// Lines of JSON.
enum AgentLine {
  static func text(_ value: some Encodable) -> String {
    guard let data = try? JSONEncoder().encode(value) else {
      preconditionFailure("the messages of agents have only numbers and texts")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  static func value<Value: Decodable>(_: Value.Type, _ line: [UInt8]) -> Value? {
    try? JSONDecoder().decode(Value.self, from: Data(line))
  }
}
