import Glibc
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The server's end of a connection of the client under test. It checks each frame of the client:
/// its type, its stream, and that it keeps to the allowances that were stated.
final class ScriptedConnection {
  /// A frame of the client.
  struct Frame {
    var header: FrameHeader
    var payload: [UInt8]

    var words: String { "\(header.type.map { "\($0)" } ?? "unknown") on \(header.stream)" }

    /// Whether it belongs to a request that the client still sends on a stream, or ends it.
    func isRest(of stream: UInt32?) -> Bool {
      let isLate = [.data, .close, .cancel].contains(header.type)
      return isLate && header.stream == stream
    }
  }

  /// A whole request.
  struct Request {
    var stream: UInt32
    var head: RequestHeadMessage
    var message: [UInt8]
    var flags: FrameFlags

    /// The payload of its `EchoMessage`.
    var payload: [UInt8] { (try? EchoMessage(serializedBytes: message))?.payload ?? [] }
  }

  private let descriptor: Int32
  /// Decrypts and encrypts; nil: the connection is plain.
  private let secured: SecuredStream?
  private var random: UInt64
  private var bytes: [UInt8] = []
  private var hasPreface = false
  private(set) var hello = Hello()
  private var highest: UInt32 = 0
  private var charged: [UInt32: UInt64] = [:]
  private var allowances: [UInt32: UInt64] = [0: 1 << 20]
  private(set) var credits: [UInt32: UInt64] = [:]
  private(set) var pingsAnswered = 0
  var streamWindow: UInt64 = 65_536
  var largestFrame = 16_384

  init(_ descriptor: Int32, seed: UInt64, _ channel: (any SecureChannel)? = nil) {
    self.descriptor = descriptor
    secured = channel.map(SecuredStream.init)
    random = seed
  }

  deinit { close(descriptor) }

  // MARK: Writing

  private func next(below bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// Sends bytes; on a hostile wire in parts of random lengths. False if the client has closed.
  @discardableResult
  func send(_ parts: [UInt8]...) -> Bool {
    let plain = parts.flatMap { $0 }
    guard let secured else { return transmit(plain) }
    // The client speaks first in TLS; what the handshake brings is kept.
    let limit = now() + Int(Driver.patience)
    while secured.isInHandshake {
      guard (try? read(until: limit)) == true else { return false }
    }
    guard let bytes = secured.encrypt(plain) else { return false }
    return transmit(bytes)
  }

  /// Writes bytes of the wire; on a hostile wire in parts of random lengths.
  private func transmit(_ bytes: [UInt8]) -> Bool {
    guard random != 0 else { return write(bytes[...]) }
    var at = 0
    while at < bytes.count {
      // Short parts at the start, where the headers of small frames are.
      let most: UInt64 = at < 256 ? 12 : 9_000
      let end = min(bytes.count, at + 1 + Int(next(below: most)))
      guard write(bytes[at..<end]) else { return false }
      at = end
      if next(below: 8) == 0 { usleep(UInt32(next(below: 600))) }
    }
    return true
  }

  private func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard waits(descriptor, for: Int16(POLLOUT), Driver.patience) else { return false }
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 || errno == EAGAIN || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// The URIs in the certificate of the client.
  var peerURIs: [String] { secured?.peerURIs ?? [] }
  /// Whether TLS has resumed a session.
  var hasResumedSession: Bool { secured?.hasResumedSession ?? false }

  /// Closes this direction.
  func halfClose() {
    if let secured { _ = transmit(secured.close()) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends the first bytes of what would be sent, and closes as a process that is killed does.
  func sendAndCut(_ bytes: [UInt8], after count: Int) {
    send(Array(bytes[..<min(count, bytes.count)]))
    cut()
  }

  /// Closes both directions, as a process that is killed does.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Reads the client's preface and HELLO, and sends those of the server.
  func greet(_ change: (inout Hello) -> Void = { _ in }) throws {
    try readHello()
    var mine = Hello()
    mine.versionMin = 1
    mine.versionMax = 1
    mine.software = "quiver-conformance"
    mine.instanceID = [1, 2, 3, 4]
    change(&mine)
    if mine.initialStreamCredit > streamWindow { streamWindow = mine.initialStreamCredit }
    send(Preface.bytes, Frames.frame(.hello, mine.serializedBytes()))
  }

  /// Reads the client's preface and HELLO.
  func readHello() throws {
    let first = try next()
    guard first.header.type == .hello else { throw Failure("\(first.words), not HELLO") }
    hello = try Hello(serializedBytes: first.payload)
    guard hello.authToken.isEmpty else { return }
    streamWindow = 16_384
    allowances[0] = 16_384
    largestFrame = 4_096
  }

  func credit(_ stream: UInt32, _ allowance: UInt64) {
    allowances[stream] = max(allowances[stream] ?? 0, allowance)
    send(Frames.credit(stream, allowance))
  }

  // MARK: Reading

  /// The next frame other than CREDIT and answers to PING.
  func next(within milliseconds: Int32 = Driver.patience) throws -> Frame {
    guard let frame = try nextIfAny(within: milliseconds) else {
      throw Failure("the client sent nothing in \(milliseconds) ms")
    }
    return frame
  }

  /// The next frame other than CREDIT and answers to PING; nil after a timeout.
  func nextIfAny(within milliseconds: Int32) throws -> Frame? {
    let limit = now() + Int(milliseconds)
    while true {
      if let frame = try cutFrame() {
        try check(frame)
        switch frame.header.type {
        case .credit:
          let allowance = frame.payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          credits[frame.header.stream] = max(credits[frame.header.stream] ?? 0, allowance)
        case .ping where frame.header.flags.contains(.end): pingsAnswered += 1
        default: return frame
        }
        continue
      }
      guard try read(until: limit) else { return nil }
    }
  }

  /// Reads until a condition on what was counted holds, or throws.
  func wait(_ what: String, until holds: () -> Bool) throws {
    let limit = now() + Int(Driver.patience)
    while !holds() {
      if let frame = try nextIfAny(within: 20) { throw Failure("\(frame.words), not \(what)") }
      try require(now() < limit, "\(what) did not come")
    }
  }

  /// Reads once; nothing is left to cut then but a part of a frame.
  private func read(until limit: Int) throws -> Bool {
    // Its close_notify may have come in the same bytes as its last frames. The socket may stay open
    // then, until the client has this side's.
    if let secured, secured.isPeerClosed { throw Failure("the client closed the connection") }
    guard waits(descriptor, for: Int16(POLLIN), Int32(max(0, limit - now()))) else { return false }
    let most = random == 0 ? 65_536 : 1 + Int(next(below: 4_000))
    guard let more = received(descriptor, most: most) else {
      throw Failure("the client closed the connection")
    }
    guard let secured else {
      bytes += more
      return true
    }
    defer {
      let answer = secured.takeWire()
      if !answer.isEmpty { _ = transmit(answer) }
    }
    try secured.receive(Array(more))
    bytes += secured.takePlain()
    return true
  }

  private func cutFrame() throws -> Frame? {
    if !hasPreface, bytes.count >= 8 {
      try require(Array(bytes[..<8]), is: Preface.bytes, "the client's preface")
      hasPreface = true
      bytes.removeFirst(8)
    }
    guard hasPreface, bytes.count >= 8 else { return nil }
    let header = FrameHeader(bits: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    let end = 8 + header.payloadByteCount
    guard bytes.count >= end else { return nil }
    let payload = Array(bytes[8..<end])
    bytes.removeFirst(end)
    return Frame(header: header, payload: payload)
  }

  /// What holds for every frame of a client.
  private func check(_ frame: Frame) throws {
    let stream = frame.header.stream
    let count = frame.payload.count
    switch frame.header.type {
    case .request:
      try require(!stream.isMultiple(of: 2) && stream > highest, "a REQUEST on stream \(stream)")
      highest = stream
      allowances[stream] = max(allowances[stream] ?? 0, streamWindow)
      try charge(frame)
    case .data:
      try require(stream <= highest, "DATA on stream \(stream), which was never opened")
      if frame.header.flags.contains(.more) {
        try require(count >= 1_024, "a part of \(count) bytes")
      }
      try charge(frame)
    case .hello, .cancel, .close, .goAway, .ping, .credit: break
    default: throw Failure("the client sent \(frame.words)")
    }
  }

  private func charge(_ frame: Frame) throws {
    let stream = frame.header.stream
    let count = frame.payload.count
    try require(count <= largestFrame, "a frame of \(count) bytes")
    charged[stream, default: 0] += UInt64(count + 32)
    charged[0, default: 0] += UInt64(count + 32)
    for id in [stream, 0] {
      try require(
        charged[id] ?? 0 <= allowances[id] ?? 0,
        "\(charged[id] ?? 0) bytes on stream \(id), whose allowance is \(allowances[id] ?? 0)")
    }
  }

  // MARK: Requests

  /// The next REQUEST, without the rest of its message; `afterCancel`: and behind any CANCEL;
  /// `behind`: and behind what the client still sends on that stream.
  func request(afterCancel: Bool = false, behind stream: UInt32? = nil) throws -> Request {
    var frame = try next()
    while afterCancel && frame.header.type == .cancel || frame.isRest(of: stream) {
      frame = try next()
    }
    guard frame.header.type == .request else { throw Failure("\(frame.words), not REQUEST") }
    return try Self.parse(frame)
  }

  static func parse(_ frame: Frame) throws -> Request {
    let bytes = frame.payload
    var length = 0
    var at = 0
    while at < 3 {
      guard at < bytes.count else { throw Failure("a REQUEST without a head") }
      length |= Int(bytes[at] & 127) << (7 * at)
      at += 1
      if bytes[at - 1] < 128 { break }
    }
    guard at + length <= bytes.count else { throw Failure("a head longer than its REQUEST") }
    let head = try RequestHeadMessage(serializedBytes: Array(bytes[at..<at + length]))
    return Request(
      stream: frame.header.stream, head: head, message: Array(bytes[(at + length)...]),
      flags: frame.header.flags)
  }

  /// The next request with a single message, of all its frames; returns credit for it.
  func wholeRequest(afterCancel: Bool = false, behind stream: UInt32? = nil) throws -> Request {
    var request = try request(afterCancel: afterCancel, behind: stream)
    var flags = request.flags
    while flags.contains(.more) {
      credit(request.stream, (charged[request.stream] ?? 0) + 65_536)
      credit(0, (charged[0] ?? 0) + 1 << 20)
      let frame = try next()
      guard frame.header.type == .data, frame.header.stream == request.stream else {
        throw Failure("\(frame.words) inside a message")
      }
      request.message += frame.payload
      flags = frame.header.flags
    }
    if !flags.contains(.end) {
      var frame = try next()
      while frame.isRest(of: stream) { frame = try next() }
      try require(
        frame.header.type == .close && frame.header.stream == request.stream,
        "\(frame.words), not the end of the request")
    }
    return request
  }

  /// The next message of a request stream; nil at its end. `request` is the REQUEST before it.
  func streamed(_ stream: UInt32) throws -> (message: [UInt8], ends: Bool)? {
    var message: [UInt8] = []
    while true {
      let frame = try next()
      guard frame.header.stream == stream else { throw Failure("\(frame.words)") }
      if frame.header.type == .close { return nil }
      guard frame.header.type == .data else { throw Failure("\(frame.words), not DATA") }
      message += frame.payload
      if frame.header.flags.contains(.more) { continue }
      return (message, frame.header.flags.contains(.end))
    }
  }

  // MARK: Replies

  func respond(_ stream: UInt32, _ payload: [UInt8]) {
    send(Frames.frame(.response, stream: stream, Self.echo(payload)))
  }

  func data(_ stream: UInt32, _ payload: [UInt8]) {
    send(Frames.frame(.data, stream: stream, Self.echo(payload)))
  }

  func status(_ stream: UInt32, _ code: UInt32, _ change: (inout StatusMessage) -> Void = { _ in })
  {
    var status = StatusMessage()
    status.code = code
    change(&status)
    send(Frames.frame(.status, stream: stream, status.serializedBytes()))
  }

  func goAway(_ code: ConnectionErrorCode, last: UInt32) {
    var message = GoAwayMessage()
    message.code = code.rawValue
    message.lastStreamID = last
    message.reason = "as the case asks"
    send(Frames.frame(.goAway, message.serializedBytes()))
  }

  static func echo(_ payload: [UInt8]) -> [UInt8] {
    var message = EchoMessage()
    message.payload = payload
    return message.serializedBytes()
  }

  // MARK: Ends

  /// Throws unless the client ends the connection with GOAWAY and this code.
  func expectGoAway(_ name: String) throws {
    while true {
      let frame = try next()
      guard frame.header.type == .goAway else {
        guard frame.header.type == .request || frame.header.type == .cancel else {
          throw Failure("\(frame.words), not GOAWAY \(name)")
        }
        continue
      }
      let message = try GoAwayMessage(serializedBytes: frame.payload)
      let found = ConnectionErrorCode(rawValue: message.code).name
      try require(found, is: name, "the code of the client's GOAWAY")
      try require(message.lastStreamID, is: 0, "the last stream of the client's GOAWAY")
      return
    }
  }

  /// Throws unless the client closes, after frames that end calls or the connection.
  func expectClose() throws {
    let limit = now() + Int(Driver.patience)
    while now() < limit {
      do {
        guard let frame = try nextIfAny(within: 100) else { continue }
        let type = frame.header.type
        try require(
          type == .goAway || type == .cancel || type == .close || type == .request,
          "\(frame.words), not the end")
      } catch let failure as Failure {
        if failure.description == "the client closed the connection" { return }
        throw failure
      }
    }
    throw Failure("the client did not close")
  }
}
