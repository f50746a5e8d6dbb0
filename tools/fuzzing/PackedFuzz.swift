import QuiverRPC
import QuiverZstd

/// The inflater: any input ends with a result within its limit, and inflated bytes survive
/// compression.
enum InflateFuzz {
  private static let limits = [0, 1, 1_000, 70_000, 4 << 20]
  private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  static func run(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let limit = limits[Int(first & 7) % limits.count]
    // Most inputs start with the magic bytes, so that the fuzzer need not find them.
    let frame = (first & 8 == 0 ? magic : []) + input.dropFirst()
    guard let message = inflated(frame, limit) else { return }
    let again = message.withUnsafeBytes { Packed.zstd.compress($0, below: .max) }
    guard let again else { Fuzz.stop("\(message.count) bytes are not packed") }
    Fuzz.hold(inflated(again, limit) == message, "what is packed comes out as another message")
  }

  private static func inflated(_ frame: [UInt8], _ limit: Int) -> [UInt8]? {
    var message: [UInt8] = []
    do throws(InflateFault) {
      try frame.inflated(limit) { part in
        message += part
        Fuzz.hold(message.count <= limit, "\(message.count) bytes of at most \(limit)")
      }
      return message
    } catch {
      return nil
    }
  }
}

extension [UInt8] {
  fileprivate func inflated(
    _ limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(InflateFault) {
    var fault: InflateFault?
    withUnsafeBytes { frame in
      do throws(InflateFault) {
        try Packed.zstd.inflate(frame, limit: limit, take)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
  }
}

/// Compressed messages of the programs, valid and invalid.
enum Packed {
  static let zstd = Zstd()

  /// Larger than any message limit and any allowed ratio.
  private static let bombs: [[UInt8]] = [5 << 20, 1 << 20].map {
    frame([UInt8](repeating: 0, count: $0))
  }

  static func frame(_ message: [UInt8]) -> [UInt8] {
    message.withUnsafeBytes { zstd.compress($0, below: .max) } ?? []
  }

  /// The bytes of a frame with COMPRESSED for the message.
  static func message(_ message: [UInt8], _ tape: inout Tape) -> [UInt8] {
    switch tape.number(below: 8) {
    case 0: return message
    case 1: return bombs[tape.number(below: bombs.count)]
    case 2: return Array(frame(message).dropLast(tape.number(below: 9)))
    case 3:
      var damaged = frame(message)
      if !damaged.isEmpty { damaged[tape.number(below: damaged.count)] ^= tape.byte() }
      return damaged
    default: return frame(message)
    }
  }
}
