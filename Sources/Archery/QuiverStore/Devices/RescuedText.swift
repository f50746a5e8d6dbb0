import QuiverCrypto

/// Operations of a device as another one delivers them: what the device has signed, and its tag.
///
/// The tag is the beginning of an HMAC-SHA-256 with a key that the device and the store know: the
/// hash of the device's token, which the device can compute and the store keeps. Nobody else can
/// make or change such a text; whoever has one can deliver it, also again.
package struct RescuedText: Sendable {
  package static let prefix = "qr_"
  static let tagByteCount = 16

  /// The encoded message with the operations.
  package let payload: [UInt8]
  private let tag: [UInt8]

  /// Throws `invalidArgument` for a text of another form.
  package init(_ text: String) throws(StoreError) {
    guard text.utf8.count <= StoreLimits.rescuedTextLength else {
      throw .invalid("text", "must have at most \(StoreLimits.rescuedTextLength) characters")
    }
    guard text.hasPrefix(Self.prefix),
      let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)),
      bytes.count > Self.tagByteCount
    else { throw .invalid("text", "must be operations that a device has signed") }
    payload = Array(bytes.dropLast(Self.tagByteCount))
    tag = Array(bytes.suffix(Self.tagByteCount))
  }

  /// What a device with this secret shows for a payload.
  package static func text(_ payload: [UInt8], secret: DeviceSecret) -> String {
    prefix + Base64URL.encode(payload + tag(of: payload, key: secret.hash))
  }

  fileprivate func isSigned(key: [UInt8]) -> Bool {
    ConstantTime.isEqual(Self.tag(of: payload, key: key), tag)
  }

  private static func tag(of payload: [UInt8], key: [UInt8]) -> [UInt8] {
    let signed = Array("quiver rescue 1".utf8) + [0] + payload
    return Array(HMACSHA256.authenticationCode(for: signed, key: key).prefix(tagByteCount))
  }
}

/// A device whose operations somebody else delivers.
package struct RescuedDevice: Sendable {
  package let principal: Int64
  package let event: Int64
  /// As it named itself when it joined.
  package let device: String
}

extension Snapshot {
  private static let key = Query("SELECT secret_hash FROM event_device WHERE id = ?1")

  fileprivate func rescueKey(ofDevice principal: Int64) throws(StoreError) -> [UInt8]? {
    try first(Self.key, .integer(principal)) { row in row.bytes(0) }
  }
}

extension Store {
  /// The device that has signed a text; throws `notFound` unless it is the one that is named and
  /// may still deliver what it has recorded.
  package func device(
    _ principal: Int64, thatSigned text: RescuedText
  ) throws(StoreError) -> RescuedDevice {
    let now = time.nowMilliseconds
    return try read { (snapshot) throws(StoreError) in
      // A text of an unknown device takes as long as one that is not signed.
      let key = try snapshot.rescueKey(ofDevice: principal)
      let isSigned = text.isSigned(key: key ?? [0])
      guard key != nil, isSigned, let device = try snapshot.device(principal: principal),
        let head = try snapshot.tournamentHead(id: device.event),
        now < device.end(in: head) + StoreLimits.lateDeliveryMilliseconds,
        try snapshot.principal(id: principal).isActive
      else {
        throw StoreError(
          .notFound, "no device of this server has signed these operations, or it has ended",
          field: "text", notProcessed: true)
      }
      return RescuedDevice(principal: principal, event: device.event, device: device.device)
    }
  }
}

/// Notes in the audit that operations of the calling device were delivered by somebody else.
package struct NoteRescue: Command {
  package static var storesContent: Bool { false }

  private let carrier: Int64
  private let count: Int

  /// `carrier` is a principal; 0: nobody who is known. `count` is that of operations with an
  /// effect.
  package init(carrier: Int64, count: Int) {
    self.carrier = carrier
    self.count = count
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) {
    guard
      let device = try transaction.snapshot.device(principal: transaction.caller.principal)
    else { return }
    try transaction.auditEvent(device.event, "device.rescue", after: "\(count) by \(carrier)")
  }
}
