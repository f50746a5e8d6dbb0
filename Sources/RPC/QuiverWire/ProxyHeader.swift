/// What the header of PROXY protocol version 2 states about the connection behind a proxy.
package enum ProxyHeader: Equatable, Sendable {
  /// The proxy connected by itself (LOCAL), or it does not name the address: the connection's own
  /// address counts.
  case local
  case ipv4([UInt8], port: UInt16)
  case ipv6([UInt8], port: UInt16)
  case unix
}

/// Reads a header of PROXY protocol version 2, however its bytes are chunked.
package struct ProxyHeaderParser: Sendable {
  package enum Result: Equatable, Sendable {
    /// More bytes are needed.
    case incomplete
    case header(ProxyHeader)
    /// The bytes are no such header, or one that this version does not accept.
    case invalid
  }

  package static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]
  /// Signature, command, family and length.
  package static let fixedByteCount = 16
  /// The longest header that is accepted, with its extensions.
  package static let maxByteCount = 2_048

  private var bytes: [UInt8] = []

  package init() {}

  /// Takes the header's bytes out of `chunk`, from `offset` on, and leaves what follows them.
  ///
  /// The first byte that cannot belong to a header makes it invalid.
  package mutating func receive(
    _ chunk: UnsafeRawBufferPointer, at offset: inout Int
  ) -> Result {
    while offset < chunk.count {
      bytes.append(chunk[offset])
      offset += 1
      let count = bytes.count
      if count <= Self.signature.count {
        guard bytes[count - 1] == Self.signature[count - 1] else { return .invalid }
      } else if count >= Self.fixedByteCount {
        let whole = Self.fixedByteCount + number(at: 14)
        guard whole <= Self.maxByteCount else { return .invalid }
        if count == whole { return parse() }
      }
    }
    return .incomplete
  }

  private func parse() -> Result {
    let addresses = bytes[Self.fixedByteCount...]
    switch bytes[12] {
    case 0x20: return .header(.local)
    case 0x21: break
    default: return .invalid
    }
    switch bytes[13] {
    case 0x00: return .header(.local)
    case 0x11:
      guard addresses.count >= 12 else { return .invalid }
      return .header(.ipv4(Array(bytes[16..<20]), port: port(at: 24)))
    case 0x21:
      guard addresses.count >= 36 else { return .invalid }
      return .header(.ipv6(Array(bytes[16..<32]), port: port(at: 48)))
    case 0x31:
      return addresses.count >= 216 ? .header(.unix) : .invalid
    default: return .invalid
    }
  }

  private func port(at index: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(at: index)) }

  /// The two bytes at `index` as a number in network order.
  private func number(at index: Int) -> Int {
    Int(truncatingIfNeeded: bytes[index]) << 8 | Int(truncatingIfNeeded: bytes[index + 1])
  }
}
