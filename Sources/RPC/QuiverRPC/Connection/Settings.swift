package import QuiverWire

/// What one side of a connection allows the other: the limits that its HELLO states.
package struct Settings: Sendable, Equatable {
  package var maxFrameBytes: Int
  package var maxMessageBytes: Int
  package var maxConcurrentStreams: Int
  package var streamCredit: UInt64
  package var connectionCredit: UInt64

  /// The settings that `limits` name.
  package init(_ limits: Limits) {
    maxFrameBytes = limits.maxFrameBytes
    maxMessageBytes = limits.maxMessageBytes
    maxConcurrentStreams = limits.maxConcurrentStreams
    streamCredit = limits.initialStreamCredit
    connectionCredit = limits.initialConnectionCredit
  }

  /// What a HELLO states, where 0 means `defaults`.
  ///
  /// Throws when a byte field is below 4 KiB or a frame may be above 1 MiB.
  init(_ hello: Hello, defaults: Settings) throws(ConnectionFault) {
    self = defaults
    let least = UInt64(Limits.smallestByteField)
    for field in [
      UInt64(hello.maxFrameBytes), UInt64(hello.maxMessageBytes), hello.initialStreamCredit,
      hello.initialConnectionCredit,
    ] where field != 0 && field < least {
      throw ConnectionFault(.protocolError, "a limit of HELLO is too low")
    }
    guard hello.maxFrameBytes <= UInt32(truncatingIfNeeded: Limits.largestMaxFrameBytes),
      hello.initialStreamCredit <= Limits.largestCredit,
      hello.initialConnectionCredit <= Limits.largestCredit
    else { throw ConnectionFault(.protocolError, "a limit of HELLO is too high") }
    if hello.maxFrameBytes != 0 { maxFrameBytes = Int(truncatingIfNeeded: hello.maxFrameBytes) }
    if hello.maxMessageBytes != 0 {
      maxMessageBytes = Int(truncatingIfNeeded: hello.maxMessageBytes)
    }
    if hello.maxConcurrentStreams != 0 {
      maxConcurrentStreams = Int(truncatingIfNeeded: hello.maxConcurrentStreams)
    }
    if hello.initialStreamCredit != 0 { streamCredit = hello.initialStreamCredit }
    if hello.initialConnectionCredit != 0 { connectionCredit = hello.initialConnectionCredit }
  }

  /// The greater of both, field by field: a HELLO may only raise what was assumed before it.
  func raised(to other: Settings) -> Settings {
    var result = self
    result.maxFrameBytes = max(maxFrameBytes, other.maxFrameBytes)
    result.maxMessageBytes = max(maxMessageBytes, other.maxMessageBytes)
    result.maxConcurrentStreams = max(maxConcurrentStreams, other.maxConcurrentStreams)
    result.streamCredit = max(streamCredit, other.streamCredit)
    result.connectionCredit = max(connectionCredit, other.connectionCredit)
    return result
  }

  /// The HELLO fields that state these settings, zero where they equal `defaults`.
  func state(in hello: inout Hello, defaults: Settings) {
    if maxFrameBytes != defaults.maxFrameBytes {
      hello.maxFrameBytes = UInt32(clamping: maxFrameBytes)
    }
    if maxMessageBytes != defaults.maxMessageBytes {
      hello.maxMessageBytes = UInt32(clamping: maxMessageBytes)
    }
    if maxConcurrentStreams != defaults.maxConcurrentStreams {
      hello.maxConcurrentStreams = UInt32(clamping: maxConcurrentStreams)
    }
    if streamCredit != defaults.streamCredit { hello.initialStreamCredit = streamCredit }
    if connectionCredit != defaults.connectionCredit {
      hello.initialConnectionCredit = connectionCredit
    }
  }
}
