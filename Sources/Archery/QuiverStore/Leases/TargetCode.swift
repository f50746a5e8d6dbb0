/// The code with which a scoring device joins a target, for example in a QR code.
///
/// It is not stored: a MAC with the store's key authenticates the target and the serial of the
/// event's codes. A caller with the code may score the target.
struct TargetCode: Sendable, Equatable {
  let event: Int64
  /// 0: the target of matches.
  let session: Int64
  let target: UInt32
  let serial: Int64

  private static var form: SignedNumbers { SignedNumbers(prefix: "qt_", label: "target", count: 4) }

  init(event: Int64, session: Int64, target: UInt32, serial: Int64) {
    self.event = event
    self.session = session
    self.target = target
    self.serial = serial
  }

  /// Reads a code of this store; nil for any other text.
  init?(_ text: String, key: [UInt8]) {
    guard let numbers = Self.form.numbers(in: text, key: key) else { return nil }
    event = numbers[0]
    session = numbers[1]
    target = UInt32(clamping: numbers[2])
    serial = numbers[3]
  }

  func text(key: [UInt8]) -> String {
    Self.form.text([event, session, Int64(target), serial], key: key)
  }
}
