import CNGHTTP2
import Testing

@testable import QuiverGateway

@Suite("Numbers of HTTP/2 streams", .timeLimit(.minutes(1)))
struct StreamNumbersTests {
  @Test("A higher number opens a stream, and a lower one does not")
  func opening() {
    var streams = StreamNumbers()
    let opened = [1, 1, 7, 5].map { streams.opens($0) }
    #expect(opened == [true, false, true, false])
  }

  @Test("A number that was passed over is an error of the protocol, a used one is closed")
  func errors() {
    var streams = StreamNumbers()
    _ = streams.opens(3)
    _ = streams.opens(9)
    #expect(streams.error(of: 1) == NGHTTP2_PROTOCOL_ERROR.rawValue)
    #expect(streams.error(of: 3) == NGHTTP2_STREAM_CLOSED.rawValue)
    #expect(streams.error(of: 5) == NGHTTP2_PROTOCOL_ERROR.rawValue)
    #expect(streams.error(of: 7) == NGHTTP2_PROTOCOL_ERROR.rawValue)
    #expect(streams.error(of: 9) == NGHTTP2_STREAM_CLOSED.rawValue)
  }

  @Test("What comes on one of the last 128 streams that this side has ended is no error")
  func ended() {
    var streams = StreamNumbers()
    for number in 0...128 {
      _ = streams.opens(Int32(2 * number + 1))
      let isNew = [0, 1].map { _ in streams.endedHere(Int32(2 * number + 1)) }
      #expect(isNew == [true, false])
    }
    #expect(streams.error(of: 1) == NGHTTP2_STREAM_CLOSED.rawValue)
    #expect(streams.error(of: 3) == nil)
    #expect(streams.error(of: 257) == nil)
  }
}
