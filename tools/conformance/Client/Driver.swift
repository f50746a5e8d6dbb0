import Foundation

/// The client under test: a program that reads commands as lines of flat JSON from standard input,
/// and writes as such lines what happens. `docs/client-conformance.md` describes them.
final class Driver {
  /// Something that happened to a call.
  enum Event {
    case message([UInt8])
    case span(Span)
    case end(End)
  }

  /// The span of a message of a watch.
  struct Span: Equatable {
    var after: Int
    var upto: Int
    var epoch: String
    var isSnapshot: Bool
    var isIncomplete: Bool
  }

  /// How a call ended.
  struct End {
    var code = 0
    var text = ""
    var isNotProcessed = false
    var retryAfterMilliseconds = 0
    var details = ""
    var initial = ""
    var trailing = ""
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var bytes: [UInt8] = []
  private var events: [Int: [Event]] = [:]
  private var closings = 0
  /// Added to the ids of a client's calls, so that what comes late belongs to no call of the next.
  private var base = 0
  private(set) var compresses = false
  private(set) var takesTimeLimits = false

  /// The longest time that anything may take that has no deadline of its own.
  static let patience: Int32 = 10_000

  /// Starts the program, which says that it is ready.
  init(_ command: String) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec \(command)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let ready = try line(within: 60_000)
    try require(ready["event"] as? String ?? "", is: "ready", "the first line of the client")
    compresses = ready["compression"] as? Bool ?? false
    takesTimeLimits = ready["time_limits"] as? Bool ?? false
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
  }

  /// Whether the program still runs.
  var isRunning: Bool { process.isRunning }

  /// Sends a command.
  func command(_ operation: String, _ fields: [String: Any] = [:]) throws {
    var fields = fields
    fields["op"] = operation
    if let id = fields["id"] as? Int { fields["id"] = id + base }
    var data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
    data.append(10)
    try require(process.isRunning, "the client under test has ended")
    try input.fileHandleForWriting.write(contentsOf: data)
  }

  /// The next event of a call.
  func event(_ id: Int, within milliseconds: Int32 = patience) throws -> Event {
    while true {
      if var queue = events[id + base], !queue.isEmpty {
        let first = queue.removeFirst()
        events[id + base] = queue
        return first
      }
      try take(line(within: milliseconds))
    }
  }

  /// The next event of a call that is already here.
  func eventIfAny(_ id: Int) throws -> Event? {
    while let line = try nextLine(within: 0) { try take(line) }
    guard events[id + base]?.isEmpty == false else { return nil }
    return try event(id)
  }

  /// The next message of a call.
  func message(_ id: Int) throws -> [UInt8] {
    let found = try event(id)
    guard case .message(let payload) = found else {
      throw Failure("call \(id): \(words(found)), not a message")
    }
    return payload
  }

  /// The span of the next message of a watch.
  func span(_ id: Int) throws -> Span {
    let found = try event(id)
    guard case .span(let span) = found else {
      throw Failure("call \(id): \(words(found)), not a message of a watch")
    }
    return span
  }

  /// The end of a call, which is its next event.
  @discardableResult
  func end(_ id: Int, _ code: Int, within milliseconds: Int32 = patience) throws -> End {
    let found = try event(id, within: milliseconds)
    guard case .end(let end) = found else {
      throw Failure("call \(id): \(words(found)), not its end with code \(code)")
    }
    try require(end.code == code, "call \(id): code \(end.code) (\(end.text)), not \(code)")
    return end
  }

  /// Throws unless nothing happens to a call for a while.
  func expectNothing(_ id: Int, milliseconds: Int32 = 150) throws {
    let limit = now() + Int(milliseconds)
    while now() < limit {
      guard let line = try nextLine(within: Int32(max(1, limit - now()))) else { break }
      try take(line)
    }
    if let found = events[id + base]?.first { throw Failure("call \(id): \(words(found)) came") }
  }

  /// Closes the client and waits until it has; forgets all events.
  func closeClient() throws {
    let wanted = closings + 1
    try command("close")
    while closings < wanted { try take(line(within: Self.patience)) }
    events = [:]
    base += 1_000
  }

  // MARK: Lines

  private func words(_ event: Event) -> String {
    switch event {
    case .message(let bytes): "a message of \(bytes.count) bytes"
    case .span(let span): "a message of a watch up to \(span.upto)"
    case .end(let end): "its end with code \(end.code) (\(end.text))"
    }
  }

  private func take(_ line: [String: Any]) throws {
    let id = line["id"] as? Int ?? 0
    switch line["event"] as? String {
    case "closed": closings += 1
    case "message":
      events[id, default: []].append(.message(try Hex.decode(line["payload"] as? String ?? "")))
    case "span":
      let span = Span(
        after: line["after"] as? Int ?? 0, upto: line["upto"] as? Int ?? 0,
        epoch: line["epoch"] as? String ?? "", isSnapshot: line["snapshot"] as? Bool ?? false,
        isIncomplete: line["incomplete"] as? Bool ?? false)
      events[id, default: []].append(.span(span))
    case "end":
      let end = End(
        code: line["code"] as? Int ?? -1, text: line["text"] as? String ?? "",
        isNotProcessed: line["not_processed"] as? Bool ?? false,
        retryAfterMilliseconds: line["retry_after_ms"] as? Int ?? 0,
        details: line["details"] as? String ?? "", initial: line["initial"] as? String ?? "",
        trailing: line["trailing"] as? String ?? "")
      events[id, default: []].append(.end(end))
    default: throw Failure("the client wrote \(line)")
    }
  }

  private func line(within milliseconds: Int32) throws -> [String: Any] {
    guard let line = try nextLine(within: milliseconds) else {
      throw Failure("the client wrote nothing in \(milliseconds) ms")
    }
    return line
  }

  private func nextLine(within milliseconds: Int32) throws -> [String: Any]? {
    let limit = now() + Int(milliseconds)
    while true {
      if let place = bytes.firstIndex(of: 10) {
        let data = Data(bytes[..<place])
        bytes.removeFirst(place + 1)
        guard let line = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
          throw Failure("the client wrote something that is not JSON")
        }
        return line
      }
      let descriptor = output.fileHandleForReading.fileDescriptor
      guard waits(descriptor, for: Int16(POLLIN), Int32(max(0, limit - now()))) else { return nil }
      guard let more = received(descriptor, most: 65_536) else {
        throw Failure("the client under test has ended")
      }
      bytes += more
    }
  }
}

/// Bytes as hexadecimal digits.
enum Hex {
  static func encode(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: String) throws -> [UInt8] {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { throw Failure("an odd number of digits") }
    return try stride(from: 0, to: digits.count, by: 2).map {
      try value(digits[$0]) << 4 | value(digits[$0 + 1])
    }
  }

  private static func value(_ digit: UInt8) throws -> UInt8 {
    switch digit {
    case 48...57: digit - 48
    case 97...102: digit - 87
    case 65...70: digit - 55
    default: throw Failure("not a hexadecimal digit")
    }
  }
}
