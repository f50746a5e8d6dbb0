import QuiverWire

/// Whether it pays to try to compress the next message: after some that got no smaller, more and
/// more are sent as they are before another is tried.
struct CompressionHeuristic {
  private var misses = 0
  private var skip = 0

  /// The number of consecutive misses after which the pauses stop growing.
  private static let mostMisses = 6

  /// Whether the next message is to be tried.
  mutating func shouldTry() -> Bool {
    guard skip > 0 else { return true }
    skip -= 1
    return false
  }

  /// Notes whether a message that was tried got smaller.
  mutating func record(succeeded: Bool) {
    misses = succeeded ? 0 : min(misses + 1, Self.mostMisses)
    skip = misses == 0 ? 0 : 1 << misses
  }
}

extension ConnectionCore {
  /// Compresses what is sent from here on, if the peer inflates what this side can make.
  mutating func noteCompression(of hello: borrowing [String]) {
    guard let compressor, hello.contains(compressor.name) else { return }
    compressionThreshold = limits.compressFromBytes
  }

  /// The message compressed, where the peer takes that and it pays; nil: it goes as it is.
  ///
  /// It pays if an eighth is saved. What gets too small for the ratio that every receiver takes
  /// goes as it is.
  mutating func compressed(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
    guard message.count >= compressionThreshold, let compressor, compressionHeuristic.shouldTry()
    else {
      return nil
    }
    let frame = compressor.compress(message, below: message.count - message.count / 8)
    compressionHeuristic.record(succeeded: frame != nil)
    guard let frame,
      message.count <= max(Limits.inflateFloorBytes, frame.count * Limits.safeInflateRatio)
    else { return nil }
    return frame
  }

  /// The message that came as a compressed frame. Throws the status that ends its call.
  func decompressed(_ frame: UnsafeRawBufferPointer) throws(RPCError) -> Reassembly {
    let byRatio = max(Limits.inflateFloorBytes, frame.count &* limits.inflateRatio)
    let whole = Reassembly()
    do throws(InflateFault) {
      guard let compressor else { throw .malformed }
      try compressor.inflate(frame, limit: min(own.maxMessageBytes, byRatio)) {
        whole.bytes.append($0)
      }
    } catch {
      switch error {
      case .malformed:
        throw RPCError(
          .invalidArgument, "a message that does not inflate", isNotProcessed: true)
      case .tooLarge where own.maxMessageBytes <= byRatio: throw messageTooLarge
      case .tooLarge:
        throw exhausted(
          .inflateRatio,
          "a message inflates to at most \(limits.inflateRatio) times its size here")
      }
    }
    return whole
  }
}
