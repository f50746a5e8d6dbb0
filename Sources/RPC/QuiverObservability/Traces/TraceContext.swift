/// W3C's trace context of a call, in its binary form: the trace id of 16 bytes, the id of the
/// caller's span of 8, and flags.
package struct TraceContext: Sendable, Equatable {
  package let traceID: [UInt8]
  package let parentID: [UInt8]
  /// Whether the caller records the trace, so that its spans are sent.
  package let isSampled: Bool

  package static let byteCount = 25

  /// Nil for another length, and for an id of zeros, which names nothing.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    traceID = Array(bytes[..<16])
    parentID = Array(bytes[16..<24])
    isSampled = bytes[24] & 1 != 0
    guard traceID.contains(where: { $0 != 0 }), parentID.contains(where: { $0 != 0 }) else {
      return nil
    }
  }
}

/// A span that has ended.
package struct FinishedSpan: Sendable, Equatable {
  package enum Kind: Sendable { case server, inside }

  package enum Value: Sendable, Equatable {
    case text(String)
    case number(Int64)
  }

  package struct Attribute: Sendable, Equatable {
    package let key: String
    package let value: Value

    package init(_ key: String, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  package var traceID: [UInt8]
  package var spanID: [UInt8]
  package var parentID: [UInt8]
  package var name: String
  package var kind: Kind
  /// In nanoseconds of CLOCK_MONOTONIC.
  package var startNanoseconds: UInt64
  package var endNanoseconds: UInt64
  package var attributes: [Attribute] = []
  /// Why the server failed; nil: it did not.
  package var failure: String?

  package init(
    of context: TraceContext, id: [UInt8], parent: [UInt8], _ name: String, _ kind: Kind,
    from startNanoseconds: UInt64, until endNanoseconds: UInt64
  ) {
    traceID = context.traceID
    spanID = id
    parentID = parent
    self.name = name
    self.kind = kind
    self.startNanoseconds = startNanoseconds
    self.endNanoseconds = endNanoseconds
  }

  /// Eight random bytes that are not all zeros.
  package static func newID() -> [UInt8] {
    withUnsafeBytes(of: UInt64.random(in: 1 ... .max)) { Array($0) }
  }
}
