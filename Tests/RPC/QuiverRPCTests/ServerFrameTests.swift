import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Replies to frames that are not valid", .timeLimit(.minutes(5)))
struct ServerFrameTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var answer: String
    var testDescription: String { name }
  }

  static let protocolErrors: [Case] = [
    ("C05: END and MORE together", request(1, Number.echo, [], [.end, .more])),
    ("C05: IGNORABLE on a known type", request(1, Number.echo, [], [.end, .ignorable])),
    (
      "C05: COMPRESSED, which was not negotiated", request(1, Number.echo, [], [.end, .compressed])
    ),
    ("C05: END on CANCEL", frame(.cancel, .end, stream: 1)),
    ("C05: MORE on PING", frame(.ping, .more, [UInt8](repeating: 0, count: 8))),
    ("C05: END on CLOSE", frame(.close, .end, stream: 1)),
    ("C06: type 0", frame(0, .ignorable)),
    ("C06: a critical unknown type", frame(13)),
    ("HEADERS to the server", frame(.headers, stream: 1)),
    ("RESPONSE to the server", frame(.response, stream: 1)),
    ("STATUS to the server", frame(.status, stream: 1)),
    ("an even stream", request(2, Number.echo)),
    ("stream 0", request(0, Number.echo)),
    ("a stream over 2^31 - 1", request(0x8000_0001, Number.echo)),
    ("DATA on an idle stream", data(1, [])),
    ("K10: CANCEL of a stream that was never opened", cancel(1)),
    ("CREDIT of a stream that was never opened", credit(1, 1 << 20)),
    ("CLOSE of a stream that was never opened", frame(.close, stream: 1)),
    ("CREDIT of an even stream", credit(2, 1 << 20)),
    ("CREDIT above 2^63 - 1", credit(0, 1 << 63)),
    ("PING on a stream", frame(.ping, stream: 1, [UInt8](repeating: 0, count: 8))),
    ("GOAWAY on a stream", frame(.goAway, stream: 1)),
    ("GOAWAY that does not decode", frame(.goAway, [0xFF])),
    ("C11: a head longer than its REQUEST", frame(.request, .end, stream: 1, [5, 8, 1])),
    ("C11: a REQUEST without even a length", frame(.request, .end, stream: 1)),
    ("C07: a head's length longer than need be", frame(.request, .end, stream: 1, [0x80, 0x00])),
    (
      "C07: a head's length that does not end",
      frame(.request, .end, stream: 1, [UInt8](repeating: 0xFF, count: 12))
    ),
    ("bytes after the head of a REQUEST without a message", request(1, Number.echo, [1], [])),
  ].map { (name: String, bytes: [UInt8]) in Case(name: name, bytes: bytes, answer: "PROTOCOL_ERROR")
  }

  static let sizeErrors: [Case] = [
    ("C08: REQUEST one over", header(.request, stream: 1, promising: 16_385)),
    ("C08: DATA of 2^24 - 1", header(.data, stream: 1, promising: 0xFF_FFFF)),
    ("CANCEL over 4 KiB", header(.cancel, stream: 1, promising: 4_097)),
    ("GOAWAY over 4 KiB", header(.goAway, promising: 4_097)),
    ("C09: CREDIT of 7", header(.credit, promising: 7)),
    ("C09: CREDIT of 9", header(.credit, promising: 9)),
    ("C09: PING of 0", header(.ping, promising: 0)),
    ("C09: CLOSE with a payload", header(.close, stream: 1, promising: 1)),
    ("C06: an ignorable frame over 4 KiB", [0, 0x10, 0x01, 0xE8, 0, 0, 0, 0]),
  ].map { (name: String, bytes: [UInt8]) in
    Case(name: name, bytes: bytes, answer: "FRAME_SIZE_ERROR")
  }

  @Test("Frames that are not valid end the connection", arguments: protocolErrors + sizeErrors)
  func ends(_ wrong: Case) throws {
    let server = ServerHarness()
    let words = server.receive(wrong.bytes, request(101, Number.echo))
    #expect(words.count == 1)
    #expect(try #require(words.first).hasPrefix("GOAWAY \(wrong.answer), last "))
    #expect(server.phase == .closing)
    #expect(server.receive(ping(1)) == [], "nothing is answered after a GOAWAY")
  }

  @Test("C08: a frame of the maximum length is accepted")
  func longest() {
    let server = ServerHarness()
    let head = request(1, Number.echo).count - FrameHeader.byteCount
    let bytes = request(1, Number.echo, blob(encoded: 16_384 - head))
    #expect(bytes.count == 16_384 + 8)
    #expect(server.receive(bytes) == ["RESPONSE 1: \(16_384 - head)"])
  }

  @Test("C06: an unknown frame that may be ignored is skipped")
  func ignorable() {
    let server = ServerHarness()
    let bytes = frame(14, [.ignorable, .more], stream: 77, [UInt8](repeating: 9, count: 4_096))
    #expect(server.receive(bytes, request(1, Number.echo)) == ["RESPONSE 1: 0"])
  }

  @Test("A stream id must be greater than all earlier ones; gaps are allowed")
  func streamNumbers() {
    let server = ServerHarness()
    #expect(server.receive(request(5, Number.echo)) == ["RESPONSE 5: 0"])
    #expect(server.receive(request(101, Number.echo)) == ["RESPONSE 101: 0"])
    #expect(server.receive(request(7, Number.echo)) == ["GOAWAY PROTOCOL_ERROR, last 101"])
  }

  @Test("Late frames of closed streams, and of streams that were skipped, are dropped")
  func lateFrames() {
    let server = ServerHarness()
    #expect(server.receive(request(5, Number.echo)) == ["RESPONSE 5: 0"])
    let words = server.receive(
      data(5, [1]), data(3, [1]), cancel(5), cancel(1), credit(5, 1 << 30), frame(.close, stream: 3)
    )
    #expect(words == [])
    #expect(server.receive(request(7, Number.echo)) == ["RESPONSE 7: 0"])
  }

  @Test("DATA and CLOSE after the end of the request end the connection")
  func afterTheEnd() {
    for late in [data(1, []), frame(.close, stream: 1)] {
      let server = ServerHarness()
      #expect(server.receive(request(1, Number.hold)) == [])
      #expect(server.receive(late) == ["GOAWAY PROTOCOL_ERROR, last 1"])
    }
  }

  @Test("C11: a fragment below 1 KiB, and CLOSE within a message, end the connection")
  func partRules() {
    let part = [UInt8](repeating: 0, count: 1_023)
    for late in [data(1, part, .more), frame(.close, stream: 1)] {
      let server = ServerHarness()
      #expect(server.receive(request(1, Number.echo, [], .more)) == [])
      #expect(server.receive(late) == ["GOAWAY PROTOCOL_ERROR, last 1"])
    }
  }

  @Test("A CANCEL that does not decode ends the connection")
  func badCancel() {
    let server = ServerHarness()
    #expect(server.receive(request(1, Number.hold)) == [])
    #expect(
      server.receive(frame(.cancel, stream: 1, [0xFF])) == ["GOAWAY PROTOCOL_ERROR, last 1"])
    #expect(server.held.cancelledCount == 1)
  }

  @Test("A client's GOAWAY with a greater last id ends the connection; any other is processed")
  func clientsGoAway() {
    let server = ServerHarness()
    #expect(server.receive(goAway(last: 0), request(1, Number.echo)) == ["RESPONSE 1: 0"])
    #expect(server.receive(goAway(last: 2)) == ["GOAWAY PROTOCOL_ERROR, last 1"])
  }

  @Test("An incomplete frame ends the connection after 30 s")
  func frameTimeout() {
    let server = ServerHarness()
    #expect(server.receive(Array(request(1, Number.echo).dropLast())) == [])
    #expect(server.advance(milliseconds: 29_999) == [])
    #expect(server.advance(milliseconds: 1) == ["GOAWAY TIMEOUT, last 0"])
  }

  @Test("The 30 s start again with each frame")
  func frameTimeoutRestarts() {
    let server = ServerHarness()
    let bytes = request(1, Number.echo)
    #expect(server.receive(Array(bytes.dropLast())) == [])
    #expect(server.advance(milliseconds: 20_000) == [])
    #expect(server.receive([bytes.last ?? 0] + [0, 0, 0]) == ["RESPONSE 1: 0"])
    #expect(server.advance(milliseconds: 29_000) == [])
    #expect(server.advance(milliseconds: 1_000) == ["GOAWAY TIMEOUT, last 1"])
  }
}
