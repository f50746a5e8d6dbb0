import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The vectors of the specification", .timeLimit(.minutes(5)))
struct VectorTests {
  @Test(
    "C01: each valid frame has the specified parts", arguments: Vectors.frames?.valid ?? [])
  func validFrame(_ valid: Vectors.Valid) throws {
    let bytes = Vectors.bytes(valid.hex)
    let header = bytes.withUnsafeBytes { $0.baseAddress.map { FrameHeader(reading: $0) } }
    let read = try #require(header)
    #expect(read.payloadByteCount == valid.length && bytes.count == 8 + valid.length)
    #expect(read.stream == valid.stream)
    switch valid.type {
    case .named(let name): #expect("\(try #require(read.type))".uppercased() == name)
    case .numbered(let number): #expect(read.typeBits == number && read.type == nil)
    }
    let names: [(FrameFlags, String)] = [
      (.end, "END"), (.more, "MORE"), (.compressed, "COMPRESSED"), (.ignorable, "IGNORABLE"),
    ]
    #expect(names.filter { read.flags.contains($0.0) }.map(\.1) == valid.flags)
    try checkPayload(read, Array(bytes.dropFirst(8)), valid)
  }

  /// C02: decoded frames are encoded to the same bytes.
  private func checkPayload(
    _ header: FrameHeader, _ payload: [UInt8], _ valid: Vectors.Valid
  ) throws {
    switch header.type {
    case .hello: #expect(try Hello(serializedBytes: payload).serializedBytes() == payload)
    case .headers: #expect(try ResponseHead(serializedBytes: payload).serializedBytes() == payload)
    case .status: #expect(try StatusMessage(serializedBytes: payload).serializedBytes() == payload)
    case .cancel: #expect(try CancelMessage(serializedBytes: payload).serializedBytes() == payload)
    case .goAway: #expect(try GoAwayMessage(serializedBytes: payload).serializedBytes() == payload)
    case .request:
      let prefix = Int(payload[0])
      let head = payload[1..<prefix + 1].withUnsafeBytes { try? RequestHead(decoding: $0) }
      let read = try #require(head)
      let written = [UInt8](unsafeUninitializedCapacity: read.encodedByteCountBound) {
        room, count in
        count = room.baseAddress.map { read.encode(to: UnsafeMutableRawPointer($0)) } ?? 0
      }
      #expect(written == Array(payload[1..<prefix + 1]))
      #expect(Vectors.hex(payload[(prefix + 1)...]) == valid.message)
    case .data, .response: #expect(Vectors.hex(payload) == valid.message)
    case .credit:
      #expect(String(payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) == valid.number)
    case .ping, .close, nil: break
    }
  }

  @Test("The valid frames have every type")
  func everyType() {
    let types = Set((Vectors.frames?.valid ?? []).map { "\($0.type)" })
    for type in FrameType.allCases {
      #expect(types.contains("\(Vectors.Kind.named("\(type)".uppercased()))"))
    }
  }

  static let invalid = Vectors.frames?.invalid ?? []

  @Test(
    "row 11: each invalid frame to a server has its specified reply and no other effect",
    arguments: invalid.filter { $0.to == "server" })
  func invalidToServer(_ invalid: Vectors.Invalid) throws {
    for oneByOne in [false, true] {
      let host = VectorHost()
      host.receive(Preface.bytes + hello { $0.authToken = Array("good".utf8) })
      host.receive(Vectors.bytes(invalid.before))
      var parser = FrameParser()
      let before = parser.parse(host.takeSaid())
      #expect(before.allSatisfy { $0.type != .goAway && $0.type != .status })
      let bytes = Vectors.bytes(invalid.hex)
      if oneByOne { for byte in bytes { host.receive([byte]) } } else { host.receive(bytes) }
      let last = try #require(parser.parse(host.takeSaid()).last)
      if let error = invalid.error {
        #expect(last.words.hasPrefix("GOAWAY \(error), last "))
        #expect(host.hasEnded)
      } else {
        try check(last, invalid.status)
        host.receive(request(101, VectorHost.Number.echo))
        #expect(parser.parse(host.takeSaid()).map(\.words) == ["RESPONSE 101: 0"])
      }
    }
  }

  private func check(_ frames: ReceivedFrame, _ expected: Vectors.Status?) throws {
    let expected = try #require(expected)
    let status = try #require(frames.status)
    #expect(frames.type == .status && frames.stream == expected.stream)
    #expect(status.code == expected.code && status.notProcessed == expected.notProcessed)
  }

  @Test(
    "row 11: each invalid frame to a client has its specified reply",
    arguments: invalid.filter { $0.to == "client" })
  func invalidToClient(_ invalid: Vectors.Invalid) throws {
    let client = ClientHarness()
    let calls = (invalid.calls ?? []).map { client.call(kind: MethodKind(named: $0)) }
    for call in calls { #expect(client.starts(call).count == 1) }
    let words = client.receive(Vectors.bytes(invalid.hex))
    if let error = invalid.error {
      #expect(words.last == "GOAWAY \(error), last 0")
      #expect(calls.allSatisfy { $0.errors.map(\.code) == [.unavailable] })
    } else {
      let expected = try #require(invalid.status)
      let error = try #require(calls[Int(expected.stream) / 2].errors.first)
      #expect(error.code.rawValue == expected.code && error.isNotProcessed == false)
      #expect(words == ["CANCEL \(expected.stream) CANCELLED"])
      #expect(client.phase == .open)
    }
  }
}

extension MethodKind {
  init(named name: String) {
    switch name {
    case "server streaming": self = .serverStreaming
    case "client streaming": self = .clientStreaming
    case "bidirectional": self = .bidirectional
    default: self = .unary
    }
  }
}
