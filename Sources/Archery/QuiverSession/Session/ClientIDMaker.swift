import Synchronization

/// Creates the UUIDv7 identifiers (RFC 9562) of objects before the server assigns ids.
///
/// Each identifier is greater than all earlier ones of the same maker, also within a millisecond
/// and after the clock goes back: the 74 bits after the time are a counter with a random start and
/// random steps.
final class ClientIDMaker: Sendable {
  /// The maker of the process.
  static let shared = ClientIDMaker()

  private let latest = Mutex(Position())

  private struct Position {
    /// 48 bits.
    var milliseconds: UInt64 = 0
    /// 12 bits.
    var high: UInt64 = 0
    /// 62 bits.
    var low: UInt64 = 0
  }

  private static let timeMask: UInt64 = 1 << 48 - 1
  private static let highMask: UInt64 = 1 << 12 - 1
  private static let lowMask: UInt64 = 1 << 62 - 1

  /// The next identifier, 16 bytes, for an instant in milliseconds since 1970-01-01 UTC.
  func make(at unixMilliseconds: Int64) -> [UInt8] {
    let now = UInt64(clamping: unixMilliseconds) & Self.timeMask
    let position = latest.withLock { latest in
      if now > latest.milliseconds {
        latest = Self.start(of: now)
      } else {
        Self.advance(&latest)
      }
      return latest
    }
    let first = position.milliseconds << 16 | 0x7000 | position.high
    let second = 0b10 << 62 | position.low
    return withUnsafeBytes(of: (first.bigEndian, second.bigEndian)) { Array($0) }
  }

  /// The highest bit of the counter starts as 0, so that a millisecond does not overflow it.
  private static func start(of milliseconds: UInt64) -> Position {
    Position(
      milliseconds: milliseconds, high: .random(in: 0...highMask / 2),
      low: .random(in: 0...lowMask))
  }

  private static func advance(_ position: inout Position) {
    position.low &+= .random(in: 1...1 << 32)
    guard position.low > lowMask else { return }
    position.low &= lowMask
    position.high &+= 1
    guard position.high > highMask else { return }
    position = start(of: (position.milliseconds &+ 1) & timeMask)
  }
}
