/// The four flag bits of a frame header.
public struct FrameFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No flag; the empty literal goes through generic code that is not specialised across modules.
  @inlinable public static var none: Self { Self(rawValue: 0) }
  /// Completes the last message of the request side; on a PING, marks the reply.
  @inlinable public static var end: Self { Self(rawValue: 1) }
  /// The message continues in this stream's next DATA.
  @inlinable public static var more: Self { Self(rawValue: 2) }
  /// The whole message is one zstd frame; set on its first frame.
  @inlinable public static var compressed: Self { Self(rawValue: 4) }
  /// A receiver that does not know the type skips the frame.
  @inlinable public static var ignorable: Self { Self(rawValue: 8) }
}
