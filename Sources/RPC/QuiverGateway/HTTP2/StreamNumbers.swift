import CNGHTTP2

/// The numbers of the streams of a connection, as far as they tell why HEADERS may not come on one
/// that is not open (RFC 9113, sections 5.1 and 5.1.1).
struct StreamNumbers {
  private var highest: Int32 = -1
  /// Numbers that were passed over.
  private var skipped: [ClosedRange<Int32>] = []
  /// Streams that this side has ended: what the peer had sent until it knew is no error.
  private var endedHere: [Int32] = []

  private static let maxSkipped = 16
  private static let maxEnded = 128

  /// Whether HEADERS opens the stream.
  mutating func opens(_ stream: Int32) -> Bool {
    guard stream > highest else { return false }
    if stream > highest + 2 {
      if skipped.count == Self.maxSkipped { skipped.removeFirst() }
      skipped.append(highest + 2...stream - 2)
    }
    highest = stream
    return true
  }

  /// This side has ended the stream, or refused what came on it. False: that is known.
  mutating func endedHere(_ stream: Int32) -> Bool {
    guard !endedHere.contains(stream) else { return false }
    if endedHere.count == Self.maxEnded { endedHere.removeFirst() }
    endedHere.append(stream)
    return true
  }

  /// The error of a connection on which HEADERS comes on a stream that is not open and does not
  /// open; nil: it is none.
  func error(of stream: Int32) -> UInt32? {
    guard !endedHere.contains(stream) else { return nil }
    let isIdle = skipped.contains { $0.contains(stream) }
    return (isIdle ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_STREAM_CLOSED).rawValue
  }
}
