import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// The conversations of `vectors/clients.json`.
  static func conversationCases(_ folder: String) throws -> [ClientCase] {
    let file = URL(fileURLWithPath: folder).appendingPathComponent("clients.json")
    guard let data = try? Data(contentsOf: file),
      let all = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let talks = all["conversations"] as? [[String: Any]]
    else { throw UsageError("\(file.path) cannot be read; --vectors names its folder") }
    return try talks.map { talk in
      let name = talk["name"] as? String ?? ""
      let steps = try JSONSerialization.data(withJSONObject: talk["steps"] ?? [])
      let isCompressed = talk["compression"] as? Bool ?? false
      return ClientCase(
        talk["id"] as? String ?? "", "the conversation \"\(name)\"", compressed: isCompressed
      ) { stage in
        let listed = try JSONSerialization.jsonObject(with: steps) as? [[String: Any]] ?? []
        try stage.makeClient(compression: isCompressed)
        var conversation = Conversation(stage)
        for (number, step) in listed.enumerated() {
          do {
            try conversation.play(step)
          } catch {
            throw Failure("step \(number + 1): \(error)")
          }
        }
      }
    }
  }
}

/// A conversation of the vectors while it is played.
///
/// The streams of the vectors are 1, 3, 5, …; `streams` has those that the client chose.
struct Conversation {
  private let stage: Stage
  private var connection: ScriptedConnection?
  /// Connections that stay open beside it.
  private var others: [ScriptedConnection] = []
  private var streams: [UInt32: UInt32] = [:]
  /// Of the frames that the client has sent of a message that waits for credit.
  private var received: (head: RequestHeadMessage, message: [UInt8], flags: FrameFlags)?

  init(_ stage: Stage) { self.stage = stage }

  mutating func play(_ step: [String: Any]) throws {
    if let hello = step["accept"] as? [String: Any] { return try accept(hello) }
    if let frames = step["client"] as? [[String: Any]] {
      for frame in frames { try expect(frame) }
      return
    }
    if let frames = step["server"] as? [[String: Any]] {
      for frame in frames { try send(frame) }
      return
    }
    if step["upload"] != nil { return try upload(step) }
    if try playOfClient(step) || playOutcome(step) || playOfConnection(step) { return }
    throw Failure("the step has an unknown key: \(step.keys.sorted())")
  }

  private func open() throws -> ScriptedConnection {
    guard let connection else { throw Failure("there is no connection") }
    return connection
  }

  /// What the client is told to do.
  private func playOfClient(_ step: [String: Any]) throws -> Bool {
    if let id = step["call"] as? Int {
      let methods: [ScriptedMethod] = [.mutate, .unary, .upload, .download, .talk, .watch]
      guard let method = methods.first(where: { Int($0.id) == step["method"] as? Int }) else {
        throw Failure("an unknown method")
      }
      let others: Set<String> = ["call", "method", "payload", "pattern"]
      try stage.call(
        id, method, Self.bytes(step, "payload"), step.filter { !others.contains($0.key) })
    } else if let id = step["send"] as? Int {
      try stage.send(id, Self.bytes(step, "payload"))
    } else if let id = step["finish"] as? Int {
      try stage.finish(id)
    } else if let id = step["read"] as? Int {
      try stage.read(id, step["count"] as? Int ?? 0)
    } else if let id = step["cancel"] as? Int {
      try stage.cancel(id)
    } else {
      return false
    }
    return true
  }

  /// What the client must report.
  private func playOutcome(_ step: [String: Any]) throws -> Bool {
    if let id = step["message"] as? Int {
      let wanted = try Self.bytes(step, "payload")
      try require(stage.driver.message(id) == wanted, "another message")
    } else if let id = step["span"] as? Int {
      let wanted = Driver.Span(
        after: step["after"] as? Int ?? 0, upto: step["upto"] as? Int ?? 0,
        epoch: "\(step["store_epoch"] as? Int ?? 0)",
        isSnapshot: step["snapshot"] as? Bool ?? false,
        isIncomplete: step["incomplete"] as? Bool ?? false)
      let found = try stage.driver.span(id)
      try require(found == wanted, "the span \(found)")
    } else if let id = step["outcome"] as? Int {
      let end = try stage.driver.end(id, step["code"] as? Int ?? 0)
      try check(end, step)
    } else {
      return false
    }
    return true
  }

  private func check(_ end: Driver.End, _ step: [String: Any]) throws {
    if let text = step["text"] as? String { try require(end.text, is: text, "the text") }
    if let pairs = step["details"] as? String { try require(end.details, is: pairs, "the details") }
    if let pairs = step["initial"] as? String {
      try require(end.initial, is: pairs, "the initial metadata")
    }
    if let pairs = step["trailing"] as? String {
      try require(end.trailing, is: pairs, "the trailing metadata")
    }
    if let isSet = step["not_processed"] as? Bool {
      try require(end.isNotProcessed, is: isSet, "not_processed")
    }
    if let time = step["retry_after_ms"] as? Int {
      try require(end.retryAfterMilliseconds, is: time, "the push-back")
    }
  }

  /// What else happens on the connection.
  private mutating func playOfConnection(_ step: [String: Any]) throws -> Bool {
    if let stream = step["credit"] as? Int {
      try expectCredit(stream, step)
    } else if let time = step["nothing_ms"] as? Int {
      if let frame = try open().nextIfAny(within: Int32(time)) { throw Failure(frame.words) }
      for stream in step["credits"] as? [Int] ?? [] {
        try require(try open().credits[mapped(UInt32(stream))] == nil, "CREDIT came")
      }
    } else if step["cut"] != nil {
      try open().cut()
      connection = nil
      streams = [:]
    } else if let stream = step["fills"] as? Int {
      try fill(UInt32(stream), step["allowance"] as? Int ?? 0)
    } else if step["more"] != nil {
      try messages(step, 0)
    } else {
      return false
    }
    return true
  }

  private func expectCredit(_ stream: Int, _ step: [String: Any]) throws {
    let connection = try open()
    let mine = stream == 0 ? 0 : mapped(UInt32(stream))
    let least = UInt64(step["at_least"] as? Int ?? 0)
    try connection.wait("CREDIT of at least \(least)") { connection.credits[mine] ?? 0 >= least }
    try require(
      connection.credits[mine] ?? 0 <= UInt64(step["at_most"] as? Int ?? .max),
      "CREDIT \(connection.credits[mine] ?? 0)")
  }

  // MARK: Frames

  private mutating func accept(_ fields: [String: Any]) throws {
    streams = [:]
    if let connection { others.append(connection) }
    connection = try stage.greeted { hello in
      hello.compression = fields["compression"] as? [String] ?? []
      hello.initialStreamCredit = UInt64(fields["initial_stream_credit"] as? Int ?? 0)
      hello.initialConnectionCredit = UInt64(fields["initial_connection_credit"] as? Int ?? 0)
    }
    try require(connection?.hello.authToken ?? [], is: Array("good".utf8), "the token")
  }

  private func mapped(_ stream: UInt32) -> UInt32 { streams[stream] ?? stream }

  /// Sends a frame on the stream that the client chose.
  private func send(_ fields: [String: Any]) throws {
    var bytes = try Self.bytes(fields, "hex")
    let (header, payload) = try Self.cut(bytes)
    bytes = Frames.big(header.bits & ~0xFFFF_FFFF | UInt64(mapped(header.stream))) + payload
    if header.type == .goAway {
      var message = try GoAwayMessage(serializedBytes: payload)
      message.lastStreamID = mapped(message.lastStreamID)
      bytes = Frames.frame(.goAway, message.serializedBytes())
    }
    if header.type == .credit {
      let allowance = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return try open().credit(mapped(header.stream), allowance)
    }
    try open().send(bytes)
  }

  private mutating func expect(_ fields: [String: Any]) throws {
    let (header, payload) = try Self.cut(try Self.bytes(fields, "hex"))
    guard header.type == .request else {
      let frame = try open().next()
      try require(
        frame.header.type == header.type && frame.header.stream == mapped(header.stream),
        "\(frame.words), not \(header.type.map { "\($0)" } ?? "?") on \(mapped(header.stream))")
      return
    }
    var wanted = ScriptedConnection.Request(
      stream: header.stream, head: RequestHeadMessage(), message: [], flags: header.flags)
    let parsed = try ScriptedConnection.parse(.init(header: header, payload: payload))
    (wanted.head, wanted.message) = (parsed.head, parsed.message)
    let found = try request(wanted)
    streams[header.stream] = found.stream
    try Self.compare(found.head, wanted.head, fields)
    guard wanted.head.methodID != ScriptedMethod.watch.id else { return }
    try require(found.message == wanted.message, "another message")
  }

  /// The next request, or the rest of one that waited for credit.
  private mutating func request(
    _ wanted: ScriptedConnection.Request
  ) throws -> ScriptedConnection.Request {
    guard var begun = received else { return try open().wholeRequest(afterCancel: true) }
    received = nil
    while begun.flags.contains(.more) {
      let frame = try open().next()
      begun.message += frame.payload
      begun.flags = frame.header.flags
    }
    return .init(
      stream: mapped(wanted.stream), head: begun.head, message: begun.message, flags: begun.flags)
  }

  /// Takes what the client sends until its allowance is used up, less what is too short for a part.
  private mutating func fill(_ stream: UInt32, _ allowance: Int) throws {
    let first = try open().request()
    streams[stream] = first.stream
    received = (first.head, first.message, first.flags)
    var charge = first.message.count + 32
    // The head is charged too; a part has at least 1,024 bytes.
    let least = allowance - 1_024 - 32 - 200
    while let frame = try open().nextIfAny(within: charge > least ? 200 : Driver.patience) {
      try require(frame.header.type == .data, frame.words)
      received?.message += frame.payload
      received?.flags = frame.header.flags
      charge += frame.payload.count + 32
    }
    try require(charge <= allowance && charge > least, "\(charge) bytes, of \(allowance)")
  }

  // MARK: Request streams

  private mutating func upload(_ step: [String: Any]) throws {
    let (header, payload) = try Self.cut(try Hex.decode(step["upload"] as? String ?? ""))
    let wanted = try ScriptedConnection.parse(.init(header: header, payload: payload))
    let first = try open().request()
    streams[header.stream] = first.stream
    try Self.compare(first.head, wanted.head, step)
    let hasMessage = first.flags.contains(.end) || first.flags.contains(.more)
    try require(!hasMessage, "a message in the REQUEST of a stream")
    try messages(step, header.stream)
  }

  /// The next messages of a request stream, and its end where the step has `ends`.
  private mutating func messages(_ step: [String: Any], _ stream: UInt32) throws {
    let payloads = step["payloads"] as? [[String: Any]] ?? []
    let id = mapped(stream == 0 ? UInt32(step["more"] as? Int ?? 1) : stream)
    var hasEnded = false
    for (number, fields) in payloads.enumerated() {
      guard let (message, isLast) = try open().streamed(id) else {
        throw Failure("the request side ended before message \(number)")
      }
      let found = try EchoMessage(serializedBytes: message).payload
      try require(found == (try Self.bytes(fields, "payload")), "another message \(number)")
      hasEnded = isLast
    }
    guard step["ends"] as? Bool == true, !hasEnded else { return }
    let frame = try open().next()
    try require(frame.header.type == .close, "\(frame.words), not CLOSE")
  }

  // MARK: Parts of a step

  /// The bytes of a key, and those of the pattern behind them.
  private static func bytes(_ fields: [String: Any], _ key: String) throws -> [UInt8] {
    try Hex.decode(fields[key] as? String ?? "") + pattern(fields["pattern"] as? Int ?? 0)
  }

  private static func cut(_ bytes: [UInt8]) throws -> (header: FrameHeader, payload: [UInt8]) {
    try require(bytes.count >= 8, "a frame without a header")
    return (FrameHeader(bits: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }), Array(bytes[8...]))
  }

  /// Compares heads but for the fields that the client chooses.
  private static func compare(
    _ found: RequestHeadMessage, _ wanted: RequestHeadMessage, _ step: [String: Any]
  ) throws {
    var (found, wanted) = (found, wanted)
    for name in step["free"] as? [String] ?? [] {
      switch name {
      case "timeout_ms": (found.timeoutMilliseconds, wanted.timeoutMilliseconds) = (0, 0)
      case "idempotency_key": (found.idempotencyKey, wanted.idempotencyKey) = ([], [])
      default: throw Failure("an unknown free field \(name)")
      }
    }
    let bytes = (found.serializedBytes(), wanted.serializedBytes())
    try require(
      bytes.0 == bytes.1, "the head \(Hex.encode(bytes.0)), not \(Hex.encode(bytes.1))")
  }
}
