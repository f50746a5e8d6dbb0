import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// One connection of an attacker: frames of the protocol without the manners of a client.
///
/// It keeps to the server's allowances, since a violation would only end the connection, and never
/// returns credit. One thread uses it.
final class AttackPeer {
  /// A call under way.
  struct Call {
    let tally: Tally
    let isStream: Bool
    let sentAt: UInt64
    /// The part of the request that is not sent yet, and how much of it may be.
    var rest: ArraySlice<UInt8>
    var sendable: Int
    var charged: UInt64 = 0
    var allowance: UInt64
    var hasReply = false
    /// Whether the reply is a RESPONSE, whose last frame ends the call.
    var endsWithReply = false
    /// The reply, if the attacker wants it.
    var reply: [UInt8]?
  }

  /// What the server said at the end of a call.
  struct Ending {
    let stream: UInt32
    let tally: Tally
    let code: StatusCode
    let reply: [UInt8]
  }

  let number: Int
  let socket: AttackSocket
  let connectedAt = Clock.nanoseconds()
  /// Whether what the server sends is read from the socket.
  var reads = true
  /// The server has accepted the connection.
  private(set) var isOpen = false
  /// The GOAWAY that the server has sent.
  private(set) var goAway: GoAwayMessage?
  private(set) var calls: [UInt32: Call] = [:]
  /// Calls that have ended since this was last emptied.
  var endings: [Ending] = []
  /// When a behaviour looks at the connection again, in nanoseconds.
  var nextTurn: UInt64 = 0

  private var input = Deframer()
  private var preface = 0
  private var hasHello = false
  private var nextStream: UInt32 = 1
  /// The most of a request that goes with its head, so that any first allowance covers it.
  private let firstPartBytes = 2_048
  private var charged: UInt64 = 0
  private var connectionAllowance = Limits().initialConnectionCredit
  private var streamAllowance = Limits().initialStreamCredit
  private var frameBytes = Limits().maxFrameBytes

  init(number: Int, _ socket: AttackSocket) {
    self.number = number
    self.socket = socket
  }

  // MARK: Sending

  /// Sends preface and HELLO.
  func greet(_ hello: Hello) {
    let payload = hello.serializedBytes()
    socket.append(Preface.bytes)
    frame(.hello, stream: 0, payload[...])
  }

  /// Starts a call; returns its stream.
  ///
  /// - Parameters:
  ///   - withheld: bytes at the end of the request that are not sent until ``release(_:of:)``.
  ///   - keepsReply: whether the ending contains the reply.
  @discardableResult
  func start(
    _ method: UInt32, isStream: Bool, _ request: [UInt8], withholding withheld: Int = 0,
    keepsReply: Bool = false, _ tally: Tally
  ) -> UInt32 {
    let stream = nextStream
    nextStream += 2
    var head = RequestHeadMessage()
    head.methodID = method
    let headBytes = head.serializedBytes()
    var first = [UInt8(headBytes.count)] + headBytes
    let now = Clock.nanoseconds()
    var call = Call(
      tally: tally, isStream: isStream, sentAt: now, rest: request[...],
      sendable: max(0, request.count - withheld), allowance: streamAllowance,
      reply: keepsReply ? [] : nil)
    tally.began()
    let room = max(0, min(frameBytes - first.count, call.sendable, firstPartBytes))
    let part = call.rest.prefix(room)
    call.rest = call.rest.dropFirst(part.count)
    call.sendable -= part.count
    first += part
    charge(first.count, &call)
    frame(.request, call.rest.isEmpty ? .end : .more, stream: stream, first[...])
    calls[stream] = call
    return stream
  }

  /// Lets some more bytes of a withheld request go.
  func release(_ byteCount: Int, of stream: UInt32) { calls[stream]?.sendable += byteCount }

  /// Sends what the allowances permit; false if the connection is lost.
  func flush() -> Bool {
    for stream in calls.keys.sorted() where (calls[stream]?.sendable ?? 0) > 0 {
      while sendPart(of: stream) {}
    }
    return socket.flush()
  }

  /// Sends the next part of a request; false if there is none or no allowance.
  private func sendPart(of stream: UInt32) -> Bool {
    guard var call = calls[stream], call.sendable > 0 else { return false }
    let charge = UInt64(Limits.frameCharge)
    let room = min(
      call.allowance - min(call.charged, call.allowance),
      connectionAllowance - min(charged, connectionAllowance))
    guard room > charge else { return false }
    let count = min(call.sendable, frameBytes, Int(min(room - charge, 1 << 24)))
    let isLast = count == call.rest.count
    guard isLast || count >= Limits.smallestPart else { return false }
    let part = call.rest.prefix(count)
    call.rest = call.rest.dropFirst(count)
    call.sendable -= count
    self.charge(count, &call)
    frame(.data, isLast ? .end : .more, stream: stream, part)
    calls[stream] = call
    return true
  }

  private func charge(_ byteCount: Int, _ call: inout Call) {
    let bytes = UInt64(byteCount + Limits.frameCharge)
    charged += bytes
    call.charged += bytes
  }

  private func frame(
    _ type: FrameType, _ flags: FrameFlags = .none, stream: UInt32, _ payload: ArraySlice<UInt8>
  ) {
    let header = FrameHeader(
      payloadByteCount: payload.count, type: type, flags: flags, stream: stream)
    withUnsafeBytes(of: header.bits.bigEndian) { socket.append($0) }
    socket.append(payload)
  }

  // MARK: Receiving

  /// Reads what the server has sent; false if the connection is lost.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Bool {
    socket.receive(room) { chunk in
      var offset = 0
      while preface < Preface.byteCount, offset < chunk.count {
        preface += 1
        offset += 1
      }
      while let header = input.header(chunk, at: &offset),
        let payload = input.payload(of: header, chunk, at: &offset)
      {
        take(header, payload)
      }
    }
  }

  /// Whether the server has just accepted the connection: its HELLO came, and no GOAWAY with it.
  func becameOpen() -> Bool {
    guard hasHello, goAway == nil, !isOpen else { return false }
    isOpen = true
    return true
  }

  /// Forgets the calls of a connection that is lost.
  func abandon() {
    for call in calls.values { call.tally.left() }
    calls = [:]
  }

  private func take(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    switch header.type {
    case .hello:
      guard let hello = try? Hello(serializedBytes: Array(payload)) else { return }
      hasHello = true
      connectionAllowance = max(connectionAllowance, hello.initialConnectionCredit)
      streamAllowance = max(streamAllowance, hello.initialStreamCredit)
      if hello.maxFrameBytes > 0 { frameBytes = Int(hello.maxFrameBytes) }
    case .goAway: goAway = try? GoAwayMessage(serializedBytes: Array(payload))
    case .ping where !header.flags.contains(.end):
      frame(.ping, .end, stream: 0, Array(payload)[...])
    case .credit where payload.count == Limits.creditBytes:
      let value = UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self))
      if header.stream == 0 {
        connectionAllowance = max(connectionAllowance, value)
      } else if let call = calls[header.stream] {
        calls[header.stream]?.allowance = max(call.allowance, value)
      }
    case .response, .data: takeReply(header, payload)
    case .status:
      let status = (try? StatusMessage(serializedBytes: Array(payload))) ?? StatusMessage()
      end(header.stream, StatusCode(rawValue: status.code), status.message)
    case .cancel: end(header.stream, .cancelled, "the server cancelled the call")
    default: break
    }
  }

  private func takeReply(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
    guard calls[header.stream] != nil else { return }
    if header.type == .response { calls[header.stream]?.endsWithReply = true }
    calls[header.stream]?.reply?.append(contentsOf: payload)
    guard !header.flags.contains(.more), let call = calls[header.stream] else { return }
    if call.endsWithReply { return end(header.stream, .ok, "") }
    guard call.isStream else { return }
    call.tally.message(sinceSent: 0, sinceLast: 0, isFirst: false)
    guard !call.hasReply else { return }
    calls[header.stream]?.hasReply = true
    call.tally.ended(
      intended: call.sentAt, sent: call.sentAt, now: Clock.nanoseconds(), nil, isOpen: false)
  }

  private func end(_ stream: UInt32, _ code: StatusCode, _ text: String) {
    guard let call = calls.removeValue(forKey: stream) else { return }
    let failure = code == .ok ? nil : (code, "\(code.name): \(text)")
    if call.isStream, call.hasReply {
      // Its first message was the success; only an end with an error counts once more.
      if let failure { call.tally.broke(failure) } else { call.tally.left() }
    } else {
      call.tally.ended(
        intended: call.sentAt, sent: call.sentAt, now: Clock.nanoseconds(), failure)
    }
    endings.append(Ending(stream: stream, tally: call.tally, code: code, reply: call.reply ?? []))
  }
}
